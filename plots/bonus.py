"""bonus: the fast forms of labs 14 to 18 beside CUB and a copy. From speed.csv alone."""
import recorded
import results
import style

COLUMNS = ("what", "who", "n", "us_median", "us_min", "us_max", "GBps")
WHO = ("speed", "cub", "copy")


def table_of(folder):
    """The file, and {n: {what: {who: (us, GB/s)}}} of what all three have."""
    file = recorded.Recorded(folder, "speed.csv", COLUMNS)
    found = file.table([("n", int), ("what", str), ("who", str)], lambda row: (file.number(row, "us_median"), file.number(row, "GBps")))
    return file, {n: {what: who for what, who in by_what.items() if set(WHO) <= who.keys()} for n, by_what in found.items()}


def share(row, who):
    """Of a copy's GB/s, in %."""
    return 100 * row[who][1] / row["copy"][1]


def gain(row):
    """CUB's time over the lab's."""
    return row["cub"][0] / row["speed"][0]


def beside_cub(folder, out, name, lab, begins, title, note, sentence):
    """Two bars a row at the largest n, and how many times as fast as CUB there and at an eighth of it. begins: what rows' names begin with,
    and what of them is written otherwise. title: of the rows."""
    file, table = table_of(folder)
    if not table:
        raise results.Missing(f"{file.path} has no rows")
    n = max(table)
    small = n // 8 if n // 8 in table else min(table)
    rows = [(what.replace(*shown), what) for begin, shown in begins for what in table[n] if what.startswith(begin) and what in table[small]]
    if not rows:
        raise results.Missing(f"{file.path} has no rows of lab {lab}")
    fig, ax = style.figure(title([table[n][what] for _, what in rows]), note)
    fig.subplots_adjust(left=0.255, right=0.76, top=0.785, bottom=0.17)
    for i, (_, what) in enumerate(rows):
        row = table[n][what]
        ax.barh(i - 0.2, share(row, "speed"), height=0.4, color=style.LABS[lab][0], edgecolor=style.BLACK)
        ax.barh(i + 0.2, share(row, "cub"), height=0.4, color=style.LIGHT, edgecolor=style.BLACK, hatch="//")
        for at, one in ((1.15, row), (1.36, table[small][what])):
            ax.text(at, i, f"x {style.factor(gain(one))}", transform=ax.get_yaxis_transform(), va="center", ha="right", fontsize=16,
                    fontweight="bold" if one is row else "normal")
    for at, text in ((1.15, f"CUB's time /\nlab's, {style.power(n)}"), (1.36, f"\n{style.power(small)}")):
        ax.text(at, 1.015, text, transform=ax.transAxes, va="bottom", ha="right", fontsize=14, color="#444444")
    ax.axvline(100, color=style.BLACK, linestyle="--", zorder=4)
    ax.set_yticks(range(len(rows)))
    ax.set_yticklabels([text for text, _ in rows], fontsize=15)
    ax.set_ylim(len(rows) - 0.4, -0.6)
    ax.grid(axis="y", visible=False)
    ax.set_xlim(0, max(105, *(1.03 * share(table[n][what], who) for _, what in rows for who in ("speed", "cub"))))
    ax.set_xlabel(f"% of a copy's GB/s at n = {style.power(n)}")
    style.source(fig, file.foot())
    style.save(fig, out, name, sentence)


NOTE = "full: the lab, hatched: CUB, dashed: a copy; bytes that must move over median time"


def least_and_most(rows):
    return f"{style.factor(min(gain(row) for row in rows))} to {style.factor(max(gain(row) for row in rows))}"


def compaction(folder, out):
    begins = [(begin, ("", "")) for begin in ("select 0", "select 50", "select 100", "select in place", "partition", "runs of", "sums by key")]
    beside_cub(folder, out, "gpu_compaction", "14", begins, lambda rows: f"Bonuses of labs 14 and 15: {least_and_most(rows)} times as fast as CUB", NOTE,
               "Selecting is a scan of flags, and in one pass the data moves only once.")


def segments(folder, out):
    begins = [("sums of segments: ", ("sums of segments", "sums")), ("segmented scan: h", ("segmented scan", "scan")),
              ("segmented scan: r", ("segmented scan: random heads one", "scan: a head")), ("segmented scan: n", ("segmented scan", "scan"))]

    def title(rows):
        least = {who: min(share(row, who) for row in rows) for who in ("cub", "speed")}
        return f"Sums of segments: CUB falls to {least['cub']:.2g} % of a copy, lab 16's bonus to {least['speed']:.2g} %"

    beside_cub(folder, out, "gpu_segments", "16", begins, title, "sums: by length of the segments; " + NOTE,
               "Share out the elements, not the segments: then one giant segment keeps nobody waiting.")


def sort(folder, out):
    begins = [(f"sort of {of}", ("sort of ", "")) for of in ("keys", "pairs")]

    def title(rows):
        half = len(rows) // 2  # of each data: keys, and pairs
        return f"Keys sort {least_and_most(rows[:half])} times as fast as CUB, pairs {least_and_most(rows[half:])}"

    beside_cub(folder, out, "gpu_sort", "18", begins, title, "full: lab 18's bonus, hatched: CUB, dashed: a copy; equal digits are not moved",
               "One sweep for each digit, with a look-back of its own for each value of the digit.")
