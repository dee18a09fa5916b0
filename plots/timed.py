"""timed: the ladder as a GPU ran it: throughput and time over n, and what each step gains. From ladder.csv alone."""
import recorded
import results
import style
from recorded import BALLOT, BLELLOCH, CHAINED, COARSENED, COMPACTED, CPU, CUB, CUB_REDUCE, HILLIS_STEELE, LOOKBACK, MEMCPY, NAIVE
from recorded import REDUCE_THEN_SCAN, SCAN_THEN_PROPAGATE, SHUFFLE, SPEED, THRUST

LOOKS = {CPU.key: (style.GREY, "1", "-"), MEMCPY.key: (style.BLACK, "", "--"),
         CUB.key: (style.BLACK, "X", "-"), CUB_REDUCE.key: (style.GREY, "X", ":"), THRUST.key: (style.GREY, "*", "-"),
         SPEED.key: (style.VERMILION, "s", "-"), LOOKBACK.key: (style.BLUE, "o", "-"), CHAINED.key: (style.GREEN, "^", "-"),
         REDUCE_THEN_SCAN.key: (style.PURPLE, "D", "-"), SCAN_THEN_PROPAGATE.key: (style.ORANGE, "v", "-"),
         BALLOT.key: (style.PURPLE, "*", "--"), SHUFFLE.key: (style.SKY, "P", "--"), BLELLOCH.key: (style.GREEN, "<", "--"),
         HILLIS_STEELE.key: (style.ORANGE, ">", "--"),
         COARSENED.key: (style.PURPLE, "d", ":"), COMPACTED.key: (style.BLUE, "p", ":"), NAIVE.key: (style.VERMILION, "h", ":")}


def lines_over_n(ax, kind, values, series):
    """Draws values(one, kind), {n: y}, of every series that has some; returns labels for style.end_labels."""
    labels = []
    for one in series:
        line = values(one, kind)
        if not line:
            continue
        colour, marker, dash = LOOKS[one.key]
        xs = sorted(line)
        ax.plot(xs, [line[x] for x in xs], color=colour, marker=marker or None, linestyle=dash, zorder=4 if one in (SPEED, LOOKBACK) else 3)
        labels.append((xs[-1], line[xs[-1]], one.label, colour))
    return labels


def ticks_of_n(ax, values, step=2):
    """Every step-th power of two, so that large type fits."""
    low, high = min(values).bit_length() - 1, max(values).bit_length() - 1
    ax.set_xscale("log", base=2)
    at = [1 << k for k in range(low + -low % step, high + 1, step)]
    ax.set_xticks(at)
    ax.set_xticklabels([style.power(n) for n in at])
    ax.minorticks_off()
    ax.set_xlabel("elements n")


def need(ladder, kind, series):
    if not any(ladder.times(one, kind) for one in series):
        raise results.Missing(f"{ladder.file.path} has no {recorded.TYPES[kind]} rows of {', '.join(one.label for one in series)}")


def over_n(ladder, folder, kind, name, title, series):
    note = "bytes of input and output, each counted once, by the median time of runs with a cold L2 cache"
    fig, ax = style.figure(title, note)
    fig.subplots_adjust(left=0.1, right=0.74, top=0.84, bottom=0.17)
    labels = lines_over_n(ax, kind, ladder.throughput, series)
    ticks_of_n(ax, {n for one in series for n in ladder.times(one, kind)})
    ax.set_ylim(0, None)
    ax.set_ylabel("GB/s")
    style.end_labels(ax, labels)
    style.source(fig, ladder.source())
    style.save(fig, folder, name)


def throughput(folder, out, kind):
    """Scans of all n elements, with copy and CUB's scan."""
    ladder = recorded.Ladder(folder)
    need(ladder, kind, [LOOKBACK, SPEED])
    over_n(ladder, out, kind, f"gpu_throughput_{kind}", f"Scans of {recorded.TYPES[kind]} on a GPU: how near is each to a copy?",
           [MEMCPY, CUB, THRUST, CPU] + recorded.SCANS)


def throughput_parts(folder, out):
    """The parts of a scan: reductions, and sections that one block each scans."""
    ladder = recorded.Ladder(folder)
    series = recorded.REDUCTIONS + recorded.SECTIONS
    need(ladder, "f32", series)
    over_n(ladder, out, "f32", "gpu_throughput_parts", "Reductions, and scans of sections, of float on a GPU", [MEMCPY, CUB_REDUCE, BALLOT] + series)


