/*
 * read_ir.c: what the grader wants of LLVM's text of a submission's device code, by a program of
 * its own: the compiler wrote that text from what the submission says, so whoever reads it is
 * confined and timed, as the compiler is.
 *
 *   read_ir IR SOURCE NAME NAMES KEPT
 *     IR      the text
 *     SOURCE  the student's file, which messages call NAME
 *     NAMES   gets the names of members and parameters, lines of PTX
 *     KEPT    gets what clang is to go on with (members.h, unset_variables.h, given_headers.h,
 *             whole.h)
 *
 *   read_ir --first KEPT HOST ENTRY FIRST
 *     HOST    the object of the host's code, which the compiler wrote as well
 *     FIRST   gets the text for the kernels of ENTRY alone (first_kernels.h)
 *
 * Exit status: 0; 1: it cannot be done (no memory, files); 2: the file is refused, and an error in
 * clang's form is printed (asm_text.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "asm_text.h"
#include "file.h"
#include "first_kernels.h"
#include "given_headers.h"
#include "members.h"
#include "unset_variables.h"
#include "whole.h"

enum { LARGEST = 64 << 20, CANNOT = 1, REFUSED = 2 };

static int write_first(char **arguments)
{
    char *ir = NULL, *host = NULL, *first = NULL;
    size_t size;
    const bool fine = file_read(arguments[0], LARGEST, &ir, NULL, NULL) &&
                      file_read(arguments[1], LARGEST, &host, &size, NULL) &&
                      (first = first_kernels(ir, host, size, arguments[2])) != NULL &&
                      file_write(arguments[3], first, strlen(first), NULL);

    free(ir);
    free(host);
    free(first);
    return fine ? EXIT_SUCCESS : CANNOT;
}

int main(int count, char **arguments)
{
    char *ir = NULL, *source = NULL, *names = NULL, *kept = NULL, *placed = NULL, *whole = NULL,
         message[400];

    if (count == 6 && strcmp(arguments[1], "--first") == 0)
        return write_first(arguments + 2);
    if (count != 6)
        return CANNOT;
    const char *const name = arguments[3];
    if (!file_read(arguments[1], LARGEST, &ir, NULL, NULL) ||
        !file_read(arguments[2], LARGEST, &source, NULL, NULL))
        return CANNOT;
    if (!asm_text_stays(ir, name, message, sizeof message)) {
        fputs(message, stdout);
        return REFUSED;
    }
    const bool fine = (names = members_take(ir)) != NULL &&
                      (kept = unset_variables_keep(ir, source, name)) != NULL &&
                      (placed = given_headers_unplace(kept, name)) != NULL &&
                      (whole = whole_copies(placed)) != NULL &&
                      file_write(arguments[4], names, strlen(names), NULL) &&
                      file_write(arguments[5], whole, strlen(whole), NULL);
    free(ir);
    free(source);
    free(names);
    free(kept);
    free(placed);
    free(whole);
    return fine ? EXIT_SUCCESS : CANNOT;
}
