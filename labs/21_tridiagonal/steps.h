/*
 * steps.h: small kernels that try the functions of tridiagonal.cu one by one, so that each TODO can
 * be graded before the next is written. For inclusion by that file, at its end. The entries are
 * those of tridiagonal.h under "steps".
 */
#if !defined STEPS_H && !defined LAB_WITHOUT_STEPS
#define STEPS_H

/* Of the array, without a system's ends. */
static __device__ row step_row(const float *d_a, const float *d_b, const float *d_c,
                               const float *d_d, int i, int n)
{
    row r = NO_ROW;

    if (i >= 0 && i < n) {
        r.a = d_a[i];
        r.b = d_b[i];
        r.c = d_c[i];
        r.d = d_d[i];
    }
    return r;
}

static __device__ void step_store(float *d_row, int i, row r)
{
    d_row[4 * i] = r.a;
    d_row[4 * i + 1] = r.b;
    d_row[4 * i + 2] = r.c;
    d_row[4 * i + 3] = r.d;
}

/* ---- TODO 1 ---------------------------------------------------------------------------------- */

__global__ void step_loaded(const float *d_a, const float *d_b, const float *d_c, const float *d_d,
                            float *d_row, int n)
{
    const int i = blockIdx.x * ROWS + threadIdx.x;

    step_store(d_row, i, load_row(d_a, d_b, d_c, d_d, i, n));
}

void tridiagonal_loaded(const float *d_a, const float *d_b, const float *d_c, const float *d_d,
                        float *d_row, int n)
{
    if (n > 0)
        step_loaded<<<systems(n), ROWS>>>(d_a, d_b, d_c, d_d, d_row, n);
}

/* ---- TODO 2 ---------------------------------------------------------------------------------- */

__global__ void step_combined(const float *d_a, const float *d_b, const float *d_c,
                              const float *d_d, float *d_row, int n)
{
    const int i = blockIdx.x * ROWS + threadIdx.x;
    const row r =
        combine(step_row(d_a, d_b, d_c, d_d, i - 1, n), step_row(d_a, d_b, d_c, d_d, i, n),
                step_row(d_a, d_b, d_c, d_d, i + 1, n));

    if (i < n)
        step_store(d_row, i, r);
}

void tridiagonal_combined(const float *d_a, const float *d_b, const float *d_c, const float *d_d,
                          float *d_row, int n)
{
    if (n > 0)
        step_combined<<<systems(n), ROWS>>>(d_a, d_b, d_c, d_d, d_row, n);
}

/* ---- TODO 3 ---------------------------------------------------------------------------------- */

__global__ void step_two(const float *d_a, const float *d_b, const float *d_c, const float *d_d,
                         float *d_x, int n)
{
    const int i = 2 * (blockIdx.x * ROWS + threadIdx.x);
    float first, second;

    solve_two(step_row(d_a, d_b, d_c, d_d, i, n), step_row(d_a, d_b, d_c, d_d, i + 1, n), &first,
              &second);
    if (i < n)
        d_x[i] = first;
    if (i + 1 < n)
        d_x[i + 1] = second;
}

void tridiagonal_two(const float *d_a, const float *d_b, const float *d_c, const float *d_d,
                     float *d_x, int n)
{
    if (n > 0)
        step_two<<<(systems(n) - 1) / 2 + 1, ROWS>>>(d_a, d_b, d_c, d_d, d_x, n);
}

/* ---- TODO 6 ---------------------------------------------------------------------------------- */

__global__ void step_equations(const float *d_ground, const float *d_now, const float *d_right,
                               float *d_row, int n)
{
    const int i = blockIdx.x * ROWS + threadIdx.x;

    if (i < n)
        step_store(d_row, i,
                   water_row(i > 0 ? depth(d_now[i - 1], d_ground[i - 1]) : 0.0f,
                             depth(d_now[i], d_ground[i]),
                             i + 1 < n ? depth(d_now[i + 1], d_ground[i + 1]) : 0.0f, d_right[i]));
}

void water_equations(const float *d_ground, const float *d_now, const float *d_right, float *d_row,
                     int n)
{
    if (n > 0)
        step_equations<<<systems(n), ROWS>>>(d_ground, d_now, d_right, d_row, n);
}

#endif
