"""applications: what two papers report of larger jobs, made again on a GPU and drawn beside what was published.

Ours come from ballot_inside.csv, spmv.csv and tridiagonal.csv; theirs from plots/data/published.csv (replications.py reads it).
"""
import recorded
import results
import style
from matplotlib.patches import Patch
from replications import OURS, THEIRS, TODAY, WHITE, bars_with_names, mean, published, short, sources, two_panels

JOBS = [("binary_scan", "binary scan"), ("compaction", "compaction"), ("radix_sort", "radix sort,\na bit a pass"),
        ("block_radix_sort", "radix sort\nwithin blocks")]
PAIRS = [("warp_scan32", OURS, ""), ("warp_scan32_shuffle", TODAY, "xx")]     # what ballots are compared with
SPMV, TRIDIAGONAL = style.LABS["17"][0], style.LABS["18"][0]


def inside(file):
    """{(job, other): (% that ballots are faster, mean over n; % fewer instructions, at the largest n)}, and how many n."""
    keys = [("what", str), ("n", int), ("variant", str)]
    times, counted = file.table(keys, file.time), file.table(keys, lambda row: file.number(row, "warp_instructions", int))
    found, sizes = {}, set()
    for job, _ in JOBS:
        for other, _, _ in PAIRS:
            both = [n for n, of in times.get(job, {}).items() if {"ballot_scan", other} <= of.keys()]
            if not both:
                raise results.Missing(f"{file.path} has no n at which {job} was timed by ballot_scan and {other}")
            sizes.update(both)
            of = counted[job][max(both)]
            found[job, other] = (100 * (mean(times[job][n][other].us / times[job][n]["ballot_scan"].us for n in both) - 1),
                                 100 * (1 - of["ballot_scan"] / of[other]))
    return found, len(sizes)


def grouped(ax, groups, what):
    """groups: [(name, [(value, colour, text)])]: bars to the right, side by side in a group, each with its text behind."""
    values = [value for _, bars in groups for value, _, _ in bars]
    most, least = max(values), min(0, *values)
    at, places = 0, []
    for name, bars in groups:
        for i, (value, colour, text) in enumerate(bars):
            ax.barh(at + i, value, height=0.86, color=colour, edgecolor=style.BLACK, hatch={THEIRS: "//", TODAY: "xx"}.get(colour, ""))
            ax.text(max(value, 0) + 0.02 * (most - least), at + i, text, va="center", fontsize=14, fontweight="bold", bbox=WHITE)
        places.append((at + (len(bars) - 1) / 2, name))
        at += len(bars) + 0.7
    ax.set_yticks([place for place, _ in places])
    ax.set_yticklabels([name for _, name in places], fontsize=15)
    ax.set_ylim(at - 1, -0.8)
    ax.set_xlim(1.1 * least, most + 0.25 * (most - least))
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(what)


def ballot_inside(folder, out):
    file = recorded.Recorded(folder, "ballot_inside.csv", ("what", "variant", "n", "us", "us_min", "us_max", "warp_instructions"))
    found, sizes = inside(file)
    theirs = {job: (relation, row) for (job, relation), row in published("ballot_inside").items()}
    over_memory = [found[job, "warp_scan32"][0] for job, _ in JOBS[:3]]
    fig, (left, right) = two_panels(f"Ballots make jobs in memory {min(over_memory):.0f} to {max(over_memory):.0f} % faster, "
                                    f"a block's sort {found['block_radix_sort', 'warp_scan32'][0]:.0f} %",
                                    f"against 32-bit scans, all else alike; time: means over {sizes} n; instructions: of the engine",
                                    [1.25, 1], wspace=0.07, left=0.125, top=0.78, right=0.98)
    grouped(left, [(name, [(row.value, THEIRS, f"{'up to ' if relation == '<=' else ''}{row.value:g} %")] +
                    [(found[job, other][0], colour, f"{found[job, other][0]:.1f} %") for other, colour, _ in PAIRS])
                   for job, name in JOBS for relation, row in [theirs[job]]], "faster (%)")
    grouped(right, [("", [(found[job, other][1], colour, f"{found[job, other][1]:.0f} %") for other, colour, _ in PAIRS]) for job, _ in JOBS],
            "fewer instructions of warps (%)")
    device = next(row.device for _, row in theirs.values())
    fig.legend(handles=[Patch(facecolor=THEIRS, hatch="//", edgecolor=style.BLACK, label=f"published: {device}")] +
               [Patch(facecolor=colour, hatch=hatch, edgecolor=style.BLACK, label=text)
                for (_, colour, hatch), text in zip(PAIRS, (f"{short(file.head['gpu'])}, against shared memory", "against shuffles"))],
               loc="upper left", bbox_to_anchor=(0.012, 0.888), ncol=3, frameon=False, fontsize=14, columnspacing=1.4)
    sources(fig, file.source(), [row for _, row in theirs.values()])
    style.save(fig, out, "gpu_ballot_inside")


