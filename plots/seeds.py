"""seeds: measurements that papers report, made again on a GPU and drawn beside what was published.

Ours come from barrier_count.csv, ballot_scan.csv, shuffle.csv and ladder.csv; theirs from plots/data/published.csv, each with its
source. Of a published curve only the numbers that its text or table states are there: no point is read off a picture.
"""
import os
from collections import namedtuple

import recorded
import results
import style
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from recorded import CHAINED, LOOKBACK, MEMCPY, REDUCE_THEN_SCAN, SCAN_THEN_PROPAGATE
from timed import lines_over_n, ticks_of_n

HERE = os.path.dirname(os.path.abspath(__file__))
Published = namedtuple("Published", "value device source")
OURS, THEIRS = style.VERMILION, "#BBBBBB"
WHITE = {"facecolor": "white", "edgecolor": "none", "pad": 1}       # behind text that crosses lines


def published(figure):
    """{(what, relation): Published}"""
    found = {}
    for row in results.rows(os.path.join(HERE, "data"), "published.csv"):
        if row["figure"] == figure:
            found[row["what"], row["relation"]] = Published(float(row["value"]), row["device"], row["source"])
    return found


def short(gpu):
    """A device's name for a bar: without its maker."""
    return gpu.replace("NVIDIA ", "")


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def two_panels(title, note, widths, **spaces):
    fig, axes = style.figure(title, note, 1, 2, gridspec_kw={"width_ratios": widths})
    fig.subplots_adjust(**{"left": 0.08, "right": 0.97, "top": 0.82, "bottom": 0.17, "wspace": 0.3, **spaces})
    return fig, axes


def bars_of_two(ax, groups, form):
    """groups: [(name, [(device, value, colour)])]: upright bars, each with its number and its device."""
    x, names = 0, []
    most = max(value for _, some in groups for _, value, _ in some)
    for name, some in groups:
        first = x
        for device, value, colour in some:
            ax.bar(x, value, color=colour, edgecolor=style.BLACK, hatch="" if colour == OURS else "//", width=0.86)
            ax.text(x, value + 0.015 * most, form.format(value), ha="center", va="bottom", fontsize=16, fontweight="bold")
            ax.text(x, 0.02 * most, device, ha="center", va="bottom", fontsize=14, rotation=90, bbox={**WHITE, "alpha": 0.85})
            x += 1
        names.append(((first + x - 1) / 2, name))
        x += 0.6
    ax.set_xticks([at for at, _ in names])
    ax.set_xticklabels([name for _, name in names])
    ax.set_ylim(0, 1.15 * most)
    ax.grid(axis="x", visible=False)


def over_grid(ax, times, looks):
    """Times over grid sizes, {what: {grid: Time}}; looks: {what: (label, colour, marker)}."""
    for what, (label, colour, marker) in looks.items():
        line = times[what]
        xs = sorted(line)
        ax.plot(xs, [line[x].us for x in xs], color=colour, marker=marker, zorder=3)
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    ax.set_xlabel("blocks in the grid")
    ax.set_ylabel("microseconds")
    handles = [ax.plot([], [], color=colour, marker=marker, label=label)[0] for label, colour, marker in looks.values()]
    ax.legend(handles=handles, loc="upper left", frameon=False, fontsize=15)


def common_times(file, whats):
    """{what: {grid: Time}} and the grids that all whats have."""
    times = file.table([("what", str), ("grid", int)], file.time)
    grids = set.intersection(*(set(times.get(what, {})) for what in whats))
    if not grids:
        raise results.Missing(f"{file.path} has no grid size at which {' and '.join(whats)} were both timed")
    return {what: {g: times[what][g] for g in grids} for what in whats}, sorted(grids)


def threads_of(file):
    return " and ".join(sorted({row["threads"] for row in file.rows}, key=int))


def barrier_count(folder, out):
    file = recorded.Recorded(folder, "barrier_count.csv", ("what", "grid", "threads", "us", "us_min", "us_max"))
    times, grids = common_times(file, ("reduce32", "syncthreads_count"))
    ours = mean(times["reduce32"][g].us / times["syncthreads_count"][g].us for g in grids)
    theirs = published("barrier_count")["reduce32 / syncthreads_count", "="]
    fig, (left, right) = two_panels("Counting at the barrier against a reduction of 32-bit integers",
                                    f"blocks of {threads_of(file)} threads count true predicates; right: mean over the grids", [2.2, 1])
    over_grid(left, times, {"reduce32": ("32-bit reduction in shared memory", style.BLUE, "o"),
                            "syncthreads_count": ("at the barrier: __syncthreads_count", style.VERMILION, "s")})
    bars_of_two(right, [("", [(theirs.device, theirs.value, THEIRS), (short(file.head["gpu"]), ours, OURS)])], "x {:.2f}")
    right.set_ylabel("times as fast")
    sources(fig, file.source(), [theirs])
    style.save(fig, out, "gpu_barrier_count")


