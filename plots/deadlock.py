"""deadlock: when each block of the demo waited, ran, spun and ended, with static block numbers beside dynamic ones."""
import results
import style
from matplotlib.patches import Patch

LOOKS = {"waiting": ("white", "", "waiting to start"), "running": (style.BLUE, "", "running"),
         "spinning": (style.VERMILION, "////", "spinning on a value"), "done": ("#D5D5D5", "", "done")}
TITLES = {"static": "Static block numbers: deadlock", "dynamic": "Dynamic block numbers: all done"}


def schedule(rows):
    """In which order the blocks started and how many ran at a time, as the timeline has it."""
    mine = [r for r in rows if r["version"] == "dynamic"]
    spans = {}                      # of each block: from its start to its end
    for r in mine:
        if r["state"] in ("running", "spinning"):
            low, high = spans.get(int(r["block"]), (float(r["from"]), 0))
            spans[int(r["block"])] = min(low, float(r["from"])), max(high, float(r["to"]))
    order = sorted(spans, key=spans.get)
    at_a_time = max(sum(low <= start < high for low, high in spans.values()) for start, _ in spans.values())
    up = sorted(order)
    how = "in order" if order == up else "in reverse" if order == up[::-1] else "in another order than their numbers"
    return f"{len(spans)} blocks, started {how}, {at_a_time} at a time; a block waits for the sum of the tile before"


def deadlock_timeline(folder, out):
    rows = results.rows(folder, "timeline.csv")
    versions = [v for v in TITLES if any(r["version"] == v for r in rows)]
    if len(versions) != len(TITLES):
        raise results.Missing("timeline.csv lacks the static or the dynamic version")
    fig, axes = style.figure("Blocks that wait for blocks which cannot start wait for ever", "", 1, 2, sharey=True)
    end = max(float(r["to"]) for r in rows)
    for ax, version in zip(axes, versions):
        mine = [r for r in rows if r["version"] == version]
        for r in mine:
            colour, hatch, _ = LOOKS[r["state"]]
            if r["state"] in ("waiting", "done"):   # the page is white already; what is done stays so, see below
                continue
            start, stop = float(r["from"]), float(r["to"])
            ax.barh(int(r["block"]), stop - start, left=start, height=0.86, color=colour, hatch=hatch, edgecolor="#555555", linewidth=0.4)
        ran = [r for r in mine if r["state"] in ("running", "spinning")]
        for block in {r["block"] for r in ran} if version == "dynamic" else {r["block"] for r in mine if r["state"] == "done"}:
            last = max(float(r["to"]) for r in ran if r["block"] == block)
            ax.barh(int(block), end - last, left=last, height=0.86, color=LOOKS["done"][0], edgecolor="#555555", linewidth=0.4)
        never = {r["block"] for r in mine} - {r["block"] for r in mine if r["state"] != "waiting"}
        if never:
            ax.text(0.5, 0.5, f"{len(never)} blocks never start", transform=ax.transAxes, ha="center", fontsize=18)
        ax.set_title(TITLES[version], fontsize=16, pad=8)
        ax.set_xlabel("time (warp instructions)")
        ax.set_xlim(0, end)
        ax.locator_params(axis="x", nbins=5)
        ax.grid(axis="y", visible=False)
    blocks = 1 + max(int(r["block"]) for r in rows)
    axes[0].set_ylim(blocks - 0.5, -0.5)
    axes[0].set_ylabel("block")
    fig.legend(handles=[Patch(facecolor=c, hatch=h, edgecolor="#555555", label=name) for c, h, name in LOOKS.values()], loc="upper left",
               bbox_to_anchor=(0.012, 0.895), ncol=4, fontsize=15, frameon=False, handlelength=1.6, columnspacing=1.6)
    fig.text(0.02, 0.905, schedule(rows), ha="left", va="center", fontsize=16, color="#444444")
    fig.subplots_adjust(left=0.07, right=0.975, top=0.765, bottom=0.12, wspace=0.08)
    style.save(fig, out, "deadlock_timeline",
               "CUDA promises no order of blocks: a block may wait only for blocks that have started.")
