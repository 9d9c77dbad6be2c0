"""A cube map with mip levels: reflections, explicit levels, and a level rendered into."""

import numpy as np

import common

VERTEX = """
#version 330
uniform mat4 transform;
in vec3 in_position;
in vec3 in_normal;
out vec3 position;
out vec3 normal;
void main() {
    position = in_position;
    normal = in_normal;
    gl_Position = transform * vec4(in_position, 1.0);
}
"""

FRAGMENT = """
#version 330
uniform samplerCube sky;
uniform vec3 eye;
uniform float level;
in vec3 position;
in vec3 normal;
out vec4 colour;
void main() {
    vec3 r = reflect(normalize(position - eye), normalize(normal));
    colour = vec4(textureLod(sky, r, level).rgb, 1.0);
}
"""

BACKGROUND = """
#version 330
uniform samplerCube sky;
uniform mat3 turn;
in vec2 uv;
out vec4 colour;
void main() { colour = vec4(texture(sky, turn * vec3(uv * 2.0 - 1.0, -1.0)).rgb, 1.0); }
"""

EDGE = 64


def faces():
    """Six faces of their own colour with a grid and a corner mark, so that a swapped or mirrored face shows."""
    colours = [(220, 60, 50), (60, 200, 80), (60, 90, 220), (230, 200, 60), (200, 80, 210), (80, 210, 210)]
    y, x = np.mgrid[0:EDGE, 0:EDGE]
    grid = ((x // 8 + y // 8) % 2)[..., None] * 60
    result = []
    for colour in colours:
        face = np.clip(np.array(colour) - grid, 0, 255)
        face[: EDGE // 4, : EDGE // 8] = 255
        result.append(face)
    return np.array(result, "u1")


def draw(context, output):
    size = (512, 384)
    sky = context.texture_cube((EDGE, EDGE), 3, faces().tobytes(), alignment=1)
    for face in range(6):
        output.exact(f"face {face}", np.frombuffer(sky.read(face, alignment=1), "u1").reshape(-1, 3)[:: EDGE + 1])
    sky.build_mipmaps()
    sky.filter = (context.LINEAR_MIPMAP_LINEAR, context.LINEAR)
    sky.use(1)

    target = context.framebuffer([context.texture(size, 4)], context.depth_renderbuffer(size))
    target.use()
    context.clear(0, 0, 0, 1)
    background = context.program(vertex_shader=common.FULLSCREEN, fragment_shader=BACKGROUND)
    background["sky"].value = 1
    turn = np.array([[0.8, 0.0, 0.6], [0.36, 0.8, -0.48], [-0.48, 0.6, 0.64]])
    background["turn"].write(np.ascontiguousarray(turn.T, "f4").tobytes())
    context.vertex_array(background, []).render(context.TRIANGLES, vertices=3)

    context.enable(context.DEPTH_TEST)
    program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
    vertices, indices = common.torus()
    array = context.vertex_array(
        program,
        [(context.buffer(vertices.tobytes()), "3f 3f 8x", "in_position", "in_normal")],
        index_buffer=context.buffer(indices.tobytes()),
    )
    eye = np.array([2.6, -3.4, 2.4])
    view = common.perspective(45, size[0] / size[1], 0.1, 20.0) @ common.look_at(eye, (0, 0, 0))
    program["sky"].value = 1
    program["eye"].value = tuple(eye)
    for level, shift in ((0.0, -0.9), (2.5, 0.9)):
        model = np.eye(4)
        model[0, 3] = shift
        model[:3, :3] *= 0.6
        program["level"].value = level
        program["transform"].write(common.upload(view @ model))
        array.render()
    output.framebuffer("cube", target)


if __name__ == "__main__":
    common.main(draw)
