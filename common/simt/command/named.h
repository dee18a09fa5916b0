/*
 * named.h: what a file's kernels call their parameters, so that a finding names the array.
 *
 * PTX has no names of parameters. They are read from the source's text: after `__global__`, the
 * kernel's name and a list in brackets. What is not plain (a macro, a pack, two kernels of one name
 * and as many parameters) goes without names.
 */
#ifndef SIMT_NAMED_H
#define SIMT_NAMED_H

/* Writes .pragma "parameters ..." lines (ptx.h) in front of the PTX in that file, from the files
   that it names and the source. */
void named_parameters(const char *ptx, const char *source);

#endif
