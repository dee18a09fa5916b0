/*
 * tridiagonal_speed.h: the contract of lab 21's bonus: many short tridiagonal systems as fast as
 * their 20 bytes a row can be moved.
 *
 * Rows, systems, their ends and how near an answer has to be: as in lab 21's tridiagonal.h, but
 * that systems have 256 rows in the one entry and 512 in the other. The last one may be shorter.
 *
 *   d_a to d_d   n floats each in device memory, only read
 *   d_x          n floats apart from them; every element is written
 *   n            rows of all systems, 0 <= n < 2^30; n = 0 launches nothing
 * All arrays begin at a multiple of 16 bytes. An entry launches one kernel on the default stream,
 * and returns without waiting. It reports no errors of its own.
 *
 * Source: Zhang, Cohen and Owens, "Fast Tridiagonal Solvers on the GPU", PPoPP 2010 (hybrids);
 * Wang, "A Parallel Method for Tridiagonal Equations", ACM TOMS 7(2), 1981 (rows in pieces).
 */
#ifndef TRIDIAGONAL_SPEED_H
#define TRIDIAGONAL_SPEED_H

enum { TRIDIAGONAL_SHORT = 256, TRIDIAGONAL_LONG = 512 };

#ifdef __cplusplus
extern "C" {
#endif

void tridiagonal_256(const float *d_a, const float *d_b, const float *d_c, const float *d_d,
                     float *d_x, int n);
void tridiagonal_512(const float *d_a, const float *d_b, const float *d_c, const float *d_d,
                     float *d_x, int n);

#ifdef __cplusplus
}
#endif

#endif
