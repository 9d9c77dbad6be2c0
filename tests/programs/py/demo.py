"""The picture `./x demo` shows: two linked, textured tori over a floor, lit, depth-tested, four samples per pixel."""

import numpy as np

import common
import mesh

SKY_FRAGMENT = """
#version 330
in vec2 uv;
out vec4 colour;
void main() {
    colour = vec4(mix(vec3(0.93, 0.76, 0.62), vec3(0.16, 0.24, 0.42), smoothstep(0.2, 1.0, uv.y)), 1.0);
}
"""


def floor():
    corners = [(-6, -6), (6, -6), (6, 6), (-6, -6), (6, 6), (-6, 6)]
    rows = [[x, y, -1.45, 0, 0, 1, x / 2, y / 2] for x, y in corners]
    return np.array(rows, "f4"), np.arange(6, dtype="i4")


def array_of(context, program, vertices, indices):
    return context.vertex_array(
        program,
        [(context.buffer(vertices.tobytes()), "3f 3f 2f", "in_position", "in_normal", "in_uv")],
        index_buffer=context.buffer(indices.tobytes()),
    )


def skin(context, **colours):
    texture = context.texture((256, 256), 3, common.checker(256, **colours).tobytes(), alignment=1)
    texture.build_mipmaps()
    texture.filter = (context.LINEAR_MIPMAP_LINEAR, context.LINEAR)
    return texture


def draw(context, output):
    size = (960, 640)
    program = context.program(vertex_shader=mesh.VERTEX, fragment_shader=mesh.FRAGMENT)
    sky = context.vertex_array(
        context.program(vertex_shader=common.FULLSCREEN, fragment_shader=SKY_FRAGMENT), []
    )
    ring = array_of(context, program, *common.torus(96, 48, 1.0, 0.36))
    ground = array_of(context, program, *floor())
    warm = skin(context, dark=(150, 40, 30), light=(240, 190, 90))
    cool = skin(context, dark=(20, 80, 110), light=(150, 220, 220))
    stone = skin(context, dark=(90, 85, 80), light=(170, 165, 155))

    samples = context.framebuffer(
        [context.renderbuffer(size, 4, samples=4)], context.depth_renderbuffer(size, samples=4)
    )
    samples.use()
    context.clear(0, 0, 0, 1)
    sky.render(context.TRIANGLES, vertices=3)

    context.enable(context.DEPTH_TEST)
    eye = np.array([3.1, -3.4, 1.7])
    view = common.perspective(42, size[0] / size[1], 0.1, 40.0) @ common.look_at(eye, (0.4, 0, -0.15))
    program["eye"].value = tuple(eye)
    program["light"].value = (2.0, -3.0, 4.5)
    turn = np.eye(4)
    turn[:3, :3] = [[1, 0, 0], [0, 0.1, -0.995], [0, 0.995, 0.1]]
    turn[0, 3] = 1.0
    tilt = np.eye(4)
    tilt[:3, :3] = [[0.96, 0, 0.28], [0, 1, 0], [-0.28, 0, 0.96]]
    for array, texture, model in ((ground, stone, np.eye(4)), (ring, warm, tilt), (ring, cool, turn)):
        texture.use(0)
        program["transform"].write(common.upload(view @ model))
        array.render()

    resolved = context.framebuffer([context.texture(size, 4)])
    context.copy_framebuffer(resolved, samples)
    output.framebuffer("demo", resolved)


if __name__ == "__main__":
    common.main(draw)
