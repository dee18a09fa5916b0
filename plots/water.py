"""water: shallow water by lab 21's solution, as the engine ran it, beside the reference: an animation, and a slide of three moments."""
import os

import matplotlib.pyplot as plt
import numpy
from matplotlib.animation import FuncAnimation, PillowWriter

import results
import style

WIDTH = 256
WHO = ("lab 21 on the engine", "reference, in double")
ISLAND = "#8C510A"


def read(folder):
    """(rows of water.csv, ground, heights[step][solution or reference])."""
    table = results.rows(folder, "water.csv")
    path = os.path.join(folder, "water.f32")
    try:
        data = numpy.fromfile(path, dtype="<f4")
    except OSError as error:
        raise results.Missing(f"{path}: {error.strerror}") from error
    rows = int(table[0]["rows"]) if table else 0
    if not table or data.size != (1 + 2 * len(table)) * rows * WIDTH:
        raise results.Missing(f"{path}: not the frames of water.csv")
    planes = data.reshape(-1, rows, WIDTH)
    return table, planes[0], planes[1:].reshape(len(table), 2, rows, WIDTH)


def measured(table):
    """Largest change of the solution's volume, and largest distance from the reference, both relative."""
    start = float(table[0]["volume"])
    return max(abs(float(row["volume"]) / start - 1) for row in table), max(float(row["difference"]) for row in table)


def show(ax, ground, heights, level, span):
    """Draws the surface, with dry ground as an island; returns the picture."""
    picture = ax.imshow(surface(ground, heights), cmap="RdBu_r", vmin=level - span, vmax=level + span, interpolation="nearest", aspect="equal")
    picture.cmap.set_bad(ISLAND)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.grid(visible=False)
    return picture


def surface(ground, heights):
    return numpy.ma.masked_where(ground >= heights, heights)


def slide(table, ground, frames, level, span, off, title, out):
    moments = [round(k * (len(table) - 1) / 8) for k in (0, 2, 8)]
    fig, axes = style.figure(title, f"{ground.shape[0]} x {WIDTH} cells, {len(table) - 1} steps: rows, then columns, by parallel cyclic reduction; "
                             "red: higher than at rest, blue: lower", 2, len(moments), squeeze=False)
    fig.subplots_adjust(left=0.04, right=0.985, top=0.8, bottom=0.1, wspace=0.04, hspace=0.06)
    for column, step in enumerate(moments):
        for row, who in enumerate(WHO):
            ax = axes[row][column]
            show(ax, ground, frames[step][row], level, span)
            if row == 0:
                ax.set_title(f"step {table[step]['step']}", fontsize=16, loc="center")
            if column == 0:
                ax.set_ylabel(who, fontsize=13)
    volume = float(table[0]["volume"])
    style.source(fig, f"volume, the sum of all heights: {volume:.6g} at first, {float(table[-1]['volume']):.6g} at last; "
                      f"the reference's: {float(table[-1]['reference']):.6g}; heights are within {100 * off:.2g} % of its")
    style.save(fig, out, "water",
               "Each step solves a tridiagonal system for every row, and then for every column.")


def animation(table, ground, frames, level, span, title, out):
    fig, axes = plt.subplots(1, 2, figsize=(12, 4.1))
    fig.subplots_adjust(left=0.015, right=0.985, top=0.76, bottom=0.04, wspace=0.03)
    fig.suptitle(title, x=0.015, y=0.97, ha="left", fontsize=17, fontweight="bold")
    pictures = [show(ax, ground, frames[0][k], level, span) for k, ax in enumerate(axes)]

    def draw(step):
        for k, (ax, picture) in enumerate(zip(axes, pictures)):
            picture.set_data(surface(ground, frames[step][k]))
            ax.set_title(f"{WHO[k]}, step {table[step]['step']}", fontsize=15)
        return pictures

    path = os.path.join(out, "water.gif")
    FuncAnimation(fig, draw, frames=len(table), blit=False).save(path, writer=PillowWriter(fps=20), dpi=80)
    plt.close(fig)
    print(f"  wrote {path}")


def water(folder, out):
    table, ground, frames = read(folder)
    lost, off = measured(table)
    title = f"Lab 21's shallow water keeps its volume to {100 * lost:.2g} %"
    level = float(numpy.median(frames[0][0]))
    span = 0.5 * float(numpy.abs(frames[:, 0] - level).max())
    slide(table, ground, frames, level, span, off, title, out)
    animation(table, ground, frames, level, span, title, out)
