"""deadlock: when each block of the demo waited, ran, spun and ended, with static block numbers beside dynamic ones."""
import results
import style
from matplotlib.patches import Patch

LOOKS = {"waiting": ("white", "", "waiting to start"), "running": (style.BLUE, "", "running"),
         "spinning": (style.VERMILION, "////", "spinning on a value"), "done": ("#D5D5D5", "", "done")}
TITLES = {"static": "Static block numbers: deadlock", "dynamic": "Dynamic block numbers: all done"}


def deadlock_timeline(folder, out):
    rows = results.rows(folder, "timeline.csv")
    versions = [v for v in TITLES if any(r["version"] == v for r in rows)]
    if len(versions) != len(TITLES):
        raise results.Missing("timeline.csv lacks the static or the dynamic version")
    fig, axes = style.figure("Blocks that wait for blocks which cannot start wait for ever", "", 1, 2, sharey=True, figsize=(12, 7))
    for ax, version in zip(axes, versions):
        mine = [r for r in rows if r["version"] == version]
        for r in mine:
            colour, hatch, _ = LOOKS[r["state"]]
            if r["state"] == "waiting":     # the page is white already
                continue
            start, end = float(r["from"]), float(r["to"])
            ax.barh(int(r["block"]), end - start, left=start, height=0.86, color=colour, hatch=hatch, edgecolor="#555555", linewidth=0.4)
        never = {r["block"] for r in mine} - {r["block"] for r in mine if r["state"] != "waiting"}
        if never:
            ax.text(0.5, 0.5, f"{len(never)} blocks never start", transform=ax.transAxes, ha="center", fontsize=18)
        ax.set_title(TITLES[version], fontsize=16, pad=8)
        ax.set_xlabel("time (warp instructions)")
        ax.set_xlim(0, max(float(r["to"]) for r in mine))
        ax.locator_params(axis="x", nbins=5)
        ax.grid(axis="y", visible=False)
    blocks = 1 + max(int(r["block"]) for r in rows)
    axes[0].set_ylim(blocks - 0.5, -0.5)
    axes[0].set_ylabel("block")
    fig.legend(handles=[Patch(facecolor=c, hatch=h, edgecolor="#555555", label=name) for c, h, name in LOOKS.values()], loc="upper left",
               bbox_to_anchor=(0.012, 0.94), ncol=4, fontsize=15, frameon=False, handlelength=1.6, columnspacing=1.6)
    fig.subplots_adjust(left=0.07, right=0.975, top=0.81, bottom=0.12, wspace=0.08)
    style.save(fig, out, "deadlock_timeline")
