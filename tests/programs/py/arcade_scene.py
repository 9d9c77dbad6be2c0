"""Arcade without a display: sprites from its texture atlas, shapes, and a light post-process through its own framebuffers."""

import os

os.environ["ARCADE_HEADLESS"] = "True"

import arcade  # noqa: E402
import numpy as np  # noqa: E402
from PIL import Image  # noqa: E402

import toolkit  # noqa: E402

SIZE = (480, 320)


def sprites():
    found = arcade.SpriteList()
    for index in range(24):
        y, x = np.mgrid[0:40, 0:40]
        inside = (x - 20) ** 2 + (y - 20) ** 2 < 18**2
        shade = np.stack([x * 6, y * 6, np.full_like(x, 10 * index), np.where(inside, 255, 0)], -1).astype("u1")
        sprite = arcade.Sprite(arcade.Texture(Image.fromarray(shade), hash=f"ball{index}"))
        sprite.position = 40 + 56 * (index % 8), 60 + 70 * (index // 8)
        sprite.angle = 15 * index
        found.append(sprite)
    return found


def main():
    out = toolkit.prefix()
    window = arcade.Window(*SIZE, "arcade", antialiasing=False)
    balls = sprites()
    window.clear(color=(40, 44, 52))
    arcade.draw_circle_filled(240, 160, 120, (90, 60, 120))
    arcade.draw_lbwh_rectangle_filled(20, 250, 200, 40, (200, 120, 40))
    arcade.draw_line(0, 0, 480, 320, (240, 240, 240), 3)
    balls.draw()
    pixels = np.asarray(arcade.get_image(0, 0, *SIZE).convert("RGB"))
    toolkit.save(out, "arcade", pixels, bottom_up=False)
    info = window.ctx.info
    toolkit.report(out, info.VENDOR, info.RENDERER, toolkit.Gl().strings()[2], [f"error: {window.ctx.error}"])
    window.close()


if __name__ == "__main__":
    main()
