"""table: writes the tables of results from what was recorded on a GPU.

    python3 plots/table.py [--check] [PAGE [RECORDED]]

A page holds marks of TABLES below and, further down from each, END; what stands between the two is replaced by a table of a file in
RECORDED that TABLES names. Without arguments: PAGES of the kit, and plots/data/h200. --check writes nothing: it says whether page and
files agree.
Exit status: 0 written, or they agree; 1 they disagree; 2 usage; 3 a mark is missing or the file cannot be right; 77 nothing is recorded,
and the page says so.
"""
import difflib
import os
import sys

import many_gpus
import recorded
import results
import same_bits
from recorded import COARSENED, CUB, CUB_REDUCE, LOOKBACK, MEMCPY, SMALL_N, SPEED, TYPES

END = "<!-- end of results -->"
NOTHING = "\nNothing is recorded yet.\n\n"
SHOWN = "f32"       # whose times are shown; ratios of all types are
COLUMNS = [MEMCPY, CUB, LOOKBACK, SPEED]
IN_SHORT = [1 << 10, 1 << 20, 1 << 28]


def power(n):
    return f"2^{n.bit_length() - 1}" if n & (n - 1) == 0 else f"{n}"


def microseconds(us):
    return f"{us:.2f}" if us < 100 else f"{us:.1f}" if us < 1000 else f"{us:.0f}"


