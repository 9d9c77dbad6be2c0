//! Lengths of arrays that their use sizes (GLSL 4.60 §4.1.9): glslang knows such a size only when the stage is linked, but
//! `length()` asks for it while it parses. Declarations of arrays whose length a shader asks for get the size of all their uses.
//! Must keep line numbers, and leave alone what the stage or the buffer sizes: arrays over vertices, last members of blocks.

use std::collections::HashMap;

use super::scan::{Token, tokens};
use super::version::{Profile, declared_version};

/// `length()` of such arrays came with storage blocks.
const SINCE: u32 = 430;

/// A member of a uniform or storage block that is declared without a size and is not what the buffer sizes.
#[derive(Clone, Copy, Debug)]
struct Open<'a> {
    /// Block and member.
    name: (&'a str, &'a str),
    /// Its name, as a token.
    at: usize,
    /// The tokens of the block's braces.
    block: (usize, usize),
    /// Members are named behind the name of an instance.
    instance: bool,
}

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

    /// Every such member.
    fn open_members(&self) -> Vec<Open<'a>> {
        let mut found = Vec::new();
        for at in 0..self.0.len() {
            if !matches!(self.text(at), "uniform" | "buffer") || self.text(at + 2) != "{" {
                continue;
            }
            let mut depth = 0usize;
            let end = (at + 2..self.0.len()).find(|i| {
                depth = match self.text(*i) {
                    "{" => depth + 1,
                    "}" => depth.saturating_sub(1),
                    _ => depth,
                };
                depth == 0
            });
            let Some(end) = end else { break };
            let open = (at + 3..end).filter(|i| self.text(i + 1) == "[" && self.text(i + 2) == "]");
            let sized = open.filter(|i| self.text(*i) != "]" && self.declares(*i));
            let instance = self.text(end + 1) != ";";
            let one = |i| Open { name: (self.text(at + 1), self.text(i)), at: i, block: (at + 2, end), instance };
            found.extend(sized.map(one));
        }
        found
    }

    /// Whether the name at `at` stands behind a type.
    fn is_declared(&self, at: usize) -> bool {
        let before = at.checked_sub(1).map_or("", |at| self.text(at));
        let word = before.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        word && !matches!(before, "return" | "else" | "case" | "do")
    }

    /// The size that the uses of a member here imply, 0 without any.
    fn member_size(&self, member: &Open<'_>) -> Option<u32> {
        let mine = |at: &usize| {
            self.text(*at) == member.name.1
                && !(member.block.0..member.block.1).contains(at)
                && (*at > 0 && self.text(at - 1) == ".") == member.instance
                && !self.is_declared(*at)
        };
        let mut size = 0;
        for at in self.followed(&["["]).filter(mine) {
            let value = self.value(at + 2).filter(|_| self.text(at + 3) == "]")?;
            size = size.max(value.checked_add(1)?);
        }
        Some(size)
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

/// Where members get which sizes, by shader: the largest that any of them implies for a block and member of that name.
fn member_edits(sources: &[&str]) -> Vec<Vec<(usize, u32)>> {
    let shaders: Vec<Shader<'_>> = sources.iter().map(|s| Shader(tokens(s))).collect();
    let open: Vec<Vec<Open<'_>>> = shaders.iter().map(Shader::open_members).collect();
    let mut sizes: HashMap<(&str, &str), Option<u32>> = HashMap::new();
    for (shader, members) in shaders.iter().zip(&open) {
        for member in members {
            let size = shader.member_size(member);
            let known = sizes.entry(member.name).or_insert(Some(1));
            *known = known.zip(size).map(|(a, b)| a.max(b));
        }
    }
    let place = |shader: &Shader<'_>, member: &Open<'_>| {
        Some((shader.0.get(member.at + 2)?.at, sizes.get(&member.name).copied().flatten()?))
    };
    let of =
        |(shader, members): (&Shader<'_>, &Vec<Open<'_>>)| members.iter().filter_map(|m| place(shader, m)).collect();
    shaders.iter().zip(&open).map(of).collect()
}

/// Puts the sizes in, from behind.
fn insert(source: &mut String, mut edits: Vec<(usize, u32)>) {
    edits.sort_unstable();
    for (at, size) in edits.into_iter().rev() {
        source.insert_str(at, &size.to_string());
    }
}

/// Whether a source may declare an array without a size; in GLSL ES only the last member of a storage block may (ESSL 3.10
/// §4.1.9).
fn has_open(source: &str) -> bool {
    let es = matches!(declared_version(source), Some((_, Profile::Es)));
    !es && source.split('[').skip(1).any(|rest| rest.trim_start().starts_with(']'))
}

/// Gives members of blocks that shaders of several stages declare the sizes that all of them imply. The texts that change;
/// `None` stands for one that does not, and for all of them where no block is shared.
pub fn agree(sources: &[&str]) -> Vec<Option<String>> {
    let open = sources.iter().filter(|s| has_open(s)).count();
    if open < 2 {
        return vec![None; sources.len()];
    }
    let alone = |source: &&str| member_edits(&[*source]).pop().unwrap_or_default();
    let together = member_edits(sources);
    let one = |(source, edits): (&&str, Vec<(usize, u32)>)| {
        (alone(source) != edits).then(|| {
            let mut text = (*source).to_owned();
            insert(&mut text, edits);
            text
        })
    };
    sources.iter().zip(together).map(one).collect()
}

/// Gives the shaders of a stage the sizes that they imply together.
pub fn size_arrays(sources: &mut [String]) {
    if sources.iter().any(|s| has_open(s)) {
        let texts: Vec<&str> = sources.iter().map(String::as_str).collect();
        let edits = member_edits(&texts);
        sources.iter_mut().zip(edits).for_each(|(source, edits)| insert(source, edits));
    }
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
    sources.iter_mut().zip(edits).for_each(|(source, edits)| insert(source, edits));
}

#[cfg(test)]
mod tests {
    use super::{agree, size_arrays};

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

    /// Members of blocks behind such an array would be read from other places than the program was told.
    #[test]
    fn uses_size_members() {
        let all = "#version 330\nuniform B { vec4 a[]; vec4 b[]; float c; } k;\nconst int N = 3;\nvoid main() { float a[9]; a[8]; k.a[2]; k.b[N]; k.a[0]; }";
        assert!(sized(&[all])[0].contains("vec4 a[3]; vec4 b[4];"), "{}", sized(&[all])[0]);
        let plain = "#version 330\nuniform B { vec4 a[]; float c; };\nstruct S { float a[9]; };\nvoid main() { S s; s.a[8]; a[2]; }";
        assert!(sized(&[plain])[0].contains("{ vec4 a[3];"));
        let buffer = "#version 430\nbuffer B { vec4 a[]; float c[]; } k;\nvoid main() { k.a[2]; k.c[7]; }";
        assert!(sized(&[buffer])[0].contains("{ vec4 a[3]; float c[]; }"));
        let both =
            agree(&[all, "#version 330\nuniform B { vec4 a[]; vec4 b[]; float c; } k;\nvoid main() { k.a[5]; }"]);
        let [Some(one), Some(two)] = &both[..] else { panic!("both change") };
        assert!(one.contains("vec4 a[6]; vec4 b[4];") && two.contains("vec4 a[6]; vec4 b[4];"), "{one}\n{two}");
        assert_eq!(agree(&[all, "#version 330\nvoid main() { float a[]; }"]), [None, None]);
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
