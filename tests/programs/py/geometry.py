"""Geometry stages: points that grow into leaves, outlines found by adjacency, and one draw into all layers of an array texture."""

import numpy as np

import common

VERTEX = """
#version 330
in vec3 in_place;
out vec3 place;
void main() { place = in_place; gl_Position = vec4(in_place, 1.0); }
"""

# Two triangles and a stalk of lines cannot be one primitive type: each leaf is a strip of its own, whose number colours it.
LEAVES = """
#version 330
layout(points) in;
layout(triangle_strip, max_vertices = 12) out;
in vec3 place[];
uniform mat4 transform;
flat out int number;
out float along;
void main() {
    for (int leaf = 0; leaf < 3; ++leaf) {
        float turn = float(leaf) * 2.0943951 + place[0].x;
        vec3 way = vec3(cos(turn), sin(turn), 0.6);
        vec3 side = vec3(-way.y, way.x, 0.0) * 0.08;
        vec3 corners[4] = vec3[](place[0], place[0] + way * 0.2 - side, place[0] + way * 0.2 + side, place[0] + way * 0.45);
        for (int i = 0; i < 4; ++i) {
            number = gl_PrimitiveIDIn * 3 + leaf;
            along = float(i) / 3.0;
            gl_Position = transform * vec4(corners[i], 1.0);
            EmitVertex();
        }
        EndPrimitive();
    }
}
"""

LEAF = """
#version 330
flat in int number;
in float along;
out vec4 color;
void main() {
    vec3 base = vec3(0.2 + 0.1 * float(number % 3), 0.5 + 0.1 * float(number % 4), 0.2);
    color = vec4(mix(base, vec3(0.9, 0.9, 0.5), along), 1.0);
}
"""

# An edge is drawn where one of its two triangles looks at the eye and the other one does not.
OUTLINE = """
#version 330
layout(triangles_adjacency) in;
layout(line_strip, max_vertices = 6) out;
in vec3 place[];
uniform mat4 transform;
uniform vec3 eye;
bool faces(vec3 a, vec3 b, vec3 c) { return dot(cross(b - a, c - a), eye - a) > 0.0; }
void main() {
    if (!faces(place[0], place[2], place[4])) return;
    for (int i = 0; i < 6; i += 2) {
        vec3 a = place[i], b = place[(i + 2) % 6];
        if (faces(a, place[i + 1], b)) continue;
        gl_Position = transform * vec4(a, 1.0);
        EmitVertex();
        gl_Position = transform * vec4(b, 1.0);
        EmitVertex();
        EndPrimitive();
    }
}
"""

WHITE = """
#version 330
out vec4 color;
void main() { color = vec4(1.0); }
"""

LAYERS = """
#version 330
layout(triangles) in;
layout(triangle_strip, max_vertices = 12) out;
in vec3 place[];
flat out int layer;
void main() {
    for (int n = 0; n < 4; ++n) {
        for (int i = 0; i < 3; ++i) {
            layer = n;
            gl_Layer = n;
            gl_Position = vec4(place[i].xy * 0.25 * float(n + 1), 0.0, 1.0);
            EmitVertex();
        }
        EndPrimitive();
    }
}
"""

LAYER = """
#version 330
flat in int layer;
out vec4 color;
void main() { color = vec4(float(layer + 1) * 0.2, 0.4, 1.0 - float(layer) * 0.2, 1.0); }
"""


def octahedron():
    """Triangles with their neighbours' corners between their own, as GL_TRIANGLES_ADJACENCY wants them."""
    corners = np.array([(1, 0, 0), (0, 1, 0), (-1, 0, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)], "f4") * 0.8
    faces = [(i, (i + 1) % 4, 4) for i in range(4)] + [((i + 1) % 4, i, 5) for i in range(4)]
    opposite = {(a, b): c for f in faces for a, b, c in (f, f[1:] + f[:1], f[2:] + f[:2])}
    rows = [(a, opposite[b, a], b, opposite[c, b], c, opposite[a, c]) for a, b, c in faces]
    return corners[np.array(rows).ravel()] + np.array((0.0, 0.0, 1.2), "f4")


def picture(context, output):
    size, eye = (320, 240), (1.5, -4.5, 3.0)
    target = context.framebuffer([context.texture(size, 4)], context.depth_renderbuffer(size))
    target.use()
    target.clear(0.15, 0.15, 0.2, 1.0)
    context.enable(context.DEPTH_TEST)
    view = common.perspective(50, size[0] / size[1], 0.5, 30.0) @ common.look_at(eye, (0.0, 0.0, 0.4))
    ground = np.array([(x * 0.5, y * 0.5, 0.0) for y in range(-4, 5) for x in range(-4, 5)], "f4")
    for stage, fragment, points, mode in (
        (LEAVES, LEAF, ground, context.POINTS),
        (OUTLINE, WHITE, octahedron(), context.TRIANGLES_ADJACENCY),
    ):
        program = context.program(vertex_shader=VERTEX, geometry_shader=stage, fragment_shader=fragment)
        program["transform"].write(common.upload(view))
        if "eye" in program:
            program["eye"].value = eye
        array = context.vertex_array(program, [(context.buffer(points.tobytes()), "3f", "in_place")])
        query = context.query(primitives=True)
        with query:
            array.render(mode)
        output.exact("primitives", [query.primitives])
    output.framebuffer("leaves", target)


def layers(context, output):
    texture = context.texture_array((32, 32, 4), 4)
    target = context.framebuffer([texture])
    target.use()
    target.clear()
    context.disable(context.DEPTH_TEST)
    program = context.program(vertex_shader=VERTEX, geometry_shader=LAYERS, fragment_shader=LAYER)
    square = np.array([(-1, -1, 0), (1, -1, 0), (-1, 1, 0), (-1, 1, 0), (1, -1, 0), (1, 1, 0)], "f4")
    context.vertex_array(program, [(context.buffer(square.tobytes()), "3f", "in_place")]).render(context.TRIANGLES)
    texels = np.frombuffer(texture.read(), "u1").reshape(4, 32, 32, 4)
    output.exact("layers", [int((texel[..., 3] > 0).sum()) for texel in texels])
    output.picture("layers", np.concatenate(list(texels[..., :3]), axis=1))


def draw(context, output):
    picture(context, output)
    layers(context, output)


if __name__ == "__main__":
    common.main(draw)
