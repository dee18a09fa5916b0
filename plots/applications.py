"""applications: what papers report of larger jobs, made again on a GPU and drawn beside what was published.

Ours come from ballot_inside.csv, spmv.csv, tridiagonal.csv, water.csv, passes.csv, structures.csv and transpose.csv;
theirs from plots/data/published.csv (replications.py reads it).
"""
import recorded
import results
import style
from matplotlib.patches import Patch
from replications import OURS, THEIRS, WHITE, bars_with_names, mean, of_a_launch, published, short, sources, two_panels

JOBS = [("binary_scan", "binary scan"), ("compaction", "compaction"), ("radix_sort", "radix sort,\na bit a pass"),
        ("block_radix_sort", "radix sort\nwithin blocks")]
OTHERS = ("warp_scan32", "warp_scan32_shuffle")     # what ballots are compared with
SPMV, TRIDIAGONAL = style.LABS["20"][0], style.LABS["21"][0]


def inside(file):
    """{(job, other): (% that ballots are faster, mean over n; % fewer instructions, at the largest n)}, and how many n."""
    keys = [("what", str), ("n", int), ("variant", str)]
    times, counted = file.table(keys, file.time), file.table(keys, lambda row: file.number(row, "warp_instructions", int))
    found, sizes = {}, set()
    for job, _ in JOBS:
        for other in OTHERS:
            both = [n for n, of in times.get(job, {}).items() if {"ballot_scan", other} <= of.keys()]
            if not both:
                raise results.Missing(f"{file.path} has no n at which {job} was timed by ballot_scan and {other}")
            sizes.update(both)
            of = counted[job][max(both)]
            found[job, other] = (100 * (mean(times[job][n][other].us / times[job][n]["ballot_scan"].us for n in both) - 1),
                                 100 * (1 - of["ballot_scan"] / of[other]))
    return found, len(sizes)


def grouped(ax, groups, what):
    """groups: [(name, [(value, colour, text, or hatch too)])]: bars to the right, side by side in a group, each with its text behind."""
    values = [bar[0] for _, bars in groups for bar in bars]
    most, least = max(values), min(0, *values)
    at, places = 0, []
    for name, bars in groups:
        for i, (value, colour, text, *hatch) in enumerate(bars):
            ax.barh(at + i, value, height=0.86, color=colour, edgecolor=style.BLACK, hatch=hatch[0] if hatch else "//" if colour == THEIRS else "")
            ax.text(max(value, 0) + 0.02 * (most - least), at + i, text, va="center", fontsize=14, fontweight="bold", bbox=WHITE)
        places.append((at + (len(bars) - 1) / 2, name))
        at += len(bars) + 0.7
    ax.set_yticks([place for place, _ in places])
    ax.set_yticklabels([name for _, name in places], fontsize=15)
    ax.set_ylim(at - 1, -0.8)
    ax.set_xlim(1.1 * least, most + 0.25 * (most - least))
    ax.grid(axis="y", visible=False)
    ax.set_xlabel(what)


def span(values, form="{:.0f}"):
    """"4 to 6", or "4" where both ends are alike."""
    return " to ".join(dict.fromkeys(form.format(end) for end in (min(values), max(values))))


def ballot_inside(folder, out):
    file = recorded.Recorded(folder, "ballot_inside.csv", ("what", "variant", "n", "us", "us_min", "us_max", "warp_instructions"))
    found, sizes = inside(file)
    theirs = {job: (relation, row) for (job, relation), row in published("ballot_inside").items()}
    in_memory, in_block = ({other: [found[job, other][0] for job, _ in jobs] for other in OTHERS} for jobs in (JOBS[:3], JOBS[3:]))
    fig, ax = style.figure(f"Ballots make jobs in memory {span(in_memory['warp_scan32'])} % faster, a block's sort {span(in_block['warp_scan32'])} %",
                           f"against 32-bit scans in shared memory, means over {sizes} n; "
                           f"against shuffles {span(in_memory['warp_scan32_shuffle'])} %, and {span(in_block['warp_scan32_shuffle'])} %")
    fig.subplots_adjust(left=0.17, right=0.97, top=0.78)
    grouped(ax, [(name, [(row.value, THEIRS, f"{'up to ' if relation == '<=' else ''}{row.value:g} %"),
                         (found[job, "warp_scan32"][0], OURS, f"{found[job, 'warp_scan32'][0]:.1f} %")])
                 for job, name in JOBS for relation, row in [theirs[job]]], "faster (%)")
    device = next(row.device for _, row in theirs.values())
    fig.legend(handles=[Patch(facecolor=THEIRS, hatch="//", edgecolor=style.BLACK, label=f"published: {device}"),
                        Patch(facecolor=OURS, edgecolor=style.BLACK, label=short(file.head["gpu"]))],
               loc="upper left", bbox_to_anchor=(0.012, 0.888), ncol=2, frameon=False, fontsize=16, columnspacing=1.4)
    sources(fig, file.foot(), [row for _, row in theirs.values()])
    style.save(fig, out, "gpu_ballot_inside",
               "Where memory sets the pace a faster scan gains little; within a block it gains more.")


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
    marks = [(gpu.device, gpu.value, "white", "d"), (cpu.device, cpu.value, THEIRS, "d"), (short(file.head["gpu"]), rate, SPMV, style.LABS["20"][1])]
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
    sources(fig, file.foot(), [gpu])
    style.save(fig, out, "gpu_spmv",
               "Rows are segments: the same scan takes them, whatever their lengths.")


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
    sources(fig, file.foot(), [theirs])
    style.save(fig, out, "gpu_tridiagonal",
               "What shared memory was needed for then, caches do nearly as well today.")


