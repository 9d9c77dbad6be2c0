//! Names and decorations of ids and of struct members.

use rspirv::dr::Operand;
use rspirv::spirv::{BuiltIn, Decoration};

use crate::{Deco, Id, Ir, lit};

impl Ir {
    /// Name of an id; empty when it has none.
    pub fn name(&self, id: Id) -> &str {
        self.names.get(&id).map_or("", String::as_str)
    }
    /// Name of a struct member.
    pub fn member_name(&self, id: Id, member: u32) -> &str {
        self.member_names.get(&(id, member)).map_or("", String::as_str)
    }
    /// Sets a name.
    pub fn set_name(&mut self, id: Id, name: &str) {
        self.names.insert(id, name.to_owned());
    }
    /// Sets a member name.
    pub fn set_member_name(&mut self, id: Id, member: u32, name: &str) {
        self.member_names.insert((id, member), name.to_owned());
    }
    /// Takes a prefix off all names that have it.
    pub fn strip_names(&mut self, prefix: &str) {
        for name in self.names.values_mut().chain(self.member_names.values_mut()) {
            if let Some(rest) = name.strip_prefix(prefix) {
                *name = rest.to_owned();
            }
        }
    }

    /// Decorations of an id.
    pub fn decos(&self, id: Id) -> &[Deco] {
        self.decorations.get(&id).map_or(&[], Vec::as_slice)
    }
    /// Decorations of a member.
    pub fn member_decos(&self, id: Id, member: u32) -> &[Deco] {
        self.member_decorations.get(&(id, member)).map_or(&[], Vec::as_slice)
    }
    /// Literal of a decoration.
    pub fn deco(&self, id: Id, which: Decoration) -> Option<u32> {
        deco_value(self.decos(id), which)
    }
    /// Literal of a member decoration.
    pub fn member_deco(&self, id: Id, member: u32, which: Decoration) -> Option<u32> {
        deco_value(self.member_decos(id, member), which)
    }
    /// Whether an id is decorated so.
    pub fn has_deco(&self, id: Id, which: Decoration) -> bool {
        has(self.decos(id), which)
    }
    /// Whether a member is decorated so.
    pub fn has_member_deco(&self, id: Id, member: u32, which: Decoration) -> bool {
        has(self.member_decos(id, member), which)
    }
    /// Sets a decoration, replacing one of the same kind.
    pub fn decorate(&mut self, target: Id, which: Decoration, values: &[u32]) {
        let list = self.decorations.entry(target).or_default();
        list.retain(|d| d.first() != Some(&Operand::Decoration(which)));
        list.push(make_deco(which, values));
    }
    /// Sets a member decoration, replacing one of the same kind.
    pub fn decorate_member(&mut self, target: Id, member: u32, which: Decoration, values: &[u32]) {
        let list = self.member_decorations.entry((target, member)).or_default();
        list.retain(|d| d.first() != Some(&Operand::Decoration(which)));
        list.push(make_deco(which, values));
    }
    /// Replaces all decorations of a member.
    pub fn set_member_decos(&mut self, target: Id, member: u32, decos: Vec<Deco>) {
        self.member_decorations.insert((target, member), decos);
    }
    /// Decorates with a built-in.
    pub fn decorate_builtin(&mut self, target: Id, builtin: BuiltIn) {
        self.undecorate(target, Decoration::BuiltIn);
        let deco = vec![Operand::Decoration(Decoration::BuiltIn), Operand::BuiltIn(builtin)];
        self.decorations.entry(target).or_default().push(deco);
    }
    /// Built-in of a variable.
    pub fn builtin(&self, id: Id) -> Option<BuiltIn> {
        self.decos(id).iter().find_map(builtin_of)
    }
    /// Built-in of a member.
    pub fn member_builtin(&self, id: Id, member: u32) -> Option<BuiltIn> {
        self.member_decos(id, member).iter().find_map(builtin_of)
    }
    /// Replaces all decorations of an id.
    pub fn set_decos(&mut self, target: Id, decos: Vec<Deco>) {
        self.decorations.insert(target, decos);
    }
    /// Forgets names and decorations of all members of a struct.
    pub fn clear_members(&mut self, target: Id) {
        self.member_names.retain(|(id, _), _| *id != target);
        self.member_decorations.retain(|(id, _), _| *id != target);
    }
    /// Forgets all decorations of an id.
    pub fn clear_decos(&mut self, target: Id) {
        self.decorations.remove(&target);
    }
    /// Copies the decorations of `from` to `to`.
    pub fn copy_decos(&mut self, from: Id, to: Id) {
        if let Some(list) = self.decorations.get(&from).cloned() {
            self.decorations.entry(to).or_default().extend(list);
        }
    }
    /// Drops a decoration.
    pub fn undecorate(&mut self, target: Id, which: Decoration) {
        if let Some(list) = self.decorations.get_mut(&target) {
            list.retain(|d| d.first() != Some(&Operand::Decoration(which)));
        }
    }
    /// Drops a member decoration.
    pub fn undecorate_member(&mut self, target: Id, member: u32, which: Decoration) {
        if let Some(list) = self.member_decorations.get_mut(&(target, member)) {
            list.retain(|d| d.first() != Some(&Operand::Decoration(which)));
        }
    }

    /// Drops decorations for which `gone` holds, everywhere.
    pub fn drop_decos(&mut self, gone: impl Fn(Decoration) -> bool) {
        let keep = |d: &Deco| !matches!(d.first(), Some(Operand::Decoration(which)) if gone(*which));
        self.decorations.values_mut().for_each(|list| list.retain(keep));
        self.member_decorations.values_mut().for_each(|list| list.retain(keep));
    }
}

fn make_deco(which: Decoration, values: &[u32]) -> Deco {
    let mut deco = vec![Operand::Decoration(which)];
    deco.extend(values.iter().map(|v| lit(*v)));
    deco
}

fn builtin_of(deco: &Deco) -> Option<BuiltIn> {
    match deco.as_slice() {
        [Operand::Decoration(Decoration::BuiltIn), Operand::BuiltIn(b)] => Some(*b),
        _ => None,
    }
}

/// Whether `list` holds `which`.
pub fn has(list: &[Deco], which: Decoration) -> bool {
    list.iter().any(|d| d.first() == Some(&Operand::Decoration(which)))
}

/// Literal of `which` in `list`.
pub fn deco_value(list: &[Deco], which: Decoration) -> Option<u32> {
    let deco = list.iter().find(|d| d.first() == Some(&Operand::Decoration(which)))?;
    match deco.get(1) {
        Some(Operand::LiteralBit32(value)) => Some(*value),
        Some(Operand::BuiltIn(builtin)) => Some(*builtin as u32),
        _ => None,
    }
}
