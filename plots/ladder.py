"""ladder: what the labs cost, against theory: bytes moved, additions, depth. One panel for scans of a section, which one block makes,
and one for scans of all n elements."""
import math

import results
import style

SECTION = ("04", "05", "09", "12")          # labs in which a block scans a section of its own
LARGEST_SECTION = 1024
SECTION_OF_A_BLOCK = 256
SCANS = ("06", "07", "10", "11")            # labs that scan all n
DEVICE = ("02", "03", *SCANS)               # and that sum them


def series_of(table, declared, labs, value):
    """{(lab, part): {n: y}} of value(counters, n), None where it is not known: the parts that are drawn of these labs, by number."""
    found = {}
    for (lab, part), by_n in results.labs(table).items():
        if results.number(lab) not in labs or part not in declared.drawn[lab]:
            continue
        line = {n: value(c, n) for n, c in by_n.items()}
        line = {n: y for n, y in line.items() if y is not None}
        if line:
            found[lab, part] = line
    if not found:
        raise results.Missing(f"counts.csv holds no counts of labs {', '.join(labs)}")
    return dict(sorted(found.items()))


def name_of(lab, part, alone, titles):
    """A lab by its title; where others of its parts are drawn apart, by its part."""
    return f"{results.number(lab)} " + (titles[lab].removesuffix(" scan").removesuffix(" reduction") if alone else part.replace("_", " "))


# ---- bytes: a bar a lab ------------------------------------------------------------------------------------------------

def bytes_moved(table, declared, folder):
    series = series_of(table, declared, DEVICE, lambda c, n: tuple(c[which] / (c["element_bytes"] * n) for which in ("bytes_read", "bytes_written")))
    n = min(max(line) for line in series.values())
    moved = sorted({f"{sum(line[n]):.1f}n" for (lab, _), line in series.items() if results.number(lab) in SCANS}, reverse=True)
    fig, ax = style.figure(f"Each pass over the data costs n: a scan moves {', '.join(moved[:-1])} or {moved[-1]}",
                           f"counted by the engine at n = {style.power(n)}; full: read, hatched: written; what is beyond whole n are sums of tiles")
    fig.subplots_adjust(left=0.27, right=0.97, top=0.85, bottom=0.13)
    labs = [lab for lab, _ in series]
    for i, ((lab, _), line) in enumerate(series.items()):
        colour, _ = style.LABS[results.number(lab)]
        read, written = line[n]
        ax.barh(i, read, height=0.7, color=colour, edgecolor=style.BLACK)
        ax.barh(i, written, left=read, height=0.7, color="white", edgecolor=colour, hatch="//")
        ax.barh(i, read + written, height=0.7, color="none", edgecolor=style.BLACK)
        ax.text(read + written + 0.05, i, f"{read + written:.2f}n", va="center", fontsize=17, fontweight="bold",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 2})
    ax.set_yticks(range(len(series)))
    ax.set_yticklabels([name_of(lab, part, labs.count(lab) == 1, declared.titles) for lab, part in series], fontsize=16)
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set_xlim(0, 4.8)
    ax.set_xticks(range(1, 5))
    ax.set_xticklabels(["n", "2n", "3n", "4n"], fontsize=16)
    ax.set_xlabel("elements moved to and from global memory")
    style.save(fig, folder, "bytes_moved",
               "Count how often the data comes and goes: in one pass, each element is read once and written once.")


# ---- additions and depth: two panels over n ----------------------------------------------------------------------------

def draw_lines(ax, series, titles, close):
    """One line for the series of a lab that are nowhere further apart than close; returns their labels."""
    labels = []
    for lab in sorted({lab for lab, _ in series}):
        groups = results.common({key: line for key, line in series.items() if key[0] == lab}, close)
        for (keys, line), dash in zip(groups, style.DASHES * 4):
            colour, marker = style.LABS[results.number(lab)]
            xs = sorted(line)
            ax.plot(xs, [line[x] for x in xs], color=colour, marker=marker, linestyle=dash, zorder=3)
            labels.append((xs[-1], line[xs[-1]], name_of(lab, min(keys)[1], len(groups) == 1, titles), colour))
    return labels


def theory(ax, xs, lines):
    """Thin dashed lines, (text, f); returns the labels of those that end within the axes."""
    labels = []
    for text, f in lines:
        ax.plot(xs, [f(x) for x in xs], color=style.BLACK, linewidth=1.2, linestyle=(0, (6, 4)), zorder=2)
        if f(xs[-1]) <= ax.get_ylim()[1]:
            labels.append((xs[-1], f(xs[-1]), f"theory: {text}", style.BLACK))
    return labels