SMALL, LARGE = 256, 4096
KERNELS = [("columns_8", "8 columns a block, whole sectors"), ("columns_4", "4 columns a block, half sectors")]


def of_water(file):
    """{side: steps a second, by the fastest}, and {what: times as long as a copy of as many bytes}, at side 4096."""
    times = file.table([("side", int), ("what", str)], file.time)
    large = times.get(LARGE, {})
    ours = [what for what, _ in KERNELS if what in large]
    if "lab_18" not in times.get(SMALL, {}) or "copy" not in large or not ours:
        raise results.Missing(f"{file.path} has no step at {SMALL}, or no step or no copy at {LARGE}")
    rates = {SMALL: 1e6 / times[SMALL]["lab_18"].us, LARGE: 1e6 / min(large[what].us for what in ours)}
    return rates, {what: large[what].us / large["copy"].us for what in ours}, large


def water_steps(folder, out):
    """Marks on the left, as in spmv. The source's own number is not the solver's alone, which the note says."""
    file = recorded.Recorded(folder, "water.csv", ("what", "side", "us", "us_min", "us_max"))
    rates, longer, large = of_water(file)
    theirs = published("water_steps")["steps a second", "="]
    gpu = short(file.head["gpu"])
    fig, (left, right) = two_panels(f"Shallow water: {rates[SMALL]:,.0f} steps a second today, {theirs.value:g} in 2007",
                                    f"theirs: mostly mapping vertex buffers to draw; ours draws nothing; {LARGE} x {LARGE}: {100 / min(longer.values()):.0f} % of a copy's speed",
                                    [1, 1], wspace=0.1, left=0.04)
    marks = [(f"{theirs.device}, {SMALL} x {SMALL}", theirs.value, "white", "d"), (f"{gpu}, {SMALL} x {SMALL}", rates[SMALL], TRIDIAGONAL, style.LABS["21"][1]),
             (f"{gpu}, {LARGE} x {LARGE}", rates[LARGE], TRIDIAGONAL, "s")]
    for i, (name, value, colour, marker) in enumerate(marks):
        left.plot(value, i, marker=marker, markersize=15, color=colour, markeredgecolor=style.BLACK, zorder=4)
        left.text(value, i - 0.17, f"{name}: {value:,.0f}", ha="center", va="bottom", fontsize=15, fontweight="bold", bbox=WHITE)
    left.set_xscale("log")
    left.set_xlim(min(value for _, value, _, _ in marks) / 10, 12 * max(value for _, value, _, _ in marks))
    left.set_ylim(len(marks) - 0.6, -0.7)
    left.set_yticks([])
    style.plain_log_ticks(left.xaxis, (1,))
    left.grid(axis="y", visible=False)
    left.set_xlabel("steps a second")
    bars = [("a copy of as many bytes", large["copy"].us, "white")] + [(name, large[what].us, TRIDIAGONAL) for what, name in KERNELS if what in longer]
    bars_with_names(right, bars, "{:.0f} us", f"microseconds, {LARGE} x {LARGE}")
    sources(fig, file.foot(), [theirs])
    style.save(fig, out, "gpu_water_steps",
               "The simulation of the paper, on the GPU of then and on this one.")


COMPACTIONS = [("select_if", "select"), ("reduce_by_key", "sums by key"), ("partition_if", "partition"), ("run_length_encode", "run lengths")]
SINGLE, MULTI = style.LABS["14"][0], [("scan_then_propagate", style.LABS["06"][0], ""), ("reduce_then_scan", style.LABS["06"][0], "xx")]


def of_passes(file):
    """{job: {variant: Time}} at the largest n that all have, and that n."""
    times = file.table([("n", int), ("what", str), ("variant", str)], file.time)
    wanted = {"single_pass", *(other for other, _, _ in MULTI)}
    whole = [n for n, jobs in times.items() if all(wanted <= jobs.get(job, {}).keys() for job, _ in COMPACTIONS)]
    if not whole:
        raise results.Missing(f"{file.path} has no n at which {', '.join(job for job, _ in COMPACTIONS)} were timed in one pass and in several")
    return times[max(whole)], max(whole)


