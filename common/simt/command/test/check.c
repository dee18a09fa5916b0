#include "add.h"

int check(const float *sum, int n)
{
    int right = 0;
    for (int i = 0; i < n; i++)
        right += sum[i] == 3.0f * (float)i;
    return right;
}
