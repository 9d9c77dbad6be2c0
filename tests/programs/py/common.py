"""What every test program shares: the command line, a headless context, and the files it leaves behind.

A program is called as `NAME.py --out PREFIX` and writes
  PREFIX.<picture>.png   pictures, compared by structural similarity,
  PREFIX.exact.txt       values that every conforming driver must return bit for bit,
  PREFIX.info.txt        which driver drew it (never compared).
It knows nothing of MobileGL: the driver is chosen by the environment it is started in.
"""

import argparse

import moderngl
import numpy as np
from PIL import Image


class Output:
    """Collects what a program has to show and writes it beside the given prefix."""

    def __init__(self, prefix):
        self.prefix = prefix
        self.lines = []

    def picture(self, name, pixels):
        """Write rows given bottom-up (as GL reads them) as a PNG with the top row first."""
        pixels = np.ascontiguousarray(pixels[::-1])
        Image.fromarray(pixels).save(f"{self.prefix}.{name}.png")

    def framebuffer(self, name, framebuffer, attachment=0):
        """Read a colour attachment as 8 bit RGB and write it as a picture."""
        width, height = framebuffer.size
        data = framebuffer.read(components=3, attachment=attachment, alignment=1)
        self.picture(name, np.frombuffer(data, "u1").reshape(height, width, 3))

    def exact(self, name, values):
        """Record integers that must be equal on every driver."""
        flat = np.asarray(values).ravel()
        if flat.dtype.kind == "f":
            raise TypeError(f"{name}: give floats as their bits (view as an unsigned type)")
        self.lines.append(name + ": " + " ".join(str(int(v)) for v in flat))

    def close(self, info):
        with open(f"{self.prefix}.exact.txt", "w", encoding="ascii") as file:
            file.write("".join(line + "\n" for line in self.lines))
        with open(f"{self.prefix}.info.txt", "w", encoding="utf-8") as file:
            file.write("".join(f"{key}={value}\n" for key, value in info.items()))


def prefix_from_command_line():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True, metavar="PREFIX", help="where the results go")
    return parser.parse_args().out


def main(draw):
    """Create a headless core context, let `draw(context, output)` work, check the error flag, write the results."""
    output = Output(prefix_from_command_line())
    context = moderngl.create_standalone_context(backend="egl")
    draw(context, output)
    context.finish()
    error = context.error
    if error != "GL_NO_ERROR":
        raise SystemExit(f"the program ended with {error}")
    info = {key: context.info[key] for key in ("GL_VENDOR", "GL_RENDERER", "GL_VERSION")}
    output.close(info)
    context.release()


def perspective(fov_degrees, aspect, near, far):
    """A right-handed projection to GL clip space; column vectors, to be uploaded transposed."""
    f = 1.0 / np.tan(np.radians(fov_degrees) / 2.0)
    m = np.zeros((4, 4))
    m[0, 0] = f / aspect
    m[1, 1] = f
    m[2, 2] = (far + near) / (near - far)
    m[2, 3] = 2.0 * far * near / (near - far)
    m[3, 2] = -1.0
    return m


def look_at(eye, target, up=(0.0, 0.0, 1.0)):
    eye, target, up = (np.asarray(v, float) for v in (eye, target, up))
    forward = (target - eye) / np.linalg.norm(target - eye)
    side = np.cross(forward, up)
    side /= np.linalg.norm(side)
    m = np.eye(4)
    m[0, :3], m[1, :3], m[2, :3] = side, np.cross(side, forward), -forward
    m[:3, 3] = -m[:3, :3] @ eye
    return m


def upload(matrix):
    """The bytes of a matrix as GLSL wants it: column after column, 32 bit floats."""
    return np.ascontiguousarray(matrix.T, "f4").tobytes()


def torus(rings=48, sides=24, radius=1.0, tube=0.42):
    """Position, normal and texture coordinate of a torus, and its triangle indices."""
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, rings + 1), np.linspace(0, 2 * np.pi, sides + 1), indexing="ij")
    normal = np.stack([np.cos(u) * np.cos(v), np.sin(u) * np.cos(v), np.sin(v)], -1)
    centre = np.stack([np.cos(u), np.sin(u), np.zeros_like(u)], -1) * radius
    coords = np.stack([u * 6 / (2 * np.pi), v * 3 / (2 * np.pi)], -1)
    vertices = np.concatenate([centre + tube * normal, normal, coords], -1).reshape(-1, 8).astype("f4")
    a = (np.arange(rings)[:, None] * (sides + 1) + np.arange(sides)[None, :]).ravel()
    b = a + sides + 1
    indices = np.stack([a, b, a + 1, a + 1, b, b + 1], -1).astype("i4")
    return vertices, indices


def cube():
    """Position, normal and texture coordinate of a unit cube, 36 vertices."""
    rows = []
    for axis in range(3):
        for sign in (-1.0, 1.0):
            normal = np.zeros(3)
            normal[axis] = sign
            s, t = np.zeros(3), np.zeros(3)
            s[(axis + 1) % 3] = sign
            t[(axis + 2) % 3] = 1.0
            for x, y in ((-1, -1), (1, -1), (1, 1), (-1, -1), (1, 1), (-1, 1)):
                rows.append([*(normal + x * s + y * t), *normal, (x + 1) / 2, (y + 1) / 2])
    return np.array(rows, "f4")


def checker(size=128, cells=8, dark=(40, 60, 90), light=(230, 220, 200)):
    """A checkerboard with a soft gradient, so that filtering and orientation both show."""
    y, x = np.mgrid[0:size, 0:size]
    mask = ((x * cells // size + y * cells // size) % 2)[..., None]
    base = np.where(mask == 0, np.array(dark), np.array(light)).astype(float)
    base *= (0.6 + 0.4 * x / size)[..., None]
    return np.clip(base, 0, 255).astype("u1")


FULLSCREEN = """
#version 330
out vec2 uv;
void main() {
    vec2 p = vec2(gl_VertexID & 1, gl_VertexID >> 1) * 4.0 - 1.0;
    uv = p * 0.5 + 0.5;
    gl_Position = vec4(p, 0.0, 1.0);
}
"""
