"""draw: every figure, from the files that the collectors and the demo wrote.

    python3 plots/draw.py DATA OUT      reads DATA/*.csv, writes OUT/*.png and OUT/*.svg

Exit status: 0 all drawn; 2 usage; 3 matplotlib is missing, or a file that a figure needs: the others are drawn all the same.
"""
import os
import sys

try:
    import matplotlib
except ImportError:
    print("draw: matplotlib is missing; it draws the figures. `make plots` installs it on Debian and Ubuntu; elsewhere: pip install matplotlib", file=sys.stderr)
    sys.exit(3)

import deadlock
import ladder
import lookback
import networks
import results
import shared


def main():
    if len(sys.argv) != 3:
        print(__doc__, file=sys.stderr)
        return 2
    data, out = sys.argv[1:]
    os.makedirs(out, exist_ok=True)
    missing = []
    try:
        table, titles = results.counts(data), results.titles(data)
    except results.Missing as error:
        print(f"draw: {error}", file=sys.stderr)
        return 3
    from_counts = (ladder.bytes_moved, ladder.additions, ladder.depth, shared.simd_efficiency, shared.bank_conflicts)
    from_files = (lookback.lookback_depth, networks.networks, deadlock.deadlock_timeline)
    for figure in from_counts + from_files:
        try:
            figure(*((table, titles) if figure in from_counts else (data,)), out)
        except results.Missing as error:
            missing.append(f"{figure.__name__}: not drawn, or not whole: {error}")
    for text in missing:
        print(f"draw: {text}", file=sys.stderr)
    return 3 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
