//! Which global variables, and which parts of them, a stage uses statically.
//! Must not optimise: GL's "active" may be an over-approximation, so control flow is not looked at.

use std::collections::{BTreeMap, HashMap, HashSet};

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::Op;

use mgl_spirv::{Id, Ir, id_at};

/// Indices from a variable inwards; `None` for one that is not a constant.
pub type Path = Vec<Option<u32>>;

/// Uses of global variables.
#[derive(Clone, Debug, Default)]
pub struct Uses {
    paths: BTreeMap<Id, Vec<Path>>,
    written: HashSet<Id>,
}

impl Uses {
    /// Collects the uses in all functions.
    pub fn of(ir: &Ir) -> Self {
        let variables: HashSet<Id> = ir.variables().into_iter().collect();
        let mut uses = Self::default();
        let mut chains: HashMap<Id, (Id, Path)> = HashMap::new();
        for inst in ir.body() {
            let root = |id: Id| match chains.get(&id) {
                Some(chain) => Some(chain.clone()),
                None => variables.contains(&id).then(|| (id, Vec::new())),
            };
            if is_chain(inst)
                && let Some((variable, mut path)) = id_at(inst, 0).and_then(root)
                && let Some(result) = inst.result_id
            {
                let indices = inst.operands.iter().skip(1).filter_map(Operand::id_ref_any);
                path.extend(indices.map(|i| ir.const_value(i)));
                chains.insert(result, (variable, path));
                continue;
            }
            for (at, operand) in inst.operands.iter().enumerate() {
                let Some((variable, path)) = operand.id_ref_any().and_then(root) else { continue };
                if at == 0 && is_write(inst.class.opcode) {
                    uses.written.insert(variable);
                }
                uses.paths.entry(variable).or_default().push(path);
            }
        }
        uses
    }

    /// Whether `variable` occurs in any function.
    pub fn is_used(&self, variable: Id) -> bool {
        self.paths.contains_key(&variable)
    }
    /// Whether `variable` is stored to.
    pub fn is_written(&self, variable: Id) -> bool {
        self.written.contains(&variable)
    }
    /// Whether every use of `variable` names a member, with the index after the first `depth` ones.
    pub fn all_name_member(&self, variable: Id, depth: usize) -> bool {
        let names = |path: &Path| path.get(depth).is_some_and(Option::is_some);
        self.paths.get(&variable).is_none_or(|all| all.iter().all(names))
    }
    /// Whether the part of `variable` at `path` (or anything that contains or lies in it) is used.
    pub fn uses_path(&self, variable: Id, path: &[u32]) -> bool {
        let path: Path = path.iter().copied().map(Some).collect();
        self.uses_part(variable, &path)
    }
    /// The same of a path in which `None` is any index.
    pub fn uses_part(&self, variable: Id, path: &[Option<u32>]) -> bool {
        let same = |(used, asked): (&Option<u32>, &Option<u32>)| used.is_none() || asked.is_none() || used == asked;
        self.paths.get(&variable).is_some_and(|all| all.iter().any(|used| used.iter().zip(path).all(same)))
    }
}

/// Whether `inst` makes a pointer into what its first operand points to.
pub fn is_chain(inst: &Instruction) -> bool {
    matches!(inst.class.opcode, Op::AccessChain | Op::InBoundsAccessChain)
}

fn is_write(op: Op) -> bool {
    use Op as O;
    matches!(
        op,
        O::Store
            | O::CopyMemory
            | O::AtomicStore
            | O::AtomicExchange
            | O::AtomicCompareExchange
            | O::AtomicIIncrement
            | O::AtomicIDecrement
            | O::AtomicIAdd
            | O::AtomicISub
            | O::AtomicSMin
            | O::AtomicUMin
            | O::AtomicSMax
            | O::AtomicUMax
            | O::AtomicAnd
            | O::AtomicOr
            | O::AtomicXor
    )
}
