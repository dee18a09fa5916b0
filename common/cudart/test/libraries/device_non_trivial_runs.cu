// shows: cub::DeviceRunLengthEncode::NonTrivialRuns
// wrong: a race of CUB 1.17's own
/*
 * Warps read the counts of all warps in shared memory, and the first warp writes something else
 * there with no barrier between. CUB 2 has one, and says why (agent_rle.cuh, "Ensure all threads
 * have read warp aggregates"). Here one warp runs up to the next barrier before another begins, so
 * that the results are wrong.
 */
#include <cub/device/device_run_length_encode.cuh>

#include "check.h"

int main()
{
    const int n = 1000;
    const std::vector<int> in = numbers(n, 2);
    std::vector<int> lengths, starts, longer;
    for (int i = 0; i < n; i++) {
        if (i == 0 || in[i] != in[i - 1])
            lengths.push_back(0);
        lengths.back()++;
    }
    for (int k = 0, at = 0; k < (int)lengths.size(); at += lengths[k++])
        if (lengths[k] > 1) {
            starts.push_back(at);
            longer.push_back(lengths[k]);
        }
    on_device<int> from(in), start(n), length(n), count(1);
    with_scratch([&](void *s, size_t &bytes) {
        return cub::DeviceRunLengthEncode::NonTrivialRuns(s, bytes, (int *)from, (int *)start,
                                                          (int *)length, (int *)count, n);
    });
    holds("runs", count.back()[0] == (int)starts.size());
    same("starts", start.back(starts.size()), starts);
    same("lengths", length.back(longer.size()), longer);
    return verdict();
}
