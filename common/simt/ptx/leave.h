/*
 * leave.h: setjmp and longjmp, by which the parser leaves a text that it does not take; and a
 * stand-in for WebAssembly, where wasi-libc has neither: there the parser stops the engine. Its
 * caller gets a trap, finds the message in simt_error, and has to begin with a new engine.
 */
#ifndef SIMT_LEAVE_H
#define SIMT_LEAVE_H

#ifndef __wasm__
#include <setjmp.h>
#else
typedef int jmp_buf[1];
#define setjmp(place)         ((void)(place), 0)
#define longjmp(place, value) ((void)(place), (void)(value), __builtin_trap())
#endif

#endif
