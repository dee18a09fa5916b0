"""make_up: writes files such as a GPU's measurements have, for tests of the figures. THE NUMBERS ARE MADE UP: nothing was measured.

    python3 plots/test/make_up.py OUT

They follow simple rules (a start-up time and bytes over a bandwidth), so that tests know what must come out, and say that they are made up
in their heads: such a file is never installed in plots/data (a test looks).
"""
import os
import sys

HEAD = "# gpu: MADE UP, no GPU\n# driver: none\n# cuda: none\n# date: never\n# commit: none\n# spread: made up\n"
BANDWIDTH = 4e6     # bytes a microsecond

# what, types, times n bytes are moved per element, microseconds to start, share of the bandwidth, bytes counted
ROWS = [("memcpyD2D", "i32 f32 i64", 2, 3, 1.0, 2), ("cub_inscan", "i32 f32 i64", 2, 6, 0.75, 2), ("cub_reduce", "i32 f32 i64", 1, 4, 1.0, 1),
        ("thrust_inscan", "i32 f32 i64", 2, 12, 0.7, 2), ("01_cpu_scan", "f32", 2, 0, 0.001, 2),
        ("02_naive_reduction", "f32", 1, 4, 0.2, 1), ("02_naive_reduction.reduce_naive_total", "f32", 1, 8, 0.2, 1),
        ("03_divergence_free_reduction", "f32", 1, 4, 0.5, 1), ("03_divergence_free_reduction.reduce_compacted_total", "f32", 1, 8, 0.5, 1),
        ("03_divergence_free_reduction.reduce_coarsened_total", "f32", 1, 4.5, 0.98, 1),
        ("08_ballot_popc", "i32", 2, 3, 0.1, 2), ("08_ballot_popc.block_binary_scan", "i32", 2, 3, 0.7, 2),
        ("04_hillis_steele", "f32", 2, 3, 0.4, 2), ("05_blelloch", "f32", 2, 3, 0.3, 2), ("09_shuffle_scan.shuffle_block_scan", "f32", 2, 3, 0.6, 2),
        ("06_multi_block", "f32", 4, 12, 0.8, 2), ("06_multi_block.reduce_then_scan", "f32", 3, 11, 0.8, 2), ("07_streaming_scan", "f32", 1, 5, 0.1, 1),
        ("07_streaming_scan.streaming_scan", "f32", 2, 6, 0.3, 2),
        ("10_decoupled_lookback", "i32 f32 i64", 2, 5, 0.8, 2), ("11_speed_of_light", "i32 f32 i64", 2, 4, 0.96, 2)]


def spread(us):
    return f"{us:.6f},{0.99 * us:.6f},{1.02 * us:.6f}"


def write(folder, name, columns, lines):
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(HEAD + columns + "\n" + "".join(line + "\n" for line in lines))


def ladder():
    for what, kinds, moved, start, share, counted in ROWS:
        for kind in kinds.split():
            size = 8 if kind == "i64" else 4
            for k in range(10, 31):
                us = start + moved * size * 2 ** k / (BANDWIDTH * share)
                yield f"{what},{kind},{2 ** k},{spread(us)},{counted * size * 2 ** k / us / 1000:.6f}"


# what, CUB's time over the bonus lab's, the lab's share of a copy
BONUS = [("select 0 % kept", 1.5, 0.9), ("select in place 0 % kept", 1.25, 0.75), ("partition 50 % kept", 1.4, 0.9), ("runs of 500", 2, 0.8),
         ("segmented scan: no heads", 1.5, 0.96), ("sums of segments: 8", 100, 0.9), ("sums of segments: 65536", 0.9, 0.9),
         ("sort of keys: uniform", 1.5, 0.5), ("sort of pairs: uniform", 1.25, 0.5)]


def speed():
    for n in (2 ** 16, 2 ** 25, 2 ** 28):
        copy = 8 * n / BANDWIDTH
        for what, gain, share in BONUS:
            for who, us in (("speed", copy / share), ("cub", gain * copy / share), ("copy", copy)):
                yield f"{what},{who},{n},{spread(us)},{8 * n / us / 1000:.6f}"


