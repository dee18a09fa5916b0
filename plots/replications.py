"""replications: measurements that papers report, made again on a GPU and drawn beside what was published.

Ours come from barrier_count.csv, ballot_scan.csv, shuffle.csv and ladder.csv; theirs from plots/data/published.csv, each with its
source. Of a published curve only the numbers that its text or table states are there: no point is read off a picture.
"""
import os
import re
from collections import namedtuple

import recorded
import results
import style
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from recorded import CHAINED, LOOKBACK, MEMCPY, REDUCE_THEN_SCAN, SCAN_THEN_PROPAGATE
from timed import look

HERE = os.path.dirname(os.path.abspath(__file__))
Published = namedtuple("Published", "value device source")
OURS, THEIRS = style.LABS["08"][0], style.LIGHT     # ballots and counts at the barrier are lab 08's
TODAY = style.LABS["09"][0]     # ours too, by shuffles: what the old papers did not have
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
        ax.barh(i, value, height=0.44, color=colour, edgecolor=style.BLACK, hatch={THEIRS: "//", TODAY: "xx"}.get(colour, ""))
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
    gain = faster(times, "reduce32", "syncthreads_count")
    fig, (left, right) = two_panels(f"Counting at the barrier is {gain:.1f} times as fast as adding integers",
                                    f"blocks of {threads_of(file)} threads count true predicates, {of_a_launch(file)}; bars: means over the grids",
                                    [1.7, 1], wspace=0.12, right=0.98)
    over_grid(left, times, {"reduce32": ("32-bit reduction in shared memory", style.GREY, "o"),
                            "reduce32_shuffle": ("32-bit reduction by shuffles", TODAY, "^"),
                            "syncthreads_count": ("at the barrier: __syncthreads_count", OURS, "s")})
    bars = [(theirs.device, theirs.value, THEIRS), (gpu, gain, OURS)]
    if "reduce32_shuffle" in times:
        bars.append((f"{gpu}, against shuffles", faster(times, "reduce32_shuffle", "syncthreads_count"), TODAY))
    bars_with_names(right, bars, "x {:.2f}", "times as fast")
    sources(fig, file.foot(), [theirs])
    style.save(fig, out, "gpu_barrier_count",
               "The block meets at the barrier anyway, and the barrier can count.")


# The listings as printed have no barrier within a warp, which is a race on a GPU of today: what is drawn has __syncwarp.
BALLOT_PAIRS = [("warp_scan32", "ballot_scan", "", OURS), ("warp_scan32_shuffle", "ballot_scan", ", against shuffles", TODAY)]


def ballot_scan(folder, out):
    file = recorded.Recorded(folder, "ballot_scan.csv", ("what", "grid", "threads", "us", "us_min", "us_max", "warp_instructions"))
    times, grids = common_times(file, ("warp_scan32", "ballot_scan"), ["warp_scan32_shuffle"])
    counted = file.table([("what", str), ("grid", int)], lambda row: file.number(row, "warp_instructions", int))
    theirs = published("ballot_scan")
    speed, less = theirs["warp_scan32 / ballot_scan", "="], theirs["warp_instructions", "="]
    fig, axes = two_panels(f"Ballot and popc scan predicates {faster(times, 'warp_scan32', 'ballot_scan'):.1f} times as fast as 32-bit scans",
                           f"blocks of {threads_of(file)} threads, {of_a_launch(file)}; means over {len(grids)} grids; instructions: counted by the engine",
                           [1, 1], wspace=0.12)
    time, instructions = [(speed.device, speed.value, THEIRS)], [(less.device, less.value, THEIRS)]
    for slow, fast, name, colour in BALLOT_PAIRS:
        if slow in times and fast in times:
            time.append((short(file.head["gpu"]) + name, faster(times, slow, fast), colour))
            instructions.append(("engine" + name, mean(100 * (1 - counted[fast][g] / counted[slow][g]) for g in grids), colour))
    bars_with_names(axes[0], time, "x {:.2f}", "times as fast")
    bars_with_names(axes[1], instructions, "{:.0f} %", "fewer instructions of warps (%)")
    sources(fig, file.foot(), [speed])
    style.save(fig, out, "gpu_ballot_scan",
               "One vote and one count of bits take the place of five steps of a scan.")