def two_panels(table, declared, folder, name, title, note, ylabel, value, close, theories, scale, sentence):
    """scale(ax, most): the axis of y. theories: for each panel, theory()'s lines."""
    section = {key: {n: y for n, y in line.items() if n <= LARGEST_SECTION} for key, line in series_of(table, declared, SECTION, value).items()}
    panels = [("a section, scanned by a block", section), ("all n elements", series_of(table, declared, DEVICE, value))]
    most = max(y for _, series in panels for line in series.values() for y in line.values())
    fig, axes = style.figure(title, note, 1, 2)
    fig.subplots_adjust(left=0.07, right=0.785, top=0.79, bottom=0.13, wspace=0.8)
    for ax, (text, series), lines in zip(axes, panels, theories):
        xs = sorted({n for line in series.values() for n in line})
        style.axis_of_n(ax, xs)
        ax.set_autoscaley_on(False)
        scale(ax, most)
        ax.set_title(text, fontsize=17, pad=10)
        style.end_labels(ax, theory(ax, xs, lines) + draw_lines(ax, series, declared.titles, close), gap=0.06)
    axes[0].set_ylabel(ylabel)
    style.save(fig, folder, name, sentence)


def bars(ax, n, series, titles, close):
    """A bar for the series of a lab that are not further apart than close at n; the tallest last."""
    rows = []
    for lab in sorted({lab for lab, _ in series}):
        groups = results.common({key: {n: line[n]} for key, line in series.items() if key[0] == lab}, close)
        rows += [(line[n], name_of(lab, min(keys)[1], len(groups) == 1, titles), style.LABS[results.number(lab)][0]) for keys, line in groups]
    for i, (value, _, colour) in enumerate(sorted(rows)):
        ax.barh(i, value, height=0.72, color=colour, edgecolor=style.BLACK)
        ax.text(value + 0.08, i, f"{value:.1f}n", va="center", fontsize=16, fontweight="bold", bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5})
    ax.set_yticks(range(len(rows)))
    ax.set_yticklabels([name for _, name, _ in sorted(rows)], fontsize=15)
    ax.set_ylim(len(rows) - 0.5, -0.6)
    ax.grid(axis="y", visible=False)


def additions(table, declared, folder):
    series = [series_of(table, declared, labs, lambda c, n: c["sums"] / n if c.get("sums") else None) for labs in (SECTION, DEVICE)]
    sizes = [max(n for n in set.intersection(*(set(line) for line in one.values())) if n <= most) for one, most in zip(series, (SECTION_OF_A_BLOCK, math.inf))]
    fig, axes = style.figure("Work: a tree adds 2n; fewer steps take more additions", "additions that an output depends on, counted in the engine's trace",
                             2, 1, sharex=True, gridspec_kw={"height_ratios": [len(one) for one in series]})
    fig.subplots_adjust(left=0.25, right=0.97, top=0.82, bottom=0.11, hspace=0.28)
    for ax, one, n, text in zip(axes, series, sizes, ("a section of {}, scanned by a block", "all of {} elements")):
        bars(ax, n, one, declared.titles, 0.3)
        ax.set_title(text.format(style.power(n)), fontsize=17, pad=6)
    axes[1].set_xticks(range(0, 9, 2))
    axes[1].set_xticklabels(["0", "2n", "4n", "6n", "8n"])
    axes[1].set_xlabel("additions")
    style.save(fig, folder, "additions",
               "The tree is frugal; the others buy fewer steps with more additions.")


def depth(table, declared, folder):
    def scale(ax, most):
        top = max(64, 1.3 * most)
        ax.set_yscale("log", base=2)
        ax.set_ylim(3, top)
        ticks = [2 ** k for k in range(2, int(math.log2(top)) + 1)]
        ax.set_yticks(ticks)
        ax.set_yticklabels([str(t) for t in ticks])
        ax.minorticks_off()

    logs = [("log n", math.log2), ("2 log n", lambda n: 2 * math.log2(n))]
    two_panels(table, declared, folder, "depth", "Depth: trees take log n to 2 log n steps; loops and chains take more",
               "longest chain of additions from an input to an output, counted in the engine's trace", "additions one after another",
               lambda c, n: c["depth"] if c.get("depth") else None, 0.5,
               [logs, logs], scale,
               "While threads are idle, it is the steps that take the time, and not the additions.")