def small_n(folder, out, kind):
    ladder = recorded.Ladder(folder)
    need(ladder, kind, [LOOKBACK, SPEED])
    series = [MEMCPY, CUB, CPU] + recorded.SCANS

    def times(one, kind):
        return {n: t.us for n, t in ladder.times(one, kind).items() if n <= recorded.SMALL_N}

    values = {n for one in series for n in times(one, kind)}
    if not values:
        raise results.Missing(f"{ladder.file.path} has no {recorded.TYPES[kind]} rows up to n = {recorded.SMALL_N}")
    fig, ax = style.figure(f"Small n ({recorded.TYPES[kind]}): launches and waiting, not bytes, take the time",
                           f"median time of runs with a cold L2 cache; shaded: up to {recorded.OVER_COPY_US} us over a copy")
    fig.subplots_adjust(left=0.08, right=0.74, top=0.84, bottom=0.17)
    labels = lines_over_n(ax, kind, times, series)
    copy = times(MEMCPY, kind)
    xs = sorted(copy)
    ax.fill_between(xs, [copy[x] for x in xs], [copy[x] + recorded.OVER_COPY_US for x in xs], color="#E4E4E4", zorder=1)
    ticks_of_n(ax, values, 1)
    ax.set_yscale("log")
    style.plain_log_ticks(ax.yaxis)
    ax.set_ylabel("microseconds")
    style.end_labels(ax, labels)
    style.source(fig, ladder.source())
    style.save(fig, out, f"gpu_small_n_{kind}")


# ---- the ladder's steps ------------------------------------------------------------------------------------------------

STEPS = [("sum", recorded.REDUCTIONS, CUB_REDUCE), ("scan of sections", recorded.SECTIONS, None), ("scan of all", recorded.SCANS, CUB)]


def common_n(ladder, kind, series):
    """The largest n that all of these have; series without any times are left out."""
    shared = set.intersection(*(set(ladder.times(one, kind)) for one in series if ladder.times(one, kind)))
    if not shared:
        raise results.Missing(f"{ladder.file.path} has no n at which all of {', '.join(one.label for one in series)} were timed")
    return max(shared)


def gains(ladder, kind, n):
    """[(group, series, GB/s, speed-up on the step before or None)] at n; peers come last in their group, without a gain."""
    found = []
    for group, steps, peer in STEPS:
        before = None
        for one in steps:
            times = ladder.times(one, kind)
            if n in times:
                found.append((group, one, ladder.throughput(one, kind)[n], before / times[n].us if before else None))
                before = times[n].us
        if peer and n in ladder.times(peer, kind):
            found.append((group, peer, ladder.throughput(peer, kind)[n], None))
    return found


def steps(folder, out):
    ladder = recorded.Ladder(folder)
    every = [one for _, some, _ in STEPS for one in some]
    need(ladder, "f32", every)
    n = common_n(ladder, "f32", every + [MEMCPY])
    bars = gains(ladder, "f32", n)
    copy = ladder.throughput(MEMCPY, "f32").get(n)
    fig, ax = style.figure("What each step of the ladder gains on the one before", f"float, n = {style.power(n)}; dashed: a copy; grey: CUB; hatched: slower than the step above")
    fig.subplots_adjust(left=0.3, right=0.97, top=0.86, bottom=0.16)
    most = max([rate for _, _, rate, _ in bars] + [copy or 0])
    y, places = 0, []
    for i, (group, one, rate, gain) in enumerate(bars):
        y += 0.55 if i and bars[i - 1][0] != group else 0
        peer = one in (CUB, CUB_REDUCE)
        ax.barh(y, rate, color="#BBBBBB" if peer else style.BLUE, edgecolor=style.BLACK, hatch="" if peer or gain is None or gain >= 1 else "//")
        ax.text(rate + 0.01 * most, y, f"{rate:,.0f}" + ("   " + style.times(gain) if gain else ""), va="center",
                fontsize=15, fontweight="bold" if gain else "normal",
                bbox={"facecolor": "white", "edgecolor": "none", "pad": 1}, zorder=5)
        places.append(y)
        y += 1
    if copy:
        ax.axvline(copy, color=style.BLACK, linestyle="--", zorder=4)
    ax.set_yticks(places)
    ax.set_yticklabels([one.label for _, one, _, _ in bars])
    ax.invert_yaxis()
    ax.grid(axis="y", visible=False)
    ax.set_xlim(0, 1.22 * most)
    ax.set_xlabel("GB/s;  x: speed-up on the step above")
    style.source(fig, ladder.source())
    style.save(fig, out, "gpu_steps")
