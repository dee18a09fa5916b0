"""style: how every figure looks: a slide of 1920 x 1080, for a projector, for colour-blind readers and for black and white.

Colours are those of Okabe and Ito ("Color Universal Design", 2008) and of Paul Tol's muted scheme. A lab has one colour in all
figures; two series of a lab differ by dash or hatch. A series always has a marker or a hatch too. Labels stand at the lines, not
in a legend. save() writes PNG and SVG, and a page of the slides where there is a deck, and says so.
"""
import os
import sys
from itertools import accumulate

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import matplotlib.ticker

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
YELLOW, BLUE, VERMILION, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"
GREY = "#767676"

LIGHT = "#BBBBBB"       # of others: CUB, what is published

# of each lab, in every figure: colour and marker
LABS = {"01": (GREY, "1"), "02": (ORANGE, "h"), "03": (SKY, "p"), "04": ("#882255", ">"), "05": ("#44AA99", "<"), "06": (PURPLE, "D"),
        "07": (GREEN, "^"), "08": ("#999933", "*"), "09": ("#332288", "P"), "10": (BLUE, "o"), "11": (VERMILION, "s"), "12": ("#8C510A", "d"),
        "13": ("#666666", "v"), "14": ("#AA4499", "o"), "15": ("#B15928", "p"), "16": ("#117733", "s"), "17": ("#88CCEE", "X"), "18": ("#CC6677", "X"),
        "19": ("#661100", "D"), "20": ("#A6761D", "v"), "21": ("#DDCC77", "8"), "22": ("#7570B3", "H"), "23": ("#01665E", "h"), "24": ("#1B9E77", "X")}
DASHES = ["-", "--", ":"]       # of a lab's series, one after another

plt.rcParams.update({
    "figure.figsize": (12, 6.75), "savefig.dpi": 160, "svg.fonttype": "none", "svg.hashsalt": "scan-lab",
    "font.size": 15, "axes.titlesize": 20, "axes.labelsize": 16, "xtick.labelsize": 14, "ytick.labelsize": 14,
    "axes.titleweight": "bold", "axes.titlelocation": "left", "axes.titlepad": 14, "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "axes.axisbelow": True, "grid.color": "#DDDDDD", "grid.linewidth": 0.8, "lines.linewidth": 2.5, "lines.markersize": 9,
    "hatch.linewidth": 1.2,
})


def figure(title, note="", rows=1, columns=1, **options):
    """A figure with the message as its title and, below, in smaller letters, what was measured."""
    fig, axes = plt.subplots(rows, columns, **options)
    fig.suptitle(title, x=0.02, y=0.975, ha="left", fontsize=20, fontweight="bold")
    if note:
        fig.text(0.02, 0.905, note, ha="left", va="center", fontsize=14, color="#444444")
    return fig, axes


FOOT = (14, 12)         # points: what the last row can read, and what a line that is too long may shrink to


def source(fig, text):
    """Where the numbers are from, at the foot of a figure, whose axes make room for it."""
    largest, least = FOOT
    foot = fig.text(0.02, 0.012, text, ha="left", va="bottom", fontsize=largest, color="#555555")
    wide = foot.get_window_extent().width / (0.965 * fig.bbox.width)
    foot.set_fontsize(max(least, min(largest, largest / wide)))
    lines = 1 + text.count("\n")
    fig.subplots_adjust(bottom=max(fig.subplotpars.bottom, 0.118 + 0.036 * lines))


def power(n):
    """n as a power of two for an axis: 2 to the 16."""
    return f"$2^{{{n.bit_length() - 1}}}$"


def factor(value):
    """1.25, 12.5, 140: a ratio in three digits."""
    return f"{value:.0f}" if value >= 99.95 else f"{value:.1f}" if value >= 9.995 else f"{value:.2f}"


def faster(gain):
    """"2.75 x faster", "178 x slower"."""
    return f"{factor(gain)} x faster" if gain >= 1 else f"{factor(1 / gain)} x slower"


def plain_log_ticks(axis, within=(1, 2, 5)):
    """1, 2, 5, 10, 20 ... written out; within: which of each ten."""
    axis.set_major_locator(matplotlib.ticker.LogLocator(subs=within))
    axis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(matplotlib.ticker.NullFormatter())


def axis_of_n(ax, values):
    ax.set_xscale("log", base=2)
    ax.set_xticks(values)
    ax.set_xticklabels([power(n) for n in values])
    ax.minorticks_off()
    ax.set_xlabel("elements n")


def end_labels(ax, labels, gap=0.052, size=14, at_x=1.03):
    """Writes (x, y, text, colour) to the right of the axes at the height of y, moved apart where they would overlap."""
    span = ax.get_window_extent()
    at = []
    for x, y, text, colour in labels:
        at.append([ax.transData.transform((x, y))[1], x, y, text, colour])
    at.sort(key=lambda label: label[0])
    places = [(pixel - span.y0) / span.height for pixel, *_ in at]
    for _ in range(200):
        for i in range(1, len(places)):
            need = gap * (at[i][3].count("\n") + at[i - 1][3].count("\n") + 2) / 2 - (places[i] - places[i - 1])
            if need > 1e-4:
                places[i - 1] -= need / 2
                places[i] += need / 2
    heights = [gap * (1 + label[3].count("\n")) for label in at]
    for i, low in enumerate(accumulate([0] + heights[:-1])):                # none below the axes, then none above
        places[i] = max(places[i], low, places[i - 1] + (heights[i - 1] + heights[i]) / 2 if i else 0)
    for i, high in enumerate(accumulate([1] + heights[:0:-1], lambda at, height: at - height)):
        i = len(places) - 1 - i
        places[i] = min(places[i], high, places[i + 1] - (heights[i] + heights[i + 1]) / 2 if i + 1 < len(places) else 1)
    for place, (_, x, y, text, colour) in zip(places, at):
        ax.annotate(text, xy=(x, y), xycoords="data", xytext=(at_x, place), textcoords="axes fraction", va="center", ha="left",
                    fontsize=size, annotation_clip=False,
                    arrowprops={"arrowstyle": "-", "color": colour, "linewidth": 1.5, "shrinkA": 1, "shrinkB": 4, "relpos": (0, 0.5)})


def leaves_the_page(fig):
    """On which sides something that is drawn leaves the page; "" where nothing does."""
    box = fig.get_tightbbox(fig.canvas.get_renderer())
    width, height = fig.get_size_inches()
    sides = (("left", box.x0 < 0), ("right", box.x1 > width), ("foot", box.y0 < 0), ("top", box.y1 > height))
    return ", ".join(side for side, beyond in sides if beyond)


deck = None     # of slides.py, which gets a page of each figure that is saved


def save(fig, folder, name, sentence):
    """sentence: what a lecturer can say of it; it stands below the slide."""
    beyond = leaves_the_page(fig)
    if beyond:
        print(f"draw: {name}: text leaves the page: {beyond}", file=sys.stderr)
    for ending in ("png", "svg"):
        path = os.path.join(folder, f"{name}.{ending}")
        fig.savefig(path, metadata={"Date": None} if ending == "svg" else None)
        print(f"  wrote {path}")
    if deck:
        deck.add(fig, sentence)
    plt.close(fig)
