"""same_bits: scans of floats, 50 times on the same data: whose bits change, and what a fixed order costs. From repeat.csv alone."""
import recorded
import results
import style
import timed

COLUMNS = ("what", "type", "n", "us", "us_min", "us_max", "GBps", "runs", "differ", "elements", "ulps")
COPY, OURS, ANY = "memcpyD2D", "11_speed_of_light_same_bits", "11_speed_of_light"
# label, colour, marker, dash
LOOKS = {
    "cub_inscan": ("CUB", style.BLACK, "X", "-"),
    "cub_newer_run_to_run": ("newer CUB, run_to_run", style.GREY, "P", "-"),
    "10_decoupled_lookback": ("lab 10", *style.LABS["10"], "-"),
    ANY: ("lab 11", *style.LABS["11"], "-"),
    OURS: ("same bits", *style.LABS["05"], "--"),
}


def table_of(folder, kind="f32"):
    """The file, and {what: {n: (us, share of runs that differ in %, most elements that do in %, ulps)}}."""
    file = recorded.Recorded(folder, "repeat.csv", COLUMNS)

    def values(row):
        runs = file.number(row, "runs", int, zero=True)
        return (file.number(row, "us"), 100 * file.number(row, "differ", int, zero=True) / max(runs, 1),
                100 * file.number(row, "elements", int, zero=True) / file.number(row, "n", int), file.number(row, "ulps", int, zero=True))

    found = file.table([("type", str), ("what", str), ("n", int)], values)
    if kind not in found or not {COPY, OURS, "cub_inscan"} <= found[kind].keys():
        raise results.Missing(f"{file.path} has no {kind} rows of a copy, CUB and lab 11's bonus")
    return file, found[kind]


def changing(table):
    """Of programs: those of which a run differed, and the others."""
    changed = {what for what, by_n in table.items() if any(differ > 0 for _, differ, _, _ in by_n.values())}
    return changed, table.keys() - changed - {COPY}


def same_bits(folder, out):
    file, table = table_of(folder)
    n = max(n for n in table[OURS] if all(n in by_n for by_n in table.values()))
    changed, _ = changing(table)
    if OURS in changed:
        raise recorded.Malformed(f"{file.path}: runs of {OURS} differ, which it promises never to")
    cost = 100 * (table[OURS][n][0] / table[COPY][n][0] - 1)
    fig, (left, right) = style.figure(f"Sums of floats: {len(changed)} programs round anew in each run; a fixed order takes {cost:.0f} % more than a copy",
                                      "50 runs on the same data, with full mantissas; times: medians with a cold L2 cache, at n = " + style.power(n), columns=2)
    fig.subplots_adjust(left=0.085, right=0.975, top=0.80, bottom=0.17, wspace=0.42)
    labels = []
    for what, (label, colour, marker, dash) in LOOKS.items():
        if what not in table:
            continue
        line = {at: elements for at, (_, _, elements, _) in table[what].items()}
        xs = sorted(line)
        left.plot(xs, [line[x] for x in xs], color=colour, marker=marker, linestyle=dash, zorder=4 if what == OURS else 3)
        if what in changed:
            labels.append((xs[-1], line[xs[-1]], label, colour))
    same = [LOOKS[what][0] for what in LOOKS if what in table and what not in changed]
    labels.append((n, 0, "\n".join(same), LOOKS[OURS][1]))
    timed.ticks_of_n(left, table[OURS], 4)
    left.set_ylim(-3, 103)
    left.set_ylabel("% of elements that differ, at most")
    style.end_labels(left, labels)
    rows = [what for what in LOOKS if what in table]
    for i, what in enumerate(rows):
        label, colour, _, _ = LOOKS[what]
        share = 100 * table[COPY][n][0] / table[what][n][0]
        right.barh(i, share, color=colour, edgecolor=style.BLACK, hatch="//" if what in changed else "")
        right.text(share - 2, i, f"{share:.0f}", ha="right", va="center", fontsize=16, fontweight="bold", color="white")
    right.axvline(100, color=style.BLACK, linestyle="--", zorder=4)
    right.set_yticks(range(len(rows)))
    right.set_yticklabels([LOOKS[what][0].replace(", ", ",\n") for what in rows])
    right.set_ylim(len(rows) - 0.4, -0.6)
    right.grid(axis="y", visible=False)
    right.set_xlim(0, 105)
    right.set_xlabel("% of a copy's speed; hatched: bits change")
    style.source(fig, file.foot())
    style.save(fig, out, "gpu_same_bits")
