"""Multisampled rendering resolved into textures, then a chain of passes over several colour attachments."""

import numpy as np

import common

SCENE_VERTEX = """
#version 330
uniform mat4 transform;
in vec3 in_position;
in vec3 in_normal;
in vec2 in_uv;
out vec3 normal;
out vec2 uv;
void main() {
    normal = in_normal;
    uv = in_uv;
    gl_Position = transform * vec4(in_position, 1.0);
}
"""

# Attachment 0 holds the colour, 1 the normal, 2 what shall glow.
SCENE_FRAGMENT = """
#version 330
in vec3 normal;
in vec2 uv;
layout(location = 0) out vec4 albedo;
layout(location = 1) out vec4 direction;
layout(location = 2) out vec4 glow;
void main() {
    vec2 cell = fract(uv);
    float stripe = step(0.7, cell.x);
    albedo = vec4(mix(vec3(0.25, 0.3, 0.4), vec3(0.95, 0.5, 0.15), stripe), 1.0);
    direction = vec4(normalize(normal) * 0.5 + 0.5, 1.0);
    glow = vec4(vec3(0.9, 0.35, 0.05) * stripe, 1.0);
}
"""

BLUR_FRAGMENT = """
#version 330
uniform sampler2D source;
uniform ivec2 axis;
in vec2 uv;
out vec4 colour;
const float weight[5] = float[5](0.227, 0.194, 0.121, 0.054, 0.016);
void main() {
    ivec2 limit = textureSize(source, 0) - 1;
    ivec2 at = ivec2(gl_FragCoord.xy);
    vec3 sum = texelFetch(source, at, 0).rgb * weight[0];
    for (int i = 1; i < 5; ++i) {
        sum += texelFetch(source, clamp(at + axis * i * 2, ivec2(0), limit), 0).rgb * weight[i];
        sum += texelFetch(source, clamp(at - axis * i * 2, ivec2(0), limit), 0).rgb * weight[i];
    }
    colour = vec4(sum, 1.0);
}
"""

COMBINE_FRAGMENT = """
#version 330
uniform sampler2D albedo;
uniform sampler2D direction;
uniform sampler2D bloom;
in vec2 uv;
layout(location = 0) out vec4 shaded;
layout(location = 1) out vec4 outline;
void main() {
    vec3 n = normalize(texture(direction, uv).xyz * 2.0 - 1.0);
    float light = 0.3 + 0.7 * max(dot(n, normalize(vec3(0.5, -0.6, 0.7))), 0.0);
    shaded = vec4(texture(albedo, uv).rgb * light + texture(bloom, uv).rgb, 1.0);
    outline = vec4(vec3(clamp(length(fwidth(n)) * 0.5, 0.0, 1.0)), 1.0);
}
"""


def scene(context, size):
    samples = context.framebuffer(
        [context.renderbuffer(size, 4, samples=4) for _ in range(3)], context.depth_renderbuffer(size, samples=4)
    )
    vertices, indices = common.torus()
    program = context.program(vertex_shader=SCENE_VERTEX, fragment_shader=SCENE_FRAGMENT)
    array = context.vertex_array(
        program,
        [(context.buffer(vertices.tobytes()), "3f 3f 2f", "in_position", "in_normal", "in_uv")],
        index_buffer=context.buffer(indices.tobytes()),
    )
    samples.use()
    context.enable(context.DEPTH_TEST)
    context.clear(0.0, 0.0, 0.0, 1.0)
    view = common.perspective(45, size[0] / size[1], 0.1, 20.0) @ common.look_at((2.0, -2.2, 1.8), (0, 0, 0))
    program["transform"].write(common.upload(view))
    array.render()
    context.disable(context.DEPTH_TEST)
    return samples


def resolve(context, samples, size):
    """Each multisampled attachment into a texture of its own."""
    textures = [context.texture(size, 4) for _ in range(3)]
    for index, texture in enumerate(textures):
        source = context.framebuffer([samples.color_attachments[index]])
        context.copy_framebuffer(context.framebuffer([texture]), source)
    return textures


def blur(context, source, size):
    program = context.program(vertex_shader=common.FULLSCREEN, fragment_shader=BLUR_FRAGMENT)
    array = context.vertex_array(program, [])
    for _ in range(2):
        for axis in ((1, 0), (0, 1)):
            result = context.texture(size, 4, dtype="f2")
            context.framebuffer([result]).use()
            source.use(0)
            program["axis"].value = axis
            array.render(context.TRIANGLES, vertices=3)
            source = result
    return source


def draw(context, output):
    size = (512, 384)
    albedo, direction, glow = resolve(context, scene(context, size), size)
    bloom = blur(context, glow, size)
    program = context.program(vertex_shader=common.FULLSCREEN, fragment_shader=COMBINE_FRAGMENT)
    for unit, (name, texture) in enumerate((("albedo", albedo), ("direction", direction), ("bloom", bloom))):
        texture.use(unit + 2)
        program[name].value = unit + 2
    target = context.framebuffer([context.texture(size, 4), context.texture(size, 4)])
    target.use()
    context.clear(1.0, 0.0, 1.0, 1.0)
    context.vertex_array(program, []).render(context.TRIANGLES, vertices=3)
    output.framebuffer("shaded", target, 0)
    output.framebuffer("outline", target, 1)
    output.exact("attachments", np.array([len(target.color_attachments)]))


if __name__ == "__main__":
    common.main(draw)
