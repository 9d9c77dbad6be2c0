"""Two thousand draws with blending switched around each one, as user interfaces and particle systems do."""

import numpy as np

import common

VERTEX = """
#version 330
uniform vec4 place;
uniform vec4 tint;
in vec2 in_corner;
out vec4 colour;
void main() {
    colour = tint;
    gl_Position = vec4(in_corner * place.zw + place.xy, 0.0, 1.0);
}
"""

FRAGMENT = """
#version 330
in vec4 colour;
out vec4 result;
void main() { result = colour; }
"""

DRAWS = 2000


def draw(context, output):
    size = (512, 384)
    program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
    corners = np.array([[-1, -1], [1, -1], [-1, 1], [1, 1]], "f4")
    array = context.vertex_array(program, [(context.buffer(corners.tobytes()), "2f", "in_corner")])
    target = context.framebuffer([context.texture(size, 4)])
    target.use()
    context.clear(0.05, 0.05, 0.08, 1.0)
    context.blend_func = context.SRC_ALPHA, context.ONE_MINUS_SRC_ALPHA
    generator = np.random.default_rng(7)
    places = generator.uniform(-1, 1, (DRAWS, 2))
    sizes = generator.uniform(0.01, 0.06, (DRAWS, 2))
    tints = generator.uniform(0.1, 1.0, (DRAWS, 4))
    for index in range(DRAWS):
        program["place"].value = (*places[index], *sizes[index])
        program["tint"].value = tuple(tints[index])
        if index % 2 == 0:
            context.enable(context.BLEND)
        else:
            context.disable(context.BLEND)
        array.render(context.TRIANGLE_STRIP)
    output.framebuffer("blended", target)


if __name__ == "__main__":
    common.main(draw)
