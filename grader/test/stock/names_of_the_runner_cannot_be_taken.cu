// expect: COMPILE_ERROR | already uses
// whole, 4 s
/* one of the kit's own, which tells what a fault hit */
extern "C" bool runner_device_has(uint64_t address) { return address != 0; }

extern "C" void hillis_steele_inclusive(const float *d_in, float *d_out, int n) {}
extern "C" void hillis_steele_double_buffer(const float *d_in, float *d_out, int n) {}
extern "C" void hillis_steele_exclusive(const float *d_in, float *d_out, int n) {}