def main():
    out = sys.argv[1]
    os.makedirs(out, exist_ok=True)
    write(out, "ladder.csv", "what,type,n,us,us_min,us_max,GBps", ladder())
    grids = [2 ** k for k in range(0, 15)]
    write(out, "barrier_count.csv", "what,grid,threads,us,us_min,us_max",
          [f"{what},{g},512,{spread(cost * (3 + g / 50))}"
           for what, cost in (("syncthreads_count", 1), ("reduce32", 1.75), ("reduce32_shuffle", 1.1)) for g in grids])
    write(out, "ballot_scan.csv", "what,grid,threads,us,us_min,us_max,warp_instructions",
          [f"{what},{g},512,{spread(cost * (3 + g / 50))},{count * g}"
           for what, cost, count in (("ballot_scan", 1, 750), ("warp_scan32", 1.5, 1000), ("warp_scan32_shuffle", 1.2, 900),
                                     ("ballot_scan_unsafe", 1, 700), ("warp_scan32_unsafe", 1.3, 1000)) for g in grids])
    write(out, "ballot_inside.csv", "what,variant,n,us,us_min,us_max,warp_instructions",
          [f"{what},{variant},{n},{spread(n / 1000 * (1 + gain * part))},{n // 32 * (100 + more)}"
           for what, gain in (("binary_scan", 0.04), ("compaction", 0.02), ("radix_sort", 0.06), ("block_radix_sort", 0.5)) for n in (2 ** 20, 2 ** 24)
           for variant, part, more in (("ballot_scan", 0, 0), ("warp_scan32", 1, 60), ("warp_scan32_shuffle", 0.5, 25))])
    with_matrix = "# rows: 3242\n# nonzeros: 294276\n"
    write(out, "spmv.csv", with_matrix + "what,us,us_min,us_max,warp_instructions",
          [f"{what},{spread(us)},{int(1000 * us)}" for what, us in (("whole", 20), ("products", 4), ("segmented_scan", 14), ("gather", 2))])
    write(out, "tridiagonal.csv", "# rows: 256\n# systems: 256\nwhat,us,us_min,us_max,warp_instructions",
          [f"{what},{spread(us)},1000" for what, us in (("shared", 10), ("global", 30), ("shared_padded", 8))])
    write(out, "water.csv", "# steps: 16 one after the other at side 256, 2 at side 4096; us is of one\nwhat,side,us,us_min,us_max",
          [f"{what},{side},{spread(us)}" for what, side, us in (("lab_18", 256, 25), ("columns_8", 4096, 200), ("columns_4", 4096, 250), ("copy", 4096, 160))])
    write(out, "passes.csv", "what,variant,n,us,us_min,us_max,warp_instructions",
          [f"{what},{variant},{n},{spread(n / 1e5 * start * times)},1000"
           for what, start, gain in (("select_if", 5, 2), ("partition_if", 6, 2), ("run_length_encode", 4, 3), ("reduce_by_key", 8, 2.5))
           for n in (2 ** 21, 2 ** 25) for variant, times in (("single_pass", 1), ("reduce_then_scan", gain), ("scan_then_propagate", 1.25 * gain))])
    write(out, "structures.csv", "what,words,n,us,us_min,us_max,warp_instructions",
          [f"{what},{words},4194304,{spread(10 * words * (1 + words * part))},1000"
           for words in (2, 3, 4, 5, 8, 16) for what, part in (("shuffle", 0), ("shared", 0.02), ("direct", 0.25))])
    write(out, "transpose.csv", "# iterations: 4096 in one launch\nwhat,words,n,us,us_min,us_max",
          [f"{what},{words},270336,{spread(100 * words * times)}"
           for words in (3, 8) for what, times in (("shuffle", 1), ("shared_safe", 1.5), ("shared_warp", 1.25))])
    write(out, "speed.csv", "what,who,n,us_median,us_min,us_max,GBps", speed())
    write(out, "repeat.csv", "what,type,n,us,us_min,us_max,GBps,runs,differ,elements,ulps",
          [f"{what},{kind},{n},{spread(n / 1e6 * times)},100.0,{runs},{differ if n > 65536 else 0},{differ * n // 98 if n > 65536 else 0},{differ}"
           for kind in ("f32", "f64") for n in (2 ** 16, 2 ** 20, 2 ** 24) for what, times, runs, differ in
           (("memcpyD2D", 4, 0, 0), ("10_decoupled_lookback", 5.5, 49, 49), ("11_speed_of_light", 4.2, 49, 49),
            ("11_speed_of_light_same_bits", 5, 49, 0), ("cub_inscan", 6, 49, 49), ("cub_newer_inscan", 6.1, 49, 49), ("cub_newer_run_to_run", 7, 49, 0))])
    write(out, "many.csv", "what,type,gpus,n_a_gpu,n,us,us_min,us_max",
          [f"{what},i32,{gpus},{n},{n * gpus},{spread(n / 1e6 * times + gpus)}"
           for gpus in (1, 2, 4) for n in (2 ** 20, 2 ** 26, 2 ** 27, 2 ** 28) for what, times in
           (("copy", 2), ("lab_scan", 2.1), ("lab_reduce", 1), ("fix_up", 4.2), ("seed_first", 3.2), ("board", 3.1), ("dealt", 2.2),
            ("cub_fix_up_nccl", 5), ("cub_fix_up_host", 5.1), ("cub_seed_first_nccl", 4), ("cub_seed_first_host", 3.9), ("cub_seed_first_board", 3.8))])
    write(out, "links.csv", "what,gpus,from,to,us",
          [f"{what},{gpus},,,{us}" for gpus in (2, 4) for what, us in (("board", 1), ("board_launch", 3), ("ncclAllGather_8_bytes", 12))]
          + ["flag_pushed,2,0,1,1.1", "flag_pushed,2,1,0,1.2", "flag_polled,2,0,1,1.5", "flag_polled,2,1,0,1.5"])
    more = "# iterations: 1024 in one launch\n# blocks: 264\n# threads: 1024\n# wrong: scan,shared_unsafe,264 blocks in 2 of 21 launches\n"
    write(out, "shuffle.csv", more +  "what,variant,us,us_min,us_max",
          [f"{what},{variant},{spread(scale * cost)}" for what, scale in (("neighbour", 60), ("reduce", 300), ("scan", 350))
           for variant, cost in (("shuffle", 1), ("shared_safe", 2.5), ("shared_warp", 1.5), ("shared_unsafe", 1.25))
           if (what, variant) != ("scan", "shared_unsafe")])


if __name__ == "__main__":
    sys.exit(main())
