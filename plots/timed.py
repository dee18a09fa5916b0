"""timed: the ladder as a GPU ran it: throughput and time over n, and what each step gains. From ladder.csv alone."""
import recorded
import results
import style
from recorded import BALLOT, COARSENED, COMPACTED_SECTIONS, CPU, CUB, CUB_REDUCE, LOOKBACK, MEMCPY, NAIVE_SECTIONS, REDUCE_THEN_SCAN, SPEED, THRUST

OTHERS = {MEMCPY.key: (style.BLACK, "", "--"), CUB.key: (style.BLACK, "X", "-"), CUB_REDUCE.key: (style.BLACK, "X", "-"),
          THRUST.key: (style.GREY, "*", "-")}
SECOND = {REDUCE_THEN_SCAN.key: "--", COARSENED.key: "--"}     # the other series of a lab


def look(one):
    """(colour, marker, dash) of a series: a lab's own in all figures."""
    return OTHERS.get(one.key) or (*style.LABS[one.key[:2]], SECOND.get(one.key, "-"))


def lines_over_n(ax, kind, values, series, least=0):
    """Draws values(one, kind), {n: y}, of every series that has some, from n = least; returns labels for style.end_labels."""
    labels = []
    for one in series:
        line = {n: y for n, y in values(one, kind).items() if n >= least}
        if not line:
            continue
        colour, marker, dash = look(one)
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


FIRST_N = 1 << 16       # of throughput: below, launches take the time; gpu_small_n shows that
NOTE = "bytes of input and output, each counted once, by the median time of runs with a cold L2 cache"


def over_n(ax, ladder, kind, series):
    """Throughput over n; returns the labels."""
    labels = lines_over_n(ax, kind, ladder.throughput, series, FIRST_N)
    ticks_of_n(ax, {n for one in series for n in ladder.times(one, kind) if n >= FIRST_N})
    ax.set_ylim(0, None)
    return labels


def share_of_a_copy(ladder, one, kind):
    """Of a copy's speed at the largest n that both have, in %."""
    found = ladder.ratios(one, MEMCPY, kind)
    return 100 * found[max(found)][0] if found else 0


def throughput(folder, out, kind):
    """Scans of all n elements, with copy and CUB's scan."""
    ladder = recorded.Ladder(folder)
    need(ladder, kind, [LOOKBACK, SPEED])
    mine, cub = (share_of_a_copy(ladder, one, kind) for one in (SPEED, CUB))
    fig, ax = style.figure(f"Lab 11 scans {recorded.TYPES[kind]} at {mine:.0f} % of a copy's speed" + (f", CUB at {cub:.0f} %" if cub else ""), NOTE)
    fig.subplots_adjust(left=0.08, right=0.74, top=0.84, bottom=0.17)
    labels = over_n(ax, ladder, kind, [MEMCPY, CUB, THRUST, CPU] + recorded.SCANS)
    ax.set_ylabel("GB/s")
    style.end_labels(ax, labels)
    style.source(fig, ladder.foot())
    style.save(fig, out, f"gpu_throughput_{kind}",
               "A copy is the speed of light here: a scan in one pass can come close, and no scan can pass it.")


PARTS = [("sums (02, 03: of sections)", [MEMCPY, CUB_REDUCE, COARSENED, COMPACTED_SECTIONS, NAIVE_SECTIONS]),
         ("scans of sections", [MEMCPY, BALLOT] + recorded.SECTIONS)]


