//! Internal programs: shaders that fetch the texels of a texture of any kind as bits into an integer image. Must not know
//! programs of the client, nor when it draws.

use crate::images::ImageKey;
use crate::raw::{Gl, consts as c};
use crate::texel::Texel;
use mgl_backend::Refusal;
use mgl_backend::traits::Outcome;
use mgl_backend::values::Numeric;

/// What the texels are to the sampler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fetch {
    /// Floating point, normalised, depth.
    Float,
    /// Signed integers.
    Int,
    /// Unsigned integers.
    Uint,
    /// The stencil part of a packed format.
    Stencil,
}

/// The words that the shader wrote as a texel.
pub fn bits_to_texel(numeric: Numeric, words: [u32; 4]) -> Texel {
    match numeric {
        Numeric::Int => Texel::Int(words.map(|w| w as i32)),
        Numeric::Uint => Texel::Uint(words),
        _ => Texel::Float(words.map(f32::from_bits)),
    }
}

const VERTEX: &str = "#version 300 es
void main() {
    vec2 p = vec2(float((gl_VertexID << 1) & 2), float(gl_VertexID & 2));
    gl_Position = vec4(p * 2.0 - 1.0, 0.0, 1.0);
}
";

/// The fragment shader for a kind of texels and a driver target.
pub(crate) fn fragment(fetch: Fetch, target: u32) -> String {
    let prefix = match fetch {
        Fetch::Float => "",
        Fetch::Int => "i",
        Fetch::Uint | Fetch::Stencil => "u",
    };
    let kind = match target {
        c::TEXTURE_3D => "sampler3D",
        c::TEXTURE_2D_ARRAY => "sampler2DArray",
        c::TEXTURE_CUBE_MAP => "samplerCube",
        _ => "sampler2D",
    };
    let fetched = match target {
        c::TEXTURE_2D => "texelFetch(source, p, place.w)",
        // The middle of a texel of a face (ES 3.2 table 8.19).
        c::TEXTURE_CUBE_MAP => "textureLod(source, direction(p), float(place.w))",
        _ => "texelFetch(source, ivec3(p, place.z), place.w)",
    };
    let bits = match fetch {
        Fetch::Float => "floatBitsToUint(v)",
        _ => "uvec4(v)",
    };
    format!(
        "#version 300 es
precision highp float;
precision highp int;
uniform highp {prefix}{kind} source;
uniform ivec4 place;
uniform vec4 size;
layout(location = 0) out uvec4 result;
vec3 direction(ivec2 p) {{
    vec2 t = (vec2(p) + 0.5) / size.xy * 2.0 - 1.0;
    if (place.z == 0) return vec3(1.0, -t.y, -t.x);
    if (place.z == 1) return vec3(-1.0, -t.y, t.x);
    if (place.z == 2) return vec3(t.x, 1.0, t.y);
    if (place.z == 3) return vec3(t.x, -1.0, -t.y);
    if (place.z == 4) return vec3(t.x, -t.y, 1.0);
    return vec3(-t.x, -t.y, -1.0);
}}
void main() {{
    ivec2 p = ivec2(gl_FragCoord.xy) + place.xy;
    {prefix}vec4 v = {fetched};
    result = {bits};
}}
"
    )
}

/// A linked program.
#[derive(Clone, Copy)]
pub(crate) struct Program {
    pub(crate) name: u32,
    pub(crate) place: i32,
    pub(crate) size: i32,
}

/// Programs and images of internal work.
#[derive(Default)]
pub struct Meta {
    pub(crate) programs: Vec<((Fetch, u32), Program)>,
    pub(crate) scratch: Vec<ImageKey>,
}

fn compile(gl: &Gl, stage: u32, source: &str) -> Outcome<u32> {
    let shader = gl.create_shader(stage);
    gl.shader_text(shader, source);
    gl.compile_shader(shader);
    if gl.shader_value(shader, c::COMPILE_STATUS) == 0 {
        let log = gl.shader_log(shader);
        gl.delete_shader(shader);
        return Err(Refusal::Driver(format!("internal shader: {log}")));
    }
    Ok(shader)
}

/// Compiles and links with the vertex shader that covers everything.
pub(crate) fn link(gl: &Gl, fragment: &str) -> Outcome<Program> {
    let (vs, fs) = (compile(gl, c::VERTEX_SHADER, VERTEX)?, compile(gl, c::FRAGMENT_SHADER, fragment)?);
    let name = gl.create_program();
    gl.attach_shader(name, vs);
    gl.attach_shader(name, fs);
    gl.link_program(name);
    gl.delete_shader(vs);
    gl.delete_shader(fs);
    if gl.program_value(name, c::LINK_STATUS) == 0 {
        let log = gl.program_log(name);
        gl.delete_program(name);
        return Err(Refusal::Driver(format!("internal program: {log}")));
    }
    Ok(Program { name, place: gl.uniform_location(name, "place"), size: gl.uniform_location(name, "size") })
}
