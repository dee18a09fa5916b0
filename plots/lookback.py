"""lookback: how many tiles lab 10's solution looks back over before it meets a prefix, by how many blocks run at a time."""
from collections import defaultdict

import results
import style


def bins(distribution):
    """[(name, tiles)]: 0, 1, 2, 3-4, 5-8 ... in powers of two, as a window doubles."""
    edges, low = [(0, 0), (1, 1), (2, 2)], 3
    while low <= max(distribution):
        edges.append((low, 2 * (low - 1)))
        low = 2 * (low - 1) + 1
    return [(str(a) if a == b else f"{a}-{b}", sum(k for d, k in distribution.items() if a <= d <= b)) for a, b in edges]


def lookback_depth(folder, out):
    table = defaultdict(lambda: defaultdict(dict))
    tiles = 0
    for row in results.rows(folder, "lookback.csv"):
        table[row["lab"], row["part"]][int(row["resident"])][int(row["depth"])] = int(row["tiles"])
    if not table:
        raise results.Missing("lookback.csv holds nothing: no solution notes how far it looks back (LAB_NOTE)")
    (lab, part), by_residency = next(iter(table.items()))
    fig, axes = style.figure("The more blocks run at a time, the further a tile looks back", "", 1, len(by_residency), sharey=True, squeeze=False)
    deepest = max(max(d) for d in by_residency.values())
    for ax, (resident, distribution) in zip(axes[0], sorted(by_residency.items())):
        tiles = sum(distribution.values())
        shares = bins({**{deepest: 0}, **distribution})
        ax.bar(range(len(shares)), [100 * k / tiles for _, k in shares], color=style.BLUE, edgecolor=style.BLACK)
        for i, (_, k) in enumerate(shares):
            if k:
                ax.text(i, 100 * k / tiles + 1, f"{100 * k / tiles:.0f}" if 200 * k >= tiles else "<1", ha="center", fontsize=14)
        ax.set_xticks(range(len(shares)))
        ax.set_xticklabels([name for name, _ in shares], rotation=60 if len(shares) > 5 else 0)
        ax.set_title(f"{resident} resident", fontsize=16, loc="center")
        ax.grid(axis="x", visible=False)
        ax.set_ylim(0, 110)
    fig.text(0.02, 0.905, f"{lab[:2]} {results.declared(folder).titles[lab]}, {part}: {tiles} tiles; counted by the solution itself", fontsize=14, color="#444444", va="center")
    fig.subplots_adjust(left=0.08, right=0.98, top=0.8, bottom=0.14 if deepest <= 8 else 0.2, wspace=0.08)
    axes[0][0].set_ylabel("tiles (%)")
    fig.supxlabel("tiles looked back over", fontsize=16, y=0.03)
    style.save(fig, out, "lookback_depth",
               "A block alone always finds its neighbour's prefix; among many, it has to look further back.")