def lines_of(rows):
    """Markdown, padded so that it reads as it stands; the first row is the head. All columns but the first are to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    padded = ["| " + " | ".join(text.ljust(w) if i == 0 else text.rjust(w) for i, (text, w) in enumerate(zip(row, widths))) + " |" for row in rows]
    rule = "|" + "|".join("-" * (w + 2) if i == 0 else "-" * (w + 1) + ":" for i, w in enumerate(widths)) + "|"
    return [padded[0], rule] + padded[1:]


def of_types(ladder, one, peer, n):
    """The ratios of peer's time to one's at n, of all types."""
    found = [ladder.ratios(one, peer, kind).get(n) for kind in TYPES]
    return " ".join(f"{ratio[0]:.2f}" if ratio else "   -" for ratio in found)


def spread(ladder, n):
    """How far below and above its median any program of the row ran, of any type: "-3 +12 %"."""
    times = [ladder.times(one, kind).get(n) for one in COLUMNS for kind in TYPES]
    low, high = max(1 - t.low / t.us for t in times if t), max(t.high / t.us - 1 for t in times if t)
    return f"-{100 * low:.0f} +{100 * high:.0f} %"


def by_n(ladder):
    every = sorted({n for one in COLUMNS for n in ladder.times(one, SHOWN)})
    rows = [["n", "memcpy", "CUB", "lab 10", "lab 11", "CUB / lab 10", "CUB / lab 11", "of a copy", "spread"]]
    for n in every:
        if (n.bit_length() - 1) % 2 == 0:
            times = [ladder.times(one, SHOWN).get(n) for one in COLUMNS]
            share = ladder.ratios(SPEED, MEMCPY, SHOWN).get(n)
            rows.append([power(n)] + [microseconds(t.us) if t else "-" for t in times]
                        + [of_types(ladder, LOOKBACK, CUB, n), of_types(ladder, SPEED, CUB, n)]
                        + [f"{share[0]:.2f}" if share else "-", spread(ladder, n)])
    return rows


def extreme(values, pick, form):
    """"1.02 at 2^16": the least or the most of {n: value}; "-" where there is none."""
    if not values:
        return "-"
    n = pick(values, key=values.get)
    return f"{form.format(values[n])} at {power(n)}"


def over_all_n(ladder):
    def least(one, peer, first):
        return [extreme({n: r[0] for n, r in ladder.ratios(one, peer, kind).items() if n >= first}, min, "{:.2f}") for kind in TYPES]

    def most_over_copy(one, last):
        found = []
        for kind in TYPES:
            mine, copy = ladder.times(one, kind), ladder.times(MEMCPY, kind)
            found.append(extreme({n: mine[n].us - copy[n].us for n in mine.keys() & copy.keys() if n <= last}, max, "{:.2f}"))
        return found

    rows = [["over all n of the file", "goal"] + list(TYPES.values()),
            ["CUB's time / lab 10's, least", f"{recorded.CUB_GOALS[LOOKBACK]:.2f}"] + least(LOOKBACK, CUB, 0),
            ["CUB's time / lab 11's, least", f"{recorded.CUB_GOALS[SPEED]:.2f}"] + least(SPEED, CUB, 0)]
    for first, _, share in recorded.COPY_SHARES:
        rows.append([f"memcpy's time / lab 11's, least from {power(first)}", f"{share / 100:.2f}"] + least(SPEED, MEMCPY, first))
    rows.append([f"lab 11 - memcpy, us, most up to {power(SMALL_N)}", f"{recorded.OVER_COPY_US:.2f}"] + most_over_copy(SPEED, SMALL_N))
    name = f"CUB reduce's time / lab 03's coarsened, least from {power(recorded.REDUCE_N)}"
    rows.append([name, f"{recorded.REDUCE_SHARE:.2f}"] + least(COARSENED, CUB_REDUCE, recorded.REDUCE_N))
    return rows


def need_rows(ladder):
    if not any(ladder.times(one, kind) for one in COLUMNS for kind in TYPES):
        raise recorded.Malformed(f"{ladder.file.path} has no rows of {', '.join(one.label for one in COLUMNS)}")


def text_of(ladder):
    need_rows(ladder)
    about = [ladder.source() + ";",
             "scans of n elements: medians of runs with a cold L2 cache, microseconds for float; CUB's time over",
             "the labs' for int, float, long long; memcpy's over lab 11's for float; spread: fastest and slowest",
             "single run of any of the row's programs and types, off its median."]
    return "\n" + "\n".join(about + [""] + lines_of(by_n(ladder)) + [""] + lines_of(over_all_n(ladder))) + "\n\n"


def in_short(ladder):
    need_rows(ladder)
    rows = [["n, float"] + [one.label for one in COLUMNS]]
    for n in IN_SHORT:
        times = [ladder.times(one, SHOWN).get(n) for one in COLUMNS]
        rows.append([power(n)] + [microseconds(t.us) if t else "-" for t in times])
    return "\n" + "\n".join(lines_of(rows) + ["", "(" + ladder.source() + ".)"]) + "\n\n"


def of_same_bits(folder):
    file, floats = same_bits.table_of(folder)
    _, doubles = same_bits.table_of(folder, "f64")
    columns = [("memcpy", floats, same_bits.COPY), ("lab 11", floats, same_bits.ANY), ("this", floats, same_bits.OURS), ("CUB", floats, same_bits.CUB),
               ("newer", floats, same_bits.NEWER), ("run_to_run", floats, same_bits.RUN_TO_RUN), ("memcpy, double", doubles, same_bits.COPY),
               ("this", doubles, same_bits.OURS), ("CUB", doubles, same_bits.CUB), ("newer", doubles, same_bits.NEWER),
               ("run_to_run", doubles, same_bits.RUN_TO_RUN)]
    times = [["n"] + [title for title, _, _ in columns]]
    differ = [["n"] + [title for title, _, _ in columns[1:6]]]
    for n in sorted(floats[same_bits.OURS]):
        times.append([power(n)] + [microseconds(table[what][n].us) if n in table.get(what, {}) else "-" for _, table, what in columns])
        if (n.bit_length() - 1) % 2 == 0:
            cells = [floats[what].get(n) if what in floats else None for _, _, what in columns[1:6]]
            differ.append([power(n)] + ["-" if not cell else f"{cell.runs}: {100 * cell.elements:.2g} %" if cell.runs else "0" for cell in cells])
    about = [file.source() + ";", f"CUB {same_bits.release(file.head.get('cub'))}, newer: {same_bits.release(file.head.get('cub_newer'))}. "
             "Medians of 21 runs in turn with a cold L2 cache, microseconds:"]
    again = ["Of 49 more runs on the same floats, how many differ from the first, and in how many of the elements", "at most:"]
    return "\n" + "\n".join(about + [""] + lines_of(times) + [""] + again + [""] + lines_of(differ)) + "\n\n"


def of_many_gpus(folder):
    file, table = many_gpus.table_of(folder)
    rounds, pushed, polled, gather = many_gpus.links_of(folder)
    counts = sorted({gpus for gpus, _ in table[many_gpus.COPY]} & rounds.keys())
    if not counts:
        raise results.Missing(f"{file.path} has no rows of two GPUs or more whose board links.csv has")
    bound = {(gpus, n): us + table["lab_reduce"][gpus, n] + rounds[gpus] for (gpus, n), us in table["lab_scan"].items() if gpus in rounds}
    most = counts[-1]
    lines = [("copy", table[many_gpus.COPY]), ("bound", bound), ("seed first", table["seed_first"]), ("board", table["board"]),
             ("dealt", table[many_gpus.DEALT])] + [(f"CUB {way}", many_gpus.fastest_parts(table, [way])) for way in many_gpus.GATHERS]
    goals = [("seed first", bound, 1.05), ("board", bound, 1.05), ("dealt", table[many_gpus.COPY], 1.10)]
    lines = dict(lines)
    rows = [["n a GPU"] + list(lines) + ["/ bound, / copy"]]
    for n in sorted(n for gpus, n in table[many_gpus.COPY] if gpus == most):
        if (n.bit_length() - 1) % 2 == 0:
            rows.append([power(n)] + [microseconds(line[most, n]) if (most, n) in line else "-" for line in lines.values()]
                        + [" ".join(f"{lines[name][most, n] / under[most, n]:.2f}" for name, under, _ in goals)])

    def over_all(pick, above, below):
        return [extreme({n: above[at, n] / below[at, n] for at, n in above.keys() & below.keys() if at == gpus}, pick, "{:.2f}") for gpus in counts]

    over = [["over all n of the file", "goal"] + [f"{gpus} GPUs" for gpus in counts]]
    for name, under, goal in goals:
        over.append([f"{name} / {'a copy' if under is table[many_gpus.COPY] else 'the bound'}, most", f"{goal:.2f}"] + over_all(max, lines[name], under))
    missed = [max((n for gpus, n in lines["dealt"] if gpus == at and lines["dealt"][at, n] > 1.10 * table[many_gpus.COPY][at, n]), default=0)
              for at in counts]
    over.append(["dealt / a copy is above 1.10 up to", "-"] + [power(n) if n else "-" for n in missed])
    parts = many_gpus.fastest_parts(table, many_gpus.GATHERS)
    over.append(["CUB's fastest parts / board, least", "-"] + over_all(min, parts, lines["board"]))
    about = [file.source() + ";",
             f"n ints on each of {most} GPUs, microseconds, medians of 21 runs with a cold L2 cache, the slowest GPU",
             "counts. copy: each GPU of its own part. bound: a sum of a share (lab 03), a scan of one (lab 11),",
             "and a round of the board; board is below it where the chip holds a share and reads it once. dealt:",
             "one look-back over all GPUs. CUB: its parts, 4n or 3n, whichever is faster, with NCCL, the host or",
             "our board between them. Last column: seed first and board over the bound, dealt over a copy."]
    words = [f"A word took {pushed} us from GPU to GPU when pushed, {polled} when looked for across the",
             f"link; a round of the board {rounds[most]:.2f} us, ncclAllGather of 8 bytes {gather[most]:.2f} (links.csv)."]
    return "\n" + "\n".join(about + [""] + lines_of(rows) + [""] + lines_of(over) + [""] + words) + "\n\n"


# mark: (the table's text from a folder, the file that it is from)
TABLES = {"<!-- results: written by plots/table.py -->": (lambda folder: text_of(recorded.Ladder(folder)), "ladder.csv"),
          "<!-- results in short: written by plots/table.py -->": (lambda folder: in_short(recorded.Ladder(folder)), "ladder.csv"),
          "<!-- same bits: written by plots/table.py -->": (of_same_bits, "repeat.csv"),
          "<!-- many GPUs: written by plots/table.py -->": (of_many_gpus, "many.csv")}
PAGES = ("README.md", os.path.join("docs", "results.md"), os.path.join("solutions", "11_speed_of_light_same_bits", "NOTES.md"))


def one_table(page, text, start, folder, check):
    """Returns the exit status, and the page's text with the table of that mark."""
    before, rest = text.split(start + "\n")
    now, after = rest.split(END + "\n", 1)
    try:
        make, name = TABLES[start]
        wanted = make(folder)
    except results.Missing as error:
        if check and now == NOTHING:
            print(f"table: nothing is recorded, and {page} says so: {error}")
            return 77, text
        print(f"table: {error}", file=sys.stderr)
        return 1 if check else 3, text
    except recorded.Malformed as error:
        print(f"table: {error}", file=sys.stderr)
        return 3, text
    if check:
        sys.stdout.writelines(difflib.unified_diff(now.splitlines(True), wanted.splitlines(True), page, os.path.join(folder, name), n=0))
        if now != wanted:
            print(f"table: {page} differs from what is recorded; python3 plots/table.py writes it anew")
        return (0 if now == wanted else 1), text
    return 0, before + start + "\n" + wanted + END + "\n" + after


