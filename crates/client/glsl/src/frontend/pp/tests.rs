//! What the preprocessor makes of shaders, and that none is too much for it.

use super::{Context, preprocess};

struct Announced;

impl Context for Announced {
    fn has_extension(&self, name: &str) -> bool {
        name == "GL_ARB_here"
    }
    fn may_enable(&self, name: &str) -> bool {
        name == "GL_ARB_here"
    }
}

fn text(source: &str) -> String {
    preprocess(source, &Announced).unwrap_or_else(|log| panic!("{log}\n{source}")).text
}

/// The text in one line, without blanks between lines.
fn flat(source: &str) -> String {
    text(source).split_whitespace().collect::<Vec<_>>().join(" ")
}

fn refused(source: &str) -> String {
    preprocess(source, &Announced).expect_err(source)
}

/// Shaders choose their code by conditions: a wrong branch is a wrong picture.
#[test]
fn branches() {
    let source = "#version 330\n#define A 2\n#if A == 1\none\n#elif A == 2\n#ifdef B\nb\n#else\ntwo\n#endif\n#else\nthree\n#endif\nend\n";
    assert_eq!(flat(source), "#version 330 two end");
    assert_eq!(flat("#if 0\n#if 1\na\n#else\nb\n#endif\n#elif 1\nc\n#endif"), "c");
    assert_eq!(flat("#if 0\n#bogus ( /* \n */ \n# if (\n#endif\n'\n#endif\nx"), "x");
    assert_eq!(flat("#ifndef X\n#define X\n#endif\n#if defined X && defined(X)\ny\n#endif"), "y");
    assert_eq!(flat("#if __VERSION__ == 110 && !GL_ES && GL_ARB_here && !defined(GL_ARB_gone)\ny\n#endif"), "y");
}

/// A macro that stands for a question must answer it: `#define IS_ES defined(GL_ES)` is common.
#[test]
fn defined_comes_out_of_macros() {
    let source = "#version 330 core\n#define IS_ES defined(GL_ES)\n#if IS_ES\nes\n#else\ndesktop\n#endif\n";
    assert_eq!(flat(source), "#version 330 core desktop");
    assert_eq!(
        flat("#define NOT(x) !defined x\n#define BOTH NOT(A) && defined(B)\n#define B\n#if BOTH\ny\n#endif"),
        "y"
    );
}

/// What a macro stands for is what C++ says, or shaders compute something else.
#[test]
fn macros_expand_as_in_c() {
    let rows = [
        ("#define A B\n#define B A C\nA", "A C"),
        ("#define F(x, y) x+y\nF((1, 2), 3) F", "(1, 2) + 3 F"),
        ("#define F() 1\nF() F ()", "1 1"),
        ("#define F(x) [x]\nF() F(F(a))", "[ ] [ [ a ] ]"),
        ("#define CAT(a, b) a##b\n#define xy 7\nCAT(x, y) CAT(x, ) CAT(,y)", "7 x y"),
        ("#define CAT(a, b, c) a ## b ## c\nCAT(v, , 3)", "v3"),
        ("#define N -1\n-N", "- -1"),
        ("#define E\na+E=b", "a+ =b"),
        ("#define F(x) x\nF<=2", "F<=2"),
        ("#define G f\n#define f(x) x+1\nG(2)", "2 +1"),
        ("#define A 1.0e-3\nA*2.", "1.0e-3 *2."),
        ("#define A 1\n#undef A\nA", "A"),
        ("#define A 1\n#define A   1 // again\nA", "1"),
        ("a __FILE__ __LINE__", "a 0 1"),
    ];
    for (source, wanted) in rows {
        let squeeze = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(squeeze(&text(source)), wanted, "{source}");
    }
}

/// People find their mistakes by the line in the log, also behind macros, comments and `#line`.
#[test]
fn lines_stay() {
    let source =
        "#version 330\n#define F(a,\\\n b) a\n/* x\n*/ F(1,\n2) one\n\n#line 70\nseventy __LINE__\n#error here\n";
    let source = source.replace("\\\n b", " b");
    let out = text(&source.replace("#error here\n", ""));
    let line = |word: &str| out.lines().position(|l| l.contains(word)).map(|n| n + 1);
    assert_eq!((line("one"), line("#line"), line("seventy 70")), (Some(5), Some(7), Some(8)));
    assert_eq!(refused(&source), "ERROR: 0:71: '#error' : here\n");
    assert_eq!(refused("#version 150\n#line 7 3\n\n#error x"), "ERROR: 3:9: '#error' : x\n");
    assert_eq!(text("a\n\n/*\n*/\n").lines().count(), 4);
}

