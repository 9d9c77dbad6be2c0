//! Pipelines, program binaries, subroutines, SPIR-V modules and program resources. Must not know what they compute.

use super::Gl;
use super::program::name;
use super::tokens as t;

impl Gl {
    /// `glCreateShaderProgramv` of one string, linked.
    #[track_caller]
    pub fn separable(&self, stage: u32, source: &str) -> u32 {
        let text = name(source);
        let at = text.as_ptr().cast::<u8>();
        // SAFETY: one terminated string.
        let program = unsafe { (self.raw().create_shader_programv)(stage, 1, &raw const at) };
        assert_eq!(self.program_parameter(program, t::LINK_STATUS), 1, "{}", self.program_log(program));
        program
    }

    /// `glGenProgramPipelines` of one, bound, with no program in use.
    pub fn pipeline(&self) -> u32 {
        let mut pipeline = 0;
        // SAFETY: one name.
        unsafe { (self.raw().gen_program_pipelines)(1, &raw mut pipeline) };
        self.use_program(0);
        self.bind_program_pipeline(pipeline);
        pipeline
    }

    /// `glDeleteProgramPipelines` of one.
    pub fn delete_pipeline(&self, pipeline: u32) {
        // SAFETY: one name.
        unsafe { (self.raw().delete_program_pipelines)(1, &raw const pipeline) };
    }

    /// `glGetProgramPipelineiv`.
    pub fn pipeline_parameter(&self, pipeline: u32, pname: u32) -> i32 {
        let mut out = -1;
        // SAFETY: one value.
        unsafe { (self.raw().get_program_pipelineiv)(pipeline, pname, &raw mut out) };
        out
    }

    /// `glGetProgramBinary`: format and bytes.
    pub fn program_bytes(&self, program: u32) -> (u32, Vec<u8>) {
        let length = self.program_parameter(program, t::PROGRAM_BINARY_LENGTH);
        let mut bytes = vec![0u8; usize::try_from(length).unwrap_or(0)];
        let (mut written, mut format) = (0, 0);
        let to = bytes.as_mut_ptr().cast();
        // SAFETY: the buffer has the length that is passed.
        unsafe { (self.raw().get_program_binary)(program, length, &raw mut written, &raw mut format, to) };
        assert_eq!(written, length);
        (format, bytes)
    }

    /// `glProgramBinary`.
    pub fn program_from(&self, program: u32, format: u32, bytes: &[u8]) {
        // SAFETY: bytes with their count.
        unsafe { (self.raw().program_binary)(program, format, bytes.as_ptr().cast(), super::count(bytes.len())) };
    }

    /// `glGetSubroutineIndex`.
    pub fn subroutine(&self, program: u32, stage: u32, text: &str) -> u32 {
        // SAFETY: a terminated string.
        unsafe { (self.raw().get_subroutine_index)(program, stage, name(text).as_ptr().cast()) }
    }

    /// `glUniformSubroutinesuiv`.
    pub fn set_subroutines(&self, stage: u32, values: &[u32]) {
        // SAFETY: values with their count.
        unsafe { (self.raw().uniform_subroutinesuiv)(stage, super::count(values.len()), values.as_ptr()) };
    }

    /// A shader from a SPIR-V module with one constant, specialised.
    #[track_caller]
    pub fn module_shader(&self, stage: u32, module: &[u32], entry: &str, constant: (u32, u32)) -> u32 {
        let shader = self.create_shader(stage);
        let size = super::count(size_of_val(module));
        let (index, value) = constant;
        // SAFETY: one shader, a module of `size` bytes, a terminated name, one constant.
        unsafe {
            let (format, at) = (t::SHADER_BINARY_FORMAT_SPIR_V, module.as_ptr().cast());
            (self.raw().shader_binary)(1, &raw const shader, format, at, size);
            let entry = name(entry);
            (self.raw().specialize_shader)(shader, entry.as_ptr().cast(), 1, &raw const index, &raw const value);
        }
        assert_eq!(self.shader_parameter(shader, t::COMPILE_STATUS), 1, "{}", self.shader_log(shader));
        shader
    }

    /// `glGetProgramResourceIndex`.
    pub fn resource(&self, program: u32, interface: u32, text: &str) -> u32 {
        // SAFETY: a terminated string.
        unsafe { (self.raw().get_program_resource_index)(program, interface, name(text).as_ptr().cast()) }
    }

    /// `glGetProgramResourceiv` of properties of one value each.
    pub fn resource_values(&self, program: u32, interface: u32, index: u32, props: &[u32]) -> Vec<i32> {
        let (mut values, mut count) = (vec![-7; props.len()], 0);
        let length = super::count(props.len());
        let to = values.as_mut_ptr();
        // SAFETY: as many values as properties are allowed.
        unsafe {
            let raw = self.raw();
            (raw.get_program_resourceiv)(program, interface, index, length, props.as_ptr(), length, &raw mut count, to);
        }
        assert_eq!(count, length);
        values
    }
}
