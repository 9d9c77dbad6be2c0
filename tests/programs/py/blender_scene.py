"""A small scene that Blender draws without a window: `blender -b --factory-startup --python blender_scene.py -- ENGINE FILE`.

BLENDER_WORKBENCH draws as the viewport does; BLENDER_EEVEE adds its big shaders, shadows, cube maps and light probes.
"""

import sys

import bpy


def material(name, color, metallic, roughness):
    made = bpy.data.materials.new(name)
    made.use_nodes = True
    made.diffuse_color = (*color, 1.0)
    inputs = made.node_tree.nodes["Principled BSDF"].inputs
    inputs["Base Color"].default_value = (*color, 1.0)
    inputs["Metallic"].default_value = metallic
    inputs["Roughness"].default_value = roughness
    bpy.context.object.data.materials.append(made)


def objects():
    bpy.ops.object.select_all(action="SELECT")
    bpy.ops.object.delete()
    bpy.ops.mesh.primitive_plane_add(size=12.0)
    material("floor", (0.5, 0.5, 0.55), 0.0, 0.4)
    bpy.ops.mesh.primitive_monkey_add(size=2.4, location=(0.0, 0.0, 1.3))
    bpy.context.object.modifiers.new("smooth", "SUBSURF").render_levels = 1
    bpy.ops.object.shade_smooth()
    material("head", (0.8, 0.3, 0.1), 0.0, 0.4)
    bpy.ops.mesh.primitive_torus_add(location=(2.4, 0.5, 0.5))
    material("ring", (0.1, 0.3, 0.8), 1.0, 0.25)
    bpy.ops.object.light_add(type="SUN", rotation=(0.6, 0.3, 0.4))
    bpy.context.object.data.energy = 3.0


def main(engine, file):
    objects()
    scene = bpy.context.scene
    bpy.ops.object.camera_add(location=(1.5, -8.0, 3.2), rotation=(1.3, 0.0, 0.15))
    scene.camera = bpy.context.object
    scene.render.engine = engine
    scene.render.resolution_x, scene.render.resolution_y = 240, 180
    scene.eevee.taa_render_samples = 1
    scene.display.render_aa = "OFF"
    scene.render.filepath = file
    bpy.ops.render.render(write_still=True)


if __name__ == "__main__":
    main(*sys.argv[-2:])
