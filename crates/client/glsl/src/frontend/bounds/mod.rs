//! How much of a shader is too much: what nests or calls deeper than here is a compile error that names the limit. Everything
//! behind this gate recurses with the nesting of expressions, statements, types and calls, in this process and in the
//! device's compiler, and what passes must fit their stacks and their time. Counts tokens of a text without directives, in
//! time that grows with the text. Must not parse: where it does not know, it counts too much.

mod calls;
mod nesting;
mod structs;

use super::scan::Token;

/// How deep expressions and statements may nest. Operators of one expression count as nested in each other.
pub const MAX_NESTING: u32 = 2048;
/// How deep structures may nest.
pub const MAX_STRUCTS: u32 = 64;
/// Members of a structure with those of its members, arrays counting as one.
pub const MAX_MEMBERS: u32 = 1 << 16;
/// How deep functions may call each other.
pub const MAX_CALLS: u32 = 256;
/// Functions of a stage.
pub const MAX_FUNCTIONS: usize = 4096;
/// Pairs of functions that call one another.
pub const MAX_CALL_PAIRS: usize = 1 << 14;
/// Tokens of a stage when each call stands for what it calls: device compilers put functions where they are called.
pub const MAX_INLINED: u64 = 1 << 23;

/// A mistake: line and what it is.
type Mistake = (usize, String);

fn deeper<T>(line: usize, what: &str, limit: impl std::fmt::Display) -> Result<T, Mistake> {
    Err((line, format!("{what}: the limit is {limit}")))
}

/// The log for a stage, whose shaders are `all`, that is too much.
pub fn check(all: &[Vec<Token<'_>>]) -> Result<(), String> {
    let one = |tokens: &[Token<'_>]| nesting::check(tokens).and_then(|()| structs::check(tokens));
    let each = all.iter().try_for_each(|tokens| one(tokens));
    each.and_then(|()| calls::check(all)).map_err(|(line, what)| format!("ERROR: 0:{line}: {what}\n"))
}

#[cfg(test)]
mod tests {
    use super::check;
    use crate::frontend::scan::tokens;

    fn refused(text: &str) -> String {
        check(&[tokens(text)]).expect_err(&text[..text.len().min(80)])
    }

    fn passes(text: &str) {
        assert_eq!(check(&[tokens(text)]), Ok(()), "{}", &text[..text.len().min(80)]);
    }

    /// A shader that nests without end must not end the program.
    #[test]
    fn nesting_is_refused() {
        for n in [3000, 100_000] {
            let rows = [
                format!("void main(){{c=(vec4(0){});}}", ",vec4(1)".repeat(n)),
                format!("void main(){{c=vec4({}u);}}", "u+".repeat(n)),
                format!("void main(){{c=v{};}}", ".xyzw".repeat(n)),
                format!("void main(){{c={}1{};}}", "(".repeat(n), ")".repeat(n)),
                format!("void main(){{c={}1;}}", "-".repeat(n)),
                format!("void main(){{c={}1{};}}", "a[".repeat(n), "]".repeat(n)),
                format!("void main(){{c=a{};}}", "[0]".repeat(n)),
                format!("void main(){{c={}1{};}}", "f(1,".repeat(n), ")".repeat(n)),
                format!("void main(){{{}1;}}", "c=".repeat(n)),
                format!("void main(){{c={}1;}}", "a?b:".repeat(n)),
                format!("void main(){{{}{}}}", "{".repeat(n), "}".repeat(n)),
                format!("void main(){{{};}}", "if(a)".repeat(n)),
                format!("void main(){{{};}}", "if(a){}else ".repeat(n)),
                format!("void main(){{{};}}", "if(a)b;else ".repeat(n)),
                format!("void main(){{{};{};}}", "do ".repeat(n), "while(a);".repeat(n)),
                format!("float a{};", "[1]".repeat(n)),
                format!("float a[]={}1{};", "{".repeat(n), "}".repeat(n)),
                "(".repeat(n),
                "{".repeat(n),
                "[".repeat(n),
            ];
            for text in rows {
                assert!(refused(&text).contains("2048"), "{}", &text[..60]);
            }
        }
    }

    /// What is long but flat is what generated shaders are made of.
    #[test]
    fn long_texts_pass() {
        let n = 20_000;
        passes(&format!("float a[]=float[]({}1.5e-3);", "1.0,".repeat(n)));
        passes(&format!("float a[]={{{}1}};", "{1,2+3},".repeat(n)));
        passes(&format!("void main(){{{}}}", "a+=b*c;".repeat(n)));
        passes(&format!("void main(){{{}}}", "if(a){b;}".repeat(n)));
        passes(&format!("void main(){{{}}}", "if(a)b;".repeat(n)));
        passes(&format!("void main(){{{}}}", "{a=b;}".repeat(n)));
        passes(&format!("void main(){{{}}}", "for(i=0;i<n;++i){a;}".repeat(n)));
        passes(&format!("void main(){{switch(a){{{}}}}}", "case 1:b;break;".repeat(n)));
        passes(&format!("void main(){{c={}u;}}", "u+".repeat(1000)));
        passes(&format!("layout(location=0) uniform B{{{}}};", "vec4 a[2][3];".repeat(n)));
    }

    /// Structures of structures multiply, by depth and by number.
    #[test]
    fn structures_are_refused() {
        let chain = |n: usize, member: fn(usize) -> String| -> String {
            (0..n).map(|k| format!("struct S{}{{{}}};", k + 1, member(k))).collect()
        };
        for n in [100, 100_000] {
            assert!(refused(&chain(n, |k| format!("S{k} m;"))).contains("64"));
        }
        assert!(refused(&chain(40, |k| format!("S{k} a,b;"))).contains("65536"));
        assert!(refused(&(chain(64, |k| format!("S{k} m;")) + "uniform B{S64 m;};")).contains("64"));
        passes(&chain(60, |k| format!("S{k} m; float a, b;")));
        passes(&"struct S{float a;}; struct T{S s[1000];};".repeat(100));
    }

    /// Calls multiply when the device's compiler puts functions where they are called.
    #[test]
    fn calls_are_refused() {
        let chain = |n: usize, body: fn(usize) -> String| -> String {
            (0..n).map(|k| format!("float f{}(float x){{return {};}}", k + 1, body(k))).collect()
        };
        assert!(refused(&chain(300, |k| format!("f{k}(x)+1."))).contains("256"));
        assert!(refused(&chain(100_000, |k| format!("f{k}(x)+1."))).contains("4096"));
        assert!(refused(&chain(40, |k| format!("f{k}(x)+f{k}(x)"))).contains("8388608"));
        assert!(refused(&chain(5000, |_| "x".into())).contains("4096"));
        passes(&chain(200, |k| format!("f{k}(x)+1.")));
        let overloads = "float n(float x){return x;} float n(vec2 x){return n(x.x);} float n(vec3 x){return n(x.xy);}";
        passes(overloads);
        passes("float g(float x); float f(float x){return g(x);} float g(float x){return f(x);}");
        let parts: Vec<String> = (0..3)
            .map(|p| {
                (0..200)
                    .map(|k| {
                        let at = p * 200 + k;
                        format!("float f{at}(float x); float f{}(float x){{return f{at}(x);}}", at + 1)
                    })
                    .collect()
            })
            .collect();
        assert!(check(&parts.iter().map(|t| tokens(t)).collect::<Vec<_>>()).is_err_and(|log| log.contains("256")));
    }
}