def throughput_parts(folder, out):
    """The parts of a scan: reductions, and sections that one block each scans. Of labs 02 and 03 the kernel for sections: their sums of
    all n allocate memory in each call, which takes longer than the kernels at some n."""
    ladder = recorded.Ladder(folder)
    need(ladder, "f32", recorded.REDUCTIONS + recorded.SECTIONS)
    fig, axes = style.figure("Shuffles beat trees; to reach a copy, a thread takes more elements", "float; " + NOTE, 1, 2, sharey=True)
    fig.subplots_adjust(left=0.075, right=0.84, top=0.78, bottom=0.17, wspace=0.65)
    for ax, (title, series) in zip(axes, PARTS):
        labels = over_n(ax, ladder, "f32", series)
        ticks_of_n(ax, {n for one in series for n in ladder.times(one, "f32") if n >= FIRST_N}, 4)
        ax.set_title(title, fontsize=16, pad=10)
        style.end_labels(ax, [(x, y, text.replace("divergence-free", "divergence-\nfree"), colour) for x, y, text, colour in labels], gap=0.06)
    axes[0].set_ylabel("GB/s")
    style.source(fig, ladder.foot())
    style.save(fig, out, "gpu_throughput_parts",
               "Within a block, compare the exchange; to come near a copy, look at what one thread takes.")


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
                           "median time of runs with a cold L2 cache; shaded: this kit's goal for lab 11, "
                           f"up to {recorded.OVER_COPY_US} us over a copy")
    fig.subplots_adjust(left=0.08, right=0.74, top=0.84, bottom=0.17)
    labels = lines_over_n(ax, kind, times, series)
    copy = times(MEMCPY, kind)
    xs = sorted(copy)
    ax.fill_between(xs, [copy[x] for x in xs], [copy[x] + recorded.OVER_COPY_US for x in xs], color="#E4E4E4", zorder=1)
    ticks_of_n(ax, values, 1)
    every = [y for one in series for y in times(one, kind).values()]
    if max(every) > 20 * min(every):
        ax.set_yscale("log")
        style.plain_log_ticks(ax.yaxis)
    else:
        ax.set_ylim(0, 1.05 * max(every))
    ax.set_ylabel("microseconds")
    style.end_labels(ax, labels)
    style.source(fig, ladder.foot())
    style.save(fig, out, f"gpu_small_n_{kind}",
               "At these sizes nobody waits for bytes: count the launches, and how long blocks wait for each other.")


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
    losers = [one.label for _, one, _, gain in bars if gain and gain < 1]
    fig, ax = style.figure("Each step gains on the one before" + (f", except {' and '.join(losers)}" if losers else ""),
                           f"float, n = {style.power(n)}; dashed: a copy; grey: CUB; hatched: slower than the step above")
    fig.subplots_adjust(left=0.24, right=0.72, top=0.81, bottom=0.17)
    most = max([rate for _, _, rate, _ in bars] + [copy or 0])
    y, places = 0, []
    for i, (group, one, rate, gain) in enumerate(bars):
        y += 0.55 if i and bars[i - 1][0] != group else 0
        peer = one in (CUB, CUB_REDUCE)
        ax.barh(y, rate, color=style.LIGHT if peer else look(one)[0], edgecolor=style.BLACK, hatch="" if peer or gain is None or gain >= 1 else "//")
        ax.text(1.13, y, f"{rate:,.0f}", transform=ax.get_yaxis_transform(), va="center", ha="right", fontsize=16)
        if gain:
            ax.text(1.17, y, style.faster(gain), transform=ax.get_yaxis_transform(), va="center", ha="left", fontsize=16, fontweight="bold")
        places.append(y)
        y += 1
    for at, text, side in ((1.13, "GB/s", "right"), (1.17, "than the step above", "left")):
        ax.text(at, -0.95, text, transform=ax.get_yaxis_transform(), va="center", ha=side, fontsize=14, color="#444444")
    if copy:
        ax.axvline(copy, color=style.BLACK, linestyle="--", zorder=4)
    ax.set_yticks(places)
    ax.set_yticklabels([one.label for _, one, _, _ in bars])
    ax.set_ylim(y - 0.4, -0.6)
    ax.grid(axis="y", visible=False)
    ax.set_xlim(0, 1.03 * most)
    ax.set_xlabel("GB/s")
    style.source(fig, ladder.foot())
    style.save(fig, out, "gpu_steps",
               "Each lab stands beside the one before: what did its idea gain?")
