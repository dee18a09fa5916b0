/*
 * words_memory.c: what is said about accesses, copies, frees, and values without a meaning. See
 * words.h.
 */
#include "findings/words.h"

#include <stdio.h>

/* ---- parts of sentences ---------------------------------------------------------------------- */

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

static const char *access_of(const simt_finding *f)
{
    return f->at.atomic ? "atomic operation" : f->at.write ? "write" : "read";
}

static bool is_by_kernel(const simt_finding *f) { return f->at.kernel[0]; }

static const char *free_of(const simt_finding *f) { return is_by_kernel(f) ? "free" : "cudaFree"; }

static const char *memory_text(simt_space space)
{
    switch (space) {
    case SIMT_SPACE_GLOBAL: return "global";
    case SIMT_SPACE_SHARED: return "shared";
    case SIMT_SPACE_LOCAL: return "local";
    case SIMT_SPACE_PARAMETER: return "parameter";
    case SIMT_SPACE_NONE: break;
    }
    return "unknown";
}

/* "allocation 3, of 4096 bytes" */
static const char *allocation_text(const simt_finding *f, char out[PLACE])
{
    number bytes = f->allocation_bytes;
    if (f->by_malloc)
        snprintf(out, PLACE, "allocation %u of malloc in kernels, of %llu byte%s", f->allocation,
                 bytes, plural(bytes));
    else if (f->variable[0])
        snprintf(out, PLACE, "the variable %.63s, of %llu byte%s", f->variable, bytes,
                 plural(bytes));
    else
        snprintf(out, PLACE, "allocation %u, of %llu byte%s", f->allocation, bytes, plural(bytes));
    return out;
}

/* ---- accesses of kernels --------------------------------------------------------------------- */

/* Is it about what a count becomes that has gone past the end of a signed type of 8 or 16 bits? */
static bool is_near_wrapped(int64_t index)
{
    enum { ONE_IN = 8 }; /* so near, or nearer */
    static const int64_t jump[] = { 1 << 7, 1 << 8, 1 << 15, 1 << 16 };

    for (unsigned k = 0; k < sizeof jump / sizeof jump[0]; k++)
        if (index >= -jump[k] - jump[k] / ONE_IN && index <= -jump[k] + jump[k] / ONE_IN)
            return true;
    return false;
}

static void advise_below(const simt_finding *f, wording *w)
{
    const simt_bounds_facts *b = &f->bounds;
    const bool block = b->counts_from[0] == 'b';
    if ((!b->counts_from[0] || b->less <= 0) && !b->below && is_near_wrapped(f->index)) {
        words_advise(
            w,
            "the index is below 0: test it before the access, as in `i > 0 ? a[i - 1] : 0`. If "
            "thread %u is to have an element there, work the index out by hand: a count may have "
            "been kept in too few bits (a signed char holds up to 127, a short up to 32767)",
            words_thread(&f->at));
        return;
    }
    if (!b->counts_from[0] || b->less <= 0) {
        words_advise(
            w,
            "the index is below 0%s: test it before the access, as in `i > 0 ? a[i - 1] : 0`. If "
            "thread %u is to have an element there, a test would hide a wrong index: work it out "
            "for this thread by hand",
            b->below ? ", where an unsigned number wraps around" : "", words_thread(&f->at));
        return;
    }
    words_advise(w, "%.11s - %lld is below 0 in %s %lld: guard the access with `%.11s %s %lld`",
                 b->counts_from, (long long)b->less, block ? "block" : "thread",
                 (long long)(b->less + f->index), b->counts_from,
                 b->less == 1 ? ">" : ">=", (long long)(b->less == 1 ? 0 : b->less));
}

/* In a loop, and no condition is known that guards the access. Where threads are chosen by an `if`
   already, the loop is the likelier one. guard: "is usual" and the like; end: one more question */
