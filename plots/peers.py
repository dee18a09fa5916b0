"""peers: labs 10 and 11 beside CUB's scan and a copy, by n and type. From ladder.csv alone."""
import recorded
import results
import style
from recorded import COPY_SHARES, CUB, CUB_GOALS, LOOKBACK, MEMCPY, SPEED
from timed import look, ticks_of_n

TYPE_LOOKS = {"i32": ("o", "-"), "f32": ("s", "--"), "i64": ("^", ":")}
GOAL = {"color": style.BLACK, "linewidth": 1.5, "linestyle": (0, (6, 4)), "zorder": 2}


def range_of(lines):
    """"1.14 to 1.75": the least and the most of the medians."""
    middles = [mid for line in lines for mid, _, _ in line.values()]
    return f"{min(middles):.2f} to {max(middles):.2f}" if middles else "unknown"


def against_cub(folder, out):
    ladder = recorded.Ladder(folder)
    found = {(one, kind): ladder.ratios(one, CUB, kind) for one in CUB_GOALS for kind in recorded.TYPES}
    if not any(found.values()):
        raise results.Missing(f"{ladder.file.path} has no n at which CUB's scan and lab 10 or 11 were timed")
    ranges = {one: range_of(found[one, kind] for kind in recorded.TYPES) for one in CUB_GOALS}
    fig, axes = style.figure(f"CUB's scan takes {ranges[SPEED]} times as long as lab 11's",
                             "time of CUB's inclusive scan / the lab's, medians; thin bars: the lab's fastest and slowest run", 1, 2, sharey=True)
    fig.subplots_adjust(left=0.08, right=0.885, top=0.8, bottom=0.17, wspace=0.32)
    middles = [mid for line in found.values() for mid, _, _ in line.values()]
    axes[0].set_ylim(0.9 * min(1, *middles), 1.06 * max(*middles, *CUB_GOALS.values()))
    for ax, (one, goal) in zip(axes, CUB_GOALS.items()):
        labels = []
        colour = look(one)[0]
        for kind, (marker, dash) in TYPE_LOOKS.items():
            line = found[one, kind]
            if line:
                ax.plot(list(line), [mid for mid, _, _ in line.values()], color=colour, marker=marker, linestyle=dash, markersize=8, zorder=4)
                _, fastest, slowest = zip(*line.values())
                ax.vlines(list(line), slowest, fastest, color=colour, linewidth=1, alpha=0.5, zorder=3)
                labels.append((max(line), line[max(line)][0], recorded.TYPES[kind], colour))
        ax.axhline(1, color=style.BLACK, linewidth=1.5, zorder=2)
        if goal != 1:
            ax.axhline(goal, **GOAL)
        ticks_of_n(ax, {n for line in found.values() for n in line}, 4)
        at, side = (0.02, "left") if goal > 1 else (0.98, "right")     # where no line is
        ax.text(at, goal - 0.008, f"this kit's goal: {goal:g}", transform=ax.get_yaxis_transform(), va="top", ha=side, fontsize=15, zorder=5)
        ax.set_title(f"{one.label}: {ranges[one]}", fontsize=17, loc="left")
        style.end_labels(ax, labels)
    axes[0].set_ylabel("CUB's time / the lab's")
    style.source(fig, ladder.foot())
    style.save(fig, out, "gpu_against_cub",
               "Above the line of 1, the lab is faster than CUB.")


def share_of_memcpy(folder, out):
    ladder = recorded.Ladder(folder)
    series = [CUB, LOOKBACK, SPEED]
    found = {(one, kind): ladder.ratios(one, MEMCPY, kind) for one in series for kind in recorded.TYPES}
    kinds = [kind for kind in recorded.TYPES if any(found[one, kind] for one in series)]
    if not kinds:
        raise results.Missing(f"{ladder.file.path} has no n at which memcpy and a scan were timed")
    first = COPY_SHARES[-1][0]
    large = [100 * ratio[0] for kind in kinds for n, ratio in found[SPEED, kind].items() if n >= first]
    title = f"At large n lab 11 scans at {min(large):.0f} to {max(large):.0f} % of a copy's speed" if large else "Scans against a copy"
    goals = ", ".join(f"{share} % from {style.power(low)}" for low, _, share in COPY_SHARES)
    fig, axes = style.figure(title, f"time of memcpy / time of the scan, medians; dashed: this kit's goals for lab 11, {goals}", 1, len(kinds),
                             sharey=True, squeeze=False)
    fig.subplots_adjust(left=0.08, right=0.81, top=0.8, bottom=0.17, wspace=0.08)
    for ax, kind in zip(axes[0], kinds):
        labels = []
        for one in series:
            line = found[one, kind]
            if line:
                colour, marker, _ = look(one)
                ax.plot(list(line), [100 * mid for mid, _, _ in line.values()], color=colour, marker=marker, markersize=7, zorder=4)
                labels.append((max(line), 100 * line[max(line)][0], one.label.replace(" of ", " of\n"), colour))
        for low, high, share in COPY_SHARES:
            ax.plot([low, high], [share, share], color=style.BLACK, linewidth=2, linestyle=(0, (4, 2)), zorder=6)
        ax.axhline(100, color=style.BLACK, linewidth=1.5, zorder=2)
        ax.set_title(recorded.TYPES[kind], fontsize=16, loc="center")
        ticks_of_n(ax, {n for line in found.values() for n in line}, 5)
    axes[0][0].set_ylim(0, 1.1 * max(100, *(100 * mid for line in found.values() for mid, _, _ in line.values())))
    axes[0][0].set_ylabel("% of memcpy's throughput")
    style.end_labels(axes[0][-1], labels)
    style.source(fig, ladder.foot())
    style.save(fig, out, "gpu_share_of_memcpy",
               "How much of a copy's speed is left when one scans on the way?")
