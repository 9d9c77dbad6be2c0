//! Graphics and compute pipelines: a key of handles finds one; behind it, pipelines that come out equal are shared.
//! Must not know command buffers or what was bound before.

mod build;
mod convert;
mod state;
mod store;

pub use build::{Recipe, graphics as build_graphics};
pub use convert::{compare as compare_op, is_list, topology};
pub use state::{Attachment, Baked, DrawShape, Loose, LooseOne, LooseTwo, PassFormat, translate, write_mask};
pub use store::CacheStore;

use crate::commands::{Commands, Garbage};
use crate::device::Gpu;
use crate::programs::Program;
use crate::variants::{FetchSet, Variant};
use crate::vertex::VertexLayout;
use ash::vk;
use mgl_backend::traits::Outcome;
use mgl_pipe::archive::Stage;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Identity of a graphics pipeline: handles and the few draw inputs that are not in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Key {
    /// `Program::serial`.
    pub program: u64,
    /// Bits of the render state handle.
    pub state: u64,
    /// Number of the vertex layout, or of its conversions where vertex input is dynamic.
    pub input: u32,
    /// Interned pass format.
    pub pass: u32,
    /// Default tessellation levels of a program without a control stage: their number and 1, else 0.
    pub levels: u32,
    /// Topology (8 bits), restart (1), patch vertices (7), draw parameters (1), disabled clip distances (8).
    pub draw: u32,
}

/// Vertex input of a program and an attribute layout, for keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct InputKey {
    /// Index in `Pipelines::layouts`.
    pub layout: u32,
    /// Number of the conversions that the shader does.
    pub fetch: u32,
}

/// What a key finds.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The pipeline.
    pub pipeline: vk::Pipeline,
    /// State that is set at the command buffer where the device can.
    pub loose: Loose,
    /// The last stage takes the point size from the push constants.
    pub push_point_size: bool,
    /// Viewports the pipeline has.
    pub viewports: u32,
    /// Index of the vertex layout in `Pipelines::layouts`.
    pub layout: u32,
}

/// Multiplies and rotates words: the keys are handles and serials, which need mixing but no defence.
#[derive(Default)]
pub struct WordHasher(u64);

impl Hasher for WordHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u32(&mut self, value: u32) {
        self.write_u64(u64::from(value));
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(23) ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 ^= self.0 >> 29;
    }
}

/// A map with cheap hashing.
pub type WordMap<K, V> = HashMap<K, V, BuildHasherDefault<WordHasher>>;

/// What a pipeline really depends on; equal for keys that differ in nothing that is baked.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Full {
    program: u64,
    layout: u32,
    variant: Variant,
    baked: Baked,
    loose: Loose,
}

/// All pipelines of a session.
pub struct Pipelines {
    store: CacheStore,
    entries: WordMap<Key, Entry>,
    full: HashMap<Full, vk::Pipeline>,
    compute: WordMap<u64, vk::Pipeline>,
    layouts: Vec<VertexLayout>,
    /// By program and vertex elements.
    inputs: WordMap<(u64, u64), InputKey>,
    fetches: Vec<FetchSet>,
    formats: Vec<PassFormat>,
    levels: Vec<[u32; 6]>,
}

/// Inputs of a miss.
pub struct Miss<'a> {
    /// The key that was not found.
    pub key: Key,
    /// The program.
    pub program: &'a mut Program,
    /// Index of the vertex layout.
    pub layout: u32,
    /// Translated state.
    pub state: (Baked, Loose),
    /// Shader variant.
    pub variant: Variant,
    /// Compatible render pass or null.
    pub render_pass: vk::RenderPass,
}

impl Pipelines {
    /// No pipelines, with the cache of the device.
    pub fn new(gpu: &Gpu) -> Self {
        Self {
            store: CacheStore::open(gpu),
            entries: WordMap::default(),
            full: HashMap::new(),
            compute: WordMap::default(),
            layouts: Vec::new(),
            inputs: WordMap::default(),
            fetches: Vec::new(),
            formats: Vec::new(),
            levels: Vec::new(),
        }
    }

    /// Number of a pass format, for keys.
    pub fn intern(&mut self, format: &PassFormat) -> u32 {
        match self.formats.iter().position(|f| f == format) {
            Some(at) => at as u32,
            None => {
                self.formats.push(*format);
                self.formats.len() as u32 - 1
            }
        }
    }

    /// Number of default tessellation levels, for keys; never 0.
    pub fn levels(&mut self, levels: [u32; 6]) -> u32 {
        let known = self.levels.iter().position(|l| *l == levels);
        known.map_or_else(
            || {
                self.levels.push(levels);
                self.levels.len() as u32
            },
            |at| at as u32 + 1,
        )
    }

    /// A vertex layout by number.
    pub fn layout(&self, index: u32) -> Option<&VertexLayout> {
        self.layouts.get(index as usize)
    }

    /// The driver's cache.
    pub fn cache(&self) -> vk::PipelineCache {
        self.store.handle()
    }

    /// The entry of a key.
    pub fn get(&self, key: &Key) -> Option<Entry> {
        self.entries.get(key).copied()
    }

