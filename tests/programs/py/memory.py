"""A program that lives through shortages of memory, one at every place where memory is asked for.

  memory.py --out PREFIX device    allocations of the device fail, one after the other, each in a session of its own
  memory.py --out PREFIX shared    the same for memory that program and server have in common

Each round opens a display, does a little of everything, and then does it again with new objects: what failed must be said
by name, and nothing may be wrong afterwards. Writes what each round saw to PREFIX.seen.txt.
"""

import argparse
import ctypes
import os

from fault import EGL, RGBA, RGBA8, UNSIGNED_BYTE, Program, gl

OUT_OF_MEMORY = 0x505
ARRAY_BUFFER, COPY_READ_BUFFER, COPY_WRITE_BUFFER, STREAM_DRAW = 0x8892, 0x8F36, 0x8F37, 0x88E0
TEXTURE_2D, MAP_READ, MAP_WRITE, MAP_PERSISTENT, MAP_COHERENT = 0x0DE1, 1, 2, 0x40, 0x80
ROUNDS = {"device": 16, "shared": 7}
STAYING = MAP_WRITE | MAP_PERSISTENT | MAP_COHERENT
SIZE = 256 * 1024


class Frugal(Program):
    """Does a little of everything that needs memory."""

    def __init__(self):
        super().__init__()
        unsigned, number, pointer, size = ctypes.c_uint, ctypes.c_int, ctypes.c_void_p, ctypes.c_ssize_t
        self.new_buffers = gl("glGenBuffers", None, number, pointer)
        self.bind_buffer = gl("glBindBuffer", None, unsigned, unsigned)
        self.buffer_data = gl("glBufferData", None, unsigned, size, pointer, unsigned)
        self.buffer_storage = gl("glBufferStorage", None, unsigned, size, pointer, unsigned)
        self.sub_data = gl("glBufferSubData", None, unsigned, size, size, pointer)
        self.get_data = gl("glGetBufferSubData", None, unsigned, size, size, pointer)
        self.copy = gl("glCopyBufferSubData", None, unsigned, unsigned, size, size, size)
        self.map = gl("glMapBufferRange", pointer, unsigned, size, size, unsigned)
        self.unmap = gl("glUnmapBuffer", ctypes.c_ubyte, unsigned)
        self.new_textures = gl("glGenTextures", None, number, pointer)
        self.bind_texture = gl("glBindTexture", None, unsigned, unsigned)
        self.image = gl("glTexImage2D", None, unsigned, *[number] * 5, unsigned, unsigned, pointer)
        self.mipmaps = gl("glGenerateMipmap", None, unsigned)
        self.texels = gl("glGetTexImage", None, unsigned, number, unsigned, unsigned, pointer)
        self.storage = gl("glRenderbufferStorage", None, unsigned, unsigned, number, number)

    def buffer(self, target):
        name = ctypes.c_uint()
        self.new_buffers(1, ctypes.byref(name))
        self.bind_buffer(target, name)

    def buffers(self):
        """What came back of bytes that went through a store, a map and a copy."""
        self.buffer(COPY_READ_BUFFER)
        self.buffer_data(COPY_READ_BUFFER, SIZE, bytes([3]) * SIZE, STREAM_DRAW)
        self.buffer(COPY_WRITE_BUFFER)
        self.buffer_data(COPY_WRITE_BUFFER, SIZE, None, STREAM_DRAW)
        self.copy(COPY_READ_BUFFER, COPY_WRITE_BUFFER, 0, 0, SIZE)
        self.sub_data(COPY_READ_BUFFER, 0, 4, bytes([4]) * 4)
        if place := self.map(COPY_WRITE_BUFFER, 16, 16, MAP_READ | MAP_WRITE):
            ctypes.memmove(place, bytes([5]) * 4, 4)
            self.unmap(COPY_WRITE_BUFFER)
        got = ctypes.create_string_buffer(32)
        self.get_data(COPY_WRITE_BUFFER, 0, 32, got)
        return got.raw

    def lasting(self):
        """The same through a map that stays."""
        self.buffer(COPY_READ_BUFFER)
        self.buffer_storage(COPY_READ_BUFFER, SIZE, None, STAYING)
        place = self.map(COPY_READ_BUFFER, 0, SIZE, STAYING)
        self.buffer(COPY_WRITE_BUFFER)
        self.buffer_data(COPY_WRITE_BUFFER, SIZE, None, STREAM_DRAW)
        if place:
            ctypes.memmove(place, bytes([6]) * SIZE, SIZE)
        self.copy(COPY_READ_BUFFER, COPY_WRITE_BUFFER, 0, 0, SIZE)
        got = ctypes.create_string_buffer(8)
        self.get_data(COPY_WRITE_BUFFER, SIZE - 8, 8, got)
        if place:
            self.unmap(COPY_READ_BUFFER)
        return got.raw

    def textures(self):
        """Texels of the last level of a white texture."""
        name = ctypes.c_uint()
        self.new_textures(1, ctypes.byref(name))
        self.bind_texture(TEXTURE_2D, name)
        self.image(TEXTURE_2D, 0, RGBA8, 64, 64, 0, RGBA, UNSIGNED_BYTE, bytes([255]) * 64 * 64 * 4)
        self.mipmaps(TEXTURE_2D)
        got = ctypes.create_string_buffer(4)
        self.texels(TEXTURE_2D, 6, RGBA, UNSIGNED_BYTE, got)
        return got.raw

    def everything(self):
        """All of it and a picture; what came out, and every error on the way."""
        seen, errors = [], []
        for part in [self.make_target_again, self.buffers, self.lasting, self.textures, self.picture]:
            seen.append(part())
            while error := self.error():
                errors.append(error)
        return seen, errors

    def make_target_again(self):
        self.make_target(ctypes.c_uint)

    def picture(self):
        self.draw(3, 0.2)
        return self.pixel()

    def close(self):
        EGL.eglMakeCurrent(self.display, None, None, None)
        EGL.eglDestroyContext(self.display, self.context)
        EGL.eglTerminate(self.display)


