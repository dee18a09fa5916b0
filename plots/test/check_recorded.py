"""check_recorded: are recorded files read as they are written, refused where they cannot be right, and drawn?

    python3 plots/test/check_recorded.py TEST OUT      TEST: a function below; for tests; prints every failure

The files are make_up.py's: their rules say what must come out.
Exit status: 0 all as it should be; 1 not; 77 nothing to look at.
"""
import glob
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, ".."))

import recorded
import results

failures = []


def expect(expected, got, what):
    if expected != got:
        failures.append(f"{what}: expected {expected}, got {got}")


def near(expected, got, what):
    if abs(expected - got) > 1e-4 * abs(expected):
        failures.append(f"{what}: expected {expected}, got {got}")


def make_up(folder):
    subprocess.run([sys.executable, os.path.join(HERE, "make_up.py"), folder], check=True)
    return folder


def edited(folder, name, old, new):
    """Replaces old by new, once, in one of the files."""
    path = os.path.join(folder, name)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    assert old in text, (path, old)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text.replace(old, new, 1))


# ---- tests -------------------------------------------------------------------------------------------------------------

def numbers_are_read_as_written(out):
    ladder = recorded.Ladder(make_up(out))
    n = 1 << 20
    near(3 + 8 * n / 4e6, ladder.times(recorded.MEMCPY, "f32")[n].us, "memcpy's median")
    near(1.02 * (3 + 8 * n / 4e6), ladder.times(recorded.MEMCPY, "f32")[n].high, "memcpy's slowest run")
    expect(21, len(ladder.times(recorded.SPEED, "i64")), "sizes of lab 11, long long")
    expect({}, ladder.times(recorded.CHAINED, "i64"), "lab 07 of long long, which was not timed")
    # a part that is not the first of its type goes by its name: the chain alone is not the scan
    near(6 + 8 * n / (4e6 * 0.3), ladder.times(recorded.CHAINED, "f32")[n].us, "lab 07's scan")
    near(8 + 4 * n / (4e6 * 0.5), ladder.times(recorded.COMPACTED, "f32")[n].us, "lab 03's sum of all")
    near(3 + 8 * n / (4e6 * 0.7), ladder.times(recorded.BALLOT, "f32")[n].us, "lab 08's scan of a block, which there is of int only")
    near(12 + 16 * n / (4e6 * 0.8), ladder.times(recorded.SCAN_THEN_PROPAGATE, "f32")[n].us, "lab 06, first part")
    near((6 + 8 * n / 3e6) / (5 + 8 * n / 3.2e6), ladder.ratios(recorded.LOOKBACK, recorded.CUB, "f32")[n][0], "CUB over lab 10")
    fast, slow = ladder.ratios(recorded.LOOKBACK, recorded.CUB, "f32")[n][1:]
    near(1.02 / 0.99, fast / slow, "fastest over slowest ratio")
    expect(True, "MADE UP" in ladder.source() and "ladder.csv" in ladder.source(), f"the source line, {ladder.source()},")


def steps_compare_with_the_one_before(out):
    import timed
    ladder = recorded.Ladder(make_up(out))
    n = 1 << 30
    expect(n, timed.common_n(ladder, "f32", recorded.SCANS), "largest n of all scans")
    gains = {one.key: gain for _, one, _, gain in timed.gains(ladder, "f32", n)}
    expect(None, gains["02"], "gain of the first step")
    expect(None, gains["06a"], "gain of the first scan of all: sections are another job")
    expect(None, gains["cub"], "gain of CUB, which is no step")
    near((12 + 16 * n / 3.2e6) / (11 + 12 * n / 3.2e6), gains["06b"], "gain of reduce-then-scan")
    near((6 + 8 * n / 1.2e6) / (5 + 8 * n / 3.2e6), gains["10"], "gain of look-back on the chain")


def chain_obeys_the_law_of_hops(out):
    import hops
    ladder = recorded.Ladder(make_up(out))
    law, n = hops.of_today(ladder)
    expect(1 << 30, n, "largest n of chain, scan, look-back and copy")
    near((5 + 4 * n / 4e5) / (n / 1792), law.hop, "hop: time of the chain alone over its tiles of 1792")
    near(8 * n / 1000 / (3 + 8 * n / 4e6), law.copy, "a copy's GB/s")
    near(hops.needed(law), float(f"{law.hop * law.copy * 125:.3g}"), "elements of a tile that moves in a hop what a copy does")
    then, _ = hops.of_the_paper()
    expect(9000.0, hops.needed(then), "elements of a tile that the paper's GPU needs")


