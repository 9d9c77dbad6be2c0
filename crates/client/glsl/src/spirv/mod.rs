//! Shaders that arrive as SPIR-V (`glShaderBinary`, `glSpecializeShader`; ARB_gl_spirv): checked, specialised and brought
//! into the form in which the GLSL compiler delivers its own.
//! Must not trust a word of the module: it comes from the program.

mod check;
mod constants;
mod names;

use std::sync::Arc;

use rspirv::dr::Operand;
use rspirv::spirv::ExecutionModel;

use crate::archive::Stage;
use crate::frontend::StageCode;
use crate::options::CompileOptions;
use crate::unit::{Compiled, Unit};
use mgl_spirv::{Ir, id_at};

const MAGIC: u32 = 0x0723_0203;

/// Why `glSpecializeShader` is refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecializeError {
    /// No entry point of that name for the stage.
    #[error("the module has no entry point `{0}` for the stage of the shader")]
    EntryPoint(String),
    /// No specialisation constant has the number.
    #[error("the module has no specialisation constant {0}")]
    Constant(u32),
}

/// The words of a module; `None` for bytes that are none.
pub fn words(bytes: &[u8]) -> Option<Vec<u32>> {
    let (words, rest) = bytes.as_chunks::<4>();
    let words: Vec<u32> = words.iter().map(|w| u32::from_le_bytes(*w)).collect();
    (rest.is_empty() && words.len() >= 5 && words[0] == MAGIC).then_some(words)
}

/// Specialises a module for one entry point. A module that is wrong otherwise than by the arguments does not compile.
pub fn specialize(
    stage: Stage,
    module: &[u32],
    entry: &str,
    constants: &[(u32, u32)],
    options: &CompileOptions,
) -> Result<Compiled, SpecializeError> {
    // The text stands for the module where units are told apart.
    let hash = xxhash_rust::xxh3::xxh3_128(&module.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<u8>>());
    let text = format!("SPIR-V {hash:032x} {entry} {constants:?}");
    let made = |ok: bool, log: String, code: Result<Arc<StageCode>, String>| {
        let unit = Unit::spirv(stage, &text, options, ok, code);
        Ok(Compiled { ok, log, unit: Arc::new(unit) })
    };
    let refused = |why: String| {
        let log = format!("ERROR: {why}\n");
        made(false, log.clone(), Err(log))
    };
    let mut ir = match check::module(module) {
        Ok(ir) => ir,
        Err(why) => return refused(why),
    };
    let model = model_of(stage);
    let at = ir.module.entry_points.iter().position(|e| {
        matches!(&e.operands[..], [Operand::ExecutionModel(m), Operand::IdRef(_), Operand::LiteralString(name), ..]
            if *m == model && name == entry)
    });
    let Some(at) = at else { return Err(SpecializeError::EntryPoint(entry.to_owned())) };
    constants::apply(&mut ir, constants)?;
    only_entry(&mut ir, at);
    if let Err(why) = check::reachable(&mut ir) {
        return refused(why);
    }
    let bound = names::apply(&mut ir);
    if let Err(why) = check::sizes(&ir) {
        return refused(why);
    }
    let code = StageCode { words: ir.finish(), version: 460, bound, spirv: true, ..StageCode::default() };
    made(true, String::new(), Ok(Arc::new(code)))
}

fn model_of(stage: Stage) -> ExecutionModel {
    match stage {
        Stage::Vertex => ExecutionModel::Vertex,
        Stage::TessControl => ExecutionModel::TessellationControl,
        Stage::TessEval => ExecutionModel::TessellationEvaluation,
        Stage::Geometry => ExecutionModel::Geometry,
        Stage::Fragment => ExecutionModel::Fragment,
        Stage::Compute => ExecutionModel::GLCompute,
    }
}

/// The module has one entry point, called `main`, and its modes.
fn only_entry(ir: &mut Ir, at: usize) {
    let mut entry = ir.module.entry_points.swap_remove(at);
    let function = id_at(&entry, 1).unwrap_or(0);
    if let Some(name) = entry.operands.get_mut(2) {
        *name = Operand::LiteralString("main".into());
    }
    ir.module.entry_points = vec![entry];
    ir.module.execution_modes.retain(|m| id_at(m, 0) == Some(function));
}