WANTED = [None, bytes([3] * 16 + [5] * 4 + [3] * 12), bytes([6] * 8), bytes([255] * 4), 51]


def one(number):
    """A round; what it says of itself."""
    refusal = None
    try:
        program = Frugal()
    except SystemExit as refused:
        if "eglInitialize" in str(refused):
            # A server that cannot even begin; the next one is refused its first memory too.
            return str(refused)
        # A context that could not be had takes nothing with it.
        refusal, program = str(refused), Frugal()
    _, errors = program.everything()
    if errors and errors[0] != OUT_OF_MEMORY:
        raise SystemExit(f"round {number}: errors {[hex(e) for e in errors]}")
    # A shortage may last longer than one round of everything.
    for _ in range(8):
        seen, left = program.everything()
        if not left:
            break
    if left or seen != WANTED:
        raise SystemExit(f"round {number}: afterwards {seen}, errors {[hex(e) for e in left]}")
    if status := program.reset_status():
        raise SystemExit(f"round {number}: the context was lost: {status:#x}")
    program.close()
    return refusal or ("out of memory" if errors else "nothing")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("what", choices=["device", "shared"])
    arguments = parser.parse_args()
    variable = {"device": "MOBILEGL_FAIL_ALLOCATION", "shared": "MOBILEGL_FAIL_SEGMENT"}[arguments.what]
    lines = []
    for count in {"device": ["1", "6"], "shared": ["1"]}[arguments.what]:
        for number in range(1, ROUNDS[arguments.what] + 1):
            os.environ[variable], os.environ["MOBILEGL_FAIL_ALLOCATION_COUNT"] = str(number), count
            lines.append(f"{number}x{count}={one(number)}\n")
    with open(f"{arguments.out}.seen.txt", "w", encoding="utf-8") as file:
        file.writelines(lines)


if __name__ == "__main__":
    main()
