//! Declarations of `gl_PerVertex`: arrays of distances need a size that the generated text does not give them
//! (`GL_EXT_clip_cull_distance`), and what one stage declares the next must declare alike. Must not change modules.

use mgl_pipe::archive::Stage;
use mgl_spirv::Ir;
use rspirv::spirv::{BuiltIn, StorageClass};

/// Elements of position, point size, clip and cull distances; 0 = absent.
type Members = [u32; 4];

const BUILTINS: [BuiltIn; 4] = [BuiltIn::Position, BuiltIn::PointSize, BuiltIn::ClipDistance, BuiltIn::CullDistance];

/// Lines for the head of each stage. With `wire` a stage of ours follows the last one before the rasteriser: its own line,
/// and the number of its clip distances, come second.
pub fn declarations(stages: &[(Stage, Ir)], wire: bool) -> (Vec<Vec<String>>, (Option<String>, u32)) {
    let mut out: Vec<Vec<String>> = stages.iter().map(|_| Vec::new()).collect();
    let early = stages.iter().filter(|(s, _)| *s < Stage::Fragment).count();
    for at in 1..early {
        let (producer, consumer) = (&stages[at - 1], &stages[at]);
        let (a, b) = (members(&producer.1, StorageClass::Output), members(&consumer.1, StorageClass::Input));
        let both: Members = std::array::from_fn(|n| a[n].max(b[n]));
        if both[2] + both[3] == 0 {
            continue;
        }
        let name = if producer.0 == Stage::TessControl { " gl_out[]" } else { "" };
        out[at - 1].push(format!("out gl_PerVertex {{ {} }}{name};", text(&both)));
        out[at].push(format!("in gl_PerVertex {{ {} }} gl_in[];", text(&both)));
    }
    let mut ours = (None, 0);
    if let Some(last) = early.checked_sub(1) {
        let mine = members(&stages[last].1, StorageClass::Output);
        if wire && mine[2] + mine[3] > 0 {
            out[last].push(format!("out gl_PerVertex {{ {} }};", text(&mine)));
            ours = (Some(format!("in gl_PerVertex {{ {} }} gl_in[];", text(&mine))), mine[2]);
            return (out, ours);
        }
        for (name, count) in [("gl_ClipDistance", mine[2]), ("gl_CullDistance", mine[3])] {
            if count > 0 {
                out[last].push(format!("out highp float {name}[{count}]; // gl_PerVertex"));
            }
        }
    }
    (out, ours)
}

/// Whether a stage behind the vertex stage has a point size: its block is another one with the extension, so that all of
/// them ask for it.
pub fn sized(stages: &[(Stage, Ir)]) -> bool {
    let behind = stages.iter().filter(|(s, _)| *s > Stage::Vertex && *s < Stage::Fragment);
    behind.into_iter().any(|(_, ir)| super::builtins::all(ir).contains(&BuiltIn::PointSize))
}

/// What a stage has of the block, as members or as variables of their own.
fn members(ir: &Ir, class: StorageClass) -> Members {
    let mut out = [0; 4];
    let mut note = |builtin: Option<BuiltIn>, count: u32| {
        if let Some(n) = BUILTINS.iter().position(|b| Some(*b) == builtin) {
            out[n] = count.max(out[n]);
        }
    };
    for variable in ir.variables_of(class) {
        let Some((_, ty)) = ir.variable_type(variable) else { continue };
        note(ir.builtin(variable), ir.array_of(ty).map_or(1, |(_, n)| n));
        let (block, _) = ir.strip_arrays(ty);
        if ir.members(block).is_empty() {
            continue;
        }
        let used = super::builtins::used_members(ir, variable);
        for (n, of) in (0u32..).zip(ir.members(block)).filter(|(n, _)| used.contains(n)) {
            note(ir.member_builtin(block, n), ir.array_of(of).map_or(1, |(_, n)| n));
        }
    }
    out[0] = 1;
    out
}

fn text(members: &Members) -> String {
    let mut out = String::from("highp vec4 gl_Position;");
    for (name, count) in
        [("gl_PointSize", members[1].min(1)), ("gl_ClipDistance", members[2]), ("gl_CullDistance", members[3])]
    {
        if count > 0 {
            let size = if name == "gl_PointSize" { String::new() } else { format!("[{count}]") };
            out.push_str(&format!(" highp float {name}{size};"));
        }
    }
    out
}
