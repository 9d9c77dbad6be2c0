"""What the programs of other toolkits share: the command line, the driver's name, and the picture they leave.

It imports no toolkit: each brings its own way to GL, which is what these programs are about.
"""

import argparse
import ctypes

import numpy as np
from PIL import Image

GL_VENDOR, GL_RENDERER, GL_VERSION = 0x1F00, 0x1F01, 0x1F02
GL_RGBA, GL_UNSIGNED_BYTE, GL_PACK_ALIGNMENT = 0x1908, 0x1401, 0x0D05


def prefix():
    """Where the results go, from the command line."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True, metavar="PREFIX", help="where the results go")
    return parser.parse_args().out


def save(out, name, pixels, bottom_up=True):
    """Write rows of RGB or RGBA bytes as a PNG without alpha."""
    pixels = np.asarray(pixels)[:, :, :3]
    Image.fromarray(np.ascontiguousarray(pixels[::-1] if bottom_up else pixels)).save(f"{out}.{name}.png")


def report(out, vendor, renderer, version, exact=()):
    """Which driver drew, and the values that must be equal on every driver."""
    with open(f"{out}.info.txt", "w", encoding="utf-8") as file:
        file.write(f"GL_VENDOR={vendor}\nGL_RENDERER={renderer}\nGL_VERSION={version}\n")
    with open(f"{out}.exact.txt", "w", encoding="ascii") as file:
        file.write("".join(line + "\n" for line in exact))


class Gl:
    """A few functions of the current context, through glvnd's own library, for toolkits that give no access."""

    def __init__(self):
        self.library = ctypes.CDLL("libOpenGL.so.0")
        self.library.glGetString.restype = ctypes.c_char_p

    def strings(self):
        return [self.library.glGetString(name).decode() for name in (GL_VENDOR, GL_RENDERER, GL_VERSION)]

    def pixels(self, width, height):
        """The framebuffer that is read from, bottom row first."""
        data = (ctypes.c_ubyte * (width * height * 4))()
        self.library.glPixelStorei(GL_PACK_ALIGNMENT, 1)
        self.library.glReadPixels(0, 0, width, height, GL_RGBA, GL_UNSIGNED_BYTE, data)
        return np.frombuffer(data, "u1").reshape(height, width, 4)

    def error(self):
        return self.library.glGetError()
