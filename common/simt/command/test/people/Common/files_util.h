#ifndef FILES_UTIL_H
#define FILES_UTIL_H
#ifdef __cplusplus
extern "C" {
#endif
float *make_input(int n);
void free_input(float *p);
#ifdef __cplusplus
}
#endif
#endif