static void advise_in_loop(const simt_finding *f, const char *guard, const char *end, wording *w)
{
    if (f->around.if_line)
        words_advise(w,
                     "does the loop of line %u go a round too far (<= for <, a bound that is twice "
                     "as high, or stride++ for stride *= 2)? If it does not, check the index of "
                     "this thread: %s.%s",
                     f->around.loop_line, guard, end);
    else
        words_advise(w,
                     "check the index of this thread: %s. If it has one, does the loop of line %u "
                     "go a round too far (<= for <, a bound that is twice as high, or stride++ for "
                     "stride *= 2)?%s",
                     guard, f->around.loop_line, end);
}

/* cudaMalloc(&p, n) for n floats, or sizeof of a pointer, or an index too high? */
static void advise_array(const simt_finding *f, const char *place, wording *w)
{
    const bool own = !place && !f->variable[0] && f->element_bytes > 1 && f->index >= 0;
    number bytes = f->allocation_bytes;
    if (f->index < 0)
        advise_below(f, w);
    else if (f->around.guard_line)
        words_advise(w,
                     "the condition of line %u lets index %lld through: is what it compares with, "
                     "such as n, as long as this array, in this launch? Does it compare the very "
                     "index that is used, i + c for a[i + c], and with < (not <=)? Or is the array "
                     "too short? cudaMalloc takes bytes: count * sizeof(float)",
                     f->around.guard_line, (long long)f->index);
    else if (own && bytes == sizeof(uint64_t) && f->element_bytes < sizeof(uint64_t))
        words_advise(w,
                     "8 bytes are the size of a pointer: is sizeof taken of the pointer rather "
                     "than of its elements? cudaMalloc takes bytes: count * sizeof(float). Or was "
                     "it allocated for a smaller n, in an earlier call? Else check the index");
    else if (own && bytes % f->element_bytes)
        words_advise(w,
                     "cudaMalloc takes bytes: is `* sizeof(float)` missing where it is given %llu?",
                     bytes);
    else if (own && (number)f->index == f->elements)
        words_advise(w,
                     "this is one element past the end: is the array one too short, or the index "
                     "one too high (<= for <)? Else a guard such as `if (i < n)` must cover the "
                     "load and the store. cudaMalloc takes bytes: is `* sizeof(float)` missing "
                     "where it is given %llu?",
                     bytes);
    else if (own && (number)f->index < bytes)
        words_advise(w,
                     "check this thread's index: a guard such as `if (i < n)` must cover the load "
                     "and the store. Or is the array too short? cudaMalloc takes bytes: is `* "
                     "sizeof(float)` missing where it is given %llu?",
                     bytes);
    else if (own)
        words_advise(w, "is the array as long as the number of elements that are used, and not one "
                        "from an earlier call, for a smaller n? Else check this thread's index: a "
                        "guard such as `if (i < n)` must cover the load and the store");
    else if (f->around.loop_line)
        advise_in_loop(f, "a guard such as `if (i < n)` must cover the load and the store", "", w);
    else
        words_advise(w, "check the index of this thread against n: a guard such as `if (i < n)` "
                        "must cover the load and the store");
}

/* An address that is right but for 2^32 elements has a cause of its own. */
static void advise_wrapped(const simt_finding *f, wording *w)
{
    long long meant = f->bounds.meant;
    /* a small one is counted from a pointer that lies beyond 2^32 elements already */
    if (f->bounds.wrapped_often)
        words_advise(w,
                     "the index may have been computed in 32 bits and have overflowed: a multiple "
                     "of 2^32 elements further on lies memory of yours. Compute it in size_t");
    else if (f->bounds.wrapped && meant < 1 << 28)
        words_advise(w, "the index was computed in 32 bits and overflowed: compute it in size_t");
    else if (f->bounds.wrapped)
        words_advise(w,
                     "the index was computed in 32 bits and overflowed: without that, this would "
                     "be element %lld; compute it in size_t",
                     meant);
    else if (f->bounds.below && meant >= 0)
        words_advise(w,
                     "an unsigned number in this index went below 0, and counts as 2^32 more: "
                     "compute it in int, and this is element %lld",
                     meant);
    else if (f->bounds.below)
        advise_below(f, w);
}

