/*
 * asm_text.h: does every asm statement of the device code stay within its function?
 *
 * What stands in one goes into the PTX as it is. One that closes a brace that it has not opened
 * ends its function, and what follows would be the module's: other functions, and whatever else
 * the engine takes for the compiler's.
 */
#ifndef ASM_TEXT_H
#define ASM_TEXT_H

#include <stdbool.h>
#include <stddef.h>

/* ir: LLVM's text of the device code; file: what messages call the student's. False: message is an
   error in clang's form, of the first that does not stay. */
bool asm_text_stays(const char *ir, const char *file, char *message, size_t room);

#endif
