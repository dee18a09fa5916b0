"""library: what CUB does for a scan, beside labs 10 and 11, counted on the engine. From library.csv alone, which library/count writes."""
import os

import recorded
import results
import style

COLUMNS = ("what", "n", "warp_instructions", "float_adds", "bytes_read", "bytes_written")
WHO = {"cub": ("CUB", style.LIGHT), "lab_10": ("lab 10", style.LABS["10"][0]), "lab_11": ("lab 11", style.LABS["11"][0])}
HERE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "data")


def an_element(folder=HERE):
    """The file, n, and {who: (warp instructions, additions, bytes) an element}."""
    file = recorded.Recorded(folder, "library.csv", COLUMNS, head=("cub", "date", "commit"))
    found = file.table([("n", int), ("what", str)], lambda row: [file.number(row, column, int) for column in COLUMNS[2:]])
    n = max(found, default=0)
    lacking = [who for who in WHO if who not in found.get(n, {})]
    if lacking:
        raise results.Missing(f"{file.path} has no rows of {', '.join(lacking)}")
    return file, n, {who: (warps / n, adds / n, (read + written) / n) for who, (warps, adds, read, written) in found[n].items()}


def library_scan(_, out):
    file, n, table = an_element()
    cub, lab = table["cub"], table["lab_10"]
    fig, axes = style.figure(f"For the same bytes, CUB makes {100 * cub[1] / lab[1]:.0f} % of lab 10's additions",
                             f"one scan of {style.power(n)} floats, all launches, counted on the engine", columns=3)
    fig.subplots_adjust(left=0.09, right=0.975, top=0.80, bottom=0.17, wspace=0.12)
    for k, (ax, name) in enumerate(zip(axes, ("warp instructions", "floating additions", "bytes moved"))):
        most = max(row[k] for row in table.values())
        for i, (who, (_, colour)) in enumerate(WHO.items()):
            ax.barh(i, table[who][k], color=colour, edgecolor=style.BLACK, hatch="//" if who == "cub" else "")
            ax.text(table[who][k] + 0.02 * most, i, f"{table[who][k]:.2f}", va="center", fontsize=16, fontweight="bold")
        ax.set_yticks(range(len(WHO)))
        ax.set_yticklabels([label for label, _ in WHO.values()] if k == 0 else [""] * len(WHO))
        ax.invert_yaxis()
        ax.grid(axis="y", visible=False)
        ax.set_xlim(0, 1.28 * most)
        ax.set_xlabel(f"{name} an element")
    style.source(fig, f"CUB {file.head['cub']}, {file.head['date']}, commit {file.head['commit']}; {file.name}.")
    style.save(fig, out, "library_scan",
               "All move each element in and out once; they differ in what they do in between.")
