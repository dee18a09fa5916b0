"""networks: the additions that solutions really made at n = 16, from the engine's trace.

Input elements above, outputs below, a column each; a row is a step, and time goes down. One of the longest chains of additions is
drawn thick: its length is the depth, which may be less than the steps.
"""
import network
import results
import style

OWN = 3     # a lab that declares as many networks has a figure of its own


CHAIN = {"color": style.VERMILION, "linewidth": 4.5, "zorder": 3, "solid_joinstyle": "round"}
LINE = {"color": style.BLUE, "linewidth": 1.8, "zorder": 2, "solid_joinstyle": "round"}


def draw(ax, drawn, title, columns):
    last = drawn.rows + 1
    at = {i: (drawn.column[i], drawn.row[i]) for i in drawn.column}     # of each value: its column and its row
    on_chain = set(zip(drawn.chain, drawn.chain[1:]))
    for column in range(network.N):
        ax.plot([column, column], [0, last], color="#BBBBBB", linewidth=1.4, zorder=1)
        ax.plot(column, 0, marker="s", markersize=6, color="white", markeredgecolor=style.BLACK, zorder=4)
    for value, left, right in drawn.sums:
        column, row = at[value]
        for operand in (left, right):
            from_column, from_row = at[operand]
            look = CHAIN if (operand, value) in on_chain else LINE
            if from_column == column:
                ax.plot([column, column], [from_row, row], **look)
            else:                       # down its own column as far as the row before, then across
                ax.plot([from_column, from_column, column], [from_row, row - 1, row], **look)
        colour = style.VERMILION if value in drawn.chain else style.ORANGE
        ax.plot(column, row, marker="o", markersize=9, color=colour, markeredgecolor=style.BLACK, zorder=4)
    for element, value in drawn.outputs.items():
        column, row = at[value]
        ax.plot([column, column, element], [row, last - 0.5 if column != element else last, last], **LINE)
    for element in range(network.N):
        ax.plot(element, last, marker="v", markersize=8, color=style.BLACK, zorder=3)
    counts = f"{drawn.work} additions, depth {drawn.longest}" + (f", {drawn.rows} steps" if drawn.rows > drawn.longest else "")
    title_at, counts_at, side = ((0, 1.03), (1, 1.03), "right") if columns < 3 else ((0, 1.075), (0, 1.02), "left")
    ax.text(*title_at, title, transform=ax.transAxes, va="bottom", fontsize=16, fontweight="bold")
    ax.text(*counts_at, counts, transform=ax.transAxes, ha=side, va="bottom", fontsize=14)
    ax.set_xlim(-0.7, network.N - 0.3)
    ax.set_ylim(last + 0.4, -0.4)
    ax.set_xticks([0, 5, 10, 15])
    ax.set_yticks(range(1, last))
    ax.grid(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    ax.tick_params(length=0)


def alike(found):
    """[(network, title)]: one for all that are drawn alike, by the first one's name and all their labs."""
    groups = []
    for drawn, name, number in found:
        for group in groups:
            if group[0].shape() == drawn.shape():
                group[2].append(number)
                break
        else:
            groups.append((drawn, name, [number]))
    return [(drawn, f"{', '.join(some)} {name}".strip()) for drawn, name, some in groups]


def figure_of(panels, folder, out, name, title, sentence):
    """One figure. panels: [(lab, part, name, number of the lab to be shown)]. Returns the names of those that were not counted."""
    found = [(network.find(folder, lab, part), name, number) for lab, part, name, number in panels]
    missing = [name for one, name, _ in found if not one]
    found = alike(one for one in found if one[0])
    if not found:
        return missing
    columns = 3 if len(found) == 3 else 2
    rows = -(-len(found) // columns)
    fig, axes = style.figure(title, "as executed: inputs above, a row a step, outputs below; thick: a longest chain of additions, the depth",
                             rows, columns, squeeze=False)
    fig.subplots_adjust(left=0.06, right=0.985, top=0.815 if columns < 3 else 0.77, bottom=0.095, hspace=0.38, wspace=0.12)
    for ax, (one, text) in zip(axes.flat, found):
        draw(ax, one, text, columns)
    for ax in axes.flat[len(found):]:
        ax.set_visible(False)
    for ax in axes[:, 0]:
        ax.set_ylabel("step")
    for ax in axes[-1]:
        ax.set_xlabel("element")
    style.save(fig, out, name, sentence)
    return missing


def span(panels, folder):
    found = [one for one in (network.find(folder, lab, part) for lab, part, _, _ in panels) if one]
    if not found:
        return ""
    work, rows = [one.work for one in found], [one.rows for one in found]
    return f": {min(work)} to {max(work)} additions, in {min(rows)} to {max(rows)} steps"


def extremes(panels, folder):
    """Which of the panels adds least, and which takes the fewest steps."""
    found = [(network.find(folder, lab, part), name) for lab, part, name, _ in panels]
    found = [(one.work, one.rows, name) for one, name in found if one]
    return f"{min(found)[2]} adds least, {min(found, key=lambda one: one[1])[2]} takes fewest steps" if found else ""


def networks(folder, out):
    """networks: those of labs that declare one or two; networks_NN: those of lab NN, which declares more."""
    declared = results.declared(folder)
    shared, missing = [], []
    for lab, parts in sorted(declared.networks.items()):
        number = results.number(lab)
        panels = [(lab, part, name, number if number.isdigit() and len(parts) < OWN else "") for part, name in parts]
        if len(panels) < OWN:
            shared += panels
        else:
            missing += figure_of(panels, folder, out, f"networks_{number}", f"{declared.titles[lab]} (lab {number}): {extremes(panels, folder)}",
                                 "One block, one tile, three ways: few additions or few steps, but not both.")
    missing += figure_of(shared, folder, out, "networks", f"The same {network.N} sums{span(shared, folder)}",
                         "A dot is an addition, a row is a step, and the thick line is why it takes no fewer.")
    if missing:
        raise results.Missing(f"networks.csv holds no network for a panel, which is left out: {', '.join(missing)}")
