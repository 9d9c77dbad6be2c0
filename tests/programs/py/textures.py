"""Integer, float and sRGB textures: what goes in must come out, directly, through a shader, and through sub-image updates."""

import numpy as np

import common

FETCH = """
#version 330
uniform {prefix}sampler2D source;
out {prefix}vec4 value;
void main() {{ value = texelFetch(source, ivec2(gl_FragCoord.xy), 0); }}
"""

SAMPLE = """
#version 330
uniform sampler2D source;
in vec2 uv;
out vec4 value;
void main() { value = texture(source, uv * 1.7 - 0.3); }
"""

SIZE = (23, 11)


def values(dtype, components):
    """Numbers that use the whole range of the type, odd-sized rows included."""
    generator = np.random.default_rng(components * 100 + ord(dtype[0]))
    shape = (SIZE[1], SIZE[0], components)
    if dtype[0] == "f":
        return generator.integers(-2048, 2048, shape).astype(dtype) / 16
    info = np.iinfo(dtype)
    return generator.integers(info.min, info.max, shape, dtype=dtype, endpoint=True)


def bits(array):
    return array.view(f"u{array.dtype.itemsize}")


def copy_through_shader(context, texture, dtype, components):
    """Draw the texture texel by texel into another of the same kind, and read that."""
    prefix = {"i": "i", "u": "u", "f": ""}[dtype[0]]
    program = context.program(
        vertex_shader=common.FULLSCREEN.replace("out vec2 uv;", "").replace("uv = p * 0.5 + 0.5;", ""),
        fragment_shader=FETCH.format(prefix=prefix),
    )
    target = context.framebuffer([context.texture(SIZE, components, dtype=dtype)])
    target.use()
    texture.use(0)
    context.vertex_array(program, []).render(context.TRIANGLES, vertices=3)
    return target.color_attachments[0].read(alignment=1)


def round_trips(context, output):
    for dtype in ("u1", "i1", "u2", "i2", "u4", "i4", "f2", "f4"):
        for components in (1, 2, 4):
            # moderngl gives "f1" for normalised bytes; "u1" here is the true integer format.
            data = values(dtype, components)
            texture = context.texture(SIZE, components, data.tobytes(), dtype=dtype, alignment=1)
            texture.filter = (context.NEAREST, context.NEAREST)
            patch = data[:3, :5] * 0 + 7
            texture.write(np.ascontiguousarray(patch).tobytes(), viewport=(4, 6, 5, 3), alignment=1)
            direct = np.frombuffer(texture.read(alignment=1), dtype)
            drawn = np.frombuffer(copy_through_shader(context, texture, dtype, components), dtype)
            output.exact(f"{dtype}x{components} read", bits(direct))
            output.exact(f"{dtype}x{components} drawn", bits(drawn))


def normalised(context, output):
    for components in (1, 2, 3, 4):
        data = values("u1", components)
        texture = context.texture(SIZE, components, data.tobytes(), alignment=1)
        output.exact(f"unorm8x{components}", np.frombuffer(texture.read(alignment=1), "u1"))


def srgb(context, output):
    """GL_SRGB8_ALPHA8 decodes when sampled; a linear target shows it brightened at the dark end."""
    srgb8_alpha8 = 0x8C43
    ramp = np.zeros((16, 256, 4), "u1")
    ramp[..., 0] = np.arange(256)
    ramp[..., 1] = np.arange(256)[::-1]
    ramp[..., 2] = np.arange(16)[:, None] * 17
    ramp[..., 3] = 255
    texture = context.texture((256, 16), 4, ramp.tobytes(), internal_format=srgb8_alpha8)
    output.exact("srgb stored", np.frombuffer(texture.read(), "u1"))
    texture.filter = (context.LINEAR, context.LINEAR)
    program = context.program(vertex_shader=common.FULLSCREEN, fragment_shader=SAMPLE)
    target = context.framebuffer([context.texture((320, 240), 4)])
    target.use()
    texture.use(0)
    context.vertex_array(program, []).render(context.TRIANGLES, vertices=3)
    output.framebuffer("srgb", target)


def floats(context, output):
    """Values outside 0..1 survive in a float target and are filtered as floats."""
    y, x = np.mgrid[0:32, 0:32].astype("f4")
    data = np.stack([x / 8 - 2, y / 8 - 2, x * y / 128, x * 0 + 1], -1).astype("f2")
    texture = context.texture((32, 32), 4, data.tobytes(), dtype="f2")
    texture.filter = (context.LINEAR, context.LINEAR)
    texture.repeat_x = False
    program = context.program(vertex_shader=common.FULLSCREEN, fragment_shader=SAMPLE)
    target = context.framebuffer([context.texture((320, 240), 4, dtype="f4")])
    target.use()
    texture.use(0)
    context.vertex_array(program, []).render(context.TRIANGLES, vertices=3)
    result = np.frombuffer(target.read(components=4, dtype="f4"), "f4").reshape(240, 320, 4)
    output.picture("float", (np.clip(result[..., :3] / 4 + 0.5, 0, 1) * 255).astype("u1"))


def draw(context, output):
    round_trips(context, output)
    normalised(context, output)
    srgb(context, output)
    floats(context, output)


if __name__ == "__main__":
    common.main(draw)
