//! Descriptor pools: sets live for one batch; a pool is used again when the batch is complete. Must not know programs.

use crate::commands::{Commands, Garbage};
use crate::error::refuse;
use crate::raw::make;
use ash::vk;
use mgl_backend::traits::Outcome;
use std::collections::VecDeque;

const SETS_PER_POOL: u32 = 512;

/// Descriptors per pool of each kind: enough for sets of ordinary programs.
const SIZES: [(vk::DescriptorType, u32); 7] = [
    (vk::DescriptorType::UNIFORM_BUFFER, 2048),
    (vk::DescriptorType::UNIFORM_BUFFER_DYNAMIC, 512),
    (vk::DescriptorType::COMBINED_IMAGE_SAMPLER, 4096),
    (vk::DescriptorType::STORAGE_BUFFER, 1024),
    (vk::DescriptorType::STORAGE_IMAGE, 512),
    (vk::DescriptorType::UNIFORM_TEXEL_BUFFER, 512),
    (vk::DescriptorType::STORAGE_TEXEL_BUFFER, 128),
];

/// Pools by batch.
#[derive(Default)]
pub struct Pools {
    current: Vec<vk::DescriptorPool>,
    serial: u64,
    busy: VecDeque<(u64, vk::DescriptorPool)>,
}

impl Pools {
    /// A set for the current batch.
    pub fn allocate(&mut self, commands: &mut Commands, layout: vk::DescriptorSetLayout) -> Outcome<vk::DescriptorSet> {
        let serial = commands.current_serial();
        if self.serial != serial {
            let old = self.serial;
            self.busy.extend(self.current.drain(..).map(|p| (old, p)));
            self.serial = serial;
        }
        if let Some(pool) = self.current.last()
            && let Ok(set) = make::allocate_set(&commands.gpu().device, *pool, layout)
        {
            return Ok(set);
        }
        let pool = self.next(commands)?;
        self.current.push(pool);
        make::allocate_set(&commands.gpu().device, pool, layout).map_err(|e| refuse("vkAllocateDescriptorSets", e))
    }

    fn next(&mut self, commands: &mut Commands) -> Outcome<vk::DescriptorPool> {
        if self.busy.front().is_some_and(|(serial, _)| *serial <= commands.completed_serial())
            && let Some((_, pool)) = self.busy.pop_front()
        {
            make::reset_pool(&commands.gpu().device, pool).map_err(|e| refuse("vkResetDescriptorPool", e))?;
            return Ok(pool);
        }
        if commands.gpu().allocator().rations.denies() {
            return Err(refuse("vkCreateDescriptorPool", vk::Result::ERROR_OUT_OF_DEVICE_MEMORY));
        }
        let sizes = SIZES.map(|(ty, descriptor_count)| vk::DescriptorPoolSize { ty, descriptor_count });
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(SETS_PER_POOL).pool_sizes(&sizes);
        make::descriptor_pool(&commands.gpu().device, &info).map_err(|e| refuse("vkCreateDescriptorPool", e))
    }

    /// Lets go of everything.
    pub fn close(&mut self, commands: &mut Commands) {
        let now = commands.current_serial();
        let all: Vec<vk::DescriptorPool> = self.current.drain(..).chain(self.busy.drain(..).map(|(_, p)| p)).collect();
        all.into_iter().for_each(|p| commands.defer_destroy(now, Garbage::DescriptorPool(p)));
    }
}
