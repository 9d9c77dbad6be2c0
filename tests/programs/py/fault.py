"""What a program lives through when its driver's process stops, or dies in the middle of a frame.

  fault.py --out PREFIX kill    the server is killed between two draws
  fault.py --out PREFIX stop    the server is stopped for a while and goes on
  fault.py --out PREFIX hang    the program starts a shader that does not end
  fault.py --out PREFIX none    nothing happens to it

With `--beside FILE` it goes on drawing and looking at what it drew until FILE is there.

Uses EGL and GL through ctypes alone, with a context that wants to be told of a reset. Writes what it saw to
PREFIX.seen.txt, one `name=value` per line. Only here a program looks for the process behind the driver.
"""

import argparse
import ctypes
import os
import pathlib
import signal
import threading
import time

EGL = ctypes.CDLL("libEGL.so.1")
EGL.eglGetProcAddress.restype = ctypes.c_void_p
EGL.eglGetPlatformDisplay.restype = ctypes.c_void_p
EGL.eglCreateContext.restype = ctypes.c_void_p

RESET_NOTIFICATION_STRATEGY, LOSE_CONTEXT_ON_RESET = 0x31BD, 0x31BF
EGL_CONTEXT_LOST, EGL_SUCCESS = 0x300E, 0x3000
FRAMEBUFFER, COLOR_ATTACHMENT0, RENDERBUFFER, RGBA8 = 0x8D40, 0x8CE0, 0x8D41, 0x8058
COLOR_BUFFER_BIT, RGBA, UNSIGNED_BYTE = 0x4000, 0x1908, 0x1401
SHADER_STORAGE_BUFFER, STATIC_DRAW, COMPUTE_SHADER = 0x90D2, 0x88E4, 0x91B9


# Software drivers end a loop after 65,536 rounds, so it is not only long but done two billion times. What each round
# writes keeps the compiler from leaving it out.
ENDLESS = b"""#version 330 core
#extension GL_ARB_compute_shader : require
#extension GL_ARB_shader_storage_buffer_object : require
layout(local_size_x = 1) in;
layout(std430) buffer Data { uint words[16]; };
void main() {
    for (uint i = 0u; words[1] == 0u; i++) words[2u + (i & 7u)] += i;
}
"""


def gl(name, result, *arguments):
    address = EGL.eglGetProcAddress(name.encode())
    if not address:
        raise SystemExit(f"the driver has no {name}")
    return ctypes.CFUNCTYPE(result, *arguments)(address)


