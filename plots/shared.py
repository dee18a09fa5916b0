"""shared: what labs 02 to 05 do within a block: how many lanes add, and bank conflicts of shared memory."""
import results
import style
from matplotlib.patches import Patch

FIRST, LAST = "02", "05"


def within_blocks(table, declared):
    """[(lab, part, counters)] of labs 02 to 05 at their largest n: the parts that are drawn."""
    chosen = []
    for (lab, part), by_n in results.labs(table).items():
        counters = by_n[max(by_n)]
        if FIRST <= results.number(lab) <= LAST and part in declared.drawn[lab] and counters["float_add_issues"]:
            chosen.append((lab, part, counters))
    if not chosen:
        raise results.Missing(f"counts.csv holds no counts of labs {FIRST} to {LAST}")
    return chosen


def bar_names(ax, chosen):
    ax.set_yticks(range(len(chosen)))
    ax.set_yticklabels([f"{results.number(lab)} {part.replace('_', ' ')}" for lab, part, _ in chosen])
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)


def size_of(table):
    return max(n for by_n in results.labs(table).values() for n in by_n)


def simd_efficiency(table, declared, folder):
    chosen = within_blocks(table, declared)
    fig, ax = style.figure("Consecutive threads keep warps full: lanes at work where a warp adds", f"additions by lanes / (32 x warp instructions that add), n = {size_of(table):,}")
    fig.subplots_adjust(left=0.34, right=0.95, top=0.84, bottom=0.12)
    for i, (lab, _, c) in enumerate(chosen):
        share = 100 * c["float_adds"] / (32 * c["float_add_issues"])
        ax.barh(i, share, color=style.LABS[results.number(lab)][0], edgecolor=style.BLACK, hatch="" if share >= 50 else "//")
        ax.text(share + 1, i, f"{share:.0f} %", va="center", fontsize=16)
    bar_names(ax, chosen)
    ax.set_xlim(0, 110)
    ax.set_xlabel("lanes adding (% of 32)")
    style.save(fig, folder, "simd_efficiency",
               "The same additions in the same tree: only which thread makes them has changed.")


def bank_conflicts(table, declared, folder):
    chosen = within_blocks(table, declared)
    n = size_of(table)
    fig, ax = style.figure("Padding takes every bank conflict out of Blelloch's tree", f"passes over shared memory's 32 banks, n = {n:,}")
    fig.subplots_adjust(left=0.34, right=0.95, top=0.79, bottom=0.12)
    most = max(c["shared_wavefronts"] for _, _, c in chosen) * 32 / n
    for i, (lab, _, c) in enumerate(chosen):
        needed, taken = c["shared_ideal"] * 32 / n, c["shared_wavefronts"] * 32 / n
        ax.barh(i, needed, color=style.LABS[results.number(lab)][0], edgecolor=style.BLACK)
        ax.barh(i, taken - needed, left=needed, color="white", edgecolor=style.BLACK, hatch="///")
        extra = f"+ {taken - needed:.1f}" if taken > needed else "no conflict"
        ax.text(taken + 0.015 * most, i, extra, va="center", fontsize=15)
    bar_names(ax, chosen)
    ax.set_xlim(0, 1.15 * most)
    ax.set_xlabel("passes per 32 elements")
    fig.legend(handles=[Patch(facecolor=style.LIGHT, edgecolor=style.BLACK, label="that it takes"),
                        Patch(facecolor="white", edgecolor=style.BLACK, hatch="///", label="more, by bank conflicts")],
               loc="upper left", bbox_to_anchor=(0.012, 0.888), ncol=2, frameon=False, fontsize=16)
    style.save(fig, folder, "bank_conflicts",
               "One unused word for every 32 is all that padding costs.")