def ballot_scan(folder, out):
    file = recorded.Recorded(folder, "ballot_scan.csv", ("what", "grid", "threads", "us", "us_min", "us_max", "warp_instructions"))
    times, grids = common_times(file, ("warp_scan32", "ballot_scan"))
    counted = {(row["what"], row["grid"]): file.number(row, "warp_instructions", int) for row in file.rows if row["warp_instructions"]}
    both = [g for g in grids if all((what, str(g)) in counted for what in times)]
    if not both:
        raise results.Missing(f"{file.path} has no grid size with warp_instructions of both scans")
    speed = mean(times["warp_scan32"][g].us / times["ballot_scan"][g].us for g in grids)
    fewer = mean(100 * (1 - counted["ballot_scan", str(g)] / counted["warp_scan32", str(g)]) for g in both)
    theirs = published("ballot_scan")
    faster, less = theirs["warp_scan32 / ballot_scan", "="], theirs["warp_instructions", "="]
    gpu = short(file.head["gpu"])
    note = f"blocks of {threads_of(file)} threads; bars: means over the grids; instructions of warps as the engine counts them"
    fig, (left, middle, right) = style.figure("Binary scan of a block: ballot and popc against 32-bit scans", note, 1, 3,
                                              gridspec_kw={"width_ratios": [2.2, 0.9, 0.9]})
    fig.subplots_adjust(left=0.08, right=0.98, top=0.82, bottom=0.2, wspace=0.4)
    over_grid(left, times, {"warp_scan32": ("warp scan of 32-bit integers", style.BLUE, "o"), "ballot_scan": ("ballot and popc", style.VERMILION, "s")})
    bars_of_two(middle, [("time", [(faster.device, faster.value, THEIRS), (gpu, speed, OURS)])], "x {:.2f}")
    middle.set_ylabel("times as fast")
    bars_of_two(right, [("instructions", [(less.device, less.value, THEIRS), ("engine", fewer, OURS)])], "{:.0f} %")
    right.set_ylabel("% fewer")
    sources(fig, file.source(), [faster])
    style.save(fig, out, "gpu_ballot_scan")


PATTERNS = {"neighbour": "neighbour", "reduce": "sum of a warp", "scan": "scan of a warp"}
VARIANTS = [("shared_safe", "shared, with barriers", style.BLUE, "//"), ("shared_unsafe", "shared, without (unsafe)", style.ORANGE, ".."),
            ("shuffle", "shuffle", style.VERMILION, "")]


def shuffle(folder, out):
    file = recorded.Recorded(folder, "shuffle.csv", ("what", "variant", "us", "us_min", "us_max"))
    times = file.table([("what", str), ("variant", str)], file.time)
    lacking = [f"{what} {variant}" for what in PATTERNS for variant, *_ in VARIANTS if variant not in times.get(what, {})]
    if lacking:
        raise results.Missing(f"{file.path} lacks {', '.join(lacking)}")
    theirs = published("shuffle")
    safe, unsafe = theirs["shared_safe / shuffle", ">"], theirs["shared_unsafe / shuffle", ">="]
    extra = "; ".join(f"{key}: {file.head[key]}" for key in ("launch", "iterations", "blocks", "threads") if key in file.head)
    fig, ax = style.figure("Exchange within a warp: shuffle against shared memory",
                           f"time relative to the shuffle's, per pattern{'; ' + extra if extra else ''}")
    fig.subplots_adjust(left=0.08, right=0.97, top=0.84, bottom=0.24)
    x, names = 0, []
    for what, name in PATTERNS.items():
        first = x
        for variant, _, colour, hatch in VARIANTS:
            ratio = times[what][variant].us / times[what]["shuffle"].us
            ax.bar(x, ratio, color=colour, hatch=hatch, edgecolor=style.BLACK, width=0.9)
            ax.text(x, ratio, f"x {ratio:.2f}\n{times[what][variant].us:,.0f} us", ha="center", va="bottom", fontsize=14)
            x += 1
        names.append(((first + x - 1) / 2, name))
        x += 0.7
    ax.axhline(1, color=style.BLACK, linewidth=1.5, linestyle="--")
    ax.set_xticks([at for at, _ in names])
    ax.set_xticklabels([name for _, name in names], fontsize=16)
    ax.set_ylim(0, 1.32 * max(times[what][v].us / times[what]["shuffle"].us for what in PATTERNS for v, *_ in VARIANTS))
    ax.set_ylabel("times the shuffle's")
    ax.grid(axis="x", visible=False)
    ax.legend(handles=[Patch(facecolor=c, hatch=h, edgecolor=style.BLACK, label=label) for _, label, c, h in VARIANTS],
              loc="upper left", ncol=3, frameon=False, fontsize=15)
    held = [(f"published ({safe.device}): always faster than shared, with barriers", all(t["shared_safe"].us > t["shuffle"].us for t in times.values())),
            (f"published ({unsafe.device}): never slower than shared, without", all(t["shared_unsafe"].us >= t["shuffle"].us for t in times.values()))]
    for i, (text, holds) in enumerate(held):
        fig.text(0.08, 0.145 - 0.045 * i, f"{text}.  {short(file.head['gpu'])}: {'so here' if holds else 'not so here'}", fontsize=15)
    sources(fig, file.source(), [safe])
    style.save(fig, out, "gpu_shuffle")


