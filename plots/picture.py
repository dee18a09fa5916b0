"""picture: what a summed-area table is for: a picture, and what box filters make of it, by lab 23's solution on the engine."""
import results
import style

SHOWN = ((0, "the picture"), (1, "filtered once"), (3, "three times"))
WHITE = 2 ** 32 - 1


def box_filter(folder, out):
    pictures, radius, lookups = {}, 0, 0
    for row in results.rows(folder, "picture.csv"):
        pictures.setdefault(int(row["filtered"]), []).append([int(pixel) for pixel in row["pixels"].split()])
        radius, lookups = int(row["radius"]), max(lookups, float(row["lookups"]))
    if any(which not in pictures for which, _ in SHOWN):
        raise results.Missing("picture.csv lacks a picture")
    side = 2 * radius + 1
    fig, axes = style.figure("A summed-area table blurs by four look-ups a pixel, whatever the radius",
                             f"windows of {side} x {side} pixels, {side * side} each; the engine counted {lookups:.2f} look-ups a pixel, fewer at the border",
                             1, len(SHOWN))
    for ax, (which, title) in zip(axes, SHOWN):
        ax.imshow(pictures[which], cmap="gray", vmin=0, vmax=WHITE, interpolation="nearest")
        ax.set_title(title, fontsize=18, loc="center", pad=10)
        ax.grid(False)
        ax.set_xticks([])
        ax.set_yticks([])
        for side_of_axes in ax.spines.values():
            side_of_axes.set_visible(True)
    fig.text(0.02, 0.1, "Once, a dot is smeared over a square, its window; three times, over what is nearly round.", fontsize=17)
    fig.subplots_adjust(left=0.02, right=0.98, top=0.86, bottom=0.12, wspace=0.04)
    style.save(fig, out, "box_filter",
               "Four corners of the table make the sum of any window, so the radius costs nothing.")