def bonus_labs_stand_beside_cub(out):
    import bonus
    _, table = bonus.table_of(make_up(out))
    expect([1 << 16, 1 << 25, 1 << 28], sorted(table), "sizes")
    row = table[1 << 28]["select in place 0 % kept"]
    near(1.25, bonus.gain(row), "CUB's time over the lab's")
    near(75, bonus.share(row, "speed"), "the lab's share of a copy")
    near(60, bonus.share(row, "cub"), "CUB's share of a copy")
    edited(out, "speed.csv", "select 0 % kept,cub,268435456,", "select 0 % kept,CUB,268435456,")
    expect(False, "select 0 % kept" in bonus.table_of(out)[1][1 << 28], "a row without CUB's time is drawn")


def a_fixed_order_keeps_its_bits(out):
    import same_bits
    _, table = same_bits.table_of(make_up(out))
    changed, same = same_bits.changing(table)
    expect({"10_decoupled_lookback", "11_speed_of_light", "cub_inscan", "cub_newer_inscan"}, changed, "whose bits change")
    expect({"11_speed_of_light_same_bits", "cub_newer_run_to_run"}, set(same), "whose do not")
    near(0.5, table["cub_inscan"][1 << 24].elements, "share of the elements that differ")
    expect("3.3.5", same_bits.release("300305"), "a release of CUB")
    edited(out, "repeat.csv", "11_speed_of_light_same_bits,f32,1048576,", "another,f32,1048576,")
    edited(out, "repeat.csv", "10_decoupled_lookback,f32,1048576,", "11_speed_of_light_same_bits,f32,1048576,")
    try:
        same_bits.same_bits(out, out)
        failures.append("a figure that promises the same bits was drawn from runs that differ")
    except recorded.Malformed as error:
        expect(True, "promises never to" in str(error), "what is said of it")


def library_is_counted_beside_labs(out):
    import library
    with open(os.path.join(out, "library.csv"), "w", encoding="utf-8") as file:
        file.write("# cub: 1.2.3\n# date: 2026-01-02\n# commit: 0123abc\n" + ",".join(library.COLUMNS) + "\n"
                   "cub,16,8,32,70,64\nlab_10,16,16,64,64,64\nlab_11,16,24,80,64,66\nlab_10,8,1,1,1,1\n")
    _, n, table = library.an_element(out)
    expect((16, (0.5, 2, 134 / 16)), (n, table["cub"]), "CUB's counts an element, at the largest n")
    edited(out, "library.csv", "lab_11,16", "lab_12,16")
    try:
        library.an_element(out)
        failures.append("a file without lab 11 was taken")
    except results.Missing as error:
        expect(True, "no rows of lab_11" in str(error), "what is said of it")
    with open(os.path.join(HERE, "..", "..", "docs", "simt.md"), encoding="utf-8") as file:
        page = file.read()
    _, _, table = library.an_element()
    for k, (name, digits) in enumerate((("warp instructions", 2), ("floating additions", 1))):
        row = " | ".join(f"{table[who][k]:.{digits}f}" for who in library.WHO)
        expect(True, f"| {name} | {row} |" in page, f"docs/simt.md has the recorded {name}, {row}")


def many_gpus_are_compared_at_equal_n(out):
    import many_gpus
    _, table = many_gpus.table_of(make_up(out))
    expect([1, 2, 4], sorted(many_gpus.over_gpus(table["dealt"], 1 << 28, False)), "GPUs with 2^28 on each")
    in_all = many_gpus.over_gpus(table["dealt"], 1 << 28, True)
    expect([1, 2, 4], sorted(in_all), "GPUs with 2^28 in all")
    near(in_all[4], table["dealt"][4, 1 << 26], "2^28 in all, on four GPUs, are 2^26 on each")
    near(table["cub_seed_first"][2, 1 << 28], table["cub_seed_first_board"][2, 1 << 28], "the fastest gather between CUB's parts")
    rounds, pushed, polled, gather = many_gpus.links_of(out)
    expect(({2: 1, 4: 1}, "1.10 to 1.20", "1.50", {2: 12, 4: 12}), (rounds, pushed, polled, gather), "words between GPUs")


