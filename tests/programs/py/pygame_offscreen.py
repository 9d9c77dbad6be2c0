"""pygame on SDL's off-screen video driver: its window is an EGL surface, drawn into with moderngl and swapped."""

import os

os.environ["SDL_VIDEODRIVER"] = "offscreen"
os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"

import moderngl  # noqa: E402
import numpy as np  # noqa: E402
import pygame  # noqa: E402

import toolkit  # noqa: E402

VERTEX = """
#version 330
in vec2 corner;
in vec3 place;
out vec2 inside;
void main() { inside = corner; gl_Position = vec4(corner * place.z + place.xy, 0.0, 1.0); }
"""
FRAGMENT = """
#version 330
uniform sampler2D sprite;
in vec2 inside;
out vec4 pixel;
void main() { pixel = texture(sprite, inside * 0.5 + 0.5); }
"""
SIZE = (400, 300)


def sprite():
    """Drawn by pygame's own rasteriser, uploaded as a texture: as games do with their fonts and pictures."""
    surface = pygame.Surface((64, 64), pygame.SRCALPHA)
    pygame.draw.circle(surface, (230, 180, 40, 255), (32, 32), 30)
    pygame.draw.rect(surface, (40, 60, 160, 255), (20, 12, 24, 40))
    return pygame.image.tobytes(surface, "RGBA", True)


def main():
    out = toolkit.prefix()
    pygame.display.init()
    for attribute, value in (
        (pygame.GL_CONTEXT_MAJOR_VERSION, 3),
        (pygame.GL_CONTEXT_MINOR_VERSION, 3),
        (pygame.GL_CONTEXT_PROFILE_MASK, pygame.GL_CONTEXT_PROFILE_CORE),
    ):
        pygame.display.gl_set_attribute(attribute, value)
    pygame.display.set_mode(SIZE, pygame.OPENGL | pygame.DOUBLEBUF)
    context = moderngl.create_context()
    program = context.program(vertex_shader=VERTEX, fragment_shader=FRAGMENT)
    texture = context.texture((64, 64), 4, sprite())
    texture.filter = (moderngl.NEAREST, moderngl.NEAREST)
    texture.use(0)
    corners = context.buffer(np.array([-1, -1, 1, -1, -1, 1, 1, 1], "f4").tobytes())
    angles = np.linspace(0.0, 2.0 * np.pi, 9, endpoint=False)
    places = np.stack([0.6 * np.cos(angles), 0.6 * np.sin(angles), 0.1 + 0.02 * np.arange(9)], -1).astype("f4")
    sprites = context.vertex_array(
        program, [(corners, "2f", "corner"), (context.buffer(places.tobytes()), "3f/i", "place")]
    )
    context.enable(moderngl.BLEND)
    for _ in range(3):
        context.screen.use()
        context.clear(0.2, 0.3, 0.25, 1.0)
        sprites.render(moderngl.TRIANGLE_STRIP, instances=9)
        last = np.frombuffer(context.screen.read(components=3, alignment=1), "u1").reshape(SIZE[1], SIZE[0], 3)
        pygame.display.flip()
    toolkit.save(out, "sprites", last)
    info = context.info
    toolkit.report(out, info["GL_VENDOR"], info["GL_RENDERER"], info["GL_VERSION"], [f"error: {context.error}"])
    pygame.quit()


if __name__ == "__main__":
    main()