/// Mistakes in directives are compile errors by the line that has them.
#[test]
fn mistakes_are_named() {
    let rows = [
        "#endif",
        "#if 1",
        "#if 1\n#else\n#else\n#endif",
        "#if 1\n#else\n#elif 1\n#endif",
        "#if\n#endif",
        "#if 1 2\n#endif",
        "#ifdef A B\n#endif",
        "#ifdef\n#endif",
        "#if 1\n#else x\n#endif",
        "#if 1\n#endif x",
        "#undef A B",
        "#undef __VERSION__",
        "#undef __LINE__",
        "#undef GL_ES",
        "#undef GL_ARB_here",
        "#define __FILE__ 1",
        "#define GL_x 1",
        "#define defined 1",
        "#define",
        "#define 1",
        "#define A+1",
        "#define F(a, a) a",
        "#define F(a",
        "#define F(a) #a",
        "#define F(a) ## a",
        "#define A 1\n#define A 2",
        "#define F(a) a\nF(1, 2)",
        "#define F(a) a\nF(1",
        "#define F(a) a\nF(1\n#if 1\n)\n#endif",
        "#version 330 core extra",
        "#version 330 fast",
        "int a;\n#version 330",
        "#define A\n#version 330",
        "#extension all : require",
        "#extension all : enable",
        "#extension GL_ARB_here : maybe",
        "#extension GL_ARB_here enable",
        "#extension GL_ARB_here : enable x",
        "#extension GL_ARB_gone : require",
        "#line",
        "#line 1 2 3",
        "#line 1 \"path\"",
        "#include <a>",
        "#nothing",
        "/* x",
        "#if 0\n/* x",
        "#version 300 es\n#define A a##b",
        "#version 300 es\n#if NOTHING\n#endif",
        "#version 300 es\n#define a__b",
    ];
    for source in rows {
        assert!(refused(source).starts_with("ERROR: 0:"), "{source}");
    }
}

/// A line that asks for what is not there warns and is passed over; `all` may only warn or be off.
#[test]
fn extensions() {
    let done = preprocess(
        "#extension GL_ARB_gone : enable\n#extension all : warn\n#extension GL_ARB_here: require\na",
        &Announced,
    );
    let done = done.unwrap();
    assert_eq!(done.text, "\n\n#extension GL_ARB_here : require\na\n");
    assert_eq!(done.log, "WARNING: 0:1: '#extension' : extension not supported: GL_ARB_gone\n");
    assert_eq!(flat("#if 0\n#extension GL_ARB_gone : require\n#endif\na"), "a");
    assert_eq!(flat("#pragma STDGL invariant(all)\n#pragma other\n#\na"), "#pragma STDGL invariant(all) a");
}

/// A text that grows without end, or nests without end, must not end the program.
#[test]
fn work_is_bounded() {
    let doubling: String = (0..60).map(|i| format!("#define A{} A{i} A{i}\n", i + 1)).collect();
    assert!(refused(&format!("{doubling}A60")).contains("tokens"));
    let doubling: String = (0..60).map(|i| format!("#define F{}(x) F{i}(x) F{i}(x)\n", i + 1)).collect();
    assert!(refused(&format!("#define F0(x) x x\n{doubling}F60(F60(1))")).contains("tokens"));
    let n = 100_000;
    let nested = format!("#define F(x) x\n{}1{}", "F(".repeat(n), ")".repeat(n));
    assert!(refused(&nested).contains("than"));
    assert!(refused(&nested.replace(&"F(".repeat(n - 1000), "").replace(&")".repeat(n - 1000), "")).contains("200"));
    let chain: String = (0..n).map(|i| format!("#define A{} A{i}\n", i + 1)).collect();
    assert!(text(&format!("{chain}A{n}")).ends_with("A0\n"));
    let ifs = format!("{}a\n{}", "#if 1\n".repeat(n), "#endif\n".repeat(n));
    assert!(text(&ifs).contains("\na\n"));
}
