"""Instances with per-instance attributes and a std140 uniform block of matrices and lights."""

import numpy as np

import common

VERTEX = """
#version 330
layout(std140) uniform Scene {
    mat4 view_projection;
    vec4 light_direction[3];
    vec4 light_colour[3];
    float scale;
};
in vec3 in_position;
in vec3 in_normal;
in vec3 in_offset;
in vec4 in_tint;
in float in_angle;
out vec3 normal;
out vec4 tint;
void main() {
    float c = cos(in_angle), s = sin(in_angle);
    mat3 turn = mat3(c, s, 0.0, -s, c, 0.0, 0.0, 0.0, 1.0);
    normal = turn * in_normal;
    tint = in_tint * (0.7 + 0.3 * float(gl_InstanceID % 2));
    gl_Position = view_projection * vec4(turn * in_position * scale + in_offset, 1.0);
}
"""

FRAGMENT = """
#version 330
layout(std140) uniform Scene {
    mat4 view_projection;
    vec4 light_direction[3];
    vec4 light_colour[3];
    float scale;
};
in vec3 normal;
in vec4 tint;
out vec4 colour;
void main() {
    vec3 sum = vec3(0.15);
    for (int i = 0; i < 3; ++i)
        sum += max(dot(normalize(normal), light_direction[i].xyz), 0.0) * light_colour[i].rgb;
    colour = vec4(tint.rgb * sum, 1.0);
}
"""

SIDE = 16


def instances():
    y, x = np.mgrid[0:SIDE, 0:SIDE].astype("f4")
    rows = np.zeros(SIDE * SIDE, [("offset", "3f4"), ("tint", "4u1"), ("angle", "f4")])
    rows["offset"] = np.stack([x - 7.5, y - 7.5, 0.6 * np.sin(x * 0.8) * np.cos(y * 0.6)], -1).reshape(-1, 3)
    rows["tint"] = np.stack([40 + x * 13, 60 + y * 11, 230 - x * 8, x * 0 + 255], -1).reshape(-1, 4).astype("u1")
    rows["angle"] = (x * 0.21 + y * 0.13).ravel()
    return rows


def block(size):
    view = common.perspective(40, size[0] / size[1], 1.0, 60.0) @ common.look_at((9, -16, 12), (0, 0, 0))
    directions = np.array([[0.6, -0.4, 0.69, 0], [-0.8, 0.0, 0.6, 0], [0, 0, 1, 0]], "f4")
    colours = np.array([[0.8, 0.75, 0.6, 0], [0.1, 0.2, 0.5, 0], [0.2, 0.2, 0.2, 0]], "f4")
    return common.upload(view) + directions.tobytes() + colours.tobytes() + np.array([0.34, 0, 0, 0], "f4").tobytes()


def draw(context, output):
    size = (512, 384)
    program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
    mesh = context.buffer(common.cube().tobytes())
    rows = context.buffer(instances().tobytes())
    array = context.vertex_array(
        program,
        [
            (mesh, "3f 3f 8x", "in_position", "in_normal"),
            (rows, "3f 4f1 1f/i", "in_offset", "in_tint", "in_angle"),
        ],
    )
    program["Scene"].binding = 3
    context.buffer(block(size)).bind_to_uniform_block(3)
    target = context.framebuffer([context.texture(size, 4)], context.depth_renderbuffer(size))
    target.use()
    context.enable(context.DEPTH_TEST)
    context.clear(0.1, 0.1, 0.13, 1.0)
    array.render(instances=SIDE * SIDE)
    output.framebuffer("instances", target)


if __name__ == "__main__":
    common.main(draw)