PATTERNS = {"neighbour": "neighbour", "reduce": "sum of a warp", "scan": "scan of a warp"}
VARIANTS = [("shared_safe", "shared, __syncthreads", "#8A8A8A", "//"), ("shared_warp", "shared, __syncwarp", style.LIGHT, "xx"),
            ("shared_unsafe", "shared, no barrier", "#E4E4E4", ".."), ("shuffle", "shuffle", style.LABS["09"][0], "")]


def shuffle(folder, out):
    file = recorded.Recorded(folder, "shuffle.csv", ("what", "variant", "us", "us_min", "us_max"))
    times = file.table([("what", str), ("variant", str)], file.time)
    lacking = [what for what in PATTERNS if "shuffle" not in times.get(what, {}) or len(times[what]) < 2]
    if lacking:
        raise results.Missing(f"{file.path} has no times of shuffle and shared memory for {', '.join(lacking)}")
    rounds = f"; {of_a_launch(file)}"
    if {"blocks", "threads"} <= file.head.keys():
        rounds += f", {file.head['blocks']} blocks of {file.head['threads']} threads"
    ratios = [t[variant].us / t["shuffle"].us for t in times.values() for variant in t if variant != "shuffle"]
    fig, ax = style.figure(f"Exchange by shuffles is {min(ratios):.1f} to {max(ratios):.1f} times as fast as by shared memory",
                           f"within a warp; time over the shuffle's{rounds}")
    fig.subplots_adjust(left=0.08, right=0.97, top=0.86, bottom=0.32)
    most = bars_by_pattern(ax, times, file.wrong)
    ax.axhline(1, color=style.BLACK, linewidth=1.5, linestyle="--")
    ax.set_ylim(0, 1.32 * most)
    ax.set_ylabel("time / the shuffle's")
    ax.grid(axis="x", visible=False)
    ax.legend(handles=[Patch(facecolor=c, hatch=h, edgecolor=style.BLACK, label=label) for _, label, c, h in VARIANTS],
              loc="upper left", ncol=4, frameon=False, fontsize=15, columnspacing=1.4)
    theirs = published("shuffle")
    statements = [(theirs["shared_safe / shuffle", ">"], "shared_safe", "always faster than with __syncthreads", lambda t, s: t > s),
                  (theirs["shared_unsafe / shuffle", ">="], "shared_unsafe", "never slower than unsafe", lambda t, s: t >= s)]
    for i, (row, variant, text, holds) in enumerate(statements):
        timed_too = [t for t in times.values() if variant in t]
        here = sum(holds(t[variant].us, t["shuffle"].us) for t in timed_too)
        fig.text(0.08, 0.155 - 0.05 * i, f"published ({row.device}): {text};  {short(file.head['gpu'])}: in {here} of {len(timed_too)}", fontsize=15)
    sources(fig, file.foot(), [theirs["shared_safe / shuffle", ">"]])
    style.save(fig, out, "gpu_shuffle",
               "Lanes exchange registers: no shared memory, and no barrier.")


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
                ax.text(x, ratio + 0.02, f"{ratio:.2f}", ha="center", va="bottom", fontsize=16)
            else:
                text = "wrong answers" if any(line.startswith(f"{what},{variant},") for line in wrong) else "not timed"
                ax.text(x, 0.03, text, rotation=90, ha="center", va="bottom", fontsize=13)
            x += 1
        names.append(((first + x - 1) / 2, f"{name}\nshuffle: {times[what]['shuffle'].us:,.0f} us"))
        x += 0.7
    ax.set_xticks([at for at, _ in names])
    ax.set_xticklabels([name for _, name in names], fontsize=16)
    return most


STRATEGIES = [(REDUCE_THEN_SCAN, "reduce-then-scan"), (SCAN_THEN_PROPAGATE, "scan-then-propagate"), (CHAINED, "chained"), (MEMCPY, "memcpy")]
PANELS = [("strategies_saturated", "at the largest n"), ("strategies_over_n", "harmonic mean over all n")]


def harmonic_mean(values):
    values = list(values)
    return len(values) / sum(1 / value for value in values)


def published_by_device(figure):
    """{what: [(value, device)]}"""
    found = {}
    for row in results.rows(os.path.join(HERE, "data"), "published.csv"):
        if row["figure"] == figure:
            found.setdefault(row["what"], []).append((float(row["value"]), row["device"]))
    return found


