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

static void advise_below(const simt_finding *f, wording *w)
{
    const simt_bounds_facts *b = &f->bounds;
    const bool block = b->counts_from[0] == 'b';
    if (!b->counts_from[0] || b->less <= 0) {
        words_advise(w,
                     "the index is below 0%s: test it before the access, as in `i > 0 ? a[i - "
                     "1] : 0`",
                     b->below ? ", where an unsigned number wraps around" : "");
        return;
    }
    words_advise(w, "%.11s - %lld is below 0 in %s %lld: guard the access with `%.11s %s %lld`",
                 b->counts_from, (long long)b->less, block ? "block" : "thread",
                 (long long)(b->less + f->index), b->counts_from,
                 b->less == 1 ? ">" : ">=", (long long)(b->less == 1 ? 0 : b->less));
}

/* cudaMalloc(&p, n) for n floats, or sizeof of a pointer, or an index too high? */
static void advise_array(const simt_finding *f, const char *place, wording *w)
{
    const bool own = !place && !f->variable[0] && f->element_bytes > 1 && f->index >= 0;
    number bytes = f->allocation_bytes;
    if (f->index < 0)
        advise_below(f, w);
    else if (own && bytes == sizeof(uint64_t) && f->element_bytes < sizeof(uint64_t))
        words_advise(
            w,
            "8 bytes are the size of a pointer: is sizeof taken of the pointer rather than "
            "of its elements? cudaMalloc takes bytes: count * sizeof(float). Or was it allocated "
            "for a smaller n, in an earlier call? Else check the index");
    else if (own && bytes % f->element_bytes)
        words_advise(w,
                     "cudaMalloc takes bytes: is `* sizeof(float)` missing where it is given %llu?",
                     bytes);
    else if (own && (number)f->index < bytes)
        words_advise(w,
                     "check this thread's index: a guard such as `if (i < n)` must cover the load "
                     "and the store. Or is the array too short? cudaMalloc takes bytes: is `* "
                     "sizeof(float)` missing where it is given %llu?",
                     bytes);
    else if (own)
        words_advise(w, "is the array as long as the number of elements that are used, and not "
                        "one from an earlier call, for a smaller n? Else check this thread's "
                        "index: a guard such as `if (i < n)` must cover the load and the store");
    else
        words_advise(
            w, "check the index of this thread against n: a guard such as `if (i < n)` must cover "
               "the load and the store");
}

static void say_beyond_array(const simt_finding *f, const char *place, wording *w)
{
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
}

static void advise_shared(const simt_finding *f, wording *w)
{
    if (f->variable[0] && f->index < 0)
        advise_below(f, w);
    else if (f->bounds.dynamic && !f->bounds.dynamic_bytes)
        words_advise(w, "an extern __shared__ array is as large as the launch says, in bytes, and "
                        "this one says nothing: <<<blocks, threads, count * sizeof(float)>>>");
    else if (f->bounds.dynamic)
        words_advise(w,
                     "an extern __shared__ array is as large as the launch says: here %llu bytes. "
                     "Are they bytes, count * sizeof(float), and enough for the largest index?",
                     (number)f->bounds.dynamic_bytes);
    else
        words_advise(w, "check the index of this thread against the array's size; a guard such as "
                        "`if (index < size)` is usual. If it is a place that is counted or "
                        "scanned, a guard would hide a wrong count: places are 0 to size - 1, "
                        "once each");
}

