//! Objects of the null backend: nothing is kept, reads give zeros.

use crate::{DONE, Null};
use mgl_backend::traits::BufferTarget;
use mgl_backend::values::{Box3, ReadbackInfo, ResourceCopyRegion, SubRegion, TextureParams};
use mgl_backend::{
    BufferDesc, Buffers, Content, ImageRef, Objects, Outcome, Programs, Retire, SamplerDesc, SharedMemory, TextureDesc,
    Textures, VertexElementsDesc, ViewDesc,
};
use mgl_base::Handle;
use mgl_base::handle::{
    Buffer, RenderStateCso, Renderbuffer, SamplerCso, SamplerViewCso, ShaderCso, Texture, VertexElementsCso,
};

impl Buffers for Null {
    fn buffer_define(&mut self, _: Handle<Buffer>, _: &BufferDesc) -> Outcome {
        DONE
    }
    fn buffer_destroy(&mut self, buffer: Handle<Buffer>) {
        self.shared.iter_mut().for_each(|list| list.retain(|(of, _)| *of != buffer));
    }
    fn buffer_write(&mut self, _: Handle<Buffer>, _: u64, _: &dyn Content) -> Outcome<Retire> {
        Ok(Retire::Now)
    }
    fn buffer_read(&mut self, _: Handle<Buffer>, _: u64, out: &mut [u8]) -> Outcome {
        out.fill(0);
        DONE
    }
    fn buffer_copy(&mut self, _: Handle<Buffer>, _: u64, _: Handle<Buffer>, _: u64, _: u64) -> Outcome {
        DONE
    }
    fn buffer_fill(&mut self, _: Handle<Buffer>, _: u64, _: u64, _: &[u8]) -> Outcome {
        DONE
    }
    fn buffer_share(&mut self, buffer: Handle<Buffer>, memory: SharedMemory) -> Outcome<bool> {
        self.shared.iter_mut().for_each(|list| list.push((buffer, memory.clone())));
        Ok(self.shared.is_some())
    }
}

impl Textures for Null {
    fn texture_define(&mut self, _: Handle<Texture>, _: &TextureDesc, _: bool) -> Outcome {
        DONE
    }
    fn texture_destroy(&mut self, _: Handle<Texture>) {}
    fn renderbuffer_define(&mut self, _: Handle<Renderbuffer>, _: &TextureDesc) -> Outcome {
        DONE
    }
    fn renderbuffer_destroy(&mut self, _: Handle<Renderbuffer>) {}
    fn texture_write(&mut self, _: Handle<Texture>, _: u32, _: &[SubRegion], _: &dyn Content) -> Outcome<Retire> {
        Ok(Retire::Now)
    }
    fn texture_write_from_buffer(&mut self, _: Handle<Texture>, _: u32, _: &SubRegion, _: Handle<Buffer>) -> Outcome {
        DONE
    }
    fn texture_read(&mut self, _: Handle<Texture>, _: &ReadbackInfo, out: &mut [u8]) -> Outcome {
        out.fill(0);
        DONE
    }
    fn texture_read_to_buffer(&mut self, _: Handle<Texture>, _: &ReadbackInfo, _: BufferTarget) -> Outcome {
        DONE
    }
    fn texture_params(&mut self, _: Handle<Texture>, _: &TextureParams) -> Outcome {
        DONE
    }
    fn texture_clear(&mut self, _: Handle<Texture>, _: u32, _: &Box3, _: &[u8]) -> Outcome {
        DONE
    }
    fn generate_mipmap(&mut self, _: Handle<Texture>, _: u32, _: u32) -> Outcome {
        DONE
    }
    fn copy_image(&mut self, _: ImageRef, _: ImageRef, _: &ResourceCopyRegion) -> Outcome {
        DONE
    }
}

impl Objects for Null {
    fn vertex_elements_create(&mut self, _: Handle<VertexElementsCso>, _: VertexElementsDesc) -> Outcome {
        DONE
    }
    fn vertex_elements_destroy(&mut self, _: Handle<VertexElementsCso>) {}
    fn sampler_create(&mut self, _: Handle<SamplerCso>, _: &SamplerDesc) -> Outcome {
        DONE
    }
    fn sampler_destroy(&mut self, _: Handle<SamplerCso>) {}
    fn view_create(&mut self, _: Handle<SamplerViewCso>, _: &ViewDesc) -> Outcome {
        DONE
    }
    fn view_destroy(&mut self, _: Handle<SamplerViewCso>) {}
    fn render_state_destroy(&mut self, _: Handle<RenderStateCso>) {}
}

impl Programs for Null {
    fn program_create(&mut self, _: Handle<ShaderCso>, _: [Vec<u32>; 6], _: &[u8]) -> Outcome {
        DONE
    }

    fn program_destroy(&mut self, _: Handle<ShaderCso>) {}
    fn program_constants(&mut self, _: u32, _: Handle<ShaderCso>, _: u32, _: &dyn Content) -> Outcome {
        DONE
    }
}
