//! SPIR-V to ESSL text with SPIRV-Cross. Must not know passes: what reaches it has an ESSL form.

use super::ir::Ir;
use super::{EsFacts, EsslError};
use mgl_pipe::archive::Stage;
use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, Decoration, ImageFormat, Op, StorageClass};
use spirv_cross2::compile::CompilableTarget;
use spirv_cross2::compile::glsl::GlslVersion;
use spirv_cross2::targets::Glsl;
use spirv_cross2::{Compiler, Module};

/// The text of a stage.
pub fn emit(ir: Ir, stage: Stage, facts: &EsFacts) -> Result<String, EsslError> {
    let headers = headers(&ir, stage, facts);
    let blocks = per_vertex(&ir, stage);
    let words = ir.finish();
    let mut compiler: Compiler<Glsl> =
        Compiler::new(Module::from_words(&words)).map_err(|e| EsslError::Cross(e.to_string()))?;
    for line in blocks {
        compiler.add_header_line(line).map_err(|e| EsslError::Cross(e.to_string()))?;
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
    let done = compiler.compile(&options).map_err(|e| EsslError::Cross(e.to_string()))?;
    Ok(done.to_string())
}

/// Extensions that the generator does not ask for by itself.
fn headers(ir: &Ir, stage: Stage, facts: &EsFacts) -> Vec<&'static str> {
    let mut out = Vec::new();
    let writes = |builtin| super::builtins::all(ir).contains(&builtin);
    if writes(BuiltIn::PointSize) {
        match stage {
            Stage::Geometry => out.push("GL_EXT_geometry_point_size"),
            Stage::TessControl | Stage::TessEval => out.push("GL_EXT_tessellation_point_size"),
            _ => {}
        }
    }
    if writes(BuiltIn::ViewportIndex) {
        out.push("GL_OES_viewport_array");
    }
    let outputs = ir.variables(StorageClass::Output);
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

/// Declarations of `gl_PerVertex` where arrays of distances need a size that the text would not give them
/// (`GL_EXT_clip_cull_distance`).
fn per_vertex(ir: &Ir, stage: Stage) -> Vec<String> {
    let mut out = Vec::new();
    if !matches!(stage, Stage::TessControl | Stage::TessEval | Stage::Geometry) {
        return out;
    }
    for class in [StorageClass::Input, StorageClass::Output] {
        for variable in ir.variables(class) {
            let Some((_, ty)) = ir.variable_type(variable) else { continue };
            let (block, _) = ir.strip_arrays(ty);
            let arrayed = block != ty;
            let members: Vec<Option<String>> =
                (0u32..).zip(ir.members(block)).map(|(n, of)| member(ir, ir.member_builtin(block, n)?, of)).collect();
            let distances = members.iter().flatten().any(|m| m.contains("Distance"));
            if !distances {
                continue;
            }
            let way = if class == StorageClass::Input { "in" } else { "out" };
            let name = match (arrayed, class) {
                (false, _) => "",
                (_, StorageClass::Input) => " gl_in[]",
                _ => " gl_out[]",
            };
            let members: Vec<String> = members.into_iter().flatten().collect();
            out.push(format!("{way} gl_PerVertex {{ {} }}{name};", members.join(" ")));
        }
    }
    out
}

fn member(ir: &Ir, builtin: BuiltIn, ty: super::ir::Id) -> Option<String> {
    let count = ir.array_of(ty).map_or(1, |(_, n)| n);
    Some(match builtin {
        BuiltIn::Position => "highp vec4 gl_Position;".into(),
        BuiltIn::PointSize => "highp float gl_PointSize;".into(),
        BuiltIn::ClipDistance => format!("highp float gl_ClipDistance[{count}];"),
        BuiltIn::CullDistance => format!("highp float gl_CullDistance[{count}];"),
        _ => return None,
    })
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
