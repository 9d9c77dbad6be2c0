//! Which extensions a shader may use: those that the context announces, and those whose features its core versions have.
//! glslang takes every extension that it knows, and defines their macros whether or not the context has them.
//! Must not know how an extension is compiled.

use mgl_base::gl_versions::ADDED;

use super::pp::Context;
use super::version::{Profile, declared_version};
use crate::options::CompileOptions;

/// Extensions of the language that a version up to 3.30 took over, and the ones of vendors whose features a later version
/// has under another name.
const OTHERS: [(&str, u32); 17] = [
    ("GL_3DL_array_objects", 120),
    ("GL_AMD_conservative_depth", 420),
    ("GL_ARB_blend_func_extended", 330),
    ("GL_ARB_draw_instanced", 140),
    ("GL_ARB_explicit_attrib_location", 330),
    ("GL_ARB_fragment_coord_conventions", 150),
    ("GL_ARB_shader_bit_encoding", 330),
    ("GL_ARB_shader_texture_lod", 130),
    ("GL_ARB_texture_buffer_object", 140),
    ("GL_ARB_texture_multisample", 150),
    ("GL_ARB_texture_rectangle", 140),
    ("GL_ARB_uniform_buffer_object", 140),
    ("GL_EXT_separate_shader_objects", 410),
    ("GL_EXT_shader_integer_mix", 450),
    ("GL_EXT_texture_array", 130),
    ("GL_GOOGLE_cpp_style_line_directive", 110),
    ("GL_MESA_shader_integer_functions", 400),
];

/// Extensions that glslang takes and this front end cannot lower.
const REFUSED: [&str; 1] = ["GL_ARB_bindless_texture"];

/// Extensions of OpenGL ES whose features its shaders get here.
const ES: [&str; 35] = [
    "GL_ANDROID_extension_pack_es31a",
    "GL_EXT_clip_cull_distance",
    "GL_EXT_texture_shadow_lod",
    "GL_KHR_blend_equation_advanced",
    "GL_OES_geometry_point_size",
    "GL_OES_primitive_bounding_box",
    "GL_OES_tessellation_point_size",
    "GL_OES_texture_buffer",
    "GL_OES_texture_cube_map_array",
    "GL_EXT_blend_func_extended",
    "GL_EXT_conservative_depth",
    "GL_EXT_frag_depth",
    "GL_EXT_geometry_point_size",
    "GL_EXT_geometry_shader",
    "GL_EXT_gpu_shader5",
    "GL_EXT_primitive_bounding_box",
    "GL_EXT_shader_implicit_conversions",
    "GL_EXT_shader_integer_mix",
    "GL_EXT_shader_io_blocks",
    "GL_EXT_shader_texture_lod",
    "GL_EXT_shadow_samplers",
    "GL_EXT_tessellation_point_size",
    "GL_EXT_tessellation_shader",
    "GL_EXT_texture_buffer",
    "GL_EXT_texture_cube_map_array",
    "GL_OES_geometry_shader",
    "GL_OES_gpu_shader5",
    "GL_OES_sample_variables",
    "GL_OES_shader_image_atomic",
    "GL_OES_shader_io_blocks",
    "GL_OES_shader_multisample_interpolation",
    "GL_OES_standard_derivatives",
    "GL_OES_tessellation_shader",
    "GL_OES_texture_3D",
    "GL_OES_texture_storage_multisample_2d_array",
];

/// Extensions without a version of their own that are there when nobody says which are.
const KNOWN: [&str; 10] = [
    "GL_AMD_shader_trinary_minmax",
    "GL_AMD_vertex_shader_layer",
    "GL_AMD_vertex_shader_viewport_index",
    "GL_ARB_fragment_shader_interlock",
    "GL_ARB_gpu_shader_int64",
    "GL_ARB_post_depth_coverage",
    "GL_ARB_shader_ballot",
    "GL_ARB_shader_clock",
    "GL_ARB_shader_stencil_export",
    "GL_EXT_shader_image_load_formatted",
];

/// The version of the language that has the extension in its core.
fn core_since(name: &str) -> Option<u32> {
    let later =
        || ADDED.iter().find(|(_, added)| added.contains(&name)).map(|((major, minor), _)| major * 100 + minor * 10);
    OTHERS.iter().find(|row| row.0 == name).map(|row| row.1).or_else(later)
}

fn allowed(name: &str, options: &CompileOptions) -> bool {
    let Some(announced) = &options.extensions else { return !REFUSED.contains(&name) };
    announced.has(name) || core_since(name).is_some_and(|since| since <= options.max_version)
}

/// What the context of a shader has. GLSL ES shaders have extensions of their own.
pub struct Gate<'o> {
    options: &'o CompileOptions,
    es: bool,
}

impl<'o> Gate<'o> {
    /// The gate before `source`.
    pub fn new(source: &str, options: &'o CompileOptions) -> Self {
        let es = declared_version(source).is_some_and(|(version, profile)| profile == Profile::Es || version == 100);
        Self { options, es }
    }
}

impl Context for Gate<'_> {
    fn has_extension(&self, name: &str) -> bool {
        if self.es {
            return ES.contains(&name);
        }
        let known = || core_since(name).is_some() || KNOWN.contains(&name);
        allowed(name, self.options) && (self.options.extensions.is_some() || known())
    }

    fn may_enable(&self, name: &str) -> bool {
        if self.es { ES.contains(&name) } else { allowed(name, self.options) }
    }
}

#[cfg(test)]
mod tests {
    use super::Gate;
    use crate::frontend::pp::preprocess;
    use crate::options::{CompileOptions, Extensions};

    fn options(max_version: u32) -> CompileOptions {
        let extensions = Some(Extensions::new(["GL_ARB_gpu_shader5"]));
        CompileOptions { max_version, extensions, ..CompileOptions::default() }
    }

    fn text(source: &str, options: &CompileOptions) -> Result<String, String> {
        preprocess(source, &Gate::new(source, options)).map(|done| done.text)
    }

    /// A shader that finds an extension uses it; what the context has not would fail much later, in the driver.
    #[test]
    fn only_announced_extensions_are_there() {
        let source = "#version 330\n#extension GL_ARB_gpu_shader5 : enable\n#extension GL_ARB_cull_distance : warn\n\
            #ifdef GL_ARB_cull_distance\ncull\n#endif\n#ifdef GL_ARB_gpu_shader5\nfive\n#endif\n";
        let old = text(source, &options(330)).unwrap();
        assert!(!old.contains("cull") && old.contains("five") && old.contains("GL_ARB_gpu_shader5 : enable"), "{old}");
        let new = text(source, &options(460)).unwrap();
        assert!(new.contains("GL_ARB_cull_distance : warn\n\ncull"), "version 4.5 has cull distances: {new}");
    }

    /// A program chooses its path by this error, also where it asks by macros which of several extensions there is.
    #[test]
    fn required_extensions_are_named() {
        let source = "#version 330\n#extension GL_ARB_cull_distance : require\n";
        assert!(
            text(source, &options(330))
                .unwrap_err()
                .contains("0:2: '#extension' : extension not supported: GL_ARB_cull")
        );
        assert_eq!(text(source, &options(460)).as_deref(), Ok(source));
        assert_eq!(text(source, &CompileOptions::default()).as_deref(), Ok(source));
    }
}