def larger_jobs_stand_beside_their_papers(out):
    import applications
    from replications import published
    make_up(out)
    found, sizes = applications.inside(recorded.Recorded(out, "ballot_inside.csv", ("what", "variant", "n", "us", "us_min", "us_max", "warp_instructions")))
    expect(2, sizes, "how many n")
    near(6, found["radix_sort", "warp_scan32"][0], "% that a radix sort is faster by ballots")
    near(25, found["block_radix_sort", "warp_scan32_shuffle"][0], "% that a block's sort is faster by ballots than by shuffles")
    near(37.5, found["compaction", "warp_scan32"][1], "% fewer instructions in a compaction")
    rate, shares, _ = applications.of_spmv(recorded.Recorded(out, "spmv.csv", ("what", "us", "us_min", "us_max", "warp_instructions")))
    near(2 * 294276 / 20, rate, "MFLOPS")
    near(70, shares["segmented_scan"], "% of the time in the segmented scan")
    columns = ("what", "side", "us", "us_min", "us_max")
    rates, longer, _ = applications.of_water(recorded.Recorded(out, "water.csv", columns))
    near(40000, rates[256], "steps a second on the small grid")
    near(5000, rates[4096], "and on the large one")
    near(1.25, longer["columns_8"], "times as long as a copy")
    edited(out, "water.csv", "columns_4,4096,", "columns_5,4096,")
    expect(["columns_8"], list(applications.of_water(recorded.Recorded(out, "water.csv", columns))[1]), "kernels that a smaller GPU has")
    for job, _ in applications.JOBS:
        expect(True, any(what == job for what, _ in published("ballot_inside")), f"{job} is in published.csv")
    edited(out, "ballot_inside.csv", "compaction,warp_scan32,1048576,", "compaction,warp_scan64,1048576,")
    edited(out, "ballot_inside.csv", "compaction,warp_scan32,16777216,", "compaction,warp_scan64,16777216,")
    try:
        applications.inside(recorded.Recorded(out, "ballot_inside.csv", ("what", "variant", "n", "us", "us_min", "us_max", "warp_instructions")))
        failures.append("a compaction without times of 32-bit scans was taken")
    except results.Missing as error:
        expect(True, "compaction" in str(error), f"the job in {error}")


def compaction_and_structures_stand_beside_their_papers(out):
    import applications
    from replications import published
    make_up(out)
    times, n = applications.of_passes(recorded.Recorded(out, "passes.csv", ("what", "variant", "n", "us", "us_min", "us_max", "warp_instructions")))
    expect(1 << 25, n, "largest n")
    near(2.5, times["partition_if"]["scan_then_propagate"].us / times["partition_if"]["single_pass"].us, "a partition's gain")
    expect({job for job, _ in applications.COMPACTIONS}, {what for what, _ in published("passes")}, "what published.csv has of figure 12")
    found = applications.of_structures(recorded.Recorded(out, "structures.csv", ("what", "words", "n", "us", "us_min", "us_max", "warp_instructions")))
    expect([2, 3, 4, 5, 8, 16], list(found["direct"]), "sizes of structures")
    near(5, found["direct"][16].us / found["shuffle"][16].us, "direct over shuffles, 16 words")
    edited(out, "structures.csv", "direct,16,", "direkt,16,")
    found = applications.of_structures(recorded.Recorded(out, "structures.csv", ("what", "words", "n", "us", "us_min", "us_max", "warp_instructions")))
    expect(False, 16 in found["shuffle"], "a size without direct access is drawn")
    edited(out, "passes.csv", "select_if,single_pass,33554432,", "select_if,no_pass,33554432,")
    _, n = applications.of_passes(recorded.Recorded(out, "passes.csv", ("what", "variant", "n", "us", "us_min", "us_max", "warp_instructions")))
    expect(1 << 21, n, "largest n where one of 2^25 lacks its single pass")


def refused(folder, name, old, new, *words):
    """The file, edited so, is Malformed, and the message has those words."""
    make_up(folder)
    edited(folder, name, old, new)
    try:
        recorded.Ladder(folder)
        failures.append(f"{name} with {new!r} for {old!r} was taken")
    except recorded.Malformed as error:
        for word in (name,) + words:
            expect(True, word in str(error), f"{new!r} for {old!r}: {word!r} in the message {str(error)!r}")


def files_that_cannot_be_right_are_refused(out):
    first = "memcpyD2D,i32,1024,3.002048,2.972028,3.062089,"
    line = ":8:"
    refused(out, "ladder.csv", first, "memcpyD2D,i32,1024,quick,2.972028,3.062089,", line, "us is 'quick'")
    refused(out, "ladder.csv", first, "memcpyD2D,i32,1024,nan,2.972028,3.062089,", line, "us is 'nan'")
    refused(out, "ladder.csv", first, "memcpyD2D,i32,1024,0,2.972028,3.062089,", line, "above 0")
    refused(out, "ladder.csv", first, "memcpyD2D,i32,1024,9,2.972028,3.062089,", line, "median 9.0")
    refused(out, "ladder.csv", first, "memcpyD2D,i32,10.5,3.002048,2.972028,3.062089,", line, "n is '10.5'")
    refused(out, "ladder.csv", first, "memcpyD2D,i32,1024,3.002048,2.972028,", line, "6 values in 7 columns")
    refused(out, "ladder.csv", "memcpyD2D,i32,2048,", "memcpyD2D,i32,1024,", ":9:", "same row again")
    refused(out, "ladder.csv", ",us_min,us_max", "", ":7:", "expected the columns")
    refused(out, "ladder.csv", "# driver: none\n", "", "driver")
    os.remove(os.path.join(out, "ladder.csv"))
    try:
        recorded.Ladder(out)
        failures.append("a file that is not there was taken")
    except results.Missing as error:
        expect(True, "ladder.csv" in str(error), f"the file's name in {error}")


