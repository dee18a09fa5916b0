/*
 * parts.h: where the command's own parts are: the headers and flags of common/cudart, the libraries
 * that programs are linked with, the compiler.
 *
 * config.h names them as they stand in the build. Where the command is installed, they stand in
 * ../lib/simt of its own folder instead, the compiler is the one that the machine has now, and it
 * links as well. So what is installed needs no clone, and its folders may be moved together.
 */
#ifndef SIMT_PARTS_H
#define SIMT_PARTS_H

/* A word of a command line, as config.h has it, with the place where that part is now; any other
   word as it is. */
const char *parts_word(const char *word);
/* The compiler; "" if there is none. */
const char *parts_clang(void);
/* The folder of the parts; "" where they are those of the build. */
const char *parts_folder(void);
/* Options of kernels that depend on the compiler; ends with null. */
const char *const *parts_device_options(void);

#endif
