/*
 * view.h: the text of a function as basic blocks: which loops there are, which branches part the
 * threads of a block, and what lies between such a branch and where its ways meet. For around.c.
 *
 * `inside` is one set of blocks, of which whoever asks last is the owner: what fills it says so.
 */
#ifndef SIMT_VIEW_H
#define SIMT_VIEW_H

#include "code/code.h"
#include "code/decode.h"

typedef struct view {
    decoder *d;
    const flow *f;
    const ptx_function *ptx;
    uint8_t *parting; /* of each block: its last instruction parts the threads of a block */
    uint8_t *varies;  /* of each register: its value depends on the thread */
    const code *code;
    uint64_t *bases;         /* of each register: bases.h */
    uint8_t *inside;         /* of each block: room for a set */
    uint8_t *outside;        /* of each register: it is used in a block that is not in the set */
    unsigned *stack, *place; /* place: of a block in a depth-first order, to tell ways back */
} view;

typedef struct view_loop {
    unsigned end, head, size; /* size 0: there is none */
} view_loop;

/* False: out of memory, or a function that is too large. To be closed either way. */
bool view_open(view *v, const module *m, const ptx_function *ptx);
void view_close(view *v);

/* The last instruction of a block, and its line. */
unsigned view_last(const view *v, unsigned block);
unsigned view_line(const view *v, unsigned block);

/* Does the edge lead back to the head of a loop? */
bool view_leads_back(const view *v, unsigned from, unsigned to);
/* Fills inside with the loop whose end is `end` and whose head is `head`: what leads to the end
   without the head. Its size. */
unsigned view_fill_loop(view *v, unsigned end, unsigned head);
/* The innermost loop around both blocks, or the next larger one than the one given. Fills inside,
   with no certain loop. */
view_loop view_next_loop(view *v, unsigned one, unsigned two, view_loop than);
/* Does the block end with a branch that has a condition? */
bool view_is_condition(const view *v, unsigned block);
/* Of the loop's condition, at its end or at its head; if it has none there, the line given. */
unsigned view_loop_line(const view *v, const view_loop *l, unsigned line);
/* Is the branch at the end of block b the condition of a loop that holds `block`? Fills inside. */
bool view_is_of_loop(view *v, unsigned b, unsigned block);
/* Fills inside with the loop. */
bool view_is_in_loop(view *v, unsigned b, const view_loop *l);

/* Does the operand differ from thread to thread? */
bool view_varies(const view *v, const ptx_operand *o);
/* What it writes differs from thread to thread even where what it reads does not. */
bool view_makes_varying(const view *v, const ptx_instr *p);
/* Fills inside with what lies between the branch at the end of block b and where all meet again. */
void view_fill_branch(view *v, unsigned b);
/* Is the block the kernel's end? */
bool view_leaves(const view *v, unsigned block);
/* Does the branch at the end of block b let some threads leave the kernel? */
bool view_lets_leave(const view *v, unsigned b);

#endif
