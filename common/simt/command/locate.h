/*
 * locate.h: the source line that an address in this program's own file stands for, by addr2line.
 */
#ifndef SIMT_LOCATE_H
#define SIMT_LOCATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* "prog.cu:41", the file without its folder. "": it is not known, or there is no addr2line. */
const char *locate_in_program(uint64_t address, char *place, size_t room);
/* The same with the whole path of the file; false: it is not known. */
bool locate_path_in_program(uint64_t address, char *path, size_t room, unsigned *line);

#endif