void words_beyond_array(const simt_finding *f, wording *w)
{
    const char *place = w->place;
    const char *access = access_of(f);
    number elements = f->elements;
    if (place)
        words_say(w, "%s of %s, whose allocation has %llu element%s of %u bytes", access, place,
                  elements, plural(elements), f->element_bytes);
    else if (f->variable[0])
        words_say(w, "%s of element %lld of %.63s, which has %llu element%s of %u bytes", access,
                  (long long)f->index, f->variable, elements, plural(elements), f->element_bytes);
    else
        words_say(w, "%s of element %lld of an allocation of %llu byte%s, room for %llu element%s",
                  access, (long long)f->index, (number)f->allocation_bytes,
                  plural(f->allocation_bytes), elements, plural(elements));
    advise_array(f, place, w);
    advise_wrapped(f, w);
}

void words_not_peer(const simt_finding *f, wording *w)
{
    const unsigned gpu = f->at.gpu ? f->at.gpu - 1u : 0;
    char array[PLACE];
    words_say(w, "%s by GPU %u of %s, which is in the memory of GPU %u: GPU %u has no access to it",
              access_of(f), gpu, w->place ? w->place : allocation_text(f, array), f->bounds.owner,
              gpu);
    words_advise(
        w,
        "allow it: cudaSetDevice(%u), then cudaDeviceEnablePeerAccess(%u, 0), once for each "
        "pair and direction, where cudaDeviceCanAccessPeer says that it can. If this GPU "
        "was not meant to go there, look at which array each launch is given",
        gpu, f->bounds.owner);
}

/* "element 3 of table" */
static const char *element_text(const simt_finding *f, const wording *w, char out[PLACE])
{
    char array[PLACE];
    if (w->place)
        return w->place;
    snprintf(out, PLACE, "element %lld of %.100s", (long long)f->index,
             f->variable[0] ? f->variable : allocation_text(f, array));
    return out;
}

void words_not_constant(const simt_finding *f, wording *w)
{
    char element[PLACE];
    words_say(w,
              "read by a load of constant memory (ld.const) of %s, which is not a __constant__ "
              "variable",
              element_text(f, w, element));
}

void words_never_written(const simt_finding *f, wording *w)
{
    char element[PLACE];
    if (f->space == SIMT_SPACE_PARAMETER) {
        words_say(w, "%s of %llu bytes in the kernel's parameters: a kernel only reads them",
                  access_of(f), (number)f->access_bytes);
        words_advise(w, "copy the parameter to a local variable, and change that");
        return;
    }
    words_say(w, "%s of %s, a __constant__ variable: a kernel only reads it", access_of(f),
              element_text(f, w, element));
    words_advise(w, "the host sets it, by cudaMemcpyToSymbol; what a kernel writes is to be a "
                    "__device__ variable, or memory of cudaMalloc");
}

/* Beyond the array, but not beyond one with room for the words that i + i / 32 leaves free. */
static bool lacks_padding(const simt_finding *f)
{
    const unsigned bits = f->bounds.padding;
    return bits && bits < 32 && (number)f->index - f->elements < f->elements >> bits;
}

/* The elements of an array that has some words more, but fewer than i + i / 32 leaves free: a power
   of two; else 0. */
static number padded_too_little(const simt_finding *f)
{
    const unsigned bits = f->bounds.padding;
    number whole = 1;
    while (whole <= f->elements / 2)
        whole *= 2;
    return whole < f->elements && f->elements - whole < whole >> bits ? whole : 0;
}

/* Is it where the block's share would begin, if the array went on from block to block? */
static bool counts_all_blocks(const simt_finding *f)
{
    return f->variable[0] && f->index > 0 && f->at.block.x > 0 && f->elements > 1 &&
           (number)f->index / f->elements == f->at.block.x;
}

