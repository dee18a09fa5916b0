/*
 * gpu.h: what gpu.c tells besides simt.h.
 */
#ifndef HARDWARE_GPU_H
#define HARDWARE_GPU_H

#include <stddef.h>

/* Lines "# gpu: NAME" and so on of the first GPU; empty if there is none. */
void gpu_facts(char *text, size_t room);

#endif