class Program:
    """A context with a small framebuffer, and the few calls needed."""

    def __init__(self):
        self.display = ctypes.c_void_p(EGL.eglGetPlatformDisplay(0x31DD, None, None))
        if not EGL.eglInitialize(self.display, None, None):
            raise SystemExit(f"eglInitialize failed: {EGL.eglGetError():#x}")
        EGL.eglBindAPI(0x30A2)
        attributes = (ctypes.c_int * 9)(
            0x3098, 3, 0x30FB, 3, 0x30FD, 1, RESET_NOTIFICATION_STRATEGY, LOSE_CONTEXT_ON_RESET, 0x3038
        )
        self.context = ctypes.c_void_p(EGL.eglCreateContext(self.display, None, None, attributes))
        if not self.context or not self.make_current():
            raise SystemExit(f"no context: {EGL.eglGetError():#x}")
        unsigned, number = ctypes.c_uint, ctypes.c_float
        self.clear_color = gl("glClearColor", None, number, number, number, number)
        self.clear = gl("glClear", None, unsigned)
        self.flush = gl("glFlush", None)
        self.finish = gl("glFinish", None)
        self.error = gl("glGetError", unsigned)
        self.read = gl("glReadPixels", None, *[ctypes.c_int] * 4, unsigned, unsigned, ctypes.c_void_p)
        self.reset_status = gl("glGetGraphicsResetStatus", unsigned)
        self.make_target(unsigned)

    def make_current(self):
        return EGL.eglMakeCurrent(self.display, None, None, self.context)

    def make_target(self, unsigned):
        name = unsigned()
        gl("glGenFramebuffers", None, ctypes.c_int, ctypes.c_void_p)(1, ctypes.byref(name))
        gl("glBindFramebuffer", None, unsigned, unsigned)(FRAMEBUFFER, name)
        gl("glGenRenderbuffers", None, ctypes.c_int, ctypes.c_void_p)(1, ctypes.byref(name))
        gl("glBindRenderbuffer", None, unsigned, unsigned)(RENDERBUFFER, name)
        gl("glRenderbufferStorage", None, unsigned, unsigned, ctypes.c_int, ctypes.c_int)(RENDERBUFFER, RGBA8, 8, 8)
        attach = gl("glFramebufferRenderbuffer", None, unsigned, unsigned, unsigned, unsigned)
        attach(FRAMEBUFFER, COLOR_ATTACHMENT0, RENDERBUFFER, name)

    def draw(self, count, red):
        for _ in range(count):
            self.clear_color(red, 0.0, 0.0, 1.0)
            self.clear(COLOR_BUFFER_BIT)

    def pixel(self):
        data = (ctypes.c_ubyte * 4)()
        self.read(3, 3, 1, 1, RGBA, UNSIGNED_BYTE, data)
        return data[0]


    def hang(self):
        """Hands the driver a dispatch that does not end."""
        unsigned, number, pointer = ctypes.c_uint, ctypes.c_int, ctypes.c_void_p
        name = unsigned()
        gl("glGenBuffers", None, number, pointer)(1, ctypes.byref(name))
        gl("glBindBufferBase", None, unsigned, unsigned, unsigned)(SHADER_STORAGE_BUFFER, 0, name)
        store = gl("glBufferData", None, unsigned, ctypes.c_ssize_t, pointer, unsigned)
        store(SHADER_STORAGE_BUFFER, 64, bytes(64), STATIC_DRAW)
        shader = gl("glCreateShader", unsigned, unsigned)(COMPUTE_SHADER)
        text = ctypes.c_char_p(ENDLESS)
        gl("glShaderSource", None, unsigned, number, pointer, pointer)(shader, 1, ctypes.byref(text), None)
        gl("glCompileShader", None, unsigned)(shader)
        program = gl("glCreateProgram", unsigned)()
        gl("glAttachShader", None, unsigned, unsigned)(program, shader)
        gl("glLinkProgram", None, unsigned)(program)
        gl("glUseProgram", None, unsigned)(program)
        gl("glDispatchCompute", None, unsigned, unsigned, unsigned)(65535, 32767, 1)
        if error := self.error():
            raise SystemExit(f"the dispatch failed: {error:#x}")


def children():
    """Processes whose parent is this one."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text(encoding="utf-8").rsplit(")", 1)[1].split()
        except (OSError, IndexError):
            continue
        if int(fields[1]) == os.getpid():
            found.append(int(folder.name))
    return found


def servers():
    """The process behind the driver: a child, or the worker of a server that listens, by that server's own log."""
    logs = pathlib.Path(os.environ.get("MOBILEGL_LOG_DIR", "/nonexistent")).glob("server-*.log")
    workers = [log for log in logs if " transport=tcp " in log.read_text(encoding="utf-8")]
    return children() or [int(log.stem.removeprefix("server-")) for log in workers]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("what", choices=["kill", "stop", "hang", "none"])
    parser.add_argument("--beside")
    arguments = parser.parse_args()
    program = Program()
    program.draw(10, 1.0)
    seen = {"before": program.pixel(), "children": len(children())}
    start = time.monotonic()
    if arguments.what == "kill":
        program.draw(500, 0.5)
        for pid in servers():
            os.kill(pid, signal.SIGKILL)
    if arguments.what == "stop":
        for pid in servers():
            os.kill(pid, signal.SIGSTOP)
            threading.Timer(1.5, os.kill, (pid, signal.SIGCONT)).start()
    if arguments.what == "hang":
        program.hang()
    while arguments.beside and not os.path.exists(arguments.beside):
        program.draw(100, 0.4)
        if program.pixel() != 102:
            raise SystemExit("another program's end was seen here")
        time.sleep(0.01)
    program.draw(5000, 0.2)
    program.flush()
    program.finish()
    seen["after"] = program.pixel()
    seen["waited"] = int(time.monotonic() - start >= 1.4)
    seen["reset"] = hex(program.reset_status())
    program.draw(10, 0.1)
    # glvnd answers for a context that is current already without asking the driver; so it is let go first.
    EGL.eglMakeCurrent(program.display, None, None, None)
    seen["current"] = int(bool(program.make_current()))
    seen["egl"] = hex(EGL.eglGetError())
    with open(f"{arguments.out}.seen.txt", "w", encoding="ascii") as file:
        file.write("".join(f"{name}={value}\n" for name, value in seen.items()))


if __name__ == "__main__":
    main()
