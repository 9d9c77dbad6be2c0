"""Panda3D on its headless EGL module: geometry with its automatic matrices, a texture and a shader of the program."""

import sys

from panda3d import core

for setting in (
    "load-display p3headlessgl",
    "window-type offscreen",
    "gl-version 3 2",
    "win-size 400 300",
    "audio-library-name null",
    "framebuffer-multisample 0",
):
    core.loadPrcFileData("", setting)

import numpy as np  # noqa: E402

import toolkit  # noqa: E402

SIZE = (400, 300)
VERTEX = """
#version 150
uniform mat4 p3d_ModelViewProjectionMatrix;
uniform mat3 p3d_NormalMatrix;
in vec4 p3d_Vertex;
in vec3 p3d_Normal;
in vec2 p3d_MultiTexCoord0;
out vec3 normal;
out vec2 place;
void main() {
    gl_Position = p3d_ModelViewProjectionMatrix * p3d_Vertex;
    normal = p3d_NormalMatrix * p3d_Normal;
    place = p3d_MultiTexCoord0;
}
"""
FRAGMENT = """
#version 150
uniform sampler2D p3d_Texture0;
in vec3 normal;
in vec2 place;
out vec4 pixel;
void main() {
    float light = 0.25 + 0.75 * max(dot(normalize(normal), normalize(vec3(0.4, 0.6, 0.7))), 0.0);
    pixel = vec4(texture(p3d_Texture0, place).rgb * light, 1.0);
}
"""


def sphere(rings=24, sides=48):
    data = core.GeomVertexData("sphere", core.GeomVertexFormat.get_v3n3t2(), core.Geom.UH_static)
    vertex, normal, place = (core.GeomVertexWriter(data, name) for name in ("vertex", "normal", "texcoord"))
    for i in range(rings + 1):
        for j in range(sides + 1):
            u, v = np.pi * i / rings, 2.0 * np.pi * j / sides
            point = (np.sin(u) * np.cos(v), np.sin(u) * np.sin(v), np.cos(u))
            vertex.add_data3(*point)
            normal.add_data3(*point)
            place.add_data2(j / sides, i / rings)
    triangles = core.GeomTriangles(core.Geom.UH_static)
    for i in range(rings):
        for j in range(sides):
            a, b = i * (sides + 1) + j, (i + 1) * (sides + 1) + j
            triangles.add_vertices(a, b, a + 1)
            triangles.add_vertices(a + 1, b, b + 1)
    geom = core.Geom(data)
    geom.add_primitive(triangles)
    node = core.GeomNode("sphere")
    node.add_geom(geom)
    return core.NodePath(node)


def skin():
    y, x = np.mgrid[0:64, 0:64]
    rows = np.stack([60 + 3 * x, 40 + 2 * y, np.where((x // 8 + y // 8) % 2, 220, 80)], -1).astype("u1")
    texture = core.Texture("skin")
    texture.setup_2d_texture(64, 64, core.Texture.T_unsigned_byte, core.Texture.F_rgb)
    texture.set_ram_image(rows.tobytes())
    texture.set_minfilter(core.SamplerState.FT_linear)
    return texture


def main():
    out = toolkit.prefix()
    from direct.showbase.ShowBase import ShowBase

    base = ShowBase(windowType="offscreen")
    base.set_background_color(0.1, 0.15, 0.2)
    shader = core.Shader.make(core.Shader.SL_GLSL, VERTEX, FRAGMENT)
    ball = sphere()
    ball.set_shader(shader)
    ball.set_texture(skin())
    for index in range(5):
        copy = ball.copy_to(base.render)
        copy.set_pos(-4.0 + 2.0 * index, 9.0 + index, 0.6 * index - 1.0)
        copy.set_hpr(30.0 * index, 10.0, 0.0)
    for _ in range(3):
        base.graphics_engine.render_frame()
    screen = core.Texture()
    base.win.add_render_texture(screen, core.GraphicsOutput.RTM_copy_ram)
    base.graphics_engine.render_frame()
    data = np.frombuffer(screen.get_ram_image_as("RGB"), "u1").reshape(SIZE[1], SIZE[0], 3)
    toolkit.save(out, "balls", data)
    gsg = base.win.get_gsg()
    toolkit.report(out, gsg.get_driver_vendor(), gsg.get_driver_renderer(), gsg.get_driver_version())
    base.destroy()


if __name__ == "__main__":
    sys.exit(main())