static void advise_shared(const simt_finding *f, wording *w)
{
    if (f->variable[0] && f->index >= 0 && lacks_padding(f) && padded_too_little(f))
        words_advise(w,
                     "the index is padded, as i + i / %u, and the array has too few words for "
                     "that: %llu elements need %llu + %llu / %u",
                     1u << f->bounds.padding, padded_too_little(f), padded_too_little(f),
                     padded_too_little(f), 1u << f->bounds.padding);
    else if (f->variable[0] && f->index >= 0 && lacks_padding(f))
        words_advise(
            w,
            "the index is padded, as i + i / %u, and the array is not: N elements need N + "
            "N / %u words, and it has %llu in all",
            1u << f->bounds.padding, 1u << f->bounds.padding, (number)f->elements);
    else if (f->variable[0] && f->index < 0)
        advise_below(f, w);
    else if (f->bounds.dynamic && !f->bounds.dynamic_bytes)
        words_advise(w, "an extern __shared__ array is as large as the launch says, in bytes, and "
                        "this one says nothing: <<<blocks, threads, count * sizeof(float)>>>");
    else if (f->bounds.dynamic)
        words_advise(w,
                     "an extern __shared__ array is as large as the launch says: here %llu bytes. "
                     "Are they bytes, count * sizeof(float), and enough for the largest index?",
                     (number)f->bounds.dynamic_bytes);
    else if (counts_all_blocks(f))
        words_advise(w, "a __shared__ array is the block's own, and begins at 0 in each: is this "
                        "index one of the whole grid, with blockIdx.x in it? Here, take it without "
                        "that, such as threadIdx.x");
    else if (f->around.guard_line)
        words_advise(w,
                     "the condition of line %u lets index %lld through: does it compare the very "
                     "index that is used here, i + c for a[i + c], and with < (not <=)? Or is the "
                     "array too small? If it is a place that is counted or scanned, a guard would "
                     "hide a wrong count: places are 0 to size - 1, once each",
                     f->around.guard_line, (long long)f->index);
    else if (f->around.loop_line)
        advise_in_loop(f, "a guard such as `if (index < size)` is usual",
                       " Or is the array too small?", w);
    else
        words_advise(w,
                     "check the index of this thread against the array's size; a guard such as `if "
                     "(index < size)` is usual. Or is the array too small? If it is a place that "
                     "is counted or scanned, a guard would hide a wrong count: places are 0 to "
                     "size - 1, once each");
}

void words_beyond_shared(const simt_finding *f, wording *w)
{
    const simt_place *at = &f->bounds.there;
    const char *access = access_of(f);
    char there[LINE] = "";
    if (at->variable[0])
        snprintf(there, sizeof there, ": there lies %.63s[%lld]", at->variable,
                 (long long)at->index);
    if (f->variable[0])
        words_say(w, "%s of %.63s[%lld], which has %llu element%s%s", access, f->variable,
                  (long long)f->index, (number)f->elements, plural(f->elements), there);
    else
        words_say(w, "%s at shared-memory offset %d; the block has %llu bytes", access,
                  (int32_t)f->address, (number)f->allocation_bytes);
    advise_shared(f, w);
}

void words_local_of_other(const simt_finding *f, wording *w)
{
    words_say(w,
              "%s by a pointer to a local variable of thread %u%s: local memory is each thread's "
              "own, and on a GPU this is the place in the own memory of thread %u",
              access_of(f), f->bounds.owner, f->bounds.other_block ? " of another block" : "",
              32 * f->at.warp + f->at.lane);
}

void words_beyond_frame(const simt_finding *f, wording *w)
{
    words_say(w,
              "%s of %llu bytes at offset %lld of the thread's %s memory, beyond what the function "
              "declared",
              access_of(f), (number)f->access_bytes, (long long)f->address, memory_text(f->space));
}

void words_before_all(const simt_finding *f, wording *w)
{
    words_say(w, "%s of %llu bytes at device address 0x%llx, before any allocation", access_of(f),
              (number)f->access_bytes, (number)f->address);
    advise_wrapped(f, w);
}

void words_null_pointer(const simt_finding *f, wording *w)
{
    enum { FIRST_PAGE = 4096 }; /* an address in it is that of the pointer, or of what follows */
    const bool in_front = f->bounds.counts_from[0] && f->address >= FIRST_PAGE;
    if (f->index < -1 || f->bounds.below || in_front)
        words_say(w, "%s of element %lld through a null pointer", access_of(f),
                  (long long)f->index);
    else
        words_say(w, "%s through a null pointer (address 0x%llx)", access_of(f),
                  (number)f->address);
    advise_wrapped(f, w);
}

