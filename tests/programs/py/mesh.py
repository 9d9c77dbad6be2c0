"""A textured, lit, depth-tested mesh: the plainest picture a 3D program draws."""

import numpy as np

import common

VERTEX = """
#version 330
uniform mat4 transform;
in vec3 in_position;
in vec3 in_normal;
in vec2 in_uv;
out vec3 position;
out vec3 normal;
out vec2 uv;
void main() {
    position = in_position;
    normal = in_normal;
    uv = in_uv;
    gl_Position = transform * vec4(in_position, 1.0);
}
"""

FRAGMENT = """
#version 330
uniform sampler2D skin;
uniform vec3 eye;
uniform vec3 light;
in vec3 position;
in vec3 normal;
in vec2 uv;
out vec4 colour;
void main() {
    vec3 n = normalize(normal);
    vec3 l = normalize(light - position);
    vec3 h = normalize(l + normalize(eye - position));
    vec3 base = texture(skin, uv).rgb;
    float diffuse = max(dot(n, l), 0.0);
    float specular = pow(max(dot(n, h), 0.0), 40.0) * step(0.0, dot(n, l));
    colour = vec4(base * (0.2 + 0.8 * diffuse) + 0.5 * specular, 1.0);
}
"""


def draw(context, output, size=(512, 384), mesh=(48, 24)):
    vertices, indices = common.torus(*mesh)
    program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
    array = context.vertex_array(
        program,
        [(context.buffer(vertices.tobytes()), "3f 3f 2f", "in_position", "in_normal", "in_uv")],
        index_buffer=context.buffer(indices.tobytes()),
    )
    skin = context.texture((128, 128), 3, common.checker().tobytes(), alignment=1)
    skin.build_mipmaps()
    skin.filter = (context.LINEAR_MIPMAP_LINEAR, context.LINEAR)
    skin.use(0)

    target = context.framebuffer([context.texture(size, 4)], context.depth_renderbuffer(size))
    target.use()
    context.enable(context.DEPTH_TEST | context.CULL_FACE)
    context.clear(0.08, 0.09, 0.12, 1.0)
    eye = np.array([2.2, -2.4, 2.0])
    view = common.perspective(45, size[0] / size[1], 0.1, 20.0) @ common.look_at(eye, (0, 0, 0))
    program["eye"].value = tuple(eye)
    program["light"].value = (3.0, -1.0, 4.0)
    program["skin"].value = 0
    program["transform"].write(common.upload(view))
    array.render()

    # A second, turned copy passes through the hole of the first: only right depth testing shows both.
    turn = np.eye(4)
    turn[:3, :3] = [[1, 0, 0], [0, 0, -1], [0, 1, 0]]
    turn[0, 3] = 1.0
    program["transform"].write(common.upload(view @ turn))
    array.render()
    output.framebuffer("mesh", target)


if __name__ == "__main__":
    common.main(draw)
