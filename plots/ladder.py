"""ladder: what the labs cost over n, against theory: bytes moved, additions, depth."""
import math

import results
import style


def series_of(table, value, drawn=None):
    """{(lab, part): {n: y}} of value(counters, n), which is None where it is not known. drawn: {lab: parts}, what alone is shown."""
    found = {}
    for key, by_n in results.labs(table).items():
        lab, part = key
        line = {n: value(c, n) for n, c in by_n.items()} if drawn is None or part in drawn[lab] else {}
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
    """Thin dashed lines, (text, f, x): named at x, where a steep line leaves the figure; where x is None, by a label that is returned."""
    labels = []
    for text, f, x in lines:
        ax.plot(xs, [f(x) for x in xs], color=style.BLACK, linewidth=1.2, linestyle=(0, (6, 4)), zorder=2)
        if x is None:
            labels.append((xs[-1], f(xs[-1]), f"theory: {text}", style.BLACK))
        else:
            ax.annotate(f"theory: {text}", (x, f(x)), xytext=(8, 0), textcoords="offset points", fontsize=14, va="top", ha="left", zorder=4)
    return labels


def axes_over_n(title, note, series):
    fig, ax = style.figure(title, note)
    fig.subplots_adjust(left=0.09, right=0.72, top=0.84, bottom=0.12)
    xs = sorted({n for line in series.values() for n in line})
    style.axis_of_n(ax, xs)
    ax.set_autoscaley_on(False)
    return fig, ax, xs, max(y for line in series.values() for y in line.values())


def bytes_moved(table, declared, folder):
    def moved(c, n):
        return (c["bytes_read"] + c["bytes_written"]) / (c["element_bytes"] * n) if n >= 256 else None

    series = series_of(table, moved)
    fig, ax, xs, most = axes_over_n("Each pass over the data costs n: a scan moves 4n, 3n or 2n", "counted by the engine: bytes of global memory read and written", series)
    ax.set_ylim(0, 1.12 * max(4, most))
    ax.yaxis.set_major_locator(style.whole_numbers())
    ax.set_ylabel("bytes moved / bytes of input")
    style.end_labels(ax, theory(ax, xs, [(f"{k}n", lambda n, k=k: k, None) for k in (2, 3, 4)]) + draw_lines(ax, series, declared.titles, 0.05))
    style.save(fig, folder, "bytes_moved")


def additions(table, declared, folder):
    series = series_of(table, lambda c, n: c["sums"] / n if c.get("sums") else None, declared.drawn)
    fig, ax, xs, most = axes_over_n("Work: a scan needs at most 2n additions; Hillis-Steele spends n log n",
                                    "counted in the engine's trace: additions of data that an output depends on; where sections are scanned, within each section", series)
    ax.set_ylim(0, 1.1 * max(8, most))
    ax.set_ylabel("additions / n")
    lines = [("log n - 1", lambda n: math.log2(n) - 1 + 1 / n, 450), ("2", lambda n: 2, None), ("1", lambda n: 1, None)]
    style.end_labels(ax, theory(ax, xs, lines) + draw_lines(ax, series, declared.titles, 0.3))
    style.save(fig, folder, "additions")


def depth(table, declared, folder):
    series = series_of(table, lambda c, n: c["depth"] if c.get("depth") else None, declared.drawn)
    fig, ax, xs, most = axes_over_n("Depth: log n steps in parallel, n in a loop",
                                    "counted in the engine's trace: longest chain of additions from an input to an output", series)
    ax.set_yscale("log", base=2)
    top = max(64, 2 * most)
    ax.set_ylim(2, top)
    ticks = [2 ** k for k in range(1, int(math.log2(top)) + 1)]
    ax.set_yticks(ticks)
    ax.set_yticklabels([str(t) for t in ticks])
    ax.minorticks_off()
    ax.set_ylabel("additions one after another")
    lines = [("log n", lambda n: math.log2(n), None), ("2 log n", lambda n: 2 * math.log2(n), None), ("n (a loop)", lambda n: n, 0.6 * top)]
    style.end_labels(ax, theory(ax, xs, lines) + draw_lines(ax, series, declared.titles, 0.5))
    style.save(fig, folder, "depth")