void words_no_device_address(const simt_finding *f, wording *w)
{
    if (f->kind == SIMT_BAD_FREE) {
        words_say(
            w,
            "%s of 0x%llx, which is not a device address: it is a host pointer, or was never set",
            free_of(f), (number)f->address);
        words_advise(
            w,
            "memory of the host's malloc is freed by free, that of cudaMallocHost by cudaFreeHost");
        return;
    }
    words_say(w, "%s at address 0x%llx, which is not a device address%s", access_of(f),
              (number)f->address,
              f->bounds.wrapped ? "" : ": it is a host pointer, or was never set");
    advise_wrapped(f, w);
}

void words_freed(const simt_finding *f, wording *w)
{
    words_say(w, "%s of %llu bytes in an allocation of %llu bytes that has been freed",
              access_of(f), (number)f->access_bytes, (number)f->allocation_bytes);
}

void words_unaligned(const simt_finding *f, wording *w)
{
    number bytes = f->access_bytes;
    words_say(w, "%s of %llu bytes at address 0x%llx of %s memory, which is not a multiple of %llu",
              access_of(f), bytes, (number)f->address, memory_text(f->space), bytes);
    words_advise(w,
                 "an access of %llu bytes needs an address that is a multiple of %llu: vector "
                 "types such as float4 need aligned pointers and offsets",
                 bytes, bytes);
}

/* ---- copies by kernels ----------------------------------------------------------------------- */

void words_input(const simt_finding *f, wording *w)
{
    char where[PLACE];
    const char *place = words_place_of(f, w->place, where);
    if (is_by_kernel(f))
        words_say(w, "%s of %s, which is only to be read", access_of(f), place);
    else
        words_say(w, "a %s %s, which is only to be read",
                  f->range.call == SIMT_CALL_FILL ? "cudaMemset of" : "copy to", place);
}

void words_copy_beyond(const simt_finding *f, wording *w)
{
    words_say(w, "a copy %s %llu bytes of %s, where only %llu are left before its end",
              words_does(&f->at), (number)f->access_bytes,
              f->space == SIMT_SPACE_SHARED ? "shared memory" : "an allocation",
              (number)f->bounds.left);
}

/* ---- calls that take an address: copies by the host, frees, what was never freed ------------- */

static const char *call_text(simt_host_call call)
{
    switch (call) {
    case SIMT_CALL_WRITE: return "write";
    case SIMT_CALL_READ: return "read";
    case SIMT_CALL_COPY_FROM: return "copy from";
    case SIMT_CALL_COPY_TO: return "copy to";
    case SIMT_CALL_FILL: return "fill";
    case SIMT_CALL_FORGET: return "forgetting";
    }
    return "use";
}

void words_range_nowhere(const simt_finding *f, wording *w)
{
    words_say(w, "%s of %llu bytes at 0x%llx, which is in no device allocation",
              call_text(f->range.call), (number)f->access_bytes, (number)f->address);
}

void words_range_freed(const simt_finding *f, wording *w)
{
    char what[PLACE];
    words_say(w, "%s of %llu bytes in %s, which has been freed", call_text(f->range.call),
              (number)f->access_bytes, allocation_text(f, what));
}

void words_range_beyond(const simt_finding *f, wording *w)
{
    char what[PLACE];
    words_say(w, "%s of %llu bytes at byte %llu of %s: it goes beyond the end",
              call_text(f->range.call), (number)f->access_bytes, (number)f->range.offset,
              allocation_text(f, what));
}

void words_not_freed(const simt_finding *f, wording *w)
{
    char what[PLACE];
    words_say(w, "%s, was never freed", allocation_text(f, what));
    if (f->by_malloc)
        words_advise(w, "free in a kernel what a kernel's malloc gave");
}

/* ---- frees ----------------------------------------------------------------------------------- */

static void advise_pointer(const simt_finding *f, wording *w)
{
    words_advise(w, "free the very pointer that %s gave, before any arithmetic on it",
                 is_by_kernel(f) ? "malloc" : "cudaMalloc");
}