PARTS = [("products", "products"), ("segmented_scan", "segmented scan, 3 launches"), ("gather", "gather of the rows' sums")]


def of_spmv(file):
    """MFLOPS of the whole, and {part: % of the sum of all parts}"""
    times = file.table([("what", str)], file.time)
    lacking = [what for what in ("whole", *(part for part, _ in PARTS)) if what not in times]
    if lacking or not file.head.get("nonzeros"):
        raise results.Missing(f"{file.path} has no {', '.join(lacking) or 'number of nonzeros in its head'}")
    together = sum(times[part].us for part, _ in PARTS)
    return 2 * int(file.head["nonzeros"]) / times["whole"].us, {part: 100 * times[part].us / together for part, _ in PARTS}, times


def spmv(folder, out):
    """Marks, not bars, on the left: on a logarithmic axis a bar has no foot."""
    file = recorded.Recorded(folder, "spmv.csv", ("what", "us", "us_min", "us_max", "warp_instructions"))
    rate, shares, times = of_spmv(file)
    theirs = published("spmv")
    gpu, cpu = theirs["MFLOPS", "="], theirs["MFLOPS of a CPU", "="]
    fig, (left, right) = two_panels(f"{rate / gpu.value:.0f} times as fast as in 2007; the segmented scan takes {shares['segmented_scan']:.0f} %",
                                    f"matrix of {file.head['rows']} rows with {int(file.head['nonzeros']):,} nonzeros, times a vector; published: most time in the scan",
                                    [1, 1], wspace=0.1, left=0.04)
    marks = [(gpu.device, gpu.value, "white", "d"), (cpu.device, cpu.value, THEIRS, "d"), (short(file.head["gpu"]), rate, SPMV, style.LABS["17"][1])]
    for i, (name, value, colour, marker) in enumerate(marks):
        left.plot(value, i, marker=marker, markersize=15, color=colour, markeredgecolor=style.BLACK, zorder=4)
        left.text(value, i - 0.17, f"{name}: {value:,.0f}", ha="center", va="bottom", fontsize=15, fontweight="bold", bbox=WHITE)
    left.set_xscale("log")
    left.set_xlim(40, 8 * max(value for _, value, _, _ in marks))
    left.set_ylim(len(marks) - 0.6, -0.7)
    left.set_yticks([])
    style.plain_log_ticks(left.xaxis, (1,))
    left.grid(axis="y", visible=False)
    left.set_xlabel("MFLOPS, 2 a nonzero")
    bars_with_names(right, [(f"{name}: {times[part].us:.1f} us", shares[part], SPMV) for part, name in PARTS], "{:.0f} %", "of the launches, timed one by one (%)")
    sources(fig, file.source(), [gpu])
    style.save(fig, out, "gpu_spmv")


WHERE = [("global", "rows in global memory"), ("shared", "rows in shared memory"), ("shared_padded", "the same, a word free after every 32")]


def tridiagonal(folder, out):
    file = recorded.Recorded(folder, "tridiagonal.csv", ("what", "us", "us_min", "us_max", "warp_instructions"))
    times = file.table([("what", str)], file.time)
    lacking = [what for what, _ in WHERE if what not in times]
    if lacking:
        raise results.Missing(f"{file.path} has no times of {', '.join(lacking)}")
    theirs = published("tridiagonal")["global / shared", "="]
    plain, padded = (times["global"].us / times[what].us for what in ("shared", "shared_padded"))
    gpu = short(file.head["gpu"])
    fig, (left, right) = two_panels(f"By shared memory {style.factor(plain)} times as fast today, {theirs.value:g} times in 2007",
                                    f"cyclic reduction of {file.head['systems']} systems of {file.head['rows']} rows; the same code but for where the rows are",
                                    [1, 1], wspace=0.12, left=0.04)
    bars_with_names(left, [(name, times[what].us, TRIDIAGONAL) for what, name in WHERE], "{:.1f} us", "microseconds")
    bars_with_names(right, [(theirs.device, theirs.value, THEIRS), (gpu, plain, TRIDIAGONAL), (f"{gpu}, padded", padded, TRIDIAGONAL)],
                    "x {:.2f}", "times as fast as in global memory")
    sources(fig, file.source(), [theirs])
    style.save(fig, out, "gpu_tridiagonal")
