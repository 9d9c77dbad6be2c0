//! Draw parameters that Vulkan gives another value than GL. Must not know draws.

use super::edit::{Edit, EditError, Place};
use super::fragment::privatise;
use rspirv::spirv::{BuiltIn, StorageClass};

/// `gl_BaseVertex` of draws without indices is 0 (GL 4.6 §11.1.3.9); Vulkan's is the first vertex.
pub fn zero_base_vertex(edit: &mut Edit) -> Result<(), EditError> {
    let Some(place @ Place::Variable(input)) = edit.builtin(BuiltIn::BaseVertex, StorageClass::Input) else {
        return Ok(());
    };
    let Some(int) = edit.type_at(place) else { return Ok(()) };
    let zero = edit.b.constant_bit32(int, 0);
    let copy = privatise(edit, input, int, StorageClass::Input);
    let helper = edit.begin_helper()?;
    edit.b.store(copy, zero, None, [])?;
    edit.end_helper()?;
    edit.call_at_entry(helper);
    Ok(())
}