void words_free(const simt_finding *f, wording *w)
{
    char what[PLACE];
    words_say(w, "%s of %s", free_of(f), allocation_text(f, what));
}

void words_free_nowhere(const simt_finding *f, wording *w)
{
    words_say(w, "%s of 0x%llx, which is in no allocation", free_of(f), (number)f->address);
    advise_pointer(f, w);
}

void words_free_again(const simt_finding *f, wording *w)
{
    char what[PLACE];
    words_say(w, "%s of %s, which has been freed before", free_of(f), allocation_text(f, what));
}

void words_free_inside(const simt_finding *f, wording *w)
{
    char what[PLACE];
    words_say(w, "%s of byte %llu in the middle of %s", free_of(f), (number)f->range.offset,
              allocation_text(f, what));
    advise_pointer(f, w);
}

/* ---- values without a meaning ---------------------------------------------------------------- */

/* "s[3], which no thread of the block has written (thread 5 reads it at x.cu:12)" */
static const char *origin_text(const simt_finding *f, const char *place, char out[2 * PLACE])
{
    const simt_origin_facts *o = &f->origin;
    char line[LINE] = "", where[PLACE];
    unsigned thread = words_thread(&f->other);
    if (f->has_other)
        words_line(&f->other, line);
    if (!o->known) {
        snprintf(out, 2 * PLACE, "a value that nobody has written");
    } else if (f->kind == SIMT_INACTIVE_LANE) {
        snprintf(out, 2 * PLACE,
                 "what thread %u got at %s from lane %u of its warp, which takes no part in that "
                 "shuffle",
                 thread, line, o->lane);
    } else if (f->kind == SIMT_WIDE_SHIFT) {
        snprintf(out, 2 * PLACE, "a value of %u bits that thread %u shifted by %llu at %s", o->bits,
                 thread, (number)o->shift, line);
    } else if (o->place.space == SIMT_SPACE_NONE) {
        int used = o->place.variable[0]
                       ? snprintf(out, 2 * PLACE, "%.63s of line %u, which was not set",
                                  o->place.variable, o->declared)
                       : snprintf(out, 2 * PLACE, "a variable that was not set");
        if (!o->here)
            snprintf(out + used, (size_t)(2 * PLACE - used), " (it is read at %s)", line);
    } else {
        int used = snprintf(out, 2 * PLACE, "%s, which %s written",
                            place ? place : words_place(&o->place, where),
                            o->place.space == SIMT_SPACE_SHARED  ? "no thread of the block has"
                            : o->place.space == SIMT_SPACE_LOCAL ? "the thread has not"
                                                                 : "nobody has");
        if (!o->here && used < 2 * PLACE)
            snprintf(out + used, (size_t)(2 * PLACE - used), " (thread %u reads it at %s)", thread,
                     line);
    }
    return out;
}

/* What is stored depends on what stood in the very same place, as in a[i] += x. Of the other causes
   the address is that of the origin in any case. */
static bool is_added_to(const simt_finding *f)
{
    return (f->cause == SIMT_CAUSE_COPIED || f->cause == SIMT_CAUSE_ATOMIC) && f->origin.known &&
           f->kind == SIMT_UNINITIALIZED && !f->origin.left_out &&
           f->origin.place.space == SIMT_SPACE_GLOBAL && f->space == SIMT_SPACE_GLOBAL &&
           f->origin.place.address == f->address;
}

static void advise_added_to(const simt_finding *f, wording *w)
{
    if (f->at.atomic)
        words_advise(w, "an atomic changes what is there, and nothing was stored there yet, as "
                        "cudaMalloc does not clear: set it before the launch, by cudaMemset; or, "
                        "where one thread has the whole value, let it store that with =");
    else
        words_advise(
            w,
            "line %u reads an element that is then overwritten, as += does, and nothing "
            "was stored there yet: store with =. If it is to add to what an earlier launch left, "
            "that launch has not written this element",
            f->other.line);
}

