"""Compute: sums over a buffer, a histogram by atomics, and a game of life in images that a draw then shows. All exact integers."""

import numpy as np

import common

HEAD = """
#version 330
#extension GL_ARB_compute_shader : require
#extension GL_ARB_shader_storage_buffer_object : require
#extension GL_ARB_shader_image_load_store : require
#extension GL_ARB_shading_language_420pack : require
"""

# Inclusive sums of 256 values by each group, in shared memory.
SUMS = HEAD + """
layout(local_size_x = 256) in;
layout(std430, binding = 0) buffer Values { uint values[]; };
layout(std430, binding = 1) buffer Totals { uint totals[]; };
shared uint part[256];
void main() {
    uint at = gl_LocalInvocationID.x;
    part[at] = gl_GlobalInvocationID.x < uint(values.length()) ? values[gl_GlobalInvocationID.x] : 0u;
    for (uint step = 1u; step < 256u; step *= 2u) {
        barrier();
        uint before = at >= step ? part[at - step] : 0u;
        barrier();
        part[at] += before;
    }
    if (gl_GlobalInvocationID.x < uint(values.length())) values[gl_GlobalInvocationID.x] = part[at];
    if (at == 255u) totals[gl_WorkGroupID.x] = part[at];
}
"""

HISTOGRAM = HEAD + """
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Values { uint values[]; };
layout(std430, binding = 1) coherent buffer Bins { uint bins[16]; uint largest; };
void main() {
    uint value = values[gl_GlobalInvocationID.x];
    atomicAdd(bins[value % 16u], 1u);
    atomicMax(largest, value);
}
"""

LIFE = HEAD + """
layout(local_size_x = 8, local_size_y = 8) in;
layout(r32ui, binding = 0) readonly uniform uimage2D before;
layout(r32ui, binding = 1) writeonly uniform uimage2D after;
void main() {
    ivec2 size = ivec2(128), at = ivec2(gl_GlobalInvocationID.xy);
    uint around = 0u;
    for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
            if (x != 0 || y != 0) around += imageLoad(before, (at + ivec2(x, y) + size) % size).x;
    uint alive = imageLoad(before, at).x;
    imageStore(after, at, uvec4(around == 3u || (alive == 1u && around == 2u) ? 1u : 0u));
}
"""

SHOW = """
#version 330
uniform usampler2D cells;
out vec4 color;
void main() {
    uint alive = texelFetch(cells, ivec2(gl_FragCoord.xy) / 2, 0).x;
    color = alive == 1u ? vec4(0.9, 0.8, 0.3, 1.0) : vec4(0.1, 0.1, 0.2, 1.0);
}
"""


def noise(count):
    """Numbers that look random and are the same everywhere."""
    index = np.arange(1, count + 1, dtype="u8")
    return ((index * 2654435761) >> 7).astype("u4")


def sums(context, output):
    count = 1000
    values = context.buffer((noise(count) % 100).astype("u4").tobytes())
    totals = context.buffer(reserve=16)
    values.bind_to_storage_buffer(0)
    totals.bind_to_storage_buffer(1)
    context.compute_shader(SUMS).run(4)
    output.exact("sums", np.frombuffer(values.read(), "u4"))
    output.exact("totals", np.frombuffer(totals.read(), "u4"))


def histogram(context, output):
    values = context.buffer(noise(64 * 40).tobytes())
    bins = context.buffer(bytes(17 * 4))
    values.bind_to_storage_buffer(0)
    bins.bind_to_storage_buffer(1)
    context.compute_shader(HISTOGRAM).run(40)
    output.exact("histogram", np.frombuffer(bins.read(), "u4"))


def life(context, output):
    start = (noise(128 * 128) % 3 == 0).astype("u4")
    boards = [context.texture((128, 128), 1, start.tobytes(), dtype="u4"), context.texture((128, 128), 1, dtype="u4")]
    for board in boards:
        board.filter = (context.NEAREST, context.NEAREST)
    step = context.compute_shader(LIFE)
    for _ in range(30):
        boards[0].bind_to_image(0, read=True, write=False)
        boards[1].bind_to_image(1, read=False, write=True)
        step.run(16, 16)
        boards.reverse()
    output.exact("alive", [int(np.frombuffer(boards[0].read(), "u4").sum())])
    target = context.framebuffer([context.texture((256, 256), 4)])
    target.use()
    program = context.program(vertex_shader=common.FULLSCREEN, fragment_shader=SHOW)
    boards[0].use(0)
    context.vertex_array(program, []).render(context.TRIANGLE_STRIP, vertices=4)
    output.framebuffer("life", target)


def draw(context, output):
    context.framebuffer([context.texture((4, 4), 4)]).use()
    sums(context, output)
    histogram(context, output)
    life(context, output)


if __name__ == "__main__":
    common.main(draw)
