//! Functions that the entry point never comes to: what only they use is not active (GL 4.6 core §7.3.1).
//! Must not look at control flow inside a function.

use std::collections::{HashMap, HashSet};

use rspirv::spirv::Op;

use mgl_spirv::{Id, Ir, id_at};

/// Removes them, before anything asks what the stage uses.
pub fn run(ir: &mut Ir) {
    let mut calls: HashMap<Id, Vec<Id>> = HashMap::new();
    for function in &ir.module.functions {
        let Some(caller) = function.def.as_ref().and_then(|def| def.result_id) else { continue };
        let body = function.blocks.iter().flat_map(|block| &block.instructions);
        let called = body.filter(|inst| inst.class.opcode == Op::FunctionCall).filter_map(|inst| id_at(inst, 0));
        calls.insert(caller, called.collect());
    }
    let mut reached: HashSet<Id> = HashSet::new();
    let mut pending = vec![ir.main()];
    while let Some(next) = pending.pop() {
        if reached.insert(next) {
            pending.extend(calls.get(&next).into_iter().flatten());
        }
    }
    // Without an entry point there is nothing to go by.
    if calls.contains_key(&ir.main()) {
        ir.module
            .functions
            .retain(|f| f.def.as_ref().and_then(|d| d.result_id).is_some_and(|id| reached.contains(&id)));
    }
}
