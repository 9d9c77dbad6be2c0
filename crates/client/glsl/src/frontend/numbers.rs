//! Indices of subroutines and locations of their uniforms: within the limits, each once (GLSL 4.60 §4.4.3, §6.1.2).
//! Must not read any text.

use std::collections::{HashMap, HashSet};

use super::subroutine::Subroutines;

/// `GL_MAX_SUBROUTINES`.
pub const MAX_SUBROUTINES: u32 = 256;
/// `GL_MAX_SUBROUTINE_UNIFORM_LOCATIONS`.
pub const MAX_SUBROUTINE_UNIFORM_LOCATIONS: u32 = 1024;

/// Explicit numbers stay, the others take the lowest free ones in order.
pub fn number(declared: &mut Subroutines) -> Result<(), String> {
    let functions = &mut declared.functions;
    if functions.len() > MAX_SUBROUTINES as usize {
        return Err(format!("ERROR: 0:1: the stage has more than {MAX_SUBROUTINES} subroutines\n"));
    }
    let mut taken: HashSet<u32> = HashSet::new();
    for function in functions.iter().filter(|f| f.index != u32::MAX) {
        if !taken.insert(function.index) {
            let (name, index) = (&function.name, function.index);
            return Err(format!("ERROR: 0:1: '{name}' : another subroutine has index {index} too\n"));
        }
    }
    for function in functions.iter_mut().filter(|f| f.index == u32::MAX) {
        function.index = (0..).find(|i| !taken.contains(i)).unwrap_or(0);
        taken.insert(function.index);
    }
    let mut places: HashMap<u32, &str> = HashMap::new();
    for uniform in &declared.uniforms {
        if let Some(other) = uniform.location.and_then(|at| places.insert(at, &uniform.name)) {
            let (name, at) = (&uniform.name, uniform.location.unwrap_or(0));
            return Err(format!("ERROR: 0:1: '{name}' : subroutine uniform `{other}` has location {at} too\n"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::archive::Stage;
    use crate::frontend::subroutine::rewrite;

    /// Programs that number their subroutines in hexadecimal, octal or by constants choose what they numbered.
    #[test]
    fn numbers_are_those_of_the_language() {
        let text = "#version 440\nconst int N = 3; subroutine void t(); layout(index = 0x10) subroutine (t) void a() {}\n\
            layout(index = 010) subroutine (t) void b() {} layout(index = (N + 1)) subroutine (t) void c() {}\n\
            subroutine (t) void d() {} layout(location = 0xAu) subroutine uniform t u;\n";
        let found = rewrite(&[text], Stage::Vertex).unwrap().declared;
        assert_eq!(found.functions.iter().map(|f| f.index).collect::<Vec<_>>(), [16, 8, 4, 0]);
        assert_eq!(found.uniforms[0].location, Some(10));
        let many: String = (0..257).map(|i| format!("subroutine (t) void f{i}() {{}}")).collect();
        let result = rewrite(&[&format!("#version 440\nsubroutine void t(); {many}")], Stage::Vertex);
        assert!(result.is_err_and(|log| log.contains("256")));
    }

    /// Two subroutines of one number would be one for the program that chooses.
    #[test]
    fn numbers_are_given_once() {
        let twice = [
            "subroutine void t(); layout(index = 2) subroutine (t) void f() {} layout(index = 0x2) subroutine (t) void g() {}",
            "subroutine void t(); layout(location = 1) subroutine uniform t u; layout(location = (01)) subroutine uniform t v;",
        ];
        for text in twice {
            let result = rewrite(&[&format!("#version 440\n{text}\n")], Stage::Vertex);
            assert!(result.as_ref().is_err_and(|log| log.contains("too")), "{text}: {result:?}");
        }
    }
}
