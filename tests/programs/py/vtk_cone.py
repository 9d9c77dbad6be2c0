"""VTK off screen: a shaded cone. VTK picks EGL by itself when VTK_DEFAULT_OPENGL_WINDOW says so."""

import vtkmodules.vtkInteractionStyle  # noqa: F401  registers the factories
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401
from vtkmodules.vtkFiltersSources import vtkConeSource
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

import vtk_common


def scene():
    cone = vtkConeSource()
    cone.SetHeight(3.0)
    cone.SetRadius(1.2)
    cone.SetResolution(48)
    mapper = vtkPolyDataMapper()
    mapper.SetInputConnection(cone.GetOutputPort())
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(0.95, 0.6, 0.2)
    actor.GetProperty().SetSpecular(0.6)
    actor.GetProperty().SetSpecularPower(30)
    actor.RotateY(35)
    actor.RotateX(25)
    renderer = vtkRenderer()
    renderer.AddActor(actor)
    renderer.SetBackground(0.1, 0.2, 0.4)
    renderer.ResetCamera()
    return renderer


if __name__ == "__main__":
    vtk_common.main(scene, "cone")
