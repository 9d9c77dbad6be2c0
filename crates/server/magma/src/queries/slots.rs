//! Query slots: pools of one type, reset in the front lane while the GPU does not use them. Must not know GL queries.

use crate::commands::{Commands, Garbage, Lane};
use crate::error::refuse;
use crate::raw::make;
use crate::recorder::Recorder;
use ash::vk;
use mgl_backend::traits::Outcome;

const POOL_SLOTS: u32 = 128;

/// A slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Pool in the list.
    block: usize,
    /// The pool.
    pub pool: vk::QueryPool,
    /// Index in the pool.
    pub index: u32,
}

struct Block {
    pool: vk::QueryPool,
    next: u32,
    live: u32,
    serial: u64,
}

/// All pools of one type.
pub struct Slots {
    ty: vk::QueryType,
    statistics: vk::QueryPipelineStatisticFlags,
    blocks: Vec<Block>,
}

impl Slots {
    /// No pools yet.
    pub fn new(ty: vk::QueryType, statistics: vk::QueryPipelineStatisticFlags) -> Self {
        Self { ty, statistics, blocks: Vec::new() }
    }

    /// A slot that is reset when the main lane of the current batch runs.
    pub fn take(&mut self, commands: &mut Commands) -> Outcome<Slot> {
        let block = match self.blocks.iter().position(|b| b.next < POOL_SLOTS) {
            Some(at) => at,
            None => self.fresh(commands)?,
        };
        let serial = commands.current_serial();
        let b = &mut self.blocks[block];
        let slot = Slot { block, pool: b.pool, index: b.next };
        b.next += 1;
        b.live += 1;
        b.serial = serial;
        Ok(slot)
    }

    /// A pool whose slots are all free: an old one that nothing refers to, or a new one.
    fn fresh(&mut self, commands: &mut Commands) -> Outcome<usize> {
        let completed = commands.completed_serial();
        let at = match self.blocks.iter().position(|b| b.live == 0 && b.serial <= completed) {
            Some(at) => at,
            None => {
                let info = vk::QueryPoolCreateInfo::default()
                    .query_type(self.ty)
                    .query_count(POOL_SLOTS)
                    .pipeline_statistics(self.statistics);
                let pool =
                    make::query_pool(&commands.gpu().device, &info).map_err(|e| refuse("vkCreateQueryPool", e))?;
                self.blocks.push(Block { pool, next: 0, live: 0, serial: 0 });
                self.blocks.len() - 1
            }
        };
        let cmd = commands.lane(Lane::Front)?;
        let gpu = commands.gpu().clone();
        Recorder::new(&gpu, cmd).reset_queries(self.blocks[at].pool, 0, POOL_SLOTS);
        self.blocks[at].next = 0;
        Ok(at)
    }

    /// Nobody will read the slot again.
    pub fn release(&mut self, slot: Slot, serial: u64) {
        if let Some(b) = self.blocks.get_mut(slot.block) {
            b.live = b.live.saturating_sub(1);
            b.serial = b.serial.max(serial);
        }
    }

    /// One more reader of the slot.
    pub fn retain(&mut self, slot: Slot) {
        if let Some(b) = self.blocks.get_mut(slot.block) {
            b.live += 1;
        }
    }

    /// Destroys the pools when their last batch is complete.
    pub fn close(&mut self, commands: &mut Commands) {
        let now = commands.current_serial();
        self.blocks.drain(..).for_each(|b| commands.defer_destroy(now, Garbage::QueryPool(b.pool)));
    }
}
