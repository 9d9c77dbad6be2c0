"""Tessellation and geometry: a landscape refined towards the eye, with the normals of its triangles made by a geometry stage."""

import numpy as np

import common

HEAD = """
#version 330
#extension GL_ARB_tessellation_shader : require
"""

VERTEX = """
#version 330
in vec2 in_place;
out vec2 place;
void main() { place = in_place; gl_Position = vec4(in_place, 0.0, 1.0); }
"""

# Levels from the places alone, so that patches agree at their edges; powers of two leave no room for rounding.
CONTROL = HEAD + """
layout(vertices = 4) out;
in vec2 place[];
out vec2 corner[];
float level(vec2 a, vec2 b) { return distance((a + b) * 0.5, vec2(0.0, -4.0)) < 3.0 ? 16.0 : 8.0; }
void main() {
    corner[gl_InvocationID] = place[gl_InvocationID];
    if (gl_InvocationID == 0) {
        gl_TessLevelOuter[0] = level(place[0], place[2]);
        gl_TessLevelOuter[1] = level(place[0], place[1]);
        gl_TessLevelOuter[2] = level(place[1], place[3]);
        gl_TessLevelOuter[3] = level(place[2], place[3]);
        gl_TessLevelInner[0] = max(gl_TessLevelOuter[1], gl_TessLevelOuter[3]);
        gl_TessLevelInner[1] = max(gl_TessLevelOuter[0], gl_TessLevelOuter[2]);
    }
}
"""

EVALUATION = HEAD + """
layout(quads, equal_spacing, ccw) in;
in vec2 corner[];
uniform mat4 transform;
out vec3 ground;
void main() {
    vec2 below = mix(corner[0], corner[1], gl_TessCoord.x);
    vec2 above = mix(corner[2], corner[3], gl_TessCoord.x);
    vec2 at = mix(below, above, gl_TessCoord.y);
    float height = 0.5 * sin(at.x * 1.7) * cos(at.y * 1.3) + 0.15 * sin(at.x * 5.1 + at.y * 3.7);
    ground = vec3(at, height);
    gl_Position = transform * vec4(ground, 1.0);
}
"""

GEOMETRY = """
#version 330
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
in vec3 ground[];
flat out vec3 normal;
out float height;
void main() {
    vec3 n = normalize(cross(ground[1] - ground[0], ground[2] - ground[0]));
    for (int i = 0; i < 3; ++i) {
        normal = n;
        height = ground[i].z;
        gl_Position = gl_in[i].gl_Position;
        EmitVertex();
    }
    EndPrimitive();
}
"""

FRAGMENT = """
#version 330
flat in vec3 normal;
in float height;
out vec4 color;
void main() {
    float light = 0.35 + 0.65 * abs(dot(normal, normalize(vec3(0.4, -0.5, 0.8))));
    vec3 base = mix(vec3(0.2, 0.4, 0.7), vec3(0.8, 0.7, 0.4), smoothstep(-0.4, 0.4, height));
    color = vec4(base * light, 1.0);
}
"""


def patches():
    """Corners of 4 x 4 patches of two units each."""
    rows = []
    for y in range(4):
        for x in range(4):
            rows += [(x + a - 2, y + b - 2) for b in (0, 1) for a in (0, 1)]
    return np.array(rows, "f4") * 2.0


def draw(context, output):
    size = (320, 240)
    target = context.framebuffer([context.texture(size, 4)], context.depth_renderbuffer(size))
    target.use()
    target.clear(0.1, 0.1, 0.15, 1.0)
    context.enable(context.DEPTH_TEST)
    program = context.program(
        vertex_shader=VERTEX,
        tess_control_shader=CONTROL,
        tess_evaluation_shader=EVALUATION,
        geometry_shader=GEOMETRY,
        fragment_shader=FRAGMENT,
    )
    view = common.perspective(50, size[0] / size[1], 0.5, 30.0) @ common.look_at((0.0, -6.5, 3.5), (0.0, 0.0, 0.0))
    program["transform"].write(common.upload(view))
    corners = context.buffer(patches().tobytes())
    array = context.vertex_array(program, [(corners, "2f", "in_place")])
    array.mode = context.PATCHES
    context.patch_vertices = 4
    query = context.query(primitives=True)
    with query:
        array.render(context.PATCHES)
    output.exact("triangles", [query.primitives])
    output.framebuffer("landscape", target)


if __name__ == "__main__":
    common.main(draw)
