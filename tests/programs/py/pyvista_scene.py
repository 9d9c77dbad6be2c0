"""PyVista off-screen: a surface coloured by a table, tubes lit by physically based shaders, a glass ball, edges and wires."""

import argparse

import numpy as np
import pyvista
from PIL import Image

import vtk_common


def terrain():
    x, y = np.meshgrid(np.linspace(-4.0, 4.0, 60), np.linspace(-4.0, 4.0, 60))
    r = np.sqrt(x**2 + y**2)
    surface = pyvista.StructuredGrid(x, y, np.sin(r * 2.0) / (r + 1.0))
    surface["height"] = surface.points[:, 2]
    return surface


def spiral():
    t = np.linspace(0.0, 6.0 * np.pi, 240)
    line = pyvista.Spline(np.column_stack([3.0 * np.cos(t), 3.0 * np.sin(t), t * 0.08 + 0.2]), 480)
    line["along"] = np.arange(line.n_points)
    return line.tube(radius=0.12)


def scene():
    plotter = pyvista.Plotter(off_screen=True, window_size=(512, 384))
    plotter.set_background("slategray", top="white")
    plotter.add_mesh(terrain(), scalars="height", cmap="viridis", smooth_shading=True, specular=0.4, show_scalar_bar=False)
    plotter.add_mesh(spiral(), scalars="along", cmap="plasma", pbr=True, metallic=0.5, roughness=0.4, show_scalar_bar=False)
    plotter.add_mesh(pyvista.Sphere(radius=1.2, center=(0.0, 0.0, 1.2)), color="tomato", opacity=0.5)
    plotter.add_mesh(pyvista.Icosahedron(radius=0.8, center=(2.0, -2.0, 1.0)), style="wireframe", color="black", line_width=2)
    plotter.add_mesh(pyvista.Cube(center=(-2.0, -2.0, 0.8)), color="gold", show_edges=True)
    plotter.camera_position = [(7.0, -9.0, 6.0), (0.0, 0.0, 0.4), (0.0, 0.0, 1.0)]
    return plotter


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True, metavar="PREFIX", help="where the results go")
    prefix = parser.parse_args().out
    plotter = scene()
    picture = plotter.screenshot(return_img=True)
    Image.fromarray(np.ascontiguousarray(picture[:, :, :3])).save(f"{prefix}.pyvista.png")
    vtk_common.report(plotter.render_window, prefix)
    plotter.close()


if __name__ == "__main__":
    main()