def one_page(page, folder, check):
    """Writes the page's tables, or compares them; returns the exit status."""
    try:
        with open(page, encoding="utf-8") as file:
            text = file.read()
    except OSError as error:
        print(f"table: {page}: {error}", file=sys.stderr)
        return 3
    marks = [line for line in text.splitlines() if line in TABLES or line == END]
    starts = marks[::2]
    if not starts or marks[1::2] != [END] * len(starts) or END in starts or len(set(starts)) < len(starts):
        print(f"table: {page}: it must hold {' or '.join(TABLES)}, and after it {END}, once each", file=sys.stderr)
        return 3
    status = 0
    for start in starts:
        found, text = one_table(page, text, start, folder, check)
        status = max(status, found)
    if check or status:
        return status
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)
    print(f"table: wrote {page}")
    return 0


def main():
    words = sys.argv[1:]
    check = words[:1] == ["--check"]
    words = words[check:]
    if len(words) > 2 or any(word.startswith("-") for word in words):
        print(__doc__, file=sys.stderr)
        return 2
    here = os.path.dirname(os.path.abspath(__file__))
    kit = os.path.dirname(here)
    pages = words[:1] or [os.path.join(kit, page) for page in PAGES]
    folder = words[1] if len(words) > 1 else os.path.join(here, "data", "h200")
    return max(one_page(page, folder, check) for page in pages)


if __name__ == "__main__":
    sys.exit(main())
