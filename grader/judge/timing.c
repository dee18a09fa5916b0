/*
 * timing.c: see timing.h.
 */
#include "timing.h"

#include "judge.h"
#include "stats.h"

static const double beyond_peak = 1.1, clock_slack = 1.01;
static const double widest_spread = 0.15;
/* What the host's part of a call may differ by, from the student's to the reference's: by the
   child's clock, and by ours, which sees two processes wake up. */
static const double child_slack_us = 30, parent_slack_us = 300, slack_of_time = 0.25;

static double bytes_of(const lab_part *part, size_t n, lab_role role)
{
    double bytes = 0;
    for (unsigned b = 0; b < lab_buffer_count(part); b++)
        if (part->buffers[b].role == role)
            bytes += (double)judge_length(&part->buffers[b], n) *
                     (double)judge_element_bytes(part->buffers[b].type);
    return bytes;
}

double timing_bytes(const lab_part *part, size_t n)
{
    return bytes_of(part, n, LAB_IN) + bytes_of(part, n, LAB_OUT);
}

double timing_floor_us(const lab_part *part, size_t n, const toolchain_gpu *gpu)
{
    double written = bytes_of(part, n, LAB_OUT) - (double)gpu->l2_bytes;

    if (gpu->peak_GBps <= 0)
        return 0;
    /* GB/s: 1000 bytes a us */
    return (bytes_of(part, n, LAB_IN) + (written > 0 ? written : 0)) /
           (beyond_peak * gpu->peak_GBps * 1e3);
}

timing_doubt timing_check(const timing_sample *sample, double floor_us)
{
    if (!(sample->device_us > 0))
        return TIMING_NONE;
    if (sample->device_us > clock_slack * sample->window_us ||
        sample->device_us > clock_slack * sample->host_us ||
        sample->host_us > clock_slack * sample->window_us)
        return TIMING_BEYOND_CLOCK;
    return sample->device_us < floor_us ? TIMING_BELOW_FLOOR : TIMING_FINE;
}

/* The median of what a clock shows beside the events' time. */
static double beside(const timing_sample *samples, size_t count, bool parent)
{
    double rest[TIMING_MOST_PAIRS];

    if (count > TIMING_MOST_PAIRS)
        count = TIMING_MOST_PAIRS;
    for (size_t i = 0; i < count; i++)
        rest[i] = (parent ? samples[i].window_us : samples[i].host_us) - samples[i].device_us;
    return stats_median(rest, count);
}

static double median_us(const timing_sample *samples, size_t count)
{
    double us[TIMING_MOST_PAIRS];

    if (count > TIMING_MOST_PAIRS)
        count = TIMING_MOST_PAIRS;
    for (size_t i = 0; i < count; i++)
        us[i] = samples[i].device_us;
    return stats_median(us, count);
}

timing_doubt timing_check_all(const timing_sample *mine, const timing_sample *reference,
                              size_t count)
{
    const double may_differ = slack_of_time * median_us(reference, count);

    if (count == 0)
        return TIMING_NONE;
    for (int parent = 0; parent < 2; parent++) {
        const double slack = parent ? parent_slack_us : child_slack_us;
        if (beside(mine, count, parent) > beside(reference, count, parent) + slack + may_differ)
            return TIMING_UNEXPLAINED;
    }
    return TIMING_FINE;
}

timing_ratio timing_judge(double *ratios, size_t count, double limit)
{
    const stats_summary s = stats_summarise(ratios, count);
    timing_ratio r = { s.median, s.lower, s.upper,
                       s.median <= limit ? TIMING_KEPT : TIMING_EXCEEDED };

    if (s.spread > widest_spread && s.lower <= limit && limit <= s.upper)
        r.answer = TIMING_INCONCLUSIVE;
    return r;
}

const char *timing_doubt_text(timing_doubt doubt)
{
    switch (doubt) {
    case TIMING_NONE: return "no time came back from the device";
    case TIMING_BEYOND_CLOCK:
        return "the CUDA events report more time than passed on the clock around them";
    case TIMING_BELOW_FLOOR:
        return "it is faster than the GPU's memory can read the inputs and write the outputs: the "
               "work was not done while it was timed";
    case TIMING_UNEXPLAINED:
        return "much of the time passed outside the events: there is work that the default stream "
               "does not wait for";
    case TIMING_FINE: break;
    }
    return "";
}
