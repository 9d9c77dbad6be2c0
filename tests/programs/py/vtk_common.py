"""What the VTK programs share: an off-screen EGL window, the picture and the driver's name."""

import numpy as np
from PIL import Image
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkRenderingCore import vtkRenderWindow, vtkWindowToImageFilter

import argparse


def capture(window):
    grab = vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    grab.Update()
    image = grab.GetOutput()
    width, height, _ = image.GetDimensions()
    pixels = vtk_to_numpy(image.GetPointData().GetScalars()).reshape(height, width, -1)
    return np.ascontiguousarray(pixels[::-1, :, :3])


def report(window, prefix):
    """Which driver drew; nothing of a picture is exact."""
    keys = {"OpenGL vendor string": "GL_VENDOR", "OpenGL renderer string": "GL_RENDERER", "OpenGL version string": "GL_VERSION"}
    with open(f"{prefix}.info.txt", "w", encoding="utf-8") as file:
        for line in window.ReportCapabilities().splitlines():
            key, _, value = line.partition(":")
            if key.strip() in keys:
                file.write(f"{keys[key.strip()]}={value.strip()}\n")
    with open(f"{prefix}.exact.txt", "w", encoding="ascii") as file:
        file.write("")


def main(scene, name):
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True, metavar="PREFIX", help="where the results go")
    prefix = parser.parse_args().out
    window = vtkRenderWindow()
    if window.GetClassName() != "vtkEGLRenderWindow":
        raise SystemExit(f"VTK opened a {window.GetClassName()}; set VTK_DEFAULT_OPENGL_WINDOW=vtkEGLRenderWindow")
    window.SetOffScreenRendering(1)
    window.SetMultiSamples(0)
    window.SetSize(512, 384)
    window.AddRenderer(scene())
    window.Render()
    Image.fromarray(capture(window)).save(f"{prefix}.{name}.png")
    report(window, prefix)
    window.Finalize()


if __name__ == "__main__":
    raise SystemExit("this file only helps the other VTK programs")
