//! Image formats of `GL_NV_image_formats`: the generator takes only those of OpenGL ES, so that another stands for each
//! until the text is there. Must not know which formats a driver has.

use mgl_spirv::{Id, Ir, lit_at};
use rspirv::dr::Operand;
use rspirv::spirv::{ImageFormat, Op, StorageClass};

/// What is written for `format`, and what stands for it meanwhile.
fn spelling(format: ImageFormat) -> Option<(&'static str, ImageFormat)> {
    use ImageFormat as F;
    Some(match format {
        F::R11fG11fB10f => ("r11f_g11f_b10f", F::Rgba32f),
        F::R16f => ("r16f", F::Rgba32f),
        F::Rgb10A2 => ("rgb10_a2", F::Rgba32f),
        F::R8 => ("r8", F::Rgba32f),
        F::Rg8 => ("rg8", F::Rgba32f),
        F::R16 => ("r16", F::Rgba32f),
        F::Rg16 => ("rg16", F::Rgba32f),
        F::Rgba16 => ("rgba16", F::Rgba32f),
        F::R8Snorm => ("r8_snorm", F::Rgba32f),
        F::Rg8Snorm => ("rg8_snorm", F::Rgba32f),
        F::R16Snorm => ("r16_snorm", F::Rgba32f),
        F::Rg16Snorm => ("rg16_snorm", F::Rgba32f),
        F::Rgba16Snorm => ("rgba16_snorm", F::Rgba32f),
        F::R8ui => ("r8ui", F::Rgba32ui),
        F::Rg8ui => ("rg8ui", F::Rgba32ui),
        F::R16ui => ("r16ui", F::Rgba32ui),
        F::Rgb10a2ui => ("rgb10_a2ui", F::Rgba32ui),
        F::R8i => ("r8i", F::Rgba32i),
        F::Rg8i => ("rg8i", F::Rgba32i),
        F::R16i => ("r16i", F::Rgba32i),
        _ => return None,
    })
}

fn format_of(ir: &Ir, ty: Id) -> Option<ImageFormat> {
    let inst = ir.global(ty).filter(|i| i.class.opcode == Op::TypeImage && lit_at(i, 5) == Some(2))?;
    match inst.operands.get(6) {
        Some(Operand::ImageFormat(format)) => Some(*format),
        _ => None,
    }
}

/// What an image of the text is called, and the formats that it has and should have.
pub struct StandIn {
    name: String,
    here: &'static str,
    real: &'static str,
}

/// Replaces the formats in the types; every image has its name by now.
pub fn stand_in(ir: &mut Ir) -> Vec<StandIn> {
    let mut out = Vec::new();
    for variable in ir.variables_of(StorageClass::UniformConstant) {
        let Some((_, ty)) = ir.variable_type(variable) else { continue };
        let (ty, _) = ir.strip_arrays(ty);
        if let Some((real, other)) = format_of(ir, ty).and_then(spelling) {
            let here = match other {
                ImageFormat::Rgba32i => "rgba32i",
                ImageFormat::Rgba32ui => "rgba32ui",
                _ => "rgba32f",
            };
            out.push(StandIn { name: ir.name(variable).to_owned(), here, real });
        }
    }
    let types: Vec<Id> = ir.module.types_global_values.iter().filter_map(|i| i.result_id).collect();
    for ty in types {
        if let Some((_, other)) = format_of(ir, ty).and_then(spelling)
            && let Some(inst) = ir.global_mut(ty)
        {
            inst.operands[6] = Operand::ImageFormat(other);
        }
    }
    out
}

/// Writes the real formats into the declarations.
pub fn put_back(text: String, all: &[StandIn]) -> String {
    if all.is_empty() {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for line in text.lines() {
        let declared = line.split_whitespace().next_back().filter(|_| line.starts_with("layout("));
        let name = declared.map(|word| word.split(['[', ';']).next().unwrap_or(word));
        match all.iter().find(|s| Some(s.name.as_str()) == name) {
            Some(image) => out.push_str(&line.replacen(image.here, image.real, 1)),
            None => out.push_str(line),
        }
        out.push('\n');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{StandIn, put_back};

    /// If this fails, a shader that stores into an image of one byte per texel gets four floats written over its neighbours.
    #[test]
    fn each_declaration_gets_its_own_format_back() {
        let text = "layout(binding = 0, rgba32f) uniform writeonly highp image2D I0f[4];\n\
                    layout(binding = 4, rgba32f) uniform readonly highp image2D I0;\nI0f[0];\n";
        let image = |name: &str, real| StandIn { name: name.into(), here: "rgba32f", real };
        let done = put_back(text.into(), &[image("I0f", "r8"), image("I1", "rg8")]);
        assert_eq!(done, text.replacen("rgba32f", "r8", 1));
    }
}
