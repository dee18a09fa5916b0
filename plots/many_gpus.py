"""many_gpus: scans over the GPUs of one host, over their number: at equal n on each, and at equal n in all.

From many.csv, and links.csv for words between them.
"""
import recorded
import results

COLUMNS = ("what", "type", "gpus", "n_a_gpu", "n", "us", "us_min", "us_max")
LINKS = ("what", "gpus", "from", "to", "us")
COPY, DEALT, CUB, FIX_UP = "copy", "dealt", "cub_seed_first", "cub_fix_up"
GATHERS = ("nccl", "host", "board")     # between CUB's parts: the fastest counts


def table_of(folder):
    """The file, and {what: {(gpus, n of each): us}}; CUB's parts with whatever gather is the fastest there."""
    file = recorded.Recorded(folder, "many.csv", COLUMNS)
    found = file.table([("what", str), ("gpus", int), ("n_a_gpu", int)], lambda row: file.time(row).us)
    table = {what: {(gpus, n): us for gpus, by_n in by_gpus.items() for n, us in by_n.items()} for what, by_gpus in found.items()}
    for parts in (CUB, FIX_UP):
        table[parts] = fastest_parts(table, GATHERS, [parts])
    if not table.get(COPY) or not table.get(DEALT) or not table[CUB]:
        raise results.Missing(f"{file.path} has no rows of a copy, the look-back over all GPUs and CUB's parts")
    return file, table


def fastest_parts(table, gathers, ways=(CUB, FIX_UP)):
    """{(gpus, n of each): us}: CUB's parts with the fastest of these gathers, of these ways."""
    rows = [table[f"{parts}_{gather}"] for parts in ways for gather in gathers if f"{parts}_{gather}" in table]
    return {at: min(row[at] for row in rows if at in row) for at in set().union(*rows)}


def links_of(folder):
    """Of links.csv: {gpus: us} of a round of the board; the range of a word pushed and of one polled, as text; {gpus: us} of an all-gather."""
    file = recorded.Recorded(folder, "links.csv", LINKS)
    found = {}
    for row in file.rows:
        found.setdefault(row["what"], []).append((file.number(row, "gpus", int), file.number(row, "us")))
    if not {"board", "flag_pushed", "flag_polled", "ncclAllGather_8_bytes"} <= found.keys():
        raise results.Missing(f"{file.path} has no rows of a board, of flags and of an all-gather")

    def range_of(what):
        low, high = (f"{pick(us for _, us in found[what]):.2f}" for pick in (min, max))
        return low if low == high else f"{low} to {high}"

    return dict(found["board"]), range_of("flag_pushed"), range_of("flag_polled"), dict(found["ncclAllGather_8_bytes"])


def over_gpus(line, n, in_all):
    """{gpus: us}, at n on each GPU or in all."""
    return {gpus: us for (gpus, own), us in line.items() if (own * gpus if in_all else own) == n}


def many_gpus(folder, out):
    import style

    looks = {"cub_fix_up": ("CUB: scan, add", style.LIGHT, "X", ":"), CUB: ("CUB: sum, scan", style.GREY, "P", "-"),
             "fix_up": ("scan, add", *style.LABS["06"], "-"), "board": ("sum, scan", *style.LABS["11"], "-"),
             DEALT: ("tiles in turn", *style.LABS["10"], "-"), COPY: ("copy", style.BLACK, "", "--")}
    file, table = table_of(folder)
    most = max(gpus for gpus, _ in table[DEALT])
    n = max(own for gpus, own in table[DEALT] if gpus == most)
    share = 100 * table[COPY][most, n] / table[DEALT][most, n]
    fig, axes = style.figure(f"One look-back over {most} GPUs scans at {share:.0f} % of a copy's speed",
                             "us, medians with a cold L2 cache; the slowest GPU counts; a copy: each GPU of its own part", columns=2)
    fig.subplots_adjust(left=0.085, right=0.82, top=0.78, bottom=0.17, wspace=0.28)
    for ax, in_all in zip(axes, (False, True)):
        labels = []
        for what, (label, colour, marker, dash) in looks.items():
            line = over_gpus(table.get(what, {}), n, in_all)
            if line:
                xs = sorted(line)
                ax.plot(xs, [line[x] for x in xs], color=colour, marker=marker, linestyle=dash, zorder=4 if what == DEALT else 3)
                labels.append((xs[-1], line[xs[-1]], label, colour))
        counts = sorted(over_gpus(table[COPY], n, in_all))
        ax.set_xscale("log", base=2)
        ax.set_xticks(counts)
        ax.set_xticklabels([str(count) for count in counts])
        ax.minorticks_off()
        ax.set_ylim(bottom=0)
        ax.set_xlabel("GPUs")
        ax.set_title(f"{style.power(n)} ints {'in all' if in_all else 'on each GPU'}", fontsize=17, loc="left")
    axes[0].set_ylabel("us")
    style.end_labels(axes[1], labels)
    style.source(fig, file.foot())
    style.save(fig, out, "gpu_many_gpus",
               "A number that leaves a GPU costs nearly nothing: what counts is how often each GPU reads its own part.")
