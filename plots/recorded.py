"""recorded: reads what was measured on a GPU: CSV files with a head of "# key: value" lines, as `make bench BACKEND=cuda` writes them.

A file that is not there is results.Missing: its figure is not drawn. A file that is there and cannot be right (no head, a column
missing, a time that is no number or not above 0, a row twice) is Malformed, with file and line. Nothing is guessed, and nothing is repaired.
"""
import csv
import os
from collections import defaultdict, namedtuple

import results

HEAD = ("gpu", "driver", "cuda", "date", "commit")
Time = namedtuple("Time", "us low high")        # median, and the range of the repetitions


class Malformed(Exception):
    """A recorded file that cannot be right: names file and line."""


class Recorded:
    """head: {key: value}; wrong: what gave wrong answers; rows: [{column: text}] with "line" added; name: the file's."""

    def __init__(self, folder, name, columns, head=HEAD):
        self.path, self.name = os.path.join(folder, name), name
        try:
            with open(self.path, newline="", encoding="utf-8") as file:
                lines = file.read().splitlines()
        except OSError as error:
            raise results.Missing(f"{self.path}: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise Malformed(f"{self.path}: {error}") from error
        self.head, self.wrong = {}, []
        first = next((i for i, line in enumerate(lines) if not line.startswith("#")), len(lines))
        for line in lines[:first]:
            key, _, value = line[1:].partition(":")
            self.head[key.strip()] = value.strip()
            if key.strip() == "wrong":      # may be there several times: what gave a wrong answer, and has no row
                self.wrong.append(value.strip())
        missing = [key for key in head if not self.head.get(key)]
        if missing:
            raise Malformed(f"{self.path}: its head does not say: {', '.join(missing)} (a line `# {missing[0]}: ...`)")
        found = next(csv.reader(lines[first:first + 1]), [])
        if found != list(columns):
            raise Malformed(f"{self.path}:{first + 1}: expected the columns {','.join(columns)}, got {','.join(found)}")
        self.rows = []
        for number, values in enumerate(csv.reader(lines[first + 1:]), first + 2):
            if len(values) != len(columns):
                raise Malformed(f"{self.path}:{number}: {len(values)} values in {len(columns)} columns")
            self.rows.append({**dict(zip(columns, values)), "line": number})

    def number(self, row, column, kind=float, zero=False):
        """A number above 0, or 0 too where zero says so: a rate may be rounded to it."""
        try:
            value = kind(row[column])
        except ValueError:
            value = -1
        if not 0 <= value < float("inf") or value == 0 and not zero:
            raise Malformed(f"{self.path}:{row['line']}: {column} is {row[column]!r}, not a number {'from 0 up' if zero else 'above 0'}")
        return value

    def time(self, row):
        time = Time(*(self.number(row, column) for column in ("us", "us_min", "us_max")))
        if not time.low <= time.us <= time.high:
            raise Malformed(f"{self.path}:{row['line']}: the median {time.us} is not between {time.low} and {time.high}")
        return time

    def table(self, keys, value):
        """{key: {...}} nested by keys, [(column, kind)]; value(row) at the bottom. A row twice is Malformed."""
        table = nested(len(keys) - 1)
        for row in self.rows:
            at = table
            for column, kind in keys[:-1]:
                at = at[row[column] if kind is str else self.number(row, column, kind)]
            last = row[keys[-1][0]] if keys[-1][1] is str else self.number(row, *keys[-1])
            if last in at:
                raise Malformed(f"{self.path}:{row['line']}: the same row again: {', '.join(row[column] for column, _ in keys)}")
            at[last] = value(row)
        return table

    def source(self):
        """What was measured where."""
        head = self.head
        return f"{head['gpu']}, driver {head['driver']}, CUDA {head['cuda']}, {head['date']}, commit {head['commit'][:12]}; {self.name}"

    def foot(self):
        """The same, in one line under a figure."""
        return self.source().removeprefix("NVIDIA ")


def nested(levels):
    return defaultdict(lambda: nested(levels - 1)) if levels > 0 else {}


class Ladder:
    """ladder.csv. times(series, type): {n: Time}, empty where it was not measured."""

    COLUMNS = ("what", "type", "n", "us", "us_min", "us_max", "GBps")

    def __init__(self, folder, name="ladder.csv"):
        self.file = Recorded(folder, name, self.COLUMNS)
        self.by_what = self.file.table([("what", str), ("type", str), ("n", int)], self.file.time)
        self.rates = self.file.table([("what", str), ("type", str), ("n", int)], lambda row: self.file.number(row, "GBps", zero=True))

    def find(self, table, series, kind):
        kind = series.only or kind
        for name in series.names:
            found = table.get(name.replace("TYPE", kind), {}).get(kind)
            if found:
                return found
        return {}

    def times(self, series, kind):
        return self.find(self.by_what, series, kind)

    def throughput(self, series, kind):
        """{n: GB/s}"""
        return self.find(self.rates, series, kind)

    def ratios(self, series, peer, kind):
        """{n: (peer's time over the series' median, over its fastest run, over its slowest)}, at every n that both have."""
        mine, theirs = self.times(series, kind), self.times(peer, kind)
        return {n: tuple(theirs[n].us / t for t in mine[n]) for n in sorted(mine.keys() & theirs.keys())}

    def source(self):
        return self.file.source()

    def foot(self):
        return self.file.foot()


# ---- what the ladder's rows are ----------------------------------------------------------------------------------------

# names: as the file may call it, the surest first: a lab's id alone is its first part of that type. TYPE stands for i32, f32, i64.
# only: the one type of a lab that has no other, whichever is asked for.
Series = namedtuple("Series", "key label names only", defaults=[None])


def _lab(key, label, folder, part, first=False, only=None):
    return Series(key, label, (f"{folder}.{part}",) + ((folder,) if first else ()), only)


CPU = _lab("01", "01 CPU, one core", "01_cpu_scan", "inclusive", True)
MEMCPY = Series("memcpy", "memcpy", ("memcpyD2D",))
CUB = Series("cub", "CUB scan", ("cub_inscan",))
CUB_REDUCE = Series("cub_reduce", "CUB reduce", ("cub_reduce",))
THRUST = Series("thrust", "Thrust scan", ("thrust_inscan",))
NAIVE_SECTIONS = _lab("02s", "02 naive tree", "02_naive_reduction", "reduce_naive_partial", True)
COMPACTED_SECTIONS = _lab("03s", "03 divergence-free", "03_divergence_free_reduction", "reduce_compacted_partial", True)
NAIVE = _lab("02", "02 naive tree", "02_naive_reduction", "reduce_naive_total")
COMPACTED = _lab("03", "03 divergence-free", "03_divergence_free_reduction", "reduce_compacted_total")
COARSENED = _lab("03c", "03 coarsened", "03_divergence_free_reduction", "reduce_coarsened_total")
HILLIS_STEELE = _lab("04", "04 Hillis-Steele", "04_hillis_steele", "inclusive", True)
BLELLOCH = _lab("05", "05 Brent-Kung", "05_blelloch", "brent_kung_inclusive", True)
SCAN_THEN_PROPAGATE = _lab("06a", "06 scan-then-propagate", "06_multi_block", "scan_then_propagate", True)
REDUCE_THEN_SCAN = _lab("06b", "06 reduce-then-scan", "06_multi_block", "reduce_then_scan")
CHAIN = _lab("07c", "07 chain alone", "07_streaming_scan", "streaming_scan_prefixes", True)
CHAINED = _lab("07", "07 chained", "07_streaming_scan", "streaming_scan")
BALLOT = _lab("08", "08 ballot, of int", "08_ballot_popc", "block_binary_scan", only="i32")
SHUFFLE = _lab("09", "09 shuffle", "09_shuffle_scan", "shuffle_block_scan")
LOOKBACK = Series("10", "10 look-back", ("10_decoupled_lookback.lookback_TYPE", "10_decoupled_lookback"))
SPEED = Series("11", "11 speed of light", ("11_speed_of_light.speed_TYPE", "11_speed_of_light"))

REDUCTIONS = [NAIVE, COMPACTED, COARSENED]
SECTIONS = [HILLIS_STEELE, BLELLOCH, SHUFFLE]           # blocks that know nothing of each other
SCANS = [SCAN_THEN_PROPAGATE, REDUCE_THEN_SCAN, CHAINED, LOOKBACK, SPEED]
TYPES = {"i32": "int", "f32": "float", "i64": "long long"}

# ---- what labs aim at --------------------------------------------------------------------------------------------------

CUB_GOALS = {LOOKBACK: 1.0, SPEED: 1.25}                            # CUB's time over theirs, at every n
COPY_SHARES = [(1 << 25, 1 << 27, 90), (1 << 27, 1 << 30, 95)]      # lab 11, in % of memcpy's throughput: from n, to n
SMALL_N, OVER_COPY_US = 1 << 20, 3                                  # lab 11: no more than this above memcpy's time
REDUCE_N, REDUCE_SHARE = 1 << 24, 0.95                              # lab 03, coarsened: CUB's reduction over its time, from n
