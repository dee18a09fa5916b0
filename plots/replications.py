"""replications: measurements that papers report, made again on a GPU and drawn beside what was published.

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
TODAY = style.SKY       # ours too: what the old papers did not have
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


def bars_with_names(ax, bars, form, what):
    """bars: [(name, value, colour)]: bars to the right, each with its name above and its number behind."""
    most = max(value for _, value, _ in bars)
    for i, (name, value, colour) in enumerate(bars):
        ax.barh(i, value, height=0.44, color=colour, edgecolor=style.BLACK, hatch={OURS: "", THEIRS: "//", TODAY: ".."}[colour])
        ax.text(value + 0.02 * most, i, form.format(value), va="center", fontsize=16, fontweight="bold")
        ax.text(0, i - 0.27, name, va="bottom", fontsize=14, bbox=WHITE)
    ax.set_yticks([])
    ax.set_ylim(len(bars) - 0.65, -0.75)
    ax.set_xlim(min([0] + [1.1 * value for _, value, _ in bars]), 1.3 * most)
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(what)


def over_grid(ax, times, looks):
    """Times over grid sizes, {what: {grid: Time}}; looks: {what: (label, colour, marker)}."""
    looks = {what: look for what, look in looks.items() if what in times}
    for what, (label, colour, marker) in looks.items():
        line = times[what]
        xs = sorted(line)
        ax.plot(xs, [line[x].us for x in xs], color=colour, marker=marker, zorder=3)
    ax.set_xscale("log", base=2)
    ax.set_yscale("log")
    style.plain_log_ticks(ax.yaxis)
    ax.set_xlabel("blocks in the grid")
    ax.set_ylabel("microseconds")
    handles = [ax.plot([], [], color=colour, marker=marker, label=label)[0] for label, colour, marker in looks.values()]
    ax.legend(handles=handles, loc="upper left", frameon=False, fontsize=15)


def common_times(file, whats, more):
    """{what: {grid: Time}} and the grids that all whats have; of the others those that were timed at all those grids."""
    times = file.table([("what", str), ("grid", int)], file.time)
    grids = set.intersection(*(set(times.get(what, {})) for what in whats))
    if not grids:
        raise results.Missing(f"{file.path} has no grid size at which {' and '.join(whats)} were both timed")
    also = [what for what in more if grids <= set(times.get(what, {}))]
    return {what: {g: times[what][g] for g in grids} for what in [*whats, *also]}, sorted(grids)


def faster(times, slow, fast):
    """Times as fast, mean over the grids."""
    return mean(times[slow][g].us / times[fast][g].us for g in times[fast])


def of_a_launch(file):
    """What a launch does, as the file's head says it."""
    return file.head["iterations"].split()[0] + " rounds a launch" if file.head.get("iterations") else "one round a launch"


def threads_of(file):
    return " and ".join(str(n) for n in sorted({file.number(row, "threads", int) for row in file.rows}))


def barrier_count(folder, out):
    file = recorded.Recorded(folder, "barrier_count.csv", ("what", "grid", "threads", "us", "us_min", "us_max"))
    times, _ = common_times(file, ("reduce32", "syncthreads_count"), ["reduce32_shuffle"])
    gpu = short(file.head["gpu"])
    theirs = published("barrier_count")["reduce32 / syncthreads_count", "="]
    fig, (left, right) = two_panels("Counting at the barrier against a reduction of 32-bit integers",
                                    f"blocks of {threads_of(file)} threads count true predicates, {of_a_launch(file)}; bars: means over the grids",
                                    [1.7, 1], wspace=0.12, right=0.98)
    over_grid(left, times, {"reduce32": ("32-bit reduction in shared memory", style.BLUE, "o"),
                            "reduce32_shuffle": ("32-bit reduction by shuffles", style.GREEN, "^"),
                            "syncthreads_count": ("at the barrier: __syncthreads_count", style.VERMILION, "s")})
    bars = [(theirs.device, theirs.value, THEIRS), (gpu, faster(times, "reduce32", "syncthreads_count"), OURS)]
    if "reduce32_shuffle" in times:
        bars.append((f"{gpu}, against shuffles", faster(times, "reduce32_shuffle", "syncthreads_count"), TODAY))
    bars_with_names(right, bars, "x {:.2f}", "times as fast")
    sources(fig, file.source(), [theirs])
    style.save(fig, out, "gpu_barrier_count")


