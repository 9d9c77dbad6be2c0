"""pyrender's off-screen renderer on EGL: physically based materials, two kinds of lights with shadows, a depth picture."""

import os

os.environ["PYOPENGL_PLATFORM"] = "egl"

import numpy as np  # noqa: E402

# Names that NumPy 2 dropped and this renderer still uses.
np.infty = np.inf

import pyrender  # noqa: E402
from OpenGL import GL  # noqa: E402

import common  # noqa: E402
import toolkit  # noqa: E402

SIZE = (400, 300)


def mesh(rows, indices, colour, metallic, roughness):
    """Rows of position, normal and texture coordinate with one material."""
    material = pyrender.MetallicRoughnessMaterial(
        baseColorFactor=(*colour, 1.0), metallicFactor=metallic, roughnessFactor=roughness
    )
    part = pyrender.Primitive(rows[:, :3], normals=rows[:, 3:6], indices=indices, material=material, mode=4)
    return pyrender.Mesh([part])


def ring():
    rows, indices = common.torus(radius=0.45, tube=0.2)
    return mesh(rows, indices, (0.9, 0.3, 0.2), 0.1, 0.6)


def box(size, *look):
    rows = common.cube()
    rows[:, :3] *= np.asarray(size) / 2.0
    return mesh(rows, np.arange(36, dtype="i4").reshape(-1, 3), *look)


def pose(x, y, z):
    matrix = np.eye(4)
    matrix[:3, 3] = x, y, z
    return matrix


def scene():
    made = pyrender.Scene(bg_color=(0.2, 0.25, 0.35), ambient_light=(0.15, 0.15, 0.15))
    made.add(ring(), pose=pose(-0.7, 0.0, 0.0))
    made.add(box((0.8, 0.8, 0.8), (0.3, 0.7, 0.4), 0.6, 0.3), pose=pose(0.8, -0.2, 0.2))
    made.add(box((6.0, 0.1, 6.0), (0.7, 0.7, 0.7), 0.0, 0.9), pose=pose(0.0, -0.7, 0.0))
    tilt = np.eye(4)
    tilt[1:3, 1:3] = [[0.866, 0.5], [-0.5, 0.866]]
    made.add(pyrender.DirectionalLight(color=np.ones(3), intensity=3.0), pose=tilt @ pose(0, 0, 3))
    made.add(pyrender.PointLight(color=(1.0, 0.9, 0.7), intensity=12.0), pose=pose(1.5, 2.0, 2.0))
    camera = np.eye(4)
    camera[1:3, 1:3] = [[0.94, 0.342], [-0.342, 0.94]]
    camera[:3, 3] = 0.0, 1.2, 3.2
    made.add(pyrender.PerspectiveCamera(yfov=0.9), pose=camera)
    return made


def main():
    out = toolkit.prefix()
    renderer = pyrender.OffscreenRenderer(*SIZE)
    colour, depth = renderer.render(scene(), flags=pyrender.RenderFlags.SHADOWS_DIRECTIONAL)
    toolkit.save(out, "colour", colour, bottom_up=False)
    grey = np.clip(depth * 40.0, 0, 255).astype("u1")
    toolkit.save(out, "depth", np.stack([grey] * 3, -1), bottom_up=False)
    renderer._platform.make_current()
    strings = [GL.glGetString(name).decode() for name in (GL.GL_VENDOR, GL.GL_RENDERER, GL.GL_VERSION)]
    toolkit.report(out, *strings)
    renderer.delete()


if __name__ == "__main__":
    main()