    /// Makes the entry of a key that was not found.
    pub fn make(&mut self, gpu: &Gpu, miss: Miss<'_>) -> Outcome<Entry> {
        let (baked, loose) = miss.state;
        let layout = miss.layout;
        let full = Full {
            program: miss.program.serial,
            layout: if gpu.features.vertex_input_dynamic_state { u32::MAX } else { layout },
            variant: miss.variant,
            baked,
            loose: Loose {
                one: if gpu.features.extended_dynamic_state { LooseOne::default() } else { loose.one },
                two: if gpu.features.extended_dynamic_state2 { LooseTwo::default() } else { loose.two },
            },
        };
        let pipeline = match self.full.get(&full) {
            Some(pipeline) => *pipeline,
            None => {
                let modules = modules(gpu, miss.program, &miss.variant, &loose)?;
                let recipe = Recipe {
                    modules: &modules,
                    vertex: &self.layouts[layout as usize],
                    baked: &baked,
                    loose: &full.loose,
                    layout: miss.program.layouts.pipeline,
                    render_pass: miss.render_pass,
                };
                let pipeline = build::graphics(gpu, self.store.handle(), &recipe)?;
                self.full.insert(full, pipeline);
                pipeline
            }
        };
        let entry =
            Entry { pipeline, loose, push_point_size: miss.variant.point_size, viewports: baked.viewports, layout };
        self.entries.insert(miss.key, entry);
        Ok(entry)
    }

    /// Vertex input of a program and an attribute layout that was seen before.
    pub fn input(&self, pair: (u64, u64)) -> Option<InputKey> {
        self.inputs.get(&pair).copied()
    }

    /// Remembers the vertex input of a program and an attribute layout.
    pub fn add_input(&mut self, pair: (u64, u64), layout: VertexLayout) -> InputKey {
        let fetch = match self.fetches.iter().position(|f| *f == layout.fetch) {
            Some(at) => at as u32,
            None => {
                self.fetches.push(layout.fetch);
                self.fetches.len() as u32 - 1
            }
        };
        let input = InputKey { layout: self.intern_layout(layout), fetch };
        self.inputs.insert(pair, input);
        input
    }

    fn intern_layout(&mut self, layout: VertexLayout) -> u32 {
        match self.layouts.iter().position(|l| *l == layout) {
            Some(at) => at as u32,
            None => {
                self.layouts.push(layout);
                self.layouts.len() as u32 - 1
            }
        }
    }

    /// The compute pipeline of a program.
    pub fn compute(&mut self, gpu: &Gpu, program: &mut Program) -> Outcome<vk::Pipeline> {
        if let Some(pipeline) = self.compute.get(&program.serial) {
            return Ok(*pipeline);
        }
        let module = program.module(gpu, Stage::Compute, &Variant::default())?;
        let pipeline = build::compute(gpu, self.store.handle(), module, program.layouts.pipeline)?;
        self.compute.insert(program.serial, pipeline);
        Ok(pipeline)
    }

    /// Drops what belongs to a program that died.
    pub fn drop_program(&mut self, commands: &mut Commands, serial: u64) {
        let now = commands.current_serial();
        self.entries.retain(|key, _| key.program != serial);
        self.inputs.retain(|(program, _), _| *program != serial);
        self.full.retain(|full, pipeline| {
            let keep = full.program != serial;
            if !keep {
                commands.defer_destroy(now, Garbage::Pipeline(*pipeline));
            }
            keep
        });
        if let Some(pipeline) = self.compute.remove(&serial) {
            commands.defer_destroy(now, Garbage::Pipeline(pipeline));
        }
    }

    /// Drops keys of a render state that was evicted; the pipelines stay for states that come out equal.
    pub fn drop_state(&mut self, state: u64) {
        self.entries.retain(|key, _| key.state != state);
    }

    /// Drops what is known of vertex elements that were evicted.
    pub fn drop_elements(&mut self, elements: u64) {
        self.inputs.retain(|(_, own), _| *own != elements);
    }

    /// Destroys everything; the GPU is idle.
    pub fn close(&mut self, commands: &mut Commands) {
        let now = commands.current_serial();
        let all = self.full.drain().map(|(_, p)| p).chain(self.compute.drain().map(|(_, p)| p));
        all.for_each(|p| commands.defer_destroy(now, Garbage::Pipeline(p)));
        self.entries.clear();
        self.store.close(commands.gpu());
    }
}

fn modules(
    gpu: &Gpu,
    program: &mut Program,
    variant: &Variant,
    loose: &Loose,
) -> Outcome<Vec<(Stage, vk::ShaderModule)>> {
    let graphics = [Stage::Vertex, Stage::TessControl, Stage::TessEval, Stage::Geometry, Stage::Fragment];
    let mut out = Vec::with_capacity(graphics.len());
    for stage in graphics {
        let dead = stage == Stage::Fragment && loose.two.discard && !gpu.features.extended_dynamic_state2;
        if (program.has(stage) || (stage == Stage::TessControl && variant.control.is_some())) && !dead {
            out.push((stage, program.module(gpu, stage, variant)?));
        }
    }
    Ok(out)
}
