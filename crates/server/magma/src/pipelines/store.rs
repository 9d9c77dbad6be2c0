//! The Vulkan pipeline cache on disk: one file per device and driver build, replaced whole. Must not know pipelines.

use crate::device::Gpu;
use crate::raw::make;
use ash::vk;
use std::path::PathBuf;

/// The driver's cache with its file.
pub struct CacheStore {
    cache: vk::PipelineCache,
    path: Option<PathBuf>,
    loaded: usize,
}

impl CacheStore {
    /// Opens the cache; a file that the driver rejects is as good as none.
    pub fn open(gpu: &Gpu) -> Self {
        let path = file_of(gpu);
        let data = path.as_ref().and_then(|p| std::fs::read(p).ok()).unwrap_or_default();
        let info = vk::PipelineCacheCreateInfo::default().initial_data(&data);
        let cache = make::pipeline_cache(&gpu.device, &info)
            .or_else(|_| make::pipeline_cache(&gpu.device, &vk::PipelineCacheCreateInfo::default()))
            .unwrap_or_default();
        Self { cache, path, loaded: data.len() }
    }

    /// The handle; null when the driver could not make one, which Vulkan takes too.
    pub fn handle(&self) -> vk::PipelineCache {
        self.cache
    }

    /// Writes the file when the cache grew, then destroys the cache.
    pub fn close(&mut self, gpu: &Gpu) {
        if self.cache == vk::PipelineCache::null() {
            return;
        }
        if let (Some(path), Ok(data)) = (&self.path, make::pipeline_cache_data(&gpu.device, self.cache))
            && data.len() > self.loaded
        {
            save(path, &data);
        }
        make::destroy_pipeline_cache(&gpu.device, self.cache);
        self.cache = vk::PipelineCache::null();
    }
}

/// A torn file would be rejected by its header at best: write beside it and rename.
fn save(path: &std::path::Path, data: &[u8]) {
    let beside = path.with_extension(format!("{}.tmp", std::process::id()));
    let written = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&beside, data));
    if let Err(e) = written.and_then(|()| std::fs::rename(&beside, path)) {
        tracing::warn!("the pipeline cache could not be written to {}: {e}", path.display());
        std::fs::remove_file(&beside).ok();
    }
}

/// In [`mgl_base::folders::cache`]; `MOBILEGL_PIPELINE_CACHE=0` turns it off.
fn file_of(gpu: &Gpu) -> Option<PathBuf> {
    if std::env::var("MOBILEGL_PIPELINE_CACHE").is_ok_and(|v| v == "0") {
        return None;
    }
    let root = mgl_base::folders::cache()?;
    let p = &gpu.properties;
    let uuid: String = p.pipeline_cache_uuid.iter().map(|b| format!("{b:02x}")).collect();
    Some(root.join(format!("vk-{:04x}-{:04x}-{:08x}-{uuid}.bin", p.vendor_id, p.device_id, p.driver_version)))
}