# The listings as printed have no barrier within a warp, which is a race on a GPU of today: mended, each has __syncwarp.
BALLOT_PAIRS = [("warp_scan32_unsafe", "ballot_scan_unsafe", "as printed, a race today", OURS),
                ("warp_scan32", "ballot_scan", "with __syncwarp", OURS), ("warp_scan32_shuffle", "ballot_scan", "against shuffles", TODAY)]


def ballot_scan(folder, out):
    file = recorded.Recorded(folder, "ballot_scan.csv", ("what", "grid", "threads", "us", "us_min", "us_max", "warp_instructions"))
    times, grids = common_times(file, ("warp_scan32", "ballot_scan"), ["warp_scan32_shuffle", "warp_scan32_unsafe", "ballot_scan_unsafe"])
    counted = file.table([("what", str), ("grid", int)], lambda row: file.number(row, "warp_instructions", int))
    theirs = published("ballot_scan")
    speed, less = theirs["warp_scan32 / ballot_scan", "="], theirs["warp_instructions", "="]
    note = f"blocks of {threads_of(file)} threads, {of_a_launch(file)}; bars: means over the grids; instructions: counted by the engine"
    fig, axes = style.figure("Binary scan of a block: ballot and popc against 32-bit scans", note, 2, 2, gridspec_kw={"width_ratios": [1.5, 1]})
    fig.subplots_adjust(left=0.08, right=0.98, top=0.86, bottom=0.17, wspace=0.12, hspace=0.36)
    for ax in axes[:, 0]:
        ax.remove()
    left = fig.add_subplot(axes[0, 0].get_gridspec()[:, 0])
    over_grid(left, times, {"warp_scan32": ("32-bit scans in shared memory", style.BLUE, "o"),
                            "warp_scan32_shuffle": ("32-bit scans by shuffles", style.GREEN, "^"), "ballot_scan": ("ballot and popc", style.VERMILION, "s")})
    time, instructions = [(speed.device, speed.value, THEIRS)], [(less.device, less.value, THEIRS)]
    for slow, fast, name, colour in BALLOT_PAIRS:
        if slow in times and fast in times:
            time.append((f"{short(file.head['gpu'])}, {name}", faster(times, slow, fast), colour))
            instructions.append((f"engine, {name}", mean(100 * (1 - counted[fast][g] / counted[slow][g]) for g in grids), colour))
    bars_with_names(axes[0, 1], time, "x {:.2f}", "times as fast")
    bars_with_names(axes[1, 1], instructions, "{:.0f} %", "% fewer instructions of warps")
    sources(fig, file.source(), [speed])
    style.save(fig, out, "gpu_ballot_scan")


PATTERNS = {"neighbour": "neighbour", "reduce": "sum of a warp", "scan": "scan of a warp"}
VARIANTS = [("shared_safe", "shared, __syncthreads", style.BLUE, "//"), ("shared_warp", "shared, __syncwarp", style.SKY, "xx"),
            ("shared_unsafe", "shared, unsafe", style.ORANGE, ".."), ("shuffle", "shuffle", style.VERMILION, "")]


def shuffle(folder, out):
    file = recorded.Recorded(folder, "shuffle.csv", ("what", "variant", "us", "us_min", "us_max"))
    times = file.table([("what", str), ("variant", str)], file.time)
    lacking = [what for what in PATTERNS if "shuffle" not in times.get(what, {}) or len(times[what]) < 2]
    if lacking:
        raise results.Missing(f"{file.path} has no times of shuffle and shared memory for {', '.join(lacking)}")
    rounds = f"; {of_a_launch(file)}"
    if {"blocks", "threads"} <= file.head.keys():
        rounds += f", {file.head['blocks']} blocks of {file.head['threads']} threads"
    fig, ax = style.figure("Exchange within a warp: shuffle against shared memory", f"time over the shuffle's, pattern by pattern{rounds}")
    fig.subplots_adjust(left=0.08, right=0.97, top=0.84, bottom=0.24)
    most = bars_by_pattern(ax, times, file.wrong)
    ax.axhline(1, color=style.BLACK, linewidth=1.5, linestyle="--")
    ax.set_ylim(0, 1.32 * most)
    ax.set_ylabel("times the shuffle's (below: microseconds)")
    ax.grid(axis="x", visible=False)
    ax.legend(handles=[Patch(facecolor=c, hatch=h, edgecolor=style.BLACK, label=label) for _, label, c, h in VARIANTS],
              loc="upper left", ncol=4, frameon=False, fontsize=15, columnspacing=1.4)
    theirs = published("shuffle")
    statements = [(theirs["shared_safe / shuffle", ">"], "shared_safe", "always faster than with __syncthreads", lambda t, s: t > s),
                  (theirs["shared_unsafe / shuffle", ">="], "shared_unsafe", "never slower than unsafe", lambda t, s: t >= s)]
    for i, (row, variant, text, holds) in enumerate(statements):
        timed_too = [t for t in times.values() if variant in t]
        here = sum(holds(t[variant].us, t["shuffle"].us) for t in timed_too)
        fig.text(0.08, 0.145 - 0.045 * i, f"published ({row.device}): {text};  {short(file.head['gpu'])}: in {here} of {len(timed_too)}", fontsize=15)
    sources(fig, file.source(), [theirs["shared_safe / shuffle", ">"]])
    style.save(fig, out, "gpu_shuffle")


