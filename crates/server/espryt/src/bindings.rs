//! What is bound in the driver, so that nothing is bound twice: every bind of the crate goes through here. Must not know
//! why something is bound. A deleted name must be forgotten here, because the driver unbinds it too.

use crate::raw::{Gl, consts};

/// Buffer targets outside vertex arrays and transform feedback objects (those belong to their objects).
const BUFFER_TARGETS: [u32; 11] = [
    consts::ARRAY_BUFFER,
    consts::COPY_READ_BUFFER,
    consts::COPY_WRITE_BUFFER,
    consts::PIXEL_PACK_BUFFER,
    consts::PIXEL_UNPACK_BUFFER,
    consts::UNIFORM_BUFFER,
    consts::SHADER_STORAGE_BUFFER,
    consts::ATOMIC_COUNTER_BUFFER,
    consts::DRAW_INDIRECT_BUFFER,
    consts::DISPATCH_INDIRECT_BUFFER,
    consts::TEXTURE_BUFFER,
];

/// Texture targets, in the order of [`target_index`].
const TEXTURE_TARGETS: usize = 9;

fn target_index(target: u32) -> usize {
    match target {
        consts::TEXTURE_2D => 0,
        consts::TEXTURE_3D => 1,
        consts::TEXTURE_2D_ARRAY => 2,
        consts::TEXTURE_CUBE_MAP => 3,
        consts::TEXTURE_CUBE_MAP_ARRAY => 4,
        consts::TEXTURE_2D_MULTISAMPLE => 5,
        consts::TEXTURE_2D_MULTISAMPLE_ARRAY => 6,
        consts::TEXTURE_BUFFER => 7,
        _ => 8,
    }
}

/// A range bound to an indexed point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoundRange {
    /// Buffer name.
    pub name: u32,
    /// First byte.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
}

/// The shadow.
#[derive(Debug)]
pub struct Bindings {
    buffers: [u32; BUFFER_TARGETS.len()],
    ranges: [Vec<BoundRange>; 3],
    active: u32,
    textures: Vec<[u32; TEXTURE_TARGETS]>,
    samplers: Vec<u32>,
    draw_framebuffer: u32,
    read_framebuffer: u32,
    vertex_array: u32,
    program: u32,
    transform_feedback: u32,
}

/// Class of indexed buffer points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RangeClass {
    /// Uniform blocks.
    Uniform = 0,
    /// Storage blocks.
    Storage = 1,
    /// Atomic counters.
    Atomic = 2,
}

impl Bindings {
    /// A fresh context with so many texture units.
    pub fn new(units: u32) -> Self {
        let units = units.max(1) as usize;
        Self {
            buffers: [0; BUFFER_TARGETS.len()],
            ranges: Default::default(),
            active: 0,
            textures: vec![[0; TEXTURE_TARGETS]; units],
            samplers: vec![0; units],
            draw_framebuffer: 0,
            read_framebuffer: 0,
            vertex_array: 0,
            program: 0,
            transform_feedback: 0,
        }
    }

    /// The last unit: transfers and internal draws use it, programs do not.
    pub fn scratch_unit(&self) -> u32 {
        self.textures.len() as u32 - 1
    }

    /// Binds a buffer to a target that is not indexed and not part of a vertex array.
    #[inline]
    pub fn buffer(&mut self, gl: &Gl, target: u32, name: u32) {
        match BUFFER_TARGETS.iter().position(|t| *t == target).and_then(|i| self.buffers.get_mut(i)) {
            Some(bound) if *bound == name => {}
            Some(bound) => {
                *bound = name;
                gl.bind_buffer(target, name);
            }
            None => gl.bind_buffer(target, name),
        }
    }

    /// Binds a range to an indexed point; `name` 0 unbinds.
    #[inline]
    pub fn range(&mut self, gl: &Gl, class: RangeClass, index: u32, range: BoundRange) {
        let list = &mut self.ranges[class as usize];
        if list.len() <= index as usize {
            list.resize(index as usize + 1, BoundRange::default());
        }
        if list[index as usize] == range {
            return;
        }
        list[index as usize] = range;
        let (target, at) = match class {
            RangeClass::Uniform => (consts::UNIFORM_BUFFER, 5),
            RangeClass::Storage => (consts::SHADER_STORAGE_BUFFER, 6),
            RangeClass::Atomic => (consts::ATOMIC_COUNTER_BUFFER, 7),
        };
        // Indexed binds change the target's own binding too (ES 3.2 §6.1.1).
        self.buffers[at] = range.name;
        if range.name == 0 {
            gl.bind_buffer_base(target, index, 0);
        } else {
            gl.bind_buffer_range(target, index, range.name, range.offset as isize, range.size as isize);
        }
    }

