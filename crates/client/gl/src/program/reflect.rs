//! Look-ups over a program archive by GL's naming rules (GL 4.6 §7.3.1). Must not know contexts.

use mgl_glsl::archive::{ProgramArchive, StageVariable, Uniform};

/// Splits `name[3]` into (`name`, `Some(3)`); malformed subscripts give `None`.
pub(crate) fn split_subscript(name: &str) -> Option<(&str, Option<u32>)> {
    let Some(open) = name.rfind('[').filter(|_| name.ends_with(']')) else { return Some((name, None)) };
    let digits = &name[open + 1..name.len() - 1];
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let canonical = plain && (digits == "0" || !digits.starts_with('0'));
    if !canonical {
        return None;
    }
    Some((&name[..open], Some(digits.parse().ok()?)))
}

fn base_name(name: &str, is_array: bool) -> &str {
    if is_array { name.strip_suffix("[0]").unwrap_or(name) } else { name }
}

/// Uniform and element that `name` means; `a` and `a[0]` are the same.
pub(crate) fn uniform(archive: &ProgramArchive, name: &str) -> Option<(usize, u32)> {
    if archive.nameless {
        return None;
    }
    if let Some(index) = archive.uniforms.iter().position(|u| u.name == name) {
        return Some((index, 0));
    }
    let find = |base: &str| archive.uniforms.iter().position(|u| u.is_array && base_name(&u.name, true) == base);
    if let Some(index) = find(name) {
        return Some((index, 0));
    }
    let (base, element) = split_subscript(name)?;
    let index = find(base)?;
    let element = element?;
    (element < archive.uniforms[index].array_size).then_some((index, element))
}

/// Location of a uniform name, -1 when it is not active or has none.
pub(crate) fn uniform_location(archive: &ProgramArchive, name: &str) -> i32 {
    match uniform(archive, name) {
        Some((index, element)) if archive.uniforms[index].location >= 0 => {
            archive.uniforms[index].location + element as i32
        }
        _ => -1,
    }
}

/// Location of a stage input or output name; elements of arrays and matrix columns take the next locations.
pub(crate) fn variable_location(list: &[StageVariable], name: &str) -> i32 {
    if let Some(v) = list.iter().find(|v| v.name == name || (v.is_array && base_name(&v.name, true) == name)) {
        return v.location;
    }
    let Some((base, Some(element))) = split_subscript(name) else { return -1 };
    let hit = list.iter().find(|v| v.is_array && base_name(&v.name, true) == base && element < v.array_size);
    hit.map_or(-1, |v| {
        if v.location < 0 { -1 } else { v.location + (element * (v.locations / v.array_size.max(1))) as i32 }
    })
}

/// Location and index of a fragment output; -1 when it is not one.
pub(crate) fn fragment_output(archive: &ProgramArchive, name: &str) -> (i32, i32) {
    if archive.nameless {
        return (-1, -1);
    }
    let list = &archive.fragment_outputs;
    if let Some(o) = list.iter().find(|o| o.name == name || (o.is_array && base_name(&o.name, true) == name)) {
        return (o.location, o.index);
    }
    let Some((base, Some(element))) = split_subscript(name) else { return (-1, -1) };
    let hit = list.iter().find(|o| o.is_array && base_name(&o.name, true) == base && element < o.array_size);
    hit.map_or((-1, -1), |o| (if o.location < 0 { -1 } else { o.location + element as i32 }, o.index))
}

/// A name as GL reports it: resources of SPIR-V have none (ARB_gl_spirv).
pub(crate) fn shown<'a>(archive: &ProgramArchive, name: &'a str) -> &'a str {
    if archive.nameless { "" } else { name }
}

/// Longest name with its terminator; 0 when there is none.
pub(crate) fn longest<'a>(names: impl Iterator<Item = &'a str>) -> i64 {
    names.map(|n| n.len() as i64 + 1).max().unwrap_or(0)
}

/// Size that GL reports for a uniform: elements of an array, else 1.
pub(crate) fn uniform_size(uniform: &Uniform) -> i64 {
    i64::from(uniform.array_size.max(1))
}

#[cfg(test)]
mod tests {
    use super::split_subscript;

    /// A program that asks for `a[01]` or `a[]` must get "not active", not element 1 or 0.
    #[test]
    fn only_canonical_subscripts_are_elements() {
        assert_eq!(split_subscript("a[3]"), Some(("a", Some(3))));
        assert_eq!(split_subscript("a"), Some(("a", None)));
        assert_eq!(split_subscript("a[03]"), None);
        assert_eq!(split_subscript("a[]"), None);
        assert_eq!(split_subscript("a[-1]"), None);
        assert_eq!(split_subscript("s[1].a[2]"), Some(("s[1].a", Some(2))));
    }
}