static bool say_bounds(const simt_finding *f, const char *place, wording *w)
{
    const char *access = access_of(f);
    char there[LINE] = "";
    number bytes = f->access_bytes, address = f->address;
    switch (f->cause) {
    case SIMT_CAUSE_BEYOND_ARRAY: say_beyond_array(f, place, w); return true;
    case SIMT_CAUSE_BEYOND_SHARED:
        if (f->bounds.there.variable[0])
            snprintf(there, sizeof there, ": there lies %.63s[%lld]", f->bounds.there.variable,
                     (long long)f->bounds.there.index);
        if (f->variable[0])
            words_say(w, "%s of %.63s[%lld], which has %llu element%s%s", access, f->variable,
                      (long long)f->index, (number)f->elements, plural(f->elements), there);
        else
            words_say(w, "%s at shared-memory offset %d; the block has %llu bytes", access,
                      (int32_t)address, (number)f->allocation_bytes);
        advise_shared(f, w);
        return true;
    case SIMT_CAUSE_BEYOND_FRAME:
        words_say(
            w,
            "%s of %llu bytes at offset %lld of the thread's %s memory, beyond what the function "
            "declared",
            access, bytes, (long long)address, memory_text(f->space));
        words_advise(w, "check the index of the local array: it goes beyond the array's end");
        return true;
    case SIMT_CAUSE_BEFORE_ALL:
        words_say(w, "%s of %llu bytes at device address 0x%llx, before any allocation", access,
                  bytes, address);
        words_advise(w,
                     "check the index of this thread against n: a guard such as `if (i < n)` must "
                     "cover the load and the store");
        return true;
    case SIMT_CAUSE_NULL_POINTER:
        if (f->index < -1 || f->bounds.below || f->bounds.counts_from[0])
            words_say(w, "%s of element %lld through a null pointer", access, (long long)f->index);
        else
            words_say(w, "%s through a null pointer (address 0x%llx)", access, address);
        words_advise(w, "the pointer was never set, or cudaMalloc failed: pass memory that "
                        "cudaMalloc gave. Where null is passed on purpose, the kernel must not use "
                        "it: are the launch's arguments the right ones?");
        return true;
    case SIMT_CAUSE_NO_DEVICE_ADDRESS:
        words_say(w, "%s at address 0x%llx, which is no device address%s", access, address,
                  f->bounds.wrapped ? "" : ": a host pointer, or a wild one");
        words_advise(w,
                     "kernels can use device memory only: cudaMalloc it and cudaMemcpy the data");
        return true;
    case SIMT_CAUSE_FREED:
        words_say(w, "%s of %llu bytes in an allocation of %llu bytes that has been freed", access,
                  bytes, (number)f->allocation_bytes);
        words_advise(w, "free device memory only after the last kernel that uses it");
        return true;
    case SIMT_CAUSE_UNALIGNED:
        words_say(
            w, "%s of %llu bytes at address 0x%llx of %s memory, which is not a multiple of %llu",
            access, bytes, address, memory_text(f->space), bytes);
        words_advise(
            w,
            "an access of %llu bytes needs an address that is a multiple of %llu: vector types "
            "such as float4 need aligned pointers and offsets",
            bytes, bytes);
        return true;
    case SIMT_CAUSE_NO_FUNCTION:
        words_say(w, "a call through a pointer that is no device function's address");
        words_advise(w, "set the function pointer in device code before calling it");
        return true;
    default: return false;
    }
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

static bool say_access(const simt_finding *f, const char *place, wording *w)
{
    if (f->kind == SIMT_BAD_FREE || !say_bounds(f, place, w))
        return false;
    if (f->cause == SIMT_CAUSE_BEYOND_ARRAY || f->cause == SIMT_CAUSE_BEFORE_ALL ||
        f->cause == SIMT_CAUSE_NULL_POINTER || f->cause == SIMT_CAUSE_NO_DEVICE_ADDRESS)
        advise_wrapped(f, w);
    return true;
}

static bool say_copy(const simt_finding *f, wording *w)
{
    number bytes = f->access_bytes;
    switch (f->cause) {
    case SIMT_CAUSE_COPY_BEYOND:
        words_say(w, "a copy %s %llu bytes of %s, where only %llu are left before its end",
                  words_does(&f->at), bytes,
                  f->space == SIMT_SPACE_SHARED ? "shared memory" : "an allocation",
                  (number)f->bounds.left);
        words_advise(w,
                     "the last tile is shorter: copy only what is there, in whole multiples of 16 "
                     "bytes, and handle the rest with guarded loads and stores");
        return true;
    case SIMT_CAUSE_COPY_SOURCE:
        words_say(w, "cp.async of %llu bytes is to take %llu bytes from its source", bytes,
                  (number)f->bounds.asked);
        words_advise(w, "src-size is at most cp-size: what is missing is filled with zeroes");
        return true;
    case SIMT_CAUSE_COPY_SIZE:
        words_say(w, "bulk copy of %llu bytes: the size must be a multiple of 16", bytes);
        words_advise(w,
                     "copy the whole multiples of 16 bytes in bulk, and the rest of the tail with "
                     "ordinary loads and stores");
        return true;
    default: return false;
    }
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

static bool say_range(const simt_finding *f, wording *w)
{
    char what[PLACE];
    const char *call = call_text(f->range.call);
    number bytes = f->access_bytes;
    allocation_text(f, what);
    switch (f->cause) {
    case SIMT_CAUSE_RANGE_NOWHERE:
        words_say(w, "%s of %llu bytes at 0x%llx, which is in no device allocation", call, bytes,
                  (number)f->address);
        words_advise(w, "was the pointer set by cudaMalloc?");
        return true;
    case SIMT_CAUSE_RANGE_FREED:
        words_say(w, "%s of %llu bytes in %s, which has been freed", call, bytes, what);
        words_advise(w, "free device memory only after the last copy that uses it");
        return true;
    case SIMT_CAUSE_RANGE_BEYOND:
        words_say(w, "%s of %llu bytes at byte %llu of %s: it goes beyond the end", call, bytes,
                  (number)f->range.offset, what);
        words_advise(w,
                     "sizes of copies are in bytes: the number of elements times the size of one");
        return true;
    case SIMT_CAUSE_NOT_FREED:
        words_say(w, "%s, was never freed", what);
        words_advise(w, f->by_malloc
                            ? "free in a kernel what a kernel's malloc gave"
                            : "cudaFree it when the last kernel or copy that uses it is done");
        return true;
    case SIMT_CAUSE_MORE_NOT_FREED:
        words_say(w, "%llu more allocations, of %llu bytes together, were never freed",
                  (number)f->count, bytes);
        words_advise(w, "cudaFree each when the last kernel or copy that uses it is done");
        return true;
    default: return false;
    }
}

static bool say_free(const simt_finding *f, wording *w)
{
    char what[PLACE];
    bool by_kernel = f->at.kernel[0];
    const char *call = by_kernel ? "free" : "cudaFree";
    number address = f->address;
    if (f->kind != SIMT_BAD_FREE)
        return false;
    allocation_text(f, what);
    words_advise(w, "free the very pointer that %s gave, before any arithmetic on it",
                 by_kernel ? "malloc" : "cudaMalloc");
    switch (f->cause) {
    case SIMT_CAUSE_NO_DEVICE_ADDRESS:
        words_say(w, "%s of 0x%llx, which is no device address: a host pointer, or a wild one",
                  call, address);
        words_advise(w, "memory of the host's malloc is freed by free, that of cudaMallocHost by "
                        "cudaFreeHost");
        return true;
    case SIMT_CAUSE_FREE_NOWHERE:
        words_say(w, "%s of 0x%llx, which is in no allocation", call, address);
        return true;
    case SIMT_CAUSE_FREE_VARIABLE:
        words_say(w, "%s of %s", call, what);
        words_advise(w, "a variable lives as long as its module: only allocations are freed");
        return true;
    case SIMT_CAUSE_FREE_OTHERS:
        words_say(w, "%s of %s", call, what);
        words_advise(
            w, "what a kernel's malloc gave is freed by a kernel, what cudaMalloc gave by the "
               "host");
        return true;
    case SIMT_CAUSE_FREE_AGAIN:
        words_say(w, "%s of %s, which has been freed before", call, what);
        words_advise(w,
                     "free each allocation once; a pointer set to null after its free may be freed "
                     "again");
        return true;
    case SIMT_CAUSE_FREE_INSIDE:
        words_say(w, "%s of byte %llu in the middle of %s", call, (number)f->range.offset, what);
        return true;
    default: return false;
    }
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

static void advise_value(const simt_finding *f, wording *w)
{
    if (!f->origin.known && f->cause == SIMT_CAUSE_COPIED)
        words_advise(
            w, "a kernel must write every element that is copied back: does the grid cover them "
               "all?");
    else if (!f->origin.known)
        words_advise(w, "store a value before it is read");
    else if (f->kind == SIMT_INACTIVE_LANE)
        words_advise(
            w, "let all lanes that are read take part: compute a neutral value in lanes beyond "
               "the data rather than skip the shuffle, or drop what they give");
    else if (f->kind == SIMT_WIDE_SHIFT)
        words_advise(
            w, "a shift by as many bits as the value has, or more, is undefined in C and C++: "
               "test for it, or shift a wider type");
    else if (f->origin.place.space == SIMT_SPACE_SHARED)
        words_advise(
            w, "store to every element that is read, the neutral value (0 for a sum) beyond the "
               "data, and __syncthreads() before; or is the index not the one that was stored "
               "to?");
    else if (f->origin.place.space == SIMT_SPACE_NONE)
        words_advise(
            w, "initialise the variable where it is declared (float sum = 0;): on the way that "
               "this thread takes nothing sets it");
    else if (f->origin.place.space == SIMT_SPACE_LOCAL)
        words_advise(w, "initialise the variable where it is declared; or are other threads to "
                        "fill it? Without __shared__ each thread has an array of its own, in which "
                        "nobody else writes");
    else if (f->origin.left_out)
        words_advise(
            w, "most of the array has been written, but not this element: what fills it has left "
               "it out. Does the grid reach every element, and does each thread that stores have "
               "an index of its own? Where two have the same one, another is left out");
    else
        words_advise(
            w, "fill the array first: cudaMalloc does not; cudaMemset, cudaMemcpy or a kernel "
               "must write every element that is read. Sizes of copies and fills are in bytes: "
               "count * sizeof(float)");
}

static bool say_value(const simt_finding *f, const char *place, wording *w)
{
    char what[2 * PLACE], where[PLACE];
    unsigned thread = words_thread(&f->at);
    /* of what is copied, place is where it is copied from */
    origin_text(f, f->cause == SIMT_CAUSE_COPIED ? NULL : place, what);
    switch (f->cause) {
    case SIMT_CAUSE_BRANCH:
        words_say(w, "the way thread %u takes here depends on %.240s", thread, what);
        break;
    case SIMT_CAUSE_GUARD:
        words_say(w, "whether thread %u does this depends on %.240s", thread, what);
        break;
    case SIMT_CAUSE_ADDRESS:
        words_say(w, "the address that thread %u uses here depends on %.240s", thread, what);
        break;
    case SIMT_CAUSE_ATOMIC:
        words_say(w, "the atomic operation of thread %u changes %.240s", thread, what);
        break;
    case SIMT_CAUSE_SYNC:
        words_say(w, "what thread %u asks of the others here depends on %.240s", thread, what);
        break;
    case SIMT_CAUSE_PRINTED: words_say(w, "thread %u prints %.240s", thread, what); break;
    case SIMT_CAUSE_COPIED:
        words_place_of(f, place, where);
        if (f->origin.known)
            words_say(w, "the host copies %s, which holds a value that depends on %.130s", where,
                      what);
        else
            words_say(w, "the host copies %s, which nobody has written", where);
        break;
    default: return false;
    }
    advise_value(f, w);
    return true;
}

void words_of_memory(const simt_finding *f, wording *w)
{
    (void)(say_access(f, w->place, w) || say_copy(f, w) || say_range(f, w) || say_free(f, w) ||
           say_value(f, w->place, w));
}
