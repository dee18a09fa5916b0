"""same_bits: scans of floats, 50 times on the same data: whose bits change, and what a fixed order costs. From repeat.csv alone."""
from collections import namedtuple

import recorded
import results

COLUMNS = ("what", "type", "n", "us", "us_min", "us_max", "GBps", "runs", "differ", "elements", "ulps")
COPY, OURS, ANY = "memcpyD2D", "11_speed_of_light_same_bits", "11_speed_of_light"
CUB, NEWER, RUN_TO_RUN = "cub_inscan", "cub_newer_inscan", "cub_newer_run_to_run"
# us: the median; runs: how many differ from the first, of `of`; elements: the largest share of them that does
Cell = namedtuple("Cell", "us runs of elements")
def release(version):
    """CUB_VERSION as a person writes it: 300305 is 3.3.5."""
    number = int(version or 0)
    return f"{number // 100000}.{number // 100 % 1000}.{number % 100}"


def table_of(folder, kind="f32"):
    """The file, and {what: {n: Cell}}."""
    file = recorded.Recorded(folder, "repeat.csv", COLUMNS)

    def cell(row):
        runs, of, elements = (file.number(row, column, int, zero=True) for column in ("differ", "runs", "elements"))
        return Cell(file.time(row).us, runs, of, elements / file.number(row, "n", int))

    found = file.table([("type", str), ("what", str), ("n", int)], cell)
    if kind not in found or not {COPY, OURS, CUB} <= found[kind].keys():
        raise results.Missing(f"{file.path} has no {kind} rows of a copy, CUB and lab 11's bonus")
    return file, found[kind]


def changing(table):
    """Of programs: those of which a run differed, and the others."""
    changed = {what for what, by_n in table.items() if any(cell.runs > 0 for cell in by_n.values())}
    return changed, table.keys() - changed - {COPY}


def same_bits(folder, out):
    import style
    import timed

    looks = {CUB: ("CUB", style.LIGHT, "X", "-"), RUN_TO_RUN: ("newer CUB, run_to_run", style.GREY, "P", "-"),
             "10_decoupled_lookback": ("lab 10", *style.LABS["10"], "-"), ANY: ("lab 11", *style.LABS["11"], "-"),
             OURS: ("same bits", *style.LABS["05"], "--")}
    file, table = table_of(folder)
    looks = {what: look for what, look in looks.items() if what in table}
    n = max(n for n in table[OURS] if all(n in table[what] for what in looks))
    changed, _ = changing(table)
    if OURS in changed:
        raise recorded.Malformed(f"{file.path}: runs of {OURS} differ, which it promises never to")
    share = {what: 100 * table[COPY][n].us / table[what][n].us for what in looks}
    fig, (left, right) = style.figure(f"Float sums with the same bits in every run, at {share[OURS]:.0f} % of a copy's speed",
                                      f"50 runs on the same floats; hatched: bits change; times: medians with a cold L2 cache, {style.power(n)} floats", columns=2)
    fig.subplots_adjust(left=0.085, right=0.975, top=0.80, bottom=0.17, wspace=0.75)
    labels = []
    for what, (label, colour, marker, dash) in looks.items():
        line = {at: 100 * cell.elements for at, cell in table[what].items()}
        xs = sorted(line)
        left.plot(xs, [line[x] for x in xs], color=colour, marker=marker, linestyle=dash, zorder=4 if what == OURS else 3)
        if what in changed:
            labels.append((xs[-1], line[xs[-1]], label, colour))
    same = [look[0].replace(", ", ",\n") for what, look in looks.items() if what not in changed]
    labels.append((n, 0, "\n".join(reversed(same)), looks[OURS][1]))
    timed.ticks_of_n(left, table[OURS], 4)
    left.set_ylim(-3, 103)
    left.set_ylabel("% of elements with other bits, at most")
    style.end_labels(left, labels)
    for i, (what, (label, colour, _, _)) in enumerate(looks.items()):
        right.barh(i, share[what], color=colour, edgecolor=style.BLACK, hatch="//" if what in changed else "")
        right.text(3, i, f"{share[what]:.0f}", ha="left", va="center", fontsize=16, fontweight="bold",
                   bbox={"facecolor": "white", "edgecolor": "none", "pad": 2})
    right.axvline(100, color=style.BLACK, linestyle="--", zorder=4)
    right.set_yticks(range(len(looks)))
    right.set_yticklabels([look[0].replace(", ", ",\n") for look in looks.values()])
    right.set_ylim(len(looks) - 0.4, -0.6)
    right.grid(axis="y", visible=False)
    right.set_xlim(0, 105)
    right.set_xlabel("% of a copy's speed")
    style.source(fig, file.foot())
    style.save(fig, out, "gpu_same_bits",
               "Wait for all that you need, and only then add: then it no longer matters who comes first.")
