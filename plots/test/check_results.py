"""check_results: are the files of a collection whole, and do networks and counts say what theory says?

    python3 plots/test/check_results.py DATA LARGEST      for tests; prints every failure

Theory for n = 16 in one section: Hillis-Steele n log n - (n - 1) = 49 additions, depth log n = 4; Sklansky n/2 log n = 32, depth 4;
Brent-Kung 2n - 2 - log n = 26, depth 2 log n - 2 = 6; a scan by shuffles is Hillis-Steele's within a warp. Labs 04 and 05 scan sections of more than 16 elements that zeros pad: the
zeros make no nodes.
Exit status: 0 all as it should be; 1 not.
"""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

import network
import results

failures = []


def expect(expected, got, what):
    if expected != got:
        failures.append(f"{what}: expected {expected}, got {got}")


def check_counts(data, largest):
    table = results.counts(data)
    ids = {lab for lab, _ in table}
    here = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "solutions")
    solved = {name for name in os.listdir(here) if name[:2].isdigit() and name != "01_cpu_scan"}     # it runs on the host: the engine counts nothing
    expect(sorted(solved), sorted(i for i in ids if i[:2].isdigit()), "labs in counts.csv")
    declared = results.declared(data)
    expect(True, solved < declared.titles.keys(), "labs.csv names every lab")
    for lab in solved:
        if not any(declared.drawn[lab]):     # a bonus
            continue
        expect(True, any((lab, part) in table for part in declared.drawn[lab]), f"{lab}: a part that is drawn was counted")
    counters = set()
    for by_n in table.values():
        for n, found in by_n.items():
            counters |= found.keys()
    for (lab, part), by_n in table.items():
        expect(True, 16 in by_n, f"{lab} {part} at n = 16")
        for n, found in by_n.items():
            expect(True, n <= largest, f"{lab} {part}: n = {n} at most {largest}")
            expect(set(), counters - found.keys() - ({"sums", "depth"} if n > 1 << 16 else set()), f"{lab} {part}, n = {n}: counters that are missing")


def check_theory(data):
    table = results.counts(data)
    theory = {("04_hillis_steele", "hillis_steele_inclusive"): (49, 4), ("04_hillis_steele", "hillis_steele_double_buffer"): (49, 4),
              ("05_blelloch", "brent_kung_inclusive"): (26, 6), ("sklansky", "sklansky_inclusive"): (32, 4),
              ("09_shuffle_scan", "shuffle_block_scan"): (49, 4)}
    solved = {lab for lab, _ in table}
    for key, (work, depth) in theory.items():
        if key[0] not in solved:        # check_counts tells whether it should be
            continue
        expect((work, depth), (table[key][16]["sums"], table[key][16]["depth"]), f"{' '.join(key)} at n = 16: additions and depth, as counted")
        drawn = network.find(data, *key)
        expect((work, depth), (drawn.work, drawn.longest), f"{' '.join(key)} at n = 16: additions and depth, as drawn")
        expect(list(range(16)), sorted(drawn.outputs), f"{' '.join(key)} at n = 16: outputs")
        check_sums(drawn, " ".join(key))
        check_chain(drawn, " ".join(key))
    # Exclusive: an output is the sum of what lies before it. Its root, and what only that needs, is added in vain.
    drawn = network.find(data, "05_blelloch", "blelloch_exclusive")
    expect((22, 6), (table["05_blelloch", "blelloch_exclusive"][16]["sums"], drawn.longest), "Blelloch at n = 16: additions that count, and depth")
    expect((26, 7), (drawn.work, drawn.rows), "Blelloch at n = 16: additions and steps, as drawn")
    check_sums(drawn, "Blelloch", 1)
    check_chain(drawn, "Blelloch")
    # Merrill and Garland, NVR-2016-002, figure 2, and the same for 1024 elements in warps of 32: executed additions.
    strategies = {"block_propagate": (37, 5, 5249, 11), "block_raking": (29, 9, 2113, 68), "block_sklansky": (36, 4, 6688, 10)}
    for part, (work, depth, work_of_1024, depth_of_1024) in strategies.items():
        small, large = table["12_block_strategies", f"{part}_16"][16], table["12_block_strategies", part][1024]
        expect((work, depth), (small["float_adds"], small["depth"]), f"{part}_16 at n = 16: additions and depth, as counted")
        expect((work_of_1024, depth_of_1024), (large["float_adds"], large["depth"]), f"{part} at n = 1024: additions and depth, as counted")
        drawn = network.find(data, "12_block_strategies", f"{part}_16")
        expect((work, depth), (drawn.work, drawn.longest), f"{part}_16 at n = 16: additions and depth, as drawn")
        expect(list(range(16)), sorted(drawn.outputs), f"{part}_16 at n = 16: outputs")
        check_sums(drawn, f"{part}_16")
    expect(256 * 8 - 255, table["04_hillis_steele", "hillis_steele_inclusive"][256]["sums"], "Hillis-Steele, n = 256: additions")
    expect(8, table["04_hillis_steele", "hillis_steele_inclusive"][256]["depth"], "Hillis-Steele, n = 256: depth")
    expect(2 * 1024 * 4, table["04_hillis_steele", "hillis_steele_inclusive"][1024]["bytes_read"] + table["04_hillis_steele", "hillis_steele_inclusive"][1024]["bytes_written"],
           "Hillis-Steele, n = 1024: bytes moved")


def check_chain(drawn, name):
    """From an input to an output, each the operand of the next, as many sums as the network is deep."""
    operands = {value: (left, right) for value, left, right in drawn.sums}
    expect(drawn.longest + 1, len(drawn.chain), f"{name}: values on the longest chain")
    expect((0, True), (drawn.row[drawn.chain[0]], drawn.chain[-1] in drawn.outputs.values()), f"{name}: the chain's input, and its output")
    expect(True, all(low in operands[high] for low, high in zip(drawn.chain, drawn.chain[1:])), f"{name}: each of the chain is added to make the next")


def check_sums(drawn, name, exclusive=0):
    """Output i is the sum of inputs 0 to i, or where exclusive is 1 to i - 1, each once, whatever the network."""
    covers = {i: [column] for i, column in drawn.column.items() if drawn.row[i] == 0}
    for value, left, right in drawn.sums:
        covers[value] = sorted(covers[left] + covers[right])
    for element, value in drawn.outputs.items():
        expect(list(range(element + 1 - exclusive)), covers[value], f"{name} at n = 16: what output {element} is the sum of")


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    check_counts(sys.argv[1], int(sys.argv[2]))
    check_theory(sys.argv[1])
    for text in failures:
        print(f"FAIL {text}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
