"""hops: the law of the chain, computed: a chain passes one tile a hop, so its speed is the tile's bytes over the time of a hop, at most
a copy's. Today's GPU from ladder.csv (the hop is lab 07's chain alone, time over tiles), the paper's from plots/data/published.csv."""
import os
import re
from collections import namedtuple

import recorded
import results
import style
from recorded import CHAIN, CHAINED, LOOKBACK, MEMCPY
from replications import WHITE, published, short, sources
from timed import look

LABS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "labs")
MOVED = 8               # bytes for each float of a tile: read and written
Law = namedtuple("Law", "hop copy")     # microseconds; GB/s


def constant(path, name):
    """What an enum of a lab's contract says."""
    with open(os.path.join(LABS, path), encoding="utf-8") as file:
        return int(re.search(rf"\b{name} = (\d+)", file.read()).group(1))


def tiles():
    """Elements of a tile: of lab 07 and of lab 10."""
    header = "07_streaming_scan/streaming_scan.h"
    return (constant(header, "STREAMING_SCAN_THREADS") * constant(header, "STREAMING_SCAN_PER_THREAD"),
            constant("10_decoupled_lookback/decoupled_lookback.h", "LOOKBACK_TILE"))


def needed(law):
    """Elements of a tile with which a chain is as fast as a copy, in three digits."""
    return float(f"{law.copy * 1000 * law.hop / MOVED:.3g}")


def of_today(ladder):
    """The law of the GPU of the file, and the largest n with all it takes."""
    series = [CHAIN, CHAINED, LOOKBACK, MEMCPY]
    shared = set.intersection(*(set(ladder.times(one, "f32")) for one in series))
    if not shared:
        raise results.Missing(f"{ladder.file.path} has no n at which lab 07's chain and scan, lab 10 and memcpy were timed, of float")
    n = max(shared)
    return Law(ladder.times(CHAIN, "f32")[n].us / (n / tiles()[0]), ladder.throughput(MEMCPY, "f32")[n]), n


def of_the_paper():
    """It states hops a second, and the tile that a chain would need."""
    found = published("hops")
    hop = 1e6 / found["hops a second", "="].value
    return Law(hop, found["tile for a copy's speed", "="].value * MOVED / (1000 * hop)), found["hops a second", "="]


def hops(folder, out):
    ladder = recorded.Ladder(folder)
    today, n = of_today(ladder)
    then, source = of_the_paper()
    gpu = short(ladder.file.head["gpu"])
    fig, ax = style.figure(f"A chain passes a tile a hop: a copy's speed needs tiles of {needed(today):,.0f}",
                           f"lines: a tile's bytes / the time of a hop, at most a copy's speed; marks: measured, float, n = {style.power(n)}")
    fig.subplots_adjust(left=0.09, right=0.97, top=0.84, bottom=0.19)
    xs = [2 ** k for k in range(7, 23)]
    for law, name, colour, dash in ((today, gpu, style.BLACK, "-"), (then, source.device, style.GREY, "--")):
        knee = needed(law)
        at = sorted([*xs, knee])
        ax.plot(at, [min(law.copy, x * MOVED / (1000 * law.hop)) for x in at], color=colour, linestyle=dash, zorder=3)
        ax.text(2 ** 22, law.copy * 1.4, f"{name}: {law.hop:.2f} us a hop, copy {law.copy:,.0f} GB/s", ha="right", va="bottom", fontsize=16,
                color=colour)
        ax.plot(knee, law.copy, marker="|", markersize=22, markeredgewidth=2.5, color=colour, zorder=4)
        ax.annotate(f"{knee:,.0f} elements", (knee, law.copy), xytext=(24, -10), textcoords="offset points", fontsize=15, va="top",
                    color=colour, zorder=6)
    for one, tile, where in zip((CHAINED, LOOKBACK), tiles(), (16, -16)):
        colour, marker, _ = look(one)
        rate = ladder.throughput(one, "f32")[n]
        ax.plot(tile, rate, marker=marker, markersize=16, color=colour, markeredgecolor="white", zorder=6)
        sides = {"va": "top", "ha": "left"} if where > 0 else {"va": "center", "ha": "right"}
        ax.annotate(f"lab {one.label}: {rate:,.0f} GB/s\nwith tiles of {tile:,}", (tile, rate), xytext=(where, 0), textcoords="offset points",
                    fontsize=16, fontweight="bold", color=colour, zorder=6, bbox=WHITE, **sides)
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    ax.set_ylim(0.7, 30000)
    ax.set_xticks(xs[1::2])
    ax.set_xticklabels([style.power(x) for x in xs[1::2]])
    ax.minorticks_off()
    style.plain_log_ticks(ax.yaxis, (1,))
    ax.set_xlabel("elements of a tile")
    ax.set_ylabel("GB/s")
    sources(fig, ladder.foot(), [source])
    style.save(fig, out, "gpu_hops",
               "A tile's sum is ready one hop after its neighbour's: all that helps a chain are larger tiles.")
