"""Stores and atomics of fragment shaders: glass panes in any order, kept in a list per pixel and blended by distance later."""

import numpy as np

import common

HEAD = """
#version 330
#extension GL_ARB_shader_storage_buffer_object : require
#extension GL_ARB_shader_image_load_store : require
#extension GL_ARB_shading_language_420pack : require
"""

VERTEX = """
#version 330
in vec3 in_place;
in vec4 in_color;
out vec4 tint;
void main() { tint = in_color; gl_Position = vec4(in_place, 1.0); }
"""

# Each pixel's newest pane; every pane knows the one before.
STORE = HEAD + """
layout(r32ui, binding = 0) uniform coherent uimage2D newest;
layout(r32ui, binding = 1) uniform coherent uimage2D depth;
struct Pane { uint before; uint color; float distance; uint unused; };
layout(std430, binding = 0) buffer Panes { uint count; uint room; uint pad[2]; Pane panes[]; };
in vec4 tint;
out vec4 color;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy);
    uint own = atomicAdd(count, 1u);
    if (own < room) {
        uvec4 parts = uvec4(tint * 255.0 + 0.5);
        panes[own].color = parts.r | (parts.g << 8) | (parts.b << 16) | (parts.a << 24);
        panes[own].distance = gl_FragCoord.z;
        panes[own].before = imageAtomicExchange(newest, at, own + 1u);
        imageAtomicAdd(depth, at, 1u);
    }
    color = vec4(0.0);
}
"""

BLEND = HEAD + """
layout(r32ui, binding = 0) readonly uniform uimage2D newest;
struct Pane { uint before; uint color; float distance; uint unused; };
layout(std430, binding = 0) readonly buffer Panes { uint count; uint room; uint pad[2]; Pane panes[]; };
out vec4 color;
void main() {
    Pane list[12];
    int length = 0;
    for (uint next = imageLoad(newest, ivec2(gl_FragCoord.xy)).x; next != 0u && length < 12; ++length) {
        list[length] = panes[next - 1u];
        next = list[length].before;
    }
    for (int end = length - 1; end > 0; --end) {
        for (int i = 0; i < end; ++i) {
            Pane nearer = list[i], further = list[i + 1];
            bool change = nearer.distance < further.distance;
            list[i] = change ? further : nearer;
            list[i + 1] = change ? nearer : further;
        }
    }
    vec3 sum = vec3(0.95);
    for (int i = 0; i < length; ++i) {
        uint c = list[i].color;
        vec4 pane = vec4(float(c & 255u), float((c >> 8) & 255u), float((c >> 16) & 255u), float(c >> 24)) / 255.0;
        sum = mix(sum, pane.rgb, pane.a);
    }
    color = vec4(sum, 1.0);
}
"""


def panes():
    """Twelve squares, each with its own distance, from the nearest to the furthest and back: no order is right."""
    rows = []
    for n in range(12):
        order = (n * 5) % 12
        x, y, z = np.cos(n * 1.1) * 0.45, np.sin(n * 1.1) * 0.45, order / 12.0 - 0.5
        color = (0.2 + 0.7 * (n % 3 == 0), 0.2 + 0.7 * (n % 3 == 1), 0.2 + 0.7 * (n % 3 == 2), 0.45)
        corners = [(x + a * 0.4, y + b * 0.4, z) for a, b in ((-1, -1), (1, -1), (-1, 1), (-1, 1), (1, -1), (1, 1))]
        rows += [(*corner, *color) for corner in corners]
    return np.array(rows, "f4")


def draw(context, output):
    width, height = size = (256, 192)
    target = context.framebuffer([context.texture(size, 4)])
    target.use()
    target.clear()
    images = [context.texture(size, 1, bytes(width * height * 4), dtype="u4") for _ in range(2)]
    for unit, image in enumerate(images):
        image.bind_to_image(unit, read=True, write=True)
    room = width * height * 4
    header = np.array([0, room, 0, 0], "u4").tobytes()
    storage = context.buffer(header + bytes(16 * room))
    storage.bind_to_storage_buffer(0)
    program = context.program(vertex_shader=VERTEX, fragment_shader=STORE)
    vertices = context.buffer(panes().tobytes())
    context.vertex_array(program, [(vertices, "3f 4f", "in_place", "in_color")]).render(context.TRIANGLES)
    context.memory_barrier()
    program = context.program(vertex_shader=common.FULLSCREEN, fragment_shader=BLEND)
    context.vertex_array(program, []).render(context.TRIANGLE_STRIP, vertices=4)
    counts = np.frombuffer(images[1].read(), "u4")
    output.exact("stored", [int(np.frombuffer(storage.read(4), "u4")[0]), int(counts.sum())])
    output.exact("pixels by panes", np.bincount(counts, minlength=13))
    output.framebuffer("glass", target)


if __name__ == "__main__":
    common.main(draw)
