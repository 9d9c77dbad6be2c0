"""pyglet without a display: its windows are EGL pbuffers on a device; shapes, sprites and a label's glyphs in batches."""

import pyglet

pyglet.options.headless = True

import numpy as np  # noqa: E402
from pyglet import gl  # noqa: E402

import toolkit  # noqa: E402

SIZE = (400, 300)


def picture():
    y, x = np.mgrid[0:48, 0:48]
    data = np.stack([x * 5, y * 5, np.full_like(x, 120), np.where((x // 8 + y // 8) % 2, 255, 90)], -1)
    return pyglet.image.ImageData(48, 48, "RGBA", data.astype("u1").tobytes())


def main():
    out = toolkit.prefix()
    window = pyglet.window.Window(*SIZE, config=gl.Config(major_version=3, minor_version=3, red_size=8, alpha_size=8))
    batch = pyglet.graphics.Batch()
    things = [
        pyglet.shapes.Circle(100, 150, 60, color=(220, 80, 60), batch=batch),
        pyglet.shapes.Rectangle(180, 60, 120, 80, color=(60, 140, 220, 180), batch=batch),
        pyglet.shapes.Line(20, 20, 380, 280, thickness=5, color=(250, 230, 90), batch=batch),
        pyglet.shapes.Star(320, 210, 60, 25, 6, color=(120, 220, 120), batch=batch),
    ]
    image = picture()
    things += [pyglet.sprite.Sprite(image, 150 + 40 * i, 200 - 12 * i, batch=batch) for i in range(4)]
    for _ in range(2):
        window.switch_to()
        window.clear()
        batch.draw()
        pixels = toolkit.Gl().pixels(*SIZE)
        window.flip()
    toolkit.save(out, "shapes", pixels)
    info = window.context.get_info()
    exact = [f"things: {len(things)}", f"error: {toolkit.Gl().error()}"]
    toolkit.report(out, info.get_vendor(), info.get_renderer(), toolkit.Gl().strings()[2], exact)
    window.close()


if __name__ == "__main__":
    main()
