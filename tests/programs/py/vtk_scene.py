"""VTK off screen: solids with edges, lines, points, a colour bar and text; no volumes."""

import vtkmodules.vtkInteractionStyle  # noqa: F401  registers the factories
import vtkmodules.vtkRenderingFreeType  # noqa: F401
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401
from vtkmodules.vtkCommonCore import vtkLookupTable
from vtkmodules.vtkFiltersCore import vtkElevationFilter
from vtkmodules.vtkFiltersSources import vtkCubeSource, vtkCylinderSource, vtkSphereSource
from vtkmodules.vtkRenderingAnnotation import vtkScalarBarActor
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer, vtkTextActor

import vtk_common


def actor(source, position, colour, edges=True):
    mapper = vtkPolyDataMapper()
    mapper.SetInputConnection(source.GetOutputPort())
    result = vtkActor()
    result.SetMapper(mapper)
    result.SetPosition(position)
    result.GetProperty().SetColor(colour)
    result.GetProperty().SetEdgeVisibility(edges)
    result.GetProperty().SetEdgeColor(0.05, 0.05, 0.1)
    return result


def elevation(table):
    sphere = vtkSphereSource()
    sphere.SetThetaResolution(24)
    sphere.SetPhiResolution(16)
    sphere.SetRadius(0.8)
    heights = vtkElevationFilter()
    heights.SetInputConnection(sphere.GetOutputPort())
    heights.SetLowPoint(0, 0, -0.8)
    heights.SetHighPoint(0, 0, 0.8)
    result = actor(heights, (0, 0, 0), (1, 1, 1))
    result.GetMapper().SetLookupTable(table)
    return result


def wireframe():
    cube = vtkCubeSource()
    result = actor(cube, (2.0, 0.3, 0.2), (0.9, 0.9, 0.3), edges=False)
    result.GetProperty().SetRepresentationToWireframe()
    result.GetProperty().SetLineWidth(1)
    return result


def scene():
    table = vtkLookupTable()
    table.SetHueRange(0.66, 0.0)
    table.Build()
    bar = vtkScalarBarActor()
    bar.SetLookupTable(table)
    bar.SetTitle("height")
    bar.SetNumberOfLabels(4)
    text = vtkTextActor()
    text.SetInput("edges and text 0123")
    text.SetPosition(20, 20)
    text.GetTextProperty().SetFontSize(24)
    text.GetTextProperty().SetColor(0.95, 0.95, 0.9)
    cylinder = vtkCylinderSource()
    cylinder.SetResolution(20)
    cylinder.SetHeight(1.6)
    renderer = vtkRenderer()
    renderer.AddActor(elevation(table))
    renderer.AddActor(wireframe())
    renderer.AddActor(actor(cylinder, (-2.0, 0, 0), (0.4, 0.7, 0.5)))
    renderer.AddViewProp(bar)
    renderer.AddViewProp(text)
    renderer.SetBackground(0.2, 0.22, 0.28)
    renderer.SetBackground2(0.6, 0.65, 0.7)
    renderer.GradientBackgroundOn()
    renderer.GetActiveCamera().SetPosition(3, -6, 4)
    renderer.GetActiveCamera().SetViewUp(0, 0, 1)
    renderer.ResetCamera()
    return renderer


if __name__ == "__main__":
    vtk_common.main(scene, "scene")