STRATEGIES = [(CHAINED, "chained"), (REDUCE_THEN_SCAN, "reduce-then-scan"), (SCAN_THEN_PROPAGATE, "scan-then-propagate"), (MEMCPY, "memcpy")]


def bars_beside_published(ax, mine, theirs, gpu):
    """mine: {strategy: time over look-back's}; theirs: published("strategies")."""
    for i, (name, ours) in enumerate(mine.items()):
        was = theirs[f"{name} / look-back", "="]
        ax.barh(i - 0.2, was.value, height=0.38, color=THEIRS, hatch="//", edgecolor=style.BLACK)
        ax.barh(i + 0.2, ours, height=0.38, color=OURS, edgecolor=style.BLACK)
        ax.text(was.value + 0.05, i - 0.2, f"{was.value:g}", va="center", fontsize=14, bbox=WHITE, zorder=6)
        ax.text(ours + 0.05, i + 0.2, f"{ours:.2f}", va="center", fontsize=14, fontweight="bold", bbox=WHITE, zorder=6)
        expected = theirs.get((f"{name} / look-back", "bytes"))
        if expected:
            ax.vlines(expected.value, i - 0.45, i + 0.45, color=style.BLACK, linewidth=2.5, linestyle=":", zorder=5)
    ax.axvline(1, color=style.BLACK, linewidth=1.2)
    ax.set_yticks(range(len(mine)))
    ax.set_yticklabels([name.replace("-then-", "-\nthen-") for name in mine])
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set_xlim(0, 1.15 * max([*mine.values()] + [p.value for p in theirs.values()]))
    ax.set_xlabel("time / look-back's")
    ax.legend(handles=[Patch(facecolor=THEIRS, hatch="//", edgecolor=style.BLACK, label="published"),
                       Patch(facecolor=OURS, edgecolor=style.BLACK, label=gpu),
                       Line2D([], [], color=style.BLACK, linewidth=2.5, linestyle=":", label="by bytes alone")],
              loc="lower right", bbox_to_anchor=(1.03, 1.0), ncol=3, frameon=False, fontsize=14, handlelength=1.6, columnspacing=1.2)


def strategies(folder, out):
    ladder = recorded.Ladder(folder)
    every = [MEMCPY, LOOKBACK, CHAINED, REDUCE_THEN_SCAN, SCAN_THEN_PROPAGATE]
    times = {one: ladder.times(one, "f32") for one in every}
    lacking = [one.label for one in every if not times[one]]
    if lacking:
        raise results.Missing(f"{ladder.file.path} has no float rows of {', '.join(lacking)}")
    shared = set.intersection(*(set(line) for line in times.values()))
    if not shared:
        raise results.Missing(f"{ladder.file.path} has no n at which all five were timed")
    n = max(shared)
    theirs = published("strategies")
    fig, (left, right) = two_panels("Ways to scan a whole device: look-back against the others",
                                    f"float; right: at n = {style.power(n)}; theirs: tuned libraries, ours: the labs' solutions",
                                    [1.2, 1], left=0.08, wspace=1.0, right=0.98, top=0.8)
    labels = lines_over_n(left, "f32", ladder.throughput, every)
    ticks_of_n(left, {x for line in times.values() for x in line}, 4)
    left.set_ylim(0, None)
    left.set_ylabel("GB/s")
    style.end_labels(left, [(x, y, text.replace("-then-", "-\nthen-"), c) for x, y, text, c in labels])
    bars_beside_published(right, {name: times[one][n].us / times[LOOKBACK][n].us for one, name in STRATEGIES}, theirs, short(ladder.file.head["gpu"]))
    sources(fig, ladder.source(), [theirs["chained / look-back", "="]])
    style.save(fig, out, "gpu_strategies")


def sources(fig, ours, theirs):
    style.source(fig, "published: " + "; ".join(sorted({row.source for row in theirs})) + "\nmeasured: " + ours)
