/* device_segments.h: the segments that device_segmented_*.cu share: of 0 to 3000 elements. */
#include "check.h"

struct segments {
    std::vector<int> bounds = { 0 };
    segments()
    {
        for (int size : { 5, 0, 700, 1, 33, 3000, 32, 64, 150, 2 })
            bounds.push_back(bounds.back() + size);
    }
    int count() const { return (int)bounds.size() - 1; }
    int size() const { return bounds.back(); }
};
