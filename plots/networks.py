"""networks: the additions that solutions really made at n = 16, from the engine's trace.

Input elements above, outputs below, a column each; a row is a step, and time goes down.
"""
import network
import results
import style

# lab, part (by a word of its name), title
SHOWN = [("04", "inclusive", "Hillis-Steele (lab 04)"), ("sk", "inclusive", "Sklansky"),
         ("05", "brent_kung", "Brent-Kung (lab 05)"), ("09", "shuffle_block", "By shuffles (lab 09)")]


def draw(ax, drawn, title):
    last = drawn.rows + 1
    at = {}                             # of each value: its column and its row
    for i in drawn.column:
        at[i] = (drawn.column[i], drawn.row[i])
    for column in range(network.N):
        ax.plot([column, column], [0, last], color="#BBBBBB", linewidth=1.4, zorder=1)
        ax.plot(column, 0, marker="s", markersize=6, color="white", markeredgecolor=style.BLACK, zorder=3)
    for value, left, right in drawn.sums:
        column, row = at[value]
        for operand in (left, right):
            from_column, from_row = at[operand]
            if from_column == column:
                ax.plot([column, column], [from_row, row], color=style.BLUE, linewidth=1.8, zorder=2)
            else:                       # down its own column as far as the row before, then across
                ax.plot([from_column, from_column, column], [from_row, row - 1, row], color=style.BLUE, linewidth=1.8, zorder=2, solid_joinstyle="round")
        ax.plot(column, row, marker="o", markersize=9, color=style.ORANGE, markeredgecolor=style.BLACK, zorder=4)
    for element, value in drawn.outputs.items():
        column, row = at[value]
        ax.plot([column, column, element], [row, last - 0.5 if column != element else last, last], color=style.BLUE, linewidth=1.8, zorder=2)
        ax.plot(element, last, marker="v", markersize=8, color=style.BLACK, zorder=3)
    ax.text(0, 1.02, title, transform=ax.transAxes, va="bottom", fontsize=16, fontweight="bold")
    ax.text(1, 1.02, f"{drawn.work} additions, depth {drawn.longest}", transform=ax.transAxes, ha="right", va="bottom", fontsize=15)
    ax.set_xlim(-0.7, network.N - 0.3)
    ax.set_ylim(last + 0.4, -0.4)
    ax.set_xticks([0, 5, 10, 15])
    ax.set_yticks(range(1, last))
    ax.grid(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    ax.tick_params(length=0)


def networks(folder, out):
    found = [(network.find(folder, lab, word), title) for lab, word, title in SHOWN]
    found = [(one, title) for one, title in found if one]
    if not found:
        raise results.Missing("networks.csv holds no network")
    fig, axes = style.figure(f"The same {network.N} sums by different networks of additions",
                             "as executed, from the engine's trace: input elements (squares) above, a row a step, outputs (triangles) below", 2, 2, figsize=(12, 7.5))
    fig.subplots_adjust(left=0.06, right=0.985, top=0.82, bottom=0.085, hspace=0.38, wspace=0.12)
    for ax, (one, title) in zip(axes.flat, found):
        draw(ax, one, title)
    for ax in axes.flat[len(found):]:
        ax.set_visible(False)
    for ax in axes[:, 0]:
        ax.set_ylabel("step")
    for ax in axes[1]:
        ax.set_xlabel("element")
    style.save(fig, out, "networks")
    missing = [title for lab, word, title in SHOWN if title not in (t for _, t in found)]
    if missing:
        raise results.Missing(f"networks.csv holds no network for a panel, which is empty: {', '.join(missing)}")