def is_picture(folder, name):
    with open(os.path.join(folder, f"{name}.png"), "rb") as file:
        expect(b"PNG", file.read(4)[1:], f"{name}.png begins like a picture")
    with open(os.path.join(folder, f"{name}.svg"), encoding="utf-8") as file:
        text = file.read()
    expect(True, "</svg>" in text, f"{name}.svg is whole")
    expect(True, "MADE UP" in text, f"{name}.svg says where its numbers are from")


def every_figure_of_a_gpu_is_drawn(out):
    import draw
    expect([], draw.draw_recorded(make_up(out), out), "what went wrong")
    for name, _ in draw.ON_A_GPU:
        is_picture(out, name)


def wrong_answers_are_told_in_their_figure(out):
    import replications
    make_up(out)
    told = 'wrong answers'
    replications.shuffle(out, out)
    with open(os.path.join(out, "gpu_shuffle.svg"), encoding="utf-8") as file:
        expect(1, file.read().count(told), "variants with wrong answers in the figure")
    edited(out, "shuffle.csv", "# wrong: scan,shared_unsafe,264 blocks in 2 of 21 launches\n", "")
    replications.shuffle(out, out)
    with open(os.path.join(out, "gpu_shuffle.svg"), encoding="utf-8") as file:
        expect(0, file.read().count(told), "the same where none was wrong")


def what_was_not_recorded_is_not_drawn(out):
    """Without its file, and without its rows, a figure is left out, and the others are drawn."""
    import draw
    make_up(out)
    os.remove(os.path.join(out, "shuffle.csv"))
    os.remove(os.path.join(out, "speed.csv"))
    os.remove(os.path.join(out, "spmv.csv"))
    os.remove(os.path.join(out, "water.csv"))
    with open(os.path.join(out, "ladder.csv"), encoding="utf-8") as file:
        lines = [line for line in file if not line.startswith("07_") and ",i64," not in line]
    with open(os.path.join(out, "ladder.csv"), "w", encoding="utf-8") as file:
        file.writelines(lines)
    edited(out, "barrier_count.csv", "reduce32,1,512", "reduce32,one,512")
    wrong = draw.draw_recorded(out, out)
    expect(1, len(wrong), "how many files cannot be right")
    expect(True, "barrier_count.csv:" in wrong[0] and "'one'" in wrong[0], f"file and value in {wrong}")
    absent = {"gpu_shuffle", "gpu_spmv", "gpu_water_steps", "gpu_strategies", "gpu_hops", "gpu_compaction", "gpu_segments", "gpu_sort", "gpu_throughput_i64", "gpu_small_n_i64", "gpu_barrier_count"}
    for name, _ in draw.ON_A_GPU:
        expect(name not in absent, os.path.exists(os.path.join(out, f"{name}.png")), f"{name}.png is there")


def published_results_have_their_sources(_out):
    rows = results.rows(os.path.join(HERE, "..", "data"), "published.csv")
    expect(True, len(rows) > 0, "rows in published.csv")
    for row in rows:
        expect(True, bool(row["device"] and row["source"]) and float(row["value"]) > 0, f"device, source and value of {row}")


def recorded_files_are_from_a_gpu(_out):
    """What stands in plots/data was measured: it has a head, can be right, and is not made up."""
    files = sorted(glob.glob(os.path.join(HERE, "..", "data", "*", "*.csv")))
    if not files:
        print("skipped: nothing is recorded in plots/data")
        sys.exit(77)
    for path in files:
        folder, name = os.path.split(path)
        with open(path, encoding="utf-8") as file:
            text = file.read()
        expect(False, "MADE UP" in text, f"{path} is made up")
        columns = next((line.split(",") for line in text.splitlines() if not line.startswith("#")), [])
        if "us" not in columns:         # no times: another reader's
            continue
        try:
            file = recorded.Recorded(folder, name, columns)
            for row in file.rows:
                file.time(row) if "us_min" in columns else file.number(row, "us")
            if name.startswith("ladder"):
                recorded.Ladder(folder, name)
        except (recorded.Malformed, results.Missing) as error:
            failures.append(str(error))


def main():
    test = globals().get(sys.argv[1]) if len(sys.argv) == 3 else None
    if not callable(test):
        print(__doc__, file=sys.stderr)
        return 1
    os.makedirs(sys.argv[2], exist_ok=True)
    test(sys.argv[2])
    for text in failures:
        print(f"FAIL {text}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
