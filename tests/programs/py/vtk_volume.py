"""A volume of two clouds cast by rays in VTK's shaders: 3D textures, transfer functions, opacity, and a cut by a plane."""

import numpy as np
import vtkmodules.vtkInteractionStyle
import vtkmodules.vtkRenderingVolumeOpenGL2
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkPiecewiseFunction, vtkPlane
from vtkmodules.vtkRenderingCore import vtkColorTransferFunction, vtkRenderer, vtkVolume, vtkVolumeProperty
from vtkmodules.vtkRenderingVolumeOpenGL2 import vtkOpenGLGPUVolumeRayCastMapper

import vtk_common

SIDE = 48


def clouds():
    at = np.linspace(-1.0, 1.0, SIDE)
    z, y, x = np.meshgrid(at, at, at, indexing="ij")
    first = np.exp(-6.0 * ((x - 0.3) ** 2 + (y - 0.2) ** 2 + z**2))
    second = np.exp(-9.0 * ((x + 0.4) ** 2 + (y + 0.3) ** 2 + (z - 0.2) ** 2))
    image = vtkImageData()
    image.SetDimensions(SIDE, SIDE, SIDE)
    image.SetSpacing(1.0 / SIDE, 1.0 / SIDE, 1.0 / SIDE)
    values = np.clip((first + second) * 255, 0, 255).astype("u1").ravel()
    image.GetPointData().SetScalars(numpy_to_vtk(values, deep=True))
    return image


def scene():
    mapper = vtkOpenGLGPUVolumeRayCastMapper()
    mapper.SetInputData(clouds())
    mapper.UseJitteringOff()
    mapper.SetAutoAdjustSampleDistances(0)
    mapper.SetSampleDistance(0.01)
    plane = vtkPlane()
    plane.SetOrigin(0.35, 0.0, 0.0)
    plane.SetNormal(1.0, 0.0, 0.0)
    mapper.AddClippingPlane(plane)
    color, opacity = vtkColorTransferFunction(), vtkPiecewiseFunction()
    for value, red, green, blue in ((0, 0.1, 0.1, 0.4), (90, 0.2, 0.7, 0.5), (180, 0.9, 0.8, 0.2), (255, 1.0, 1.0, 1.0)):
        color.AddRGBPoint(value, red, green, blue)
    for value, alpha in ((0, 0.0), (40, 0.0), (120, 0.06), (255, 0.5)):
        opacity.AddPoint(value, alpha)
    look = vtkVolumeProperty()
    look.SetColor(color)
    look.SetScalarOpacity(opacity)
    look.SetScalarOpacityUnitDistance(0.02)
    look.SetInterpolationTypeToLinear()
    look.ShadeOn()
    volume = vtkVolume()
    volume.SetMapper(mapper)
    volume.SetProperty(look)
    renderer = vtkRenderer()
    renderer.SetBackground(0.15, 0.15, 0.2)
    renderer.AddVolume(volume)
    renderer.ResetCamera()
    renderer.GetActiveCamera().Azimuth(35)
    renderer.GetActiveCamera().Elevation(20)
    return renderer


if __name__ == "__main__":
    vtk_common.main(scene, "volume")
