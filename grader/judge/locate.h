/*
 * locate.h: the line of the student's file that an address in the program stands for, from the
 * program's line table, by addr2line. The table is the submission's: the tool that reads it is
 * confined, and what it says is only shown.
 */
#ifndef LOCATE_H
#define LOCATE_H

#include <stdint.h>

#include "lab.h"
#include "result.h"

/* 0: it is not known, or in another file; also where there is no addr2line ("") and for address 0.
   Of code that the compiler has moved into others, the line there. */
unsigned locate_line(const char *addr2line, const lab *l, const char *program, uint64_t address);

/* Fills in where.launch_line of one case. */
void locate_launch(const char *addr2line, const char *program, const lab *l, case_result *c);

/* Fills in where.launch_line of all cases, from where.launched_from. */
void locate_launches(const char *addr2line, const char *program, lab_result *result);

#endif