#[cfg(test)]
mod tests {
    use super::{SpecializeError, specialize, words};
    use crate::archive::Stage;
    use crate::options::CompileOptions;
    use crate::{CompileOptions as Options, LinkRequest, compile, link};
    use rspirv::binary::Assemble;

    /// What the front end makes of a shader, before lowering.
    fn module(stage: Stage, source: &str) -> Vec<u32> {
        let compiled = compile(stage, source, &Options::default());
        assert!(compiled.ok, "{}", compiled.log);
        compiled.unit.alone(crate::frontend::current()).unwrap().words.clone()
    }

    const VERTEX: &str = "#version 450\nlayout(location = 0) in vec4 p;\nlayout(location = 3) out vec4 c;\n\
        layout(location = 2) uniform vec4 tint;\nlayout(binding = 5, std140) uniform B { vec4 a; };\n\
        void main() { gl_Position = p; c = tint + a; }\n";
    const FRAGMENT: &str = "#version 450\nlayout(location = 3) in vec4 c;\nlayout(location = 0) out vec4 o;\n\
        layout(location = 4, binding = 7) uniform sampler2D s;\nvoid main() { o = c + texture(s, vec2(0)); }\n";

    /// An engine that ships SPIR-V finds its uniforms where their locations and bindings say.
    #[test]
    fn modules_link_by_location() {
        let options = CompileOptions::default();
        let unit = |stage, source| specialize(stage, &module(stage, source), "main", &[], &options).unwrap();
        let (vertex, fragment) = (unit(Stage::Vertex, VERTEX), unit(Stage::Fragment, FRAGMENT));
        assert!(vertex.ok && fragment.ok, "{}{}", vertex.log, fragment.log);
        let linked = link(&[vertex.unit.clone(), fragment.unit], &LinkRequest::default()).unwrap();
        let mut locations: Vec<i32> = linked.archive.uniforms.iter().map(|u| u.location).collect();
        locations.sort_unstable();
        assert_eq!(locations, [-1, 2, 4]);
        assert_eq!(linked.archive.uniform_blocks[0].initial_binding, 5);
        assert!(linked.archive.nameless);
        let text = compile(Stage::Fragment, FRAGMENT, &options);
        assert!(link(&[vertex.unit, text.unit], &LinkRequest::default()).is_err(), "not with GLSL");
    }

    /// A damaged module must be a failed compile: the client is the program's own process.
    #[test]
    fn damage_never_panics() {
        let good = module(Stage::Vertex, VERTEX);
        let options = CompileOptions::default();
        for at in 0..good.len() {
            for value in [0, 1, u32::MAX, good[at] ^ 1, good[at].wrapping_add(7), 0x7fff_ffff] {
                let mut bad = good.clone();
                bad[at] = value;
                if let Ok(compiled) = specialize(Stage::Vertex, &bad, "main", &[], &options)
                    && compiled.ok
                {
                    let _ = link(&[compiled.unit], &LinkRequest::default());
                }
            }
            let _ = specialize(Stage::Vertex, &good[..at], "main", &[], &options);
        }
    }

    /// A module whose types double at each step, or whose arrays do, must be refused at once: as a tree it has no end.
    #[test]
    fn types_have_a_bounded_size() {
        let grown = |array: bool| {
            let mut b = shell();
            let uint = b.type_int(32, 0);
            let mut ty = b.type_struct([uint]);
            let many = b.constant_bit32(uint, 1 << 20);
            for _ in 0..40 {
                ty = if array { b.type_array(ty, many) } else { b.type_struct([ty, ty]) };
            }
            finish(b, ty)
        };
        for array in [false, true] {
            let made = specialize(Stage::Vertex, &grown(array), "start", &[], &CompileOptions::default()).unwrap();
            assert!(!made.ok && made.log.contains(if array { "components" } else { "nested" }), "{}", made.log);
        }
    }

    /// A module without a function or variables.
    fn shell() -> rspirv::dr::Builder {
        let mut b = rspirv::dr::Builder::new();
        b.set_version(1, 0);
        b.capability(rspirv::spirv::Capability::Shader);
        b.memory_model(rspirv::spirv::AddressingModel::Logical, rspirv::spirv::MemoryModel::GLSL450);
        b
    }