    /// Chooses a texture unit.
    #[inline]
    pub fn unit(&mut self, gl: &Gl, unit: u32) {
        if self.active != unit {
            self.active = unit;
            gl.active_texture(consts::TEXTURE0 + unit);
        }
    }

    /// Binds a texture to a unit.
    #[inline]
    pub fn texture(&mut self, gl: &Gl, unit: u32, target: u32, name: u32) {
        let Some(bound) = self.textures.get_mut(unit as usize).map(|u| &mut u[target_index(target)]) else { return };
        if *bound == name {
            return;
        }
        *bound = name;
        self.unit(gl, unit);
        gl.bind_texture(target, name);
    }

    /// Binds a texture to the scratch unit and makes that unit the active one, for calls by target.
    pub fn scratch_texture(&mut self, gl: &Gl, target: u32, name: u32) {
        let unit = self.scratch_unit();
        self.texture(gl, unit, target, name);
        self.unit(gl, unit);
    }

    /// Binds a sampler to a unit.
    #[inline]
    pub fn sampler(&mut self, gl: &Gl, unit: u32, name: u32) {
        let Some(bound) = self.samplers.get_mut(unit as usize) else { return };
        if *bound != name {
            *bound = name;
            gl.bind_sampler(unit, name);
        }
    }

    /// Binds the draw framebuffer.
    #[inline]
    pub fn draw_framebuffer(&mut self, gl: &Gl, name: u32) {
        if self.draw_framebuffer != name {
            self.draw_framebuffer = name;
            gl.bind_framebuffer(consts::DRAW_FRAMEBUFFER, name);
        }
    }

    /// Binds the read framebuffer.
    #[inline]
    pub fn read_framebuffer(&mut self, gl: &Gl, name: u32) {
        if self.read_framebuffer != name {
            self.read_framebuffer = name;
            gl.bind_framebuffer(consts::READ_FRAMEBUFFER, name);
        }
    }

    /// Binds a vertex array.
    #[inline]
    pub fn vertex_array(&mut self, gl: &Gl, name: u32) {
        if self.vertex_array != name {
            self.vertex_array = name;
            gl.bind_vertex_array(name);
        }
    }

    /// Makes a program current.
    #[inline]
    pub fn program(&mut self, gl: &Gl, name: u32) {
        if self.program != name {
            self.program = name;
            gl.use_program(name);
        }
    }

    /// Binds a transform feedback object.
    pub fn transform_feedback(&mut self, gl: &Gl, name: u32) {
        if self.transform_feedback != name {
            self.transform_feedback = name;
            gl.bind_transform_feedback(consts::TRANSFORM_FEEDBACK, name);
        }
    }

    /// The bound transform feedback object.
    pub fn bound_transform_feedback(&self) -> u32 {
        self.transform_feedback
    }

    /// A buffer name is gone.
    pub fn forget_buffer(&mut self, name: u32) {
        self.buffers.iter_mut().filter(|b| **b == name).for_each(|b| *b = 0);
        self.ranges.iter_mut().flatten().filter(|r| r.name == name).for_each(|r| *r = BoundRange::default());
    }
    /// A texture name is gone.
    pub fn forget_texture(&mut self, name: u32) {
        self.textures.iter_mut().flatten().filter(|t| **t == name).for_each(|t| *t = 0);
    }
    /// A sampler name is gone.
    pub fn forget_sampler(&mut self, name: u32) {
        self.samplers.iter_mut().filter(|s| **s == name).for_each(|s| *s = 0);
    }
    /// A framebuffer name is gone.
    pub fn forget_framebuffer(&mut self, name: u32) {
        for bound in [&mut self.draw_framebuffer, &mut self.read_framebuffer] {
            if *bound == name {
                *bound = 0;
            }
        }
    }
    /// A vertex array name is gone.
    pub fn forget_vertex_array(&mut self, name: u32) {
        if self.vertex_array == name {
            self.vertex_array = 0;
        }
    }
    /// A transform feedback name is gone.
    pub fn forget_transform_feedback(&mut self, name: u32) {
        if self.transform_feedback == name {
            self.transform_feedback = 0;
        }
    }
    /// A program name is about to be deleted: a current program would live on (ES 3.2 §7.3).
    pub fn forget_program(&mut self, gl: &Gl, name: u32) {
        if self.program == name {
            self.program(gl, 0);
        }
    }
}
