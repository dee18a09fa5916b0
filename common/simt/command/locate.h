/*
 * locate.h: the source line that an address in this program's own file stands for, by addr2line.
 */
#ifndef SIMT_LOCATE_H
#define SIMT_LOCATE_H

#include <stddef.h>
#include <stdint.h>

/* "prog.cu:41", the file without its folder. "": it is not known, or there is no addr2line. */
const char *locate_in_program(uint64_t address, char *place, size_t room);

#endif
