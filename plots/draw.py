"""draw: every figure, from the files that the collectors and the demo wrote, and from what was recorded on a GPU.

    python3 plots/draw.py DATA OUT [RECORDED]

Reads DATA/*.csv and RECORDED/*.csv (without it: plots/data/h200), writes OUT/*.png, OUT/*.svg, OUT/water.gif and OUT/slides.pdf. If a recorded file
is missing, that is said and its figures are left out; it is no failure.
Exit status: 0 all drawn; 2 usage; 3 matplotlib or a file of DATA is missing, or a recorded file cannot be right. The other figures
are drawn even so.
"""
import functools
import os
import sys

try:
    import matplotlib
except ImportError:
    print("draw: matplotlib is missing; it draws the figures. `make plots` installs it on Debian and Ubuntu; elsewhere: pip install matplotlib",
          file=sys.stderr)
    sys.exit(3)

import applications
import bonus
import deadlock
import hops
import ladder
from library import library_scan
import lookback
import many_gpus
import networks
import peers
import picture
import recorded
import replications
import results
import same_bits
import shared
import slides
import style
import timed
import water

COUNTED = (ladder.bytes_moved, ladder.additions, ladder.depth, shared.simd_efficiency, shared.bank_conflicts)
WRITTEN = (
    lookback.lookback_depth,
    networks.networks,
    deadlock.deadlock_timeline,
    picture.box_filter,
    water.water,
    library_scan,
)


def of_types(figure, name):
    """[(file name of the figure, function)], one for each type of element."""
    return [(f"{name}_{kind}", functools.partial(figure, kind=kind)) for kind in recorded.TYPES]


ON_A_GPU = [*of_types(timed.throughput, "gpu_throughput"), ("gpu_throughput_parts", timed.throughput_parts), *of_types(timed.small_n, "gpu_small_n"),
            ("gpu_steps", timed.steps), ("gpu_against_cub", peers.against_cub), ("gpu_share_of_memcpy", peers.share_of_memcpy),
            ("gpu_barrier_count", replications.barrier_count), ("gpu_ballot_scan", replications.ballot_scan),
            ("gpu_shuffle", replications.shuffle), ("gpu_ballot_inside", applications.ballot_inside), ("gpu_spmv", applications.spmv),
            ("gpu_tridiagonal", applications.tridiagonal), ("gpu_water_steps", applications.water_steps),
            ("gpu_passes", applications.passes), ("gpu_structures", applications.structures), ("gpu_strategies", replications.strategies), ("gpu_hops", hops.hops),
            ("gpu_compaction", bonus.compaction), ("gpu_segments", bonus.segments), ("gpu_sort", bonus.sort),
            ("gpu_same_bits", same_bits.same_bits), ("gpu_many_gpus", many_gpus.many_gpus)]


def draw_counted(data, out):
    """Figures from runs on the engine; returns what went wrong."""
    wrong = []
    try:
        table, declared = results.counts(data), results.declared(data)
    except results.Missing as error:
        return [str(error)]
    for figure in COUNTED + WRITTEN:
        try:
            figure(*((table, declared) if figure in COUNTED else (data,)), out)
        except results.Missing as error:
            wrong.append(f"{figure.__name__}: not drawn, or not whole: {error}")
    return wrong


def draw_recorded(folder, out):
    """Figures from recorded files; returns what went wrong. What was not recorded is reported once for each reason."""
    wrong, lacking = [], {}
    for name, figure in ON_A_GPU:
        try:
            figure(folder, out)
        except results.Missing as error:
            lacking.setdefault(str(error), []).append(name)
        except recorded.Malformed as error:
            wrong.append(f"{name}: not drawn: {error}")
    for reason, names in lacking.items():
        print(f"draw: not drawn: {', '.join(names)}: not recorded: {reason}", file=sys.stderr)
    return wrong


def main():
    if len(sys.argv) not in (3, 4):
        print(__doc__, file=sys.stderr)
        return 2
    data, out = sys.argv[1:3]
    here = os.path.dirname(os.path.abspath(__file__))
    folder = sys.argv[3] if len(sys.argv) == 4 else os.path.join(here, "data", "h200")
    os.makedirs(out, exist_ok=True)
    style.deck = slides.Deck(os.path.join(out, "slides.pdf"))
    wrong = draw_counted(data, out) + draw_recorded(folder, out)
    style.deck.close()
    for text in wrong:
        print(f"draw: {text}", file=sys.stderr)
    return 3 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
