"""networks: the additions that solutions really made at n = 16, from the engine's trace.

Input elements above, outputs below, a column each; a row is a step, and time goes down.
"""
import network
import results
import style

OWN = 3     # a lab that declares as many networks has a figure of its own


def draw(ax, drawn, title, columns):
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
    ax.text(0, 1.02, title, transform=ax.transAxes, va="bottom", fontsize=16 if columns < 3 else 15, fontweight="bold")
    ax.text(1, 1.02, f"{drawn.work} additions, depth {drawn.longest}", transform=ax.transAxes, ha="right", va="bottom", fontsize=15 if columns < 3 else 13)
    ax.set_xlim(-0.7, network.N - 0.3)
    ax.set_ylim(last + 0.4, -0.4)
    ax.set_xticks([0, 5, 10, 15])
    ax.set_yticks(range(1, last))
    ax.grid(False)
    for side in ("left", "bottom"):
        ax.spines[side].set_visible(False)
    ax.tick_params(length=0)


def figure_of(panels, folder, out, name, title):
    """One figure. panels: [(lab, part, title of the panel)]. Returns the titles of those that were not counted."""
    found = [(network.find(folder, lab, part), text) for lab, part, text in panels]
    missing = [text for one, text in found if not one]
    found = [(one, text) for one, text in found if one]
    if not found:
        return missing
    columns = 3 if len(found) == 3 else 2
    rows = -(-len(found) // columns)
    fig, axes = style.figure(title, "as executed, from the engine's trace: input elements (squares) above, a row a step, outputs (triangles) below",
                             rows, columns, figsize=(12, 7.5), squeeze=False)
    fig.subplots_adjust(left=0.06, right=0.985, top=0.82, bottom=0.085, hspace=0.38, wspace=0.12)
    for ax, (one, text) in zip(axes.flat, found):
        draw(ax, one, text, columns)
    for ax in axes.flat[len(found):]:
        ax.set_visible(False)
    for ax in axes[:, 0]:
        ax.set_ylabel("step")
    for ax in axes[-1]:
        ax.set_xlabel("element")
    style.save(fig, out, name)
    return missing


def networks(folder, out):
    """networks: those of labs that declare one or two; networks_NN: those of lab NN, which declares more."""
    declared = results.declared(folder)
    shared, missing = [], []
    for lab, parts in sorted(declared.networks.items()):
        number = results.number(lab)
        panels = [(lab, part, f"{name} (lab {number})" if number.isdigit() and len(parts) < OWN else name) for part, name in parts]
        if len(panels) < OWN:
            shared += panels
        else:
            missing += figure_of(panels, folder, out, f"networks_{number}", f"Lab {number}, {declared.titles[lab]}: the same {network.N} sums, less work or less depth")
    missing += figure_of(shared, folder, out, "networks", f"The same {network.N} sums by different networks of additions")
    if missing:
        raise results.Missing(f"networks.csv holds no network for a panel, which is left out: {', '.join(missing)}")
