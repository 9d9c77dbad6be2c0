//! SPIR-V to ESSL text with SPIRV-Cross. Must not know passes: what reaches it has an ESSL form.

use super::{EsFacts, EsslError};
use mgl_pipe::archive::Stage;
use mgl_spirv::Ir;
use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, Decoration, ImageFormat, Op, StorageClass};
use spirv_cross2::compile::CompilableTarget;
use spirv_cross2::compile::glsl::GlslVersion;
use spirv_cross2::targets::Glsl;
use spirv_cross2::{Compiler, Module};

/// The same extension under the name that the driver knows.
const VIEWPORTS: [&str; 5] = [
    "#if defined(GL_OES_viewport_array)",
    "#extension GL_OES_viewport_array : require",
    "#elif defined(GL_NV_viewport_array)",
    "#extension GL_NV_viewport_array : require",
    "#endif",
];

/// The text of a stage; `sized` = a stage behind the vertex stage has a point size; `blocks` are declarations of built-in
/// blocks for its head.
pub fn emit(
    mut ir: Ir,
    (stage, sized): (Stage, bool),
    facts: &EsFacts,
    blocks: &[String],
) -> Result<String, EsslError> {
    let headers = headers(&ir, (stage, sized), facts, blocks);
    let formats = super::image_formats::stand_in(&mut ir);
    let viewports = super::builtins::all(&ir).contains(&BuiltIn::ViewportIndex);
    let declared = blocks.iter().any(|b| b.starts_with("out"));
    let words = ir.finish();
    let mut compiler: Compiler<Glsl> =
        Compiler::new(Module::from_words(&words)).map_err(|e| EsslError::Cross(e.to_string()))?;
    for line in VIEWPORTS.iter().filter(|_| viewports) {
        compiler.add_header_line(*line).map_err(|e| EsslError::Cross(e.to_string()))?;
    }
    for line in blocks {
        compiler.add_header_line(line.as_str()).map_err(|e| EsslError::Cross(e.to_string()))?;
    }
    for extension in headers {
        compiler.require_extension(extension).map_err(|e| EsslError::Cross(e.to_string()))?;
    }
    let mut options = Glsl::options();
    options.version = match facts.version {
        300 => GlslVersion::Glsl300Es,
        310 => GlslVersion::Glsl310Es,
        _ => GlslVersion::Glsl320Es,
    };
    options.es_default_float_precision_highp = true;
    options.es_default_int_precision_highp = true;
    options.support_nonzero_base_instance = false;
    options.common.relax_nan_checks = true;
    let done = compiler.compile(&options).map_err(|e| refuse(&e.to_string()))?;
    let text = super::image_formats::put_back(done.to_string(), &formats);
    if !declared {
        return Ok(text);
    }
    // The block declares them already.
    let own = |line: &&str| {
        let line = line.trim_start();
        let distances = line.contains("float gl_ClipDistance[") || line.contains("float gl_CullDistance[");
        !distances || line.contains("gl_PerVertex")
    };
    Ok(text.lines().filter(own).fold(String::new(), |all, line| all + line + "\n"))
}

/// What the generator says about operations of later language versions is a matter of the driver, not of the module.
fn refuse(message: &str) -> EsslError {
    let later =
        ["from ESSL 310", "ESSL 310", "ESSL version 310", "ES profile", "in ESSL", "in OpenGL ES", "Vulkan semantics"];
    if later.iter().any(|part| message.contains(part)) {
        tracing::debug!("ESSL generator: {message}");
        return EsslError::Unsupported("ShaderOperation");
    }
    EsslError::Cross(message.into())
}

/// Extensions that the generator does not ask for by itself.
fn headers(ir: &Ir, (stage, sized): (Stage, bool), facts: &EsFacts, blocks: &[String]) -> Vec<&'static str> {
    let mut out = Vec::new();
    let mine = super::builtins::all(ir).contains(&BuiltIn::PointSize);
    let mine = mine || blocks.iter().any(|b| b.contains("gl_PointSize"));
    match stage {
        Stage::Geometry if mine || sized && facts.geometry_point_size => out.push("GL_EXT_geometry_point_size"),
        Stage::TessControl | Stage::TessEval if mine || sized && facts.tessellation_point_size => {
            out.push("GL_EXT_tessellation_point_size");
        }
        _ => {}
    }
    if blocks.iter().any(|b| b.contains("Distance[")) {
        out.push("GL_EXT_clip_cull_distance");
    }
    let outputs = ir.variables_of(StorageClass::Output);
    if outputs.iter().any(|v| stage == Stage::Fragment && ir.deco(*v, Decoration::Index).is_some()) {
        out.push("GL_EXT_blend_func_extended");
    }
    if facts.version < 320 {
        match stage {
            Stage::Geometry => out.push("GL_EXT_geometry_shader"),
            Stage::TessControl | Stage::TessEval => out.push("GL_EXT_tessellation_shader"),
            _ => {}
        }
    }
    if needs_image_formats(ir) {
        out.push("GL_NV_image_formats");
    }
    out
}

fn needs_image_formats(ir: &Ir) -> bool {
    use ImageFormat as F;
    let core = [
        F::Unknown,
        F::R32f,
        F::R32i,
        F::R32ui,
        F::Rgba32f,
        F::Rgba16f,
        F::Rgba8,
        F::Rgba8Snorm,
        F::Rgba32i,
        F::Rgba16i,
        F::Rgba8i,
        F::Rgba32ui,
        F::Rgba16ui,
        F::Rgba8ui,
    ];
    ir.module
        .types_global_values
        .iter()
        .filter(|i| i.class.opcode == Op::TypeImage)
        .any(|i| matches!(i.operands.get(6), Some(Operand::ImageFormat(format)) if !core.contains(format)))
}
