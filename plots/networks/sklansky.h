/*
 * sklansky.h: the contract of the block-wide Sklansky scan that the figure of networks shows beside
 * the labs' scans.
 */
#ifndef SKLANSKY_H
#define SKLANSKY_H

enum { SKLANSKY_SECTION = 256 }; /* elements and threads of a block; a power of two */

#ifdef __cplusplus
extern "C" {
#endif

/* d_out[i] = d_in[first] + ... + d_in[i], where first is the start of i's section; n floats each, n
   >= 0. Source: Sklansky, "Conditional-Sum Addition Logic", IRE Trans. Electronic Computers
   EC-9(2), 1960. */
void sklansky_inclusive(const float *d_in, float *d_out, int n);

#ifdef __cplusplus
}
#endif

#endif