def bars_by_pattern(ax, times, wrong):
    """Every variant's time over the shuffle's; one that gave wrong answers has no time, and says so. Returns the greatest."""
    x, names, most = 0, [], 1
    for what, name in PATTERNS.items():
        first = x
        for variant, _, colour, hatch in VARIANTS:
            time = times[what].get(variant)
            if time:
                ratio = time.us / times[what]["shuffle"].us
                most = max(most, ratio)
                ax.bar(x, ratio, color=colour, hatch=hatch, edgecolor=style.BLACK, width=0.9)
                ax.text(x, ratio, f"x {ratio:.2f}\n{time.us:,.0f}", ha="center", va="bottom", fontsize=14)
            else:
                text = "wrong answers" if any(line.startswith(f"{what},{variant} ") for line in wrong) else "not timed"
                ax.text(x, 0.03, text, rotation=90, ha="center", va="bottom", fontsize=13)
            x += 1
        names.append(((first + x - 1) / 2, name))
        x += 0.7
    ax.set_xticks([at for at, _ in names])
    ax.set_xticklabels([name for _, name in names], fontsize=16)
    return most


STRATEGIES = [(CHAINED, "chained"), (REDUCE_THEN_SCAN, "reduce-then-scan"), (SCAN_THEN_PROPAGATE, "scan-then-propagate"), (MEMCPY, "memcpy")]


def bars_beside_published(ax, mine, theirs, gpu):
    """mine: {strategy: time over look-back's}; theirs: published("strategies")."""
    for i, (name, ours) in enumerate(mine.items()):
        was = theirs[f"{name} / look-back", "="]
        ax.barh(i - 0.2, was.value - 1, left=1, height=0.38, color=THEIRS, hatch="//", edgecolor=style.BLACK)
        ax.barh(i + 0.2, ours - 1, left=1, height=0.38, color=OURS, edgecolor=style.BLACK)
        ax.text(1.06 * max(1, was.value), i - 0.2, f"{was.value:g}", va="center", fontsize=14, bbox=WHITE, zorder=6)
        ax.text(1.06 * max(1, ours), i + 0.2, style.times(ours)[2:], va="center", fontsize=14, fontweight="bold", bbox=WHITE, zorder=6)
        expected = theirs.get((f"{name} / look-back", "bytes"))
        if expected:
            ax.vlines(expected.value, i - 0.45, i + 0.45, color=style.BLACK, linewidth=2.5, linestyle=":", zorder=5)
    ax.axvline(1, color=style.BLACK, linewidth=1.2)
    ax.set_yticks(range(len(mine)))
    ax.set_yticklabels([name.replace("-then-", "-\nthen-") for name in mine])
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set_xscale("log")
    every = [*mine.values()] + [row.value for row in theirs.values()]
    style.plain_log_ticks(ax.xaxis, (1, 2, 5) if max(every) < 20 * min(every) else (1,))
    ax.set_xlim(0.85 * min(every), 1.3 * max(every) ** 1.15)
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
    left.set_yscale("log")
    style.plain_log_ticks(left.yaxis)
    left.set_ylabel("GB/s")
    style.end_labels(left, [(x, y, text.replace("-then-", "-\nthen-"), c) for x, y, text, c in labels])
    bars_beside_published(right, {name: times[one][n].us / times[LOOKBACK][n].us for one, name in STRATEGIES}, theirs, short(ladder.file.head["gpu"]))
    sources(fig, ladder.source(), [theirs["chained / look-back", "="]])
    style.save(fig, out, "gpu_strategies")


def sources(fig, ours, theirs):
    style.source(fig, "published: " + "; ".join(sorted({row.source for row in theirs})) + "\nmeasured: " + ours)
