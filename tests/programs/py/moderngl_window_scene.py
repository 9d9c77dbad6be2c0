"""moderngl-window's headless window: its own geometry, its framebuffer, its timer, and one frame of a window class."""

import sys

import moderngl
import moderngl_window
from moderngl_window import geometry

import numpy as np

import toolkit

SIZE = (400, 300)
VERTEX = """
#version 330
uniform mat4 view;
in vec3 in_position;
in vec3 in_normal;
in vec2 in_texcoord_0;
out vec3 normal;
out vec2 place;
void main() {
    normal = in_normal;
    place = in_texcoord_0;
    gl_Position = view * vec4(in_position, 1.0);
}
"""
FRAGMENT = """
#version 330
in vec3 normal;
in vec2 place;
out vec4 pixel;
void main() {
    float ring = step(0.5, fract(place.x * 8.0)) * 0.4;
    pixel = vec4(abs(normal) * (0.6 + ring), 1.0);
}
"""


class Scene(moderngl_window.WindowConfig):
    gl_version = (3, 3)
    window_size = SIZE
    aspect_ratio = None
    samples = 0
    out = ""

    def __init__(self, **keys):
        super().__init__(**keys)
        self.shape = geometry.sphere(radius=1.0, sectors=32, rings=24)
        self.box = geometry.cube(size=(0.9, 0.9, 0.9))
        self.program = self.ctx.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)

    def on_render(self, time, frame_time):
        self.ctx.enable(moderngl.DEPTH_TEST)
        self.ctx.clear(0.15, 0.1, 0.2)
        view = np.diag([0.6, 0.8, -0.2, 1.0]).astype("f4")
        for mesh, x in ((self.shape, -0.4), (self.box, 0.5)):
            view[0, 3] = x
            self.program["view"].write(np.ascontiguousarray(view.T).tobytes())
            mesh.render(self.program)
        data = self.wnd.fbo.read(components=3, alignment=1)
        toolkit.save(self.out, "window", np.frombuffer(data, "u1").reshape(SIZE[1], SIZE[0], 3))
        info = self.ctx.info
        strings = [info[key] for key in ("GL_VENDOR", "GL_RENDERER", "GL_VERSION")]
        toolkit.report(self.out, *strings, [f"error: {self.ctx.error}"])
        self.wnd.close()


def main():
    Scene.out = toolkit.prefix()
    sys.argv[1:] = ["-wnd", "headless", "--backend", "egl"]
    moderngl_window.run_window_config(Scene)


if __name__ == "__main__":
    main()
