/* common/simt/bench/block_hillis_steele.cu in OpenCL C, word for word. */
enum { SECTION = 256 };

__kernel void block_hillis_steele(__global const float *in, __global float *out, int n)
{
    __local float s_sum[SECTION];
    int t = get_local_id(0);
    int i = get_global_id(0);

    s_sum[t] = i < n ? in[i] : 0.0f;
    for (int stride = 1; stride < SECTION; stride *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        float left = t >= stride ? s_sum[t - stride] : 0.0f;

        barrier(CLK_LOCAL_MEM_FENCE);
        if (t >= stride)
            s_sum[t] += left;
    }
    if (i < n)
        out[i] = s_sum[t];
}
