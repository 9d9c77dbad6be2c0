//! C types of the registry as Rust types: how they look in an `extern "C"` signature and to the state groups.

/// A C scalar type and its two Rust forms.
struct Scalar {
    c: &'static str,
    abi: &'static str,
    safe: &'static str,
}

const fn s(c: &'static str, abi: &'static str, safe: &'static str) -> Scalar {
    Scalar { c, abi, safe }
}

/// `GLboolean` is a byte in C and `bool` inside; `GLsync` is a number that the program holds as a pointer.
const SCALARS: &[Scalar] = &[
    s("GLenum", "u32", "u32"),
    s("GLbitfield", "u32", "u32"),
    s("GLuint", "u32", "u32"),
    s("GLhandleARB", "u32", "u32"),
    s("GLint", "i32", "i32"),
    s("GLsizei", "i32", "i32"),
    s("GLclampx", "i32", "i32"),
    s("GLfixed", "i32", "i32"),
    s("GLbyte", "i8", "i8"),
    s("GLubyte", "u8", "u8"),
    s("GLchar", "u8", "u8"),
    s("GLcharARB", "u8", "u8"),
    s("GLshort", "i16", "i16"),
    s("GLushort", "u16", "u16"),
    s("GLhalfNV", "u16", "u16"),
    s("GLfloat", "f32", "f32"),
    s("GLclampf", "f32", "f32"),
    s("GLdouble", "f64", "f64"),
    s("GLclampd", "f64", "f64"),
    s("GLintptr", "isize", "isize"),
    s("GLintptrARB", "isize", "isize"),
    s("GLsizeiptr", "isize", "isize"),
    s("GLsizeiptrARB", "isize", "isize"),
    s("GLint64", "i64", "i64"),
    s("GLint64EXT", "i64", "i64"),
    s("GLuint64", "u64", "u64"),
    s("GLuint64EXT", "u64", "u64"),
    s("GLboolean", "u8", "bool"),
    s("GLsync", "usize", "usize"),
];

fn scalar(ctype: &str) -> Option<&'static Scalar> {
    SCALARS.iter().find(|row| row.c == ctype)
}

/// The type inside the state groups, for non-pointers.
pub fn safe(ctype: &str) -> Option<&'static str> {
    scalar(ctype).map(|row| row.safe)
}

/// True for anything that needs a transport.
pub fn is_pointer(ctype: &str) -> bool {
    ctype.contains('*') || ctype.starts_with("GLDEBUGPROC")
}

/// The type in the exported signature.
pub fn abi(ctype: &str) -> Option<String> {
    if ctype.starts_with("GLDEBUGPROC") {
        return Some("DebugProc".to_owned());
    }
    if let Some(row) = scalar(ctype) {
        return Some(row.abi.to_owned());
    }
    let inner = ctype.strip_suffix('*')?.trim();
    if let Some(pointers) = inner.strip_suffix("const").map(str::trim).filter(|t| t.ends_with('*')) {
        return Some(format!("*const {}", abi(pointers)?));
    }
    if inner.ends_with('*') {
        return Some(format!("*mut {}", abi(inner)?));
    }
    let (kind, base) = inner.strip_prefix("const ").map_or(("mut", inner), |base| ("const", base));
    let base = if base == "void" { "c_void" } else { scalar(base)?.abi };
    Some(format!("*{kind} {base}"))
}

/// Element type of a pointer parameter as seen by the state groups; `void` is bytes.
pub fn element(ctype: &str) -> Option<String> {
    let abi = abi(ctype)?;
    let inner = abi.strip_prefix("*const ").or(abi.strip_prefix("*mut "))?;
    Some(if inner == "c_void" { "u8".to_owned() } else { inner.to_owned() })
}

/// The Rust name of a C parameter.
pub fn param_name(c: &str) -> String {
    let snake = snake(c);
    match snake.as_str() {
        "type" | "ref" | "box" | "in" | "fn" | "mod" | "move" | "use" | "loop" | "match" => format!("{snake}_"),
        _ => snake,
    }
}

/// `BufferSubData` as `buffer_sub_data`; a digit or a lower-case suffix stays attached.
pub fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut last_lower = false;
    for c in name.chars() {
        if c.is_ascii_uppercase() {
            if last_lower {
                out.push('_');
            }
            out.push(c.to_ascii_lowercase());
            last_lower = false;
        } else {
            out.push(c);
            last_lower = c != '_';
        }
    }
    out
}