static void advise_value(const simt_finding *f, wording *w)
{
    if (f->around.early)
        words_advise_early(w);
    else if (is_added_to(f) && (f->at.atomic || f->other.line))
        advise_added_to(f, w);
    else if (!f->origin.known && f->cause == SIMT_CAUSE_COPIED)
        words_advise(
            w,
            "a kernel must write every element that is copied back: does the grid cover them all?");
    else if (!f->origin.known)
        words_advise(w, "store a value before it is read");
    else if (f->kind == SIMT_INACTIVE_LANE)
        words_advise(w, "let all lanes that are read take part: compute a neutral value in lanes "
                        "beyond the data rather than skip the shuffle, or drop what they give");
    else if (f->kind == SIMT_WIDE_SHIFT && f->origin.shift == words_thread(&f->other))
        words_advise(w,
                     "thread %u has shifted by its own number in the block: bits of a ballot are "
                     "counted by lanes, and a lane is threadIdx.x %% 32",
                     words_thread(&f->other));
    else if (f->kind == SIMT_WIDE_SHIFT)
        words_advise(w, "a shift by as many bits as the value has, or more, is undefined in C and "
                        "C++: test for it, or shift a wider type");
    else if (f->origin.place.space == SIMT_SPACE_SHARED)
        words_advise(
            w, "is the index that is read the one that was stored to? Otherwise store to every "
               "element that is read, of a sum a 0 beyond the data, and __syncthreads() before");
    else if (f->origin.place.space == SIMT_SPACE_NONE)
        words_advise(w, "initialise the variable where it is declared (float sum = 0;): on this "
                        "thread's path nothing sets it");
    else if (f->origin.place.space == SIMT_SPACE_LOCAL)
        words_advise(
            w,
            "initialise the variable where it is declared; or are other threads to fill it? "
            "Without __shared__ each thread has an array of its own, in which nobody else writes");
    else if (f->origin.past_written && !f->origin.left_out)
        words_advise(w, "the elements in front of this one have been written, and neither it nor "
                        "any after it: is the index too high, or the launch that reads it given "
                        "too many elements, such as n and not how many are left? Or does what "
                        "fills the array stop too early: does the grid reach every element?");
    else if (f->origin.left_out)
        words_advise(
            w, "most of the array has been written, but not this element: what fills it has left "
               "it out. Does the grid reach every element, and does each thread that stores have "
               "an index of its own? Where two have the same one, another is left out");
    else
        words_advise(w, "fill the array first: cudaMalloc does not; cudaMemset, cudaMemcpy or a "
                        "kernel must write every element that is read. Or was it stored to another "
                        "place, by a wrong index? Sizes of copies and fills are in bytes: count * "
                        "sizeof(float)");
}

/* front and use: "the way " thread 3 "takes here depends on" the value */
static void say_value(const simt_finding *f, const char *front, const char *use, wording *w)
{
    char what[2 * PLACE];
    words_say(w, "%sthread %u %s %.240s", front, words_thread(&f->at), use,
              origin_text(f, w->place, what));
    advise_value(f, w);
}

void words_branch(const simt_finding *f, wording *w)
{
    say_value(f, "the way ", "takes here depends on", w);
}

void words_guard(const simt_finding *f, wording *w)
{
    say_value(f, "whether ", "executes this depends on", w);
}

void words_address(const simt_finding *f, wording *w)
{
    say_value(f, "the address that ", "uses here depends on", w);
}

void words_atomic(const simt_finding *f, wording *w)
{
    say_value(f, "the atomic operation of ", "changes", w);
}

void words_sync(const simt_finding *f, wording *w)
{
    say_value(f, "what ", "passes to this barrier or .sync instruction depends on", w);
}

void words_printed(const simt_finding *f, wording *w) { say_value(f, "", "prints", w); }

void words_copied(const simt_finding *f, wording *w)
{
    char what[2 * PLACE], where[PLACE];
    words_place_of(f, w->place, where); /* which is where it is copied from */
    if (f->origin.known)
        words_say(w, "the host copies %s, which holds a value that depends on %.130s", where,
                  origin_text(f, is_added_to(f) ? w->place : NULL, what));
    else
        words_say(w, "the host copies %s, which nobody has written", where);
    advise_value(f, w);
}
