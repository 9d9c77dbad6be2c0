//! Lengths of arrays that their use sizes (GLSL 4.60 §4.1.9): glslang knows such a size only when the stage is linked, but
//! `length()` asks for it while it parses. Declarations of arrays whose length a shader asks for get the size of all their uses.
//! Must keep line numbers, and leave alone what the stage or the buffer sizes: arrays over vertices, last members of blocks.

use std::collections::HashMap;

use super::scan::{Token, tokens};
use super::version::declared_version;

/// `length()` of such arrays came with storage blocks.
const SINCE: u32 = 430;

/// The tokens of one shader.
struct Shader<'a>(Vec<Token<'a>>);

impl<'a> Shader<'a> {
    fn text(&self, at: usize) -> &'a str {
        self.0.get(at).map_or("", |t| t.text)
    }

    /// Positions of a name that begin `NAME` and these tokens.
    fn followed<'s>(&'s self, next: &'s [&'s str]) -> impl Iterator<Item = usize> + 's {
        let fits = move |at: &usize| next.iter().enumerate().all(|(i, text)| self.text(at + 1 + i) == *text);
        (0..self.0.len()).filter(fits)
    }

    /// Names whose length is asked for, where it need not be a constant.
    fn asked(&self) -> impl Iterator<Item = &'a str> + '_ {
        let in_layout = |at: &usize| {
            let mut before = (0..*at).rev().map(|i| self.text(i)).take_while(|t| !matches!(*t, ";" | "{" | "}"));
            before.any(|text| text == "layout")
        };
        self.followed(&[".", "length", "("]).filter(move |at| !in_layout(at)).map(|at| self.text(at))
    }

    /// Whether the name at `at` declares an array that its use sizes.
    fn declares(&self, at: usize) -> bool {
        let start = (0..at).rev().find(|i| matches!(self.text(*i), ";" | "{" | "}" | ")")).map_or(0, |i| i + 1);
        let outside = |i: usize| !matches!(self.text(i), "in" | "out" | "varying" | "attribute");
        let mut end = at + 3;
        while self.text(end) == "[" {
            end = (end..self.0.len()).find(|i| self.text(*i) == "]").map_or(self.0.len(), |i| i + 1);
        }
        let last_of_block = self.text(end) == ";" && self.text(end + 1) == "}" && self.in_block(at);
        start < at && (start..at).all(outside) && matches!(self.text(end), ";" | ",") && !last_of_block
    }

    /// Whether the innermost brace around `at` opens a storage block.
    fn in_block(&self, at: usize) -> bool {
        let mut depth = 0;
        let open = (0..at).rev().find(|i| {
            depth += match self.text(*i) {
                "}" => 1,
                "{" => -1,
                _ => 0,
            };
            depth < 0
        });
        open.is_some_and(|open| open >= 2 && self.text(open - 2) == "buffer")
    }

    /// Value of the constant expressions that are a number or the name of one.
    fn value(&self, at: usize) -> Option<u32> {
        let text = self.text(at);
        if let Ok(value) = text.trim_end_matches(['u', 'U']).parse() {
            return Some(value);
        }
        let at = (2..self.0.len()).find(|i| {
            self.text(*i) == text && matches!(self.text(i - 1), "int" | "uint") && self.text(i - 2) == "const"
        })?;
        (self.text(at + 1) == "=" && self.text(at + 3) == ";").then(|| self.text(at + 2).parse().ok())?
    }

    /// The size that the uses of `name` here imply; the error is a use that this pass does not understand.
    fn size(&self, name: &str) -> Result<u32, ()> {
        let uses = self.followed(&["["]).filter(|at| self.text(*at) == name && self.text(at + 2) != "]");
        let each = uses.map(|at| {
            let value = self.value(at + 2).filter(|_| self.text(at + 3) == "]");
            value.and_then(|v| v.checked_add(1)).ok_or(())
        });
        each.collect::<Result<Vec<u32>, ()>>().map(|sizes| sizes.into_iter().max().unwrap_or(0))
    }
}

/// Gives the shaders of a stage the sizes that they imply together.
pub fn size_arrays(sources: &mut [String]) {
    if !sources.iter().any(|s| s.contains("length")) {
        return;
    }
    let edits: Vec<Vec<(usize, u32)>> = {
        let late = |s: &String| declared_version(s).is_some_and(|(version, _)| version >= SINCE);
        let all: Vec<(Shader<'_>, bool)> = sources.iter().map(|s| (Shader(tokens(s)), late(s))).collect();
        let names = all.iter().filter(|(_, late)| *late).flat_map(|(shader, _)| shader.asked());
        let size = |name: &str| {
            let sizes: Result<Vec<u32>, ()> = all.iter().map(|(shader, _)| shader.size(name)).collect();
            sizes.ok()?.into_iter().max()
        };
        // An array that nobody indexes has one element.
        let sizes: HashMap<&str, u32> = names.filter_map(|name| Some((name, size(name)?.max(1)))).collect();
        let places = |shader: &Shader<'_>| {
            let open = shader.followed(&["[", "]"]).filter(|at| shader.declares(*at));
            open.filter_map(|at| Some((shader.0.get(at + 2)?.at, *sizes.get(shader.text(at))?))).collect()
        };
        all.iter().map(|(shader, _)| places(shader)).collect()
    };
    for (source, edits) in sources.iter_mut().zip(edits) {
        for (at, size) in edits.into_iter().rev() {
            source.insert_str(at, &size.to_string());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::size_arrays;

    fn sized(sources: &[&str]) -> Vec<String> {
        let mut all: Vec<String> = sources.iter().map(|s| (*s).to_owned()).collect();
        size_arrays(&mut all);
        all
    }

    /// A loop over such an array must run over what the shaders of the stage use of it together.
    #[test]
    fn uses_size_arrays() {
        let main = "#version 430\nconst int N = 6;\nfloat a[];\nvoid main() { int n = a.length(); float b[][2]; b[N]; b.length(); }";
        let part = "float a[];\nvoid f() { a[4] = 1.0; }";
        let [main, part] = &sized(&[main, part])[..] else { panic!("two") };
        assert!(main.contains("float a[5];") && main.contains("float b[7][2];"), "{main}");
        assert!(part.contains("float a[5];"), "{part}");
        let block =
            "#version 430\nbuffer B { int a[]; int b[]; } i;\nvoid main() { i.a[2] = i.a.length() + i.b.length(); }";
        assert!(sized(&[block])[0].contains("{ int a[3]; int b[]; }"));
    }

    /// Vertices and buffers have sizes of their own, and older versions no such lengths.
    #[test]
    fn others_keep_theirs() {
        for text in [
            "#version 430\nin vec4 v[];\nvoid main() { v[0]; v.length(); }",
            "#version 330\nvoid main() { float a[]; a[1]; a.length(); }",
            "#version 430\nvoid main() { float a[] = float[](1.0); a.length(); }",
            "#version 430\nvoid f(int a[]) { a.length(); }",
            "#version 430\nvoid main() { float a[]; a[1 + 1]; a.length(); }",
        ] {
            assert_eq!(sized(&[text])[0], text);
        }
    }
}