    /// The same with a uniform of type `ty`, which `start` loads.
    fn finish(mut b: rspirv::dr::Builder, ty: u32) -> Vec<u32> {
        let void = b.type_void();
        let pointer = b.type_pointer(None, rspirv::spirv::StorageClass::UniformConstant, ty);
        let uniform = b.variable(pointer, None, rspirv::spirv::StorageClass::UniformConstant, None);
        b.decorate(uniform, rspirv::spirv::Decoration::Location, [rspirv::dr::Operand::LiteralBit32(0)]);
        let function = b.type_function(void, []);
        let main = b.begin_function(void, None, rspirv::spirv::FunctionControl::NONE, function).expect("a function");
        b.begin_block(None).expect("a block");
        b.load(ty, None, uniform, None, []).expect("an instruction");
        b.ret().expect("an end");
        b.end_function().expect("a function");
        b.entry_point(rspirv::spirv::ExecutionModel::Vertex, main, "start", []);
        b.module().assemble()
    }

    /// A program that sizes its buffer by the block must get what the elements need: a module's stride may be any, and what
    /// would follow the last element is no part of the block.
    #[test]
    fn strides_of_the_module_decide_the_size() {
        let source = "#version 450\nlayout(binding = 0, std140) uniform B { float a[3]; };\n\
            layout(binding = 1, std140) uniform M { mat3 m; };\n\
            void main() { gl_Position = vec4(a[1] + m[1].x); }\n";
        let mut words = module(Stage::Vertex, source);
        // Each stride of 16 (the third operand of OpDecorate, the fourth of OpMemberDecorate) becomes 64.
        let mut at = 5;
        while at < words.len() {
            let (op, length) = (words[at] & 0xffff, (words[at] >> 16) as usize);
            if (op == 71 && words[at + 2] == 6) || (op == 72 && words[at + 3] == 7) {
                assert_eq!(words[at + length - 1], 16);
                words[at + length - 1] = 64;
            }
            at += length;
        }
        let made = specialize(Stage::Vertex, &words, "main", &[], &CompileOptions::default()).unwrap();
        let linked = link(&[made.unit], &LinkRequest::default()).unwrap();
        let sizes: Vec<(u32, u32)> =
            linked.archive.uniform_blocks.iter().map(|b| (b.initial_binding, b.data_size)).collect();
        assert_eq!(sizes, [(0, 2 * 64 + 16), (1, 2 * 64 + 16)]);
    }

    /// Constants take the values that the program gives, also where an array's length is computed from one.
    #[test]
    fn constants_are_specialised() {
        let mut b = shell();
        let uint = b.type_int(32, 0);
        let n = b.spec_constant_bit32(uint, 3);
        b.decorate(n, rspirv::spirv::Decoration::SpecId, [rspirv::dr::Operand::LiteralBit32(9)]);
        let twice = b.spec_constant_op_like(uint, n);
        let array = b.type_array(uint, twice);
        let module = finish(b, array);
        let options = CompileOptions::default();
        let made = specialize(Stage::Vertex, &module, "start", &[(9, 5)], &options).unwrap();
        assert!(made.ok, "{}", made.log);
        let linked = link(&[made.unit], &LinkRequest::default()).unwrap();
        assert_eq!(linked.archive.uniforms[0].array_size, 10);
        let entry = specialize(Stage::Fragment, &module, "start", &[], &options).unwrap_err();
        assert_eq!(entry, SpecializeError::EntryPoint("start".into()));
        let constant = specialize(Stage::Vertex, &module, "start", &[(1, 0)], &options).unwrap_err();
        assert_eq!(constant, SpecializeError::Constant(1));
        assert!(words(&[3, 2, 35, 7]).is_none());
    }

    /// `2 * constant`, which the builder has no call for.
    trait SpecOp {
        fn spec_constant_op_like(&mut self, ty: u32, of: u32) -> u32;
    }
    impl SpecOp for rspirv::dr::Builder {
        fn spec_constant_op_like(&mut self, ty: u32, of: u32) -> u32 {
            let two = self.constant_bit32(ty, 2);
            let result = self.id();
            let operands = vec![
                rspirv::dr::Operand::LiteralSpecConstantOpInteger(rspirv::spirv::Op::IMul),
                rspirv::dr::Operand::IdRef(of),
                rspirv::dr::Operand::IdRef(two),
            ];
            let inst =
                rspirv::dr::Instruction::new(rspirv::spirv::Op::SpecConstantOp, Some(ty), Some(result), operands);
            self.module_mut().types_global_values.push(inst);
            result
        }
    }
}
