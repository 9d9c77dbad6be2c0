"""Transform feedback: particles moved on the device and read back; every value is exact integer or exact float arithmetic."""

import numpy as np

import common

# Interleaved capture; only multiplications by powers of two, so that no rounding may differ between drivers.
STEP = """
#version 330
in vec2 in_position;
in ivec2 in_velocity;
out vec2 out_position;
flat out ivec2 out_velocity;
void main() {
    vec2 p = in_position + vec2(in_velocity) * 0.25;
    ivec2 v = in_velocity;
    if (abs(p.x) > 8.0) v.x = -v.x;
    if (abs(p.y) > 8.0) v.y = -v.y;
    out_position = p;
    out_velocity = v;
    gl_Position = vec4(0.0);
}
"""

# A geometry shader makes the number of captured primitives depend on the data.
SPLIT_VERTEX = """
#version 330
in int in_value;
flat out int value;
void main() { value = in_value; gl_Position = vec4(0.0); }
"""

SPLIT_GEOMETRY = """
#version 330
layout(points) in;
layout(points, max_vertices = 3) out;
flat in int value[];
flat out int piece;
void main() {
    for (int i = 0; i < value[0] % 4; ++i) {
        piece = value[0] * 10 + i;
        gl_Position = vec4(0.0);
        EmitVertex();
        EndPrimitive();
    }
}
"""

COUNT = 257


def particles():
    rows = np.zeros(COUNT, [("position", "2f4"), ("velocity", "2i4")])
    index = np.arange(COUNT)
    rows["position"] = np.stack([index % 16 - 8.0, index // 16 - 8.0], -1)
    rows["velocity"] = np.stack([index % 7 - 3, index % 5 - 2], -1)
    return rows


def move(context, output):
    program = context.program(vertex_shader=STEP, varyings=["out_position", "out_velocity"])
    source = context.buffer(particles().tobytes())
    target = context.buffer(reserve=source.size)
    with_query = context.query(primitives=True)
    for _ in range(40):
        array = context.vertex_array(program, [(source, "2f 2i", "in_position", "in_velocity")])
        with with_query:
            array.transform(target, context.POINTS)
        source, target = target, source
    result = np.frombuffer(source.read(), particles().dtype)
    output.exact("position bits", result["position"].copy().view("u4"))
    output.exact("velocity", result["velocity"])
    output.exact("primitives", [with_query.primitives])


def split(context, output):
    program = context.program(vertex_shader=SPLIT_VERTEX, geometry_shader=SPLIT_GEOMETRY, varyings=["piece"])
    values = np.arange(50, dtype="i4")
    expected = sum(int(v) % 4 for v in values)
    array = context.vertex_array(program, [(context.buffer(values.tobytes()), "1i", "in_value")])
    # Room for more than is written: what lies behind must stay as it was.
    target = context.buffer(np.full(expected + 8, -1, "i4").tobytes())
    query = context.query(primitives=True)
    with query:
        array.transform(target, context.POINTS)
    output.exact("pieces", np.frombuffer(target.read(), "i4"))
    output.exact("pieces written", [query.primitives])


def draw(context, output):
    # Nothing is rasterised, but a draw needs a complete framebuffer and a surfaceless context has none of its own.
    context.framebuffer([context.texture((4, 4), 4)]).use()
    move(context, output)
    split(context, output)


if __name__ == "__main__":
    common.main(draw)
