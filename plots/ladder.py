"""ladder: what the labs cost over n, against theory: bytes moved, additions, depth."""
import math

import results
import style


def series_of(table, value):
    """{(lab, part): {n: y}} of value(counters, n), which is None where it is not known."""
    found = {}
    for key, by_n in results.labs(table).items():
        line = {n: value(c, n) for n, c in by_n.items()}
        line = {n: y for n, y in line.items() if y is not None}
        if line:
            found[key] = line
    if not found:
        raise results.Missing("counts.csv holds no counts of a lab")
    return found


def draw_lines(ax, series, titles, close):
    """One line for the series that are nowhere further apart than close; returns their labels."""
    labels = []
    groups = sorted(results.common(series, close), key=lambda group: -max(group[1].values()))
    for (keys, line), (colour, marker, dash) in zip(groups, style.SERIES * 4):
        xs = sorted(line)
        ax.plot(xs, [line[x] for x in xs], color=colour, marker=marker, linestyle=dash, zorder=3)
        labels.append((xs[-1], line[xs[-1]], results.name_of(keys, series, titles), colour))
    return labels


def theory(ax, xs, lines):
    """Thin black lines over xs, (text, f, x, side): the text stands at f(x), "below" to the right of it, or "above" to the left, where a
    rising line leaves room; "on" a level one."""
    for text, f, x, side in lines:
        ax.plot(xs, [f(x) for x in xs], color=style.BLACK, linewidth=1.2, linestyle=(0, (6, 4)), zorder=2)
        ax.annotate(text, (x, f(x)), xytext=(-4 if side == "above" else 4, -6 if side == "below" else 4), textcoords="offset points", fontsize=14,
                    va="top" if side == "below" else "bottom", ha="right" if side == "above" else "left", zorder=4)


def bytes_moved(table, titles, folder):
    def moved(c, n):
        return (c["bytes_read"] + c["bytes_written"]) / (c["element_bytes"] * n) if n >= 256 else None

    series = series_of(table, moved)
    xs = sorted({n for line in series.values() for n in line})
    fig, ax = style.figure("Each pass over the data costs n: a scan moves 4n, 3n or 2n", "counted by the engine: bytes of global memory read and written")
    fig.subplots_adjust(left=0.09, right=0.72, top=0.84, bottom=0.12)
    ax.set_ylim(0, 1.12 * max(4, *(y for line in series.values() for y in line.values())))
    style.axis_of_n(ax, xs)
    ax.yaxis.set_major_locator(style.whole_numbers())
    ax.set_ylabel("bytes moved / bytes of input")
    theory(ax, xs, [(f"theory: {k}n", lambda n, k=k: k, xs[0], "on") for k in (2, 3, 4)])
    style.end_labels(ax, draw_lines(ax, series, titles, 0.05))
    style.save(fig, folder, "bytes_moved")


def additions(table, titles, folder):
    series = series_of(table, lambda c, n: c["sums"] / n if c.get("sums") else None)
    xs = sorted({n for line in series.values() for n in line})
    fig, ax = style.figure("Work: a scan needs at most 2n additions; Hillis-Steele spends n log n",
                           "counted in the engine's trace: additions of data that an output depends on; a lab scans sections where it says so")
    fig.subplots_adjust(left=0.09, right=0.72, top=0.84, bottom=0.12)
    ax.set_ylim(0, 1.1 * max(8, *(y for line in series.values() for y in line.values())))
    style.axis_of_n(ax, xs)
    ax.set_ylabel("additions / n")
    ax.set_autoscaley_on(False)
    theory(ax, xs, [("theory: log n - 1", lambda n: math.log2(n) - 1 + 1 / n, 400, "above"), ("theory: 2", lambda n: 2, xs[0], "on"),
                    ("theory: 1", lambda n: 1, xs[1], "below")])
    style.end_labels(ax, draw_lines(ax, series, titles, 0.3))
    style.save(fig, folder, "additions")


def depth(table, titles, folder):
    series = series_of(table, lambda c, n: c["depth"] if c.get("depth") else None)
    xs = sorted({n for line in series.values() for n in line})
    fig, ax = style.figure("Depth: log n steps in parallel, n in a loop",
                           "counted in the engine's trace: longest chain of additions from an input to an output")
    fig.subplots_adjust(left=0.09, right=0.72, top=0.84, bottom=0.12)
    style.axis_of_n(ax, xs)
    ax.set_yscale("log", base=2)
    top = max(64, 2 * max(y for line in series.values() for y in line.values()))
    ax.set_ylim(2, top)
    ticks = [2 ** k for k in range(1, int(math.log2(top)) + 1)]
    ax.set_yticks(ticks)
    ax.set_yticklabels([str(t) for t in ticks])
    ax.minorticks_off()
    ax.set_ylabel("additions one after another")
    ax.set_autoscaley_on(False)
    theory(ax, xs, [("theory: log n", lambda n: math.log2(n), 2 * xs[0], "below"), ("theory: 2 log n", lambda n: 2 * math.log2(n), xs[len(xs) // 2], "above"),
                    ("theory: n (a loop)", lambda n: n, xs[0] * 2, "below")])
    style.end_labels(ax, draw_lines(ax, series, titles, 0.5))
    style.save(fig, folder, "depth")
