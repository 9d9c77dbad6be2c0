"""PyOpenGL on EGL without a display: a core context made by hand, wrappers for arrays, and error checks after each call."""

import os

os.environ["PYOPENGL_PLATFORM"] = "egl"

import ctypes  # noqa: E402

import numpy as np  # noqa: E402
from OpenGL import EGL, GL  # noqa: E402
from OpenGL.EGL.EXT.platform_base import eglGetPlatformDisplayEXT  # noqa: E402
from OpenGL.GL import shaders  # noqa: E402

import toolkit  # noqa: E402

VERTEX = """#version 330 core
layout(location = 0) in vec2 position;
layout(location = 1) in vec3 tint;
uniform mat2 turn;
out vec3 colour;
void main() { colour = tint; gl_Position = vec4(turn * position, 0.0, 1.0); }
"""
FRAGMENT = """#version 330 core
in vec3 colour;
uniform sampler2D skin;
out vec4 pixel;
void main() { pixel = vec4(colour, 1.0) * texture(skin, gl_FragCoord.xy / 64.0); }
"""
SIZE = (320, 240)
PLATFORM_SURFACELESS = 0x31DD


def context():
    display = eglGetPlatformDisplayEXT(PLATFORM_SURFACELESS, EGL.EGL_DEFAULT_DISPLAY, None)
    major, minor = ctypes.c_long(), ctypes.c_long()
    EGL.eglInitialize(display, major, minor)
    wanted = [EGL.EGL_SURFACE_TYPE, EGL.EGL_PBUFFER_BIT, EGL.EGL_RENDERABLE_TYPE, EGL.EGL_OPENGL_BIT]
    wanted += [EGL.EGL_RED_SIZE, 8, EGL.EGL_DEPTH_SIZE, 24, EGL.EGL_NONE]
    config, found = EGL.EGLConfig(), ctypes.c_long()
    EGL.eglChooseConfig(display, (EGL.EGLint * len(wanted))(*wanted), ctypes.byref(config), 1, found)
    EGL.eglBindAPI(EGL.EGL_OPENGL_API)
    version = [EGL.EGL_CONTEXT_MAJOR_VERSION, 3, EGL.EGL_CONTEXT_MINOR_VERSION, 3, EGL.EGL_NONE]
    made = EGL.eglCreateContext(display, config, EGL.EGL_NO_CONTEXT, (EGL.EGLint * len(version))(*version))
    size = [EGL.EGL_WIDTH, SIZE[0], EGL.EGL_HEIGHT, SIZE[1], EGL.EGL_NONE]
    surface = EGL.eglCreatePbufferSurface(display, config, (EGL.EGLint * len(size))(*size))
    if not EGL.eglMakeCurrent(display, surface, surface, made):
        raise SystemExit("the context cannot be made current")


def star(points=7):
    """A fan of triangles: position and colour of each corner."""
    angles = np.linspace(0.0, 2.0 * np.pi, 2 * points, endpoint=False)
    radius = np.where(np.arange(2 * points) % 2 == 0, 0.9, 0.4)
    rim = np.stack([radius * np.cos(angles), radius * np.sin(angles)], -1)
    tint = 0.5 + 0.5 * np.stack([np.cos(angles), np.sin(angles), np.cos(2.0 * angles)], -1)
    rows = np.concatenate([rim, tint], -1)
    return np.concatenate([[[0.0, 0.0, 1.0, 1.0, 1.0]], rows, rows[:1]]).astype("f4")


def draw():
    array = GL.glGenVertexArrays(1)
    GL.glBindVertexArray(array)
    program = shaders.compileProgram(
        shaders.compileShader(VERTEX, GL.GL_VERTEX_SHADER), shaders.compileShader(FRAGMENT, GL.GL_FRAGMENT_SHADER)
    )
    rows = star()
    GL.glBindBuffer(GL.GL_ARRAY_BUFFER, GL.glGenBuffers(1))
    GL.glBufferData(GL.GL_ARRAY_BUFFER, rows.nbytes, rows, GL.GL_STATIC_DRAW)
    GL.glVertexAttribPointer(0, 2, GL.GL_FLOAT, False, 20, ctypes.c_void_p(0))
    GL.glVertexAttribPointer(1, 3, GL.GL_FLOAT, False, 20, ctypes.c_void_p(8))
    GL.glEnableVertexAttribArray(0)
    GL.glEnableVertexAttribArray(1)
    GL.glBindTexture(GL.GL_TEXTURE_2D, GL.glGenTextures(1))
    y, x = np.mgrid[0:64, 0:64]
    skin = np.stack([128 + x, 255 - y, 128 + y, np.full_like(x, 255)], -1).astype("u1")
    GL.glTexImage2D(GL.GL_TEXTURE_2D, 0, GL.GL_RGBA8, 64, 64, 0, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE, skin)
    GL.glTexParameteri(GL.GL_TEXTURE_2D, GL.GL_TEXTURE_MIN_FILTER, GL.GL_LINEAR)
    GL.glViewport(0, 0, *SIZE)
    GL.glClearColor(0.1, 0.12, 0.2, 1.0)
    GL.glClear(GL.GL_COLOR_BUFFER_BIT | GL.GL_DEPTH_BUFFER_BIT)
    GL.glUseProgram(program)
    turn = np.array([[0.8, 0.6], [-0.6, 0.8]], "f4")
    GL.glUniformMatrix2fv(GL.glGetUniformLocation(program, "turn"), 1, False, turn)
    GL.glDrawArrays(GL.GL_TRIANGLE_FAN, 0, len(rows))
    return program


def main():
    out = toolkit.prefix()
    context()
    program = draw()
    data = GL.glReadPixels(0, 0, *SIZE, GL.GL_RGBA, GL.GL_UNSIGNED_BYTE)
    toolkit.save(out, "star", np.frombuffer(data, "u1").reshape(SIZE[1], SIZE[0], 4))
    names = sorted(GL.glGetActiveUniform(program, i)[0].decode() for i in range(2))
    strings = [GL.glGetString(name).decode() for name in (GL.GL_VENDOR, GL.GL_RENDERER, GL.GL_VERSION)]
    toolkit.report(out, *strings, exact=["uniforms: " + " ".join(names), f"error: {GL.glGetError()}"])


if __name__ == "__main__":
    main()
