/* A program in three files: main.cu launches, add.cu adds on the device, check.c is C and looks at
   the result. */
#ifdef __cplusplus
extern "C"
#endif
    int
    check(const float *sum, int n);

void add(const float *d_a, const float *d_b, float *d_sum, int n);