def times_over_lookback(ladder):
    """[{strategy: time / look-back's}]: at the largest n that all have, and over all that all have; and that n."""
    every = [LOOKBACK, *(one for one, _ in STRATEGIES)]
    times = {one: ladder.times(one, "f32") for one in every}
    lacking = [one.label for one in every if not times[one]]
    if lacking:
        raise results.Missing(f"{ladder.file.path} has no float rows of {', '.join(lacking)}")
    shared = sorted(set.intersection(*(set(line) for line in times.values())))
    if not shared:
        raise results.Missing(f"{ladder.file.path} has no n at which all five were timed")
    ratios = {name: [times[one][n].us / times[LOOKBACK][n].us for n in shared] for one, name in STRATEGIES}
    return [{name: some[-1] for name, some in ratios.items()}, {name: harmonic_mean(some) for name, some in ratios.items()}], shared[-1]


def strategies(folder, out):
    """Marks, not bars: on a logarithmic axis a bar has no foot."""
    ladder = recorded.Ladder(folder)
    ours, n = times_over_lookback(ladder)
    theirs = published("strategies_over_n")
    fig, axes = style.figure(f"Look-back wins as published; a chain is {style.factor(ours[0]['chained'])} times slower today",
                             "time / look-back's, float. A hop from block to block has not become faster, a copy has: see gpu_hops", 1, 2, sharey=True)
    fig.subplots_adjust(left=0.225, right=0.975, top=0.74, bottom=0.2, wspace=0.06)
    for ax, (figure, text), mine in zip(axes, PANELS, ours):
        named = published_by_device(figure)
        for i, (name, value) in enumerate(mine.items()):
            was = named.get(f"{name} / look-back", [])
            for k, (number, _) in enumerate(was):
                ax.plot(number, i - 0.2, marker="d", markersize=14, color="white", markeredgecolor=style.BLACK, markeredgewidth=1.5, zorder=4)
            if was:
                low, high = min(was)[0], max(was)[0]
                ax.text(high * 1.3, i - 0.2, f"{low:.2f}" + (f" to {high:.2f}" if high > low else ""), va="center", fontsize=15, bbox=WHITE)
            one = STRATEGIES[i][0]
            colour, marker, _ = look(one)
            ax.plot(value, i + 0.2, marker=marker or "X", markersize=14, color=colour, zorder=5)
            ax.text(value * 1.3, i + 0.2, style.factor(value), va="center", fontsize=16, fontweight="bold", bbox=WHITE)
        ax.axvline(1, color=style.LABS["10"][0], linewidth=2.5, zorder=2)
        ax.set_xscale("log")
        ax.set_xlim(0.5, 900)
        style.plain_log_ticks(ax.xaxis, (1,))
        ax.set_yticks(range(len(mine)))
        ax.set_yticklabels([one.label for one, _ in STRATEGIES])
        ax.set_ylim(len(mine) - 0.5, -0.5)
        ax.grid(axis="y", visible=False)
        ax.set_xlabel("time / look-back's")
        ax.set_title(text + (f", $2^{{{n.bit_length() - 1}}}$" if ax is axes[0] else ""), fontsize=16, pad=10)
    devices = ", ".join(device for _, device in published_by_device(PANELS[0][0])["chained / look-back"])
    theirs_look, ours_look = {"marker": "d", "color": "white", "markeredgecolor": style.BLACK}, {"marker": "D", "color": style.BLACK}
    fig.legend(handles=[Line2D([], [], linestyle="", markersize=12, label=f"published, tuned libraries: {devices}", **theirs_look),
                        Line2D([], [], linestyle="", markersize=11, label=f"{short(ladder.file.head['gpu'])}, the labs", **ours_look)],
               loc="upper left", bbox_to_anchor=(0.012, 0.885), ncol=2, frameon=False, fontsize=15, columnspacing=1.6)
    sources(fig, ladder.foot(), [theirs["chained / look-back", "="]])
    style.save(fig, out, "gpu_strategies",
               "The strategies of the paper, measured again: which of them have aged?")


def sources(fig, ours, theirs):
    """Of more than two authors the first."""
    papers = "; ".join(sorted({re.sub(r"^(\w+)(?:, \w+)+ and \w+,", r"\1 et al.,", row.source) for row in theirs}))
    style.source(fig, f"published: {papers}\nmeasured: {ours}")