def passes(folder, out):
    file = recorded.Recorded(folder, "passes.csv", ("what", "variant", "n", "us", "us_min", "us_max", "warp_instructions"))
    times, n = of_passes(file)
    theirs = published("passes")
    gains = {(job, other): times[job][other].us / times[job]["single_pass"].us for job, _ in COMPACTIONS for other, _, _ in MULTI}
    low, high = min(gains.values()), max(gains.values())
    fig, (left, right) = two_panels(f"Compaction in one pass is {low:.1f} to {high:.1f} times as fast as in several",
                                    f"{short(file.head['gpu'])}, n = {style.power(n)}, 50 % kept, runs of 500 on average; several: flags, their scan, scatter",
                                    [1.1, 1], wspace=0.07, left=0.125, top=0.78, right=0.98)
    grouped(left, [(name, [(theirs[job, "="].value, THEIRS, f"x {theirs[job, '='].value:g}")] +
                    [(gains[job, other], colour, f"x {style.factor(gains[job, other])}", hatch) for other, colour, hatch in MULTI])
                   for job, name in COMPACTIONS], "times as fast as several passes")
    grouped(right, [("", [(times[job][one].us, colour, f"{times[job][one].us:.0f} us", hatch) for one, colour, hatch in [("single_pass", SINGLE, ""), *MULTI]])
                    for job, _ in COMPACTIONS], "microseconds")
    row = theirs["select_if", "="]
    fig.legend(handles=[Patch(facecolor=THEIRS, hatch="//", edgecolor=style.BLACK, label="published: CUB over Thrust"),
                        Patch(facecolor=SINGLE, edgecolor=style.BLACK, label="one pass: labs 14, 15")] +
               [Patch(facecolor=colour, hatch=hatch, edgecolor=style.BLACK, label=other.replace("_", "-")) for other, colour, hatch in MULTI],
               loc="upper left", bbox_to_anchor=(0.012, 0.888), ncol=4, frameon=False, fontsize=14, columnspacing=1.4)
    sources(fig, file.foot(), [row])
    style.save(fig, out, "gpu_passes",
               "Each pass that is saved is a journey of all data to memory and back.")


def of_structures(file):
    """{what: {words: Time}} at the sizes that all have."""
    times = file.table([("what", str), ("words", int)], file.time)
    whole = set.intersection(*(set(times.get(what, {})) for what in ("shuffle", "shared", "direct")))
    if not whole:
        raise results.Missing(f"{file.path} has no structures that were fetched by shuffles, by shared memory and directly")
    return {what: {words: of[words] for words in sorted(whole)} for what, of in times.items() if whole <= of.keys()}


ACCESS = [("shared", "through shared memory", style.DASHES[1], "o"), ("shuffle", "by shuffles", style.DASHES[0], style.LABS["13"][1])]
ON_CHIP = [("shared_safe", "shared, __syncthreads", "#8A8A8A"), ("shared_warp", "shared, __syncwarp", style.LIGHT)]


def structures(folder, out):
    file = recorded.Recorded(folder, "structures.csv", ("what", "words", "n", "us", "us_min", "us_max", "warp_instructions"))
    chip = recorded.Recorded(folder, "transpose.csv", ("what", "words", "n", "us", "us_min", "us_max"))
    times, transposes = of_structures(file), chip.table([("words", int), ("what", str)], chip.time)
    lacking = [words for words, of in transposes.items() if not {"shuffle", *(what for what, _, _ in ON_CHIP)} <= of.keys()]
    if lacking or not transposes:
        raise results.Missing(f"{chip.path} has no times of shuffles and shared memory for {', '.join(map(str, lacking)) or 'any structure'}")
    theirs = published("structures")["direct / shuffle", "<="]
    gains = {what: {words: times["direct"][words].us / t.us for words, t in times[what].items()} for what, _, _, _ in ACCESS}
    fig, (left, right) = two_panels(f"Structures by shuffles: up to {max(gains['shuffle'].values()):.1f} times as fast as direct access",
                                    f"{short(file.head['gpu'])}; each becomes its running sums; right: the transpose alone, {of_a_launch(chip)}",
                                    [1.35, 1], wspace=0.12, right=0.98)
    for what, label, dash, marker in ACCESS:
        left.plot(list(gains[what]), list(gains[what].values()), color=style.LABS["13"][0], linestyle=dash, marker=marker, label=label)
    left.axhline(theirs.value, color=style.BLACK, linestyle=style.DASHES[2], label=f"published: up to {theirs.value:g}, {theirs.device}")
    left.set_xscale("log", base=2)
    left.set_xticks(list(times["direct"]))
    left.set_xticklabels([str(words) for words in times["direct"]])
    left.minorticks_off()
    left.set_ylim(0, 1.45 * max(theirs.value, *(gain for of in gains.values() for gain in of.values())))
    left.set_xlabel("words of a structure")
    left.set_ylabel("times as fast as direct access")
    left.legend(loc="upper left", frameon=False, fontsize=15)
    bars = [(f"{words} words, {label}", of[what].us / of["shuffle"].us, colour) for words, of in sorted(transposes.items()) for what, label, colour in ON_CHIP]
    bars_with_names(right, bars, "x {:.2f}", "time / the shuffle's")
    sources(fig, file.foot() + ", transpose.csv", [theirs])
    style.save(fig, out, "gpu_structures",
               "The warp reads neighbouring words, and its lanes sort out among themselves whose they are.")
