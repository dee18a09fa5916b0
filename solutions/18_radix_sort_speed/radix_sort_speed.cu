/*
 * Radix sort at speed: one sweep a digit, with fewer steps through shared memory for each key.
 *
 * Mapping   persistent blocks take tiles by ticket; a half-warp owns keys side by side of its tile,
 *           and a table of what it has seen; thread x below 256 cares for digit x
 * Bytes     of n keys: 4 n once to count, 8 n a digit; values: 8 n a digit. A word for each tile
 *           and digit, cleared a pass ahead
 * Work      a key and digit: one atomicOr, one look and at most one store to rank it; three steps
 *           through shared memory to put it in place
 * Source    Adinets and Merrill, arXiv 2206.01784
 *
 * Given: tiles.h, sizes, keys, what tiles publish; passes.h, who reads what; launches.h, the plan,
 * kernels and entries.
 */
#include <cuda_runtime.h>

#include "passes.h"
#include "radix_sort_speed.h"
#include "tiles.h"

/* ---- all digits in one read ------------------------------------------------------------------ */

/* s_count[(k * DIGITS + x) * COPIES + c]: keys whose digit k is x, as lanes l with l % COPIES = c
   have counted them. */
static __device__ __forceinline__ void count_key(unsigned *s_count, unsigned key)
{
    unsigned *own = s_count + threadIdx.x % COPIES;

#pragma unroll
    for (int k = 0; k < PASSES; k++)
        atomicAdd(&own[(k * DIGITS + (key >> 8 * k & (DIGITS - 1))) * COPIES], 1u);
}

/* ---- ranks in a half-warp -------------------------------------------------------------------- */

/* place[]: how many keys of the half-warp have the digit and stand before. s_table: of the
   half-warp alone, 0 before; then its words hold how many keys have the digit. */
static __device__ __forceinline__ void rank_keys(const unsigned key[MOST_ROWS], int rows,
                                                 unsigned selector, unsigned *s_table,
                                                 unsigned place[MOST_ROWS / 2])
{
    const unsigned own = 1u << threadIdx.x % HALF, below = own - 1;
    const int table = threadIdx.x / HALF;

#pragma unroll
    for (int row = 0; row < rows; row++) {
        unsigned *word = &s_table[slot_of(digit_of(key[row], selector), table)];
        atomicOr(word, own);
        __syncwarp();
        const unsigned seen = *word, same = seen & LANES_MASK;
        __syncwarp(); /* all have read what one of them changes */
        if ((same & below) == 0)
            *word = seen - same + (unsigned)__popc((int)same) * ONE_KEY;
        __syncwarp();
        set_place(place, row, (seen >> KEYS_SHIFT) + (unsigned)__popc((int)(same & below)));
    }
}

/* The same where many keys have the digit `frequent`: a ballot finds them, and they leave the table
   alone, in which they would stand in each other's way. */
static __device__ __forceinline__ void rank_beside(const unsigned key[MOST_ROWS], int rows,
                                                   unsigned selector, unsigned frequent,
                                                   unsigned *s_table, unsigned place[MOST_ROWS / 2])
{
    const unsigned own = 1u << threadIdx.x % HALF, below = own - 1;
    const int table = threadIdx.x / HALF;
    unsigned count = 0; /* of the frequent digit */

#pragma unroll
    for (int row = 0; row < rows; row++) {
        const unsigned digit = digit_of(key[row], selector);
        const bool other = digit != frequent;
        const unsigned those =
            __ballot_sync(ALL_LANES, !other) >> (threadIdx.x & HALF) & LANES_MASK;
        unsigned *word = &s_table[slot_of(digit, table)], seen = count * ONE_KEY + those;
        if (other)
            atomicOr(word, own);
        __syncwarp();
        if (other)
            seen = *word;
        const unsigned same = seen & LANES_MASK;
        __syncwarp();
        if (other && (same & below) == 0)
            *word = seen - same + (unsigned)__popc((int)same) * ONE_KEY;
        __syncwarp();
        set_place(place, row, (seen >> KEYS_SHIFT) + (unsigned)__popc((int)(same & below)));
        count += (unsigned)__popc((int)those);
    }
    if (threadIdx.x % HALF == 0)
        s_table[slot_of(frequent, table)] = count * ONE_KEY;
}

/* The same in any order among equal digits: good enough for the lowest digit of keys alone, of
   which two that are equal cannot be told apart, and others are put right by later passes. Not for
   a partial tile: its padding has to stand after the true keys with the same digit. */
static __device__ __forceinline__ void rank_any_order(const unsigned key[MOST_ROWS], int rows,
                                                      unsigned selector, unsigned *s_table,
                                                      unsigned place[MOST_ROWS / 2])
{
#pragma unroll
    for (int row = 0; row < rows; row++) {
        const unsigned slot = slot_of(digit_of(key[row], selector), threadIdx.x / HALF);
        set_place(place, row, atomicAdd(&s_table[slot], ONE_KEY) >> KEYS_SHIFT);
    }
}

/* ---- places in the tile and in the array ----------------------------------------------------- */

/* s_table[table * DIGITS + slot]. Thread x: how many keys of the tile have digit x. */
static __device__ __forceinline__ unsigned keys_of_digit(const unsigned *s_table, int tables)
{
    unsigned sum = 0;

#pragma unroll
    for (int table = 0; table < tables; table++)
        sum += s_table[table * DIGITS + slot_of(threadIdx.x, table)] >> KEYS_SHIFT;
    return sum;
}

/* Thread x: its digit's words become the place in the tile of each half-warp's first key with it.
   `first`: that of the tile's first. */
static __device__ __forceinline__ void first_places(unsigned *s_table, int tables, unsigned first)
{
#pragma unroll
    for (int table = 0; table < tables; table++) {
        unsigned *word = &s_table[table * DIGITS + slot_of(threadIdx.x, table)];
        const unsigned keys = *word >> KEYS_SHIFT;
        *word = first;
        first += keys;
    }
}

/* Of digit x, thread x's: its keys in the tiles before `tile`, and all keys with lower digits; that
   is the PREFIX of the tile before. tile is not 0. */
static __device__ __forceinline__ unsigned look_back(const unsigned *d_word, int tile)
{
    unsigned before = 0;

    for (int nearest = tile - 1;;) {
        unsigned word[LOOKS];
        look(d_word, nearest, threadIdx.x, word);
        if (status_of(word[0]) == INVALID)
            __nanosleep(20); /* looks cost bandwidth too */
#pragma unroll
        for (int k = 0; k < LOOKS && status_of(word[k]) != INVALID; k++) {
            before += keys_of(word[k]);
            nearest--;
            if (status_of(word[k]) == PREFIX)
                return before;
        }
    }
}

/* Each key to its place in the tile, sorted by the digit. s_table is that of the half-warp; place[]
   becomes the place in the tile. */
static __device__ __forceinline__ void put_in_place(const unsigned key[MOST_ROWS], int rows,
                                                    unsigned selector, const unsigned *s_table,
                                                    unsigned place[MOST_ROWS / 2], unsigned *s_key)
{
#pragma unroll
    for (int row = 0; row < rows; row++) {
        const unsigned slot = slot_of(digit_of(key[row], selector), threadIdx.x / HALF),
                       p = get_place(place, row) + s_table[slot];
        set_place(place, row, p);
        s_key[padded(p)] = key[row];
    }
}

/* Sends each value to the place of its key. What is not there is not fetched. */
static __device__ __forceinline__ void fetch_values(const unsigned *d_values, int tile, int n,
                                                    shape size, const unsigned place[MOST_ROWS / 2],
                                                    unsigned *s_value)
{
    const int first = first_key(tile, size);

#pragma unroll
    for (int row = 0; row < size.rows; row++)
        if (first + row * HALF < n)
            copy_word(&s_value[padded(get_place(place, row))], d_values + first + row * HALF);
}

/* Neighbours store neighbours. s_to[x]: index in d_out of a key with digit x, less its place in the
   tile. d_values_out: null, or values go where their keys go. */
static __device__ __forceinline__ void store_row(unsigned *d_out, unsigned *d_values_out,
                                                 const unsigned *s_key, const unsigned *s_value,
                                                 const unsigned s_to[DIGITS], int count, shape size,
                                                 unsigned selector, int row)
{
    const int i = row * size.threads + threadIdx.x;

    if (i < count) {
        const unsigned key = s_key[padded(i)], to = s_to[digit_of(key, selector)] + i;
        d_out[to] = key;
        if (d_values_out)
            d_values_out[to] = s_value[padded(i)];
    }
}

/* All rows: few at a time, or each warp would run ahead of the others, and lines be half filled. */
static __device__ __forceinline__ void store_tile(unsigned *d_out, unsigned *d_values_out,
                                                  const unsigned *s_key, const unsigned *s_value,
                                                  const unsigned s_to[DIGITS], int count,
                                                  shape size, unsigned selector)
{
    if (d_values_out)
#pragma unroll 1
        for (int row = 0; row < size.rows; row++)
            store_row(d_out, d_values_out, s_key, s_value, s_to, count, size, selector, row);
    else
#pragma unroll 2
        for (int row = 0; row < size.rows; row++)
            store_row(d_out, NULL, s_key, s_value, s_to, count, size, selector, row);
}

/* ---- a pass, given --------------------------------------------------------------------------- */

/* A block takes tile after tile by ticket. Barriers of a tile: ranks known; scan of the digits;
   first places known; keys in place, and their index in d_out known. */
static __device__ __forceinline__ void sweep_tiles(pass p, shape size, bool pairs)
{
    extern __shared__ uint4 s_vectors[];
    __shared__ unsigned s_sum[MOST_THREADS / WARP], s_ticket;
    __shared__ volatile unsigned s_selector;
    unsigned *s_key = (unsigned *)s_vectors, *s_tables = s_key + item_words(size),
             *s_to = s_tables + table_words(size), *s_value = s_to + DIGITS;
    const int x = threadIdx.x, rows = size.rows, tiles = tiles_of(p.n, size);

    if (!take_turn(&p))
        return;
    const unsigned frequent = p.s->frequent[p.number], own_selector = selector_of(p.number);
    unsigned *own_table = s_tables + x / HALF * DIGITS, *d_ticket = &p.s->ticket[p.number];
    const unsigned last_ticket = (unsigned)tiles + gridDim.x - 1; /* then it is 0 again */

    if (x == 0) {
        s_ticket = atomicInc(d_ticket, last_ticket);
        s_selector = own_selector;
    }
    __syncthreads();
    int tile = (int)s_ticket;
    __syncthreads();
    unsigned key[MOST_ROWS];
    if (tile < tiles)
        load_keys(p.d_in, tile, p.n, size, key);
    while (tile < tiles) {
        const int count = keys_of(tile, p.n, size);
        unsigned place[MOST_ROWS / 2] = { 0 }, keys = 0;

        if (pairs) /* nobody waits for them yet */
            ask_for_tile(p.d_values, tile, p.n, size);
        if (x == 0) /* the next one's; it is on its way meanwhile */
            s_ticket = atomicInc(d_ticket, last_ticket);
        for (int i = x % HALF; i < DIGITS / 4; i += HALF)
            ((uint4 *)own_table)[i] = make_uint4(0, 0, 0, 0);
        if (x < DIGITS / 4)
            ((uint4 *)p.d_next)[tile * (DIGITS / 4) + x] = make_uint4(0, 0, 0, 0);
        __syncwarp();
        if (frequent != NO_DIGIT)
            rank_beside(key, rows, own_selector, frequent, own_table, place);
        else if (p.number == 0 && !pairs && count == tile_keys(size))
            rank_any_order(key, rows, own_selector, own_table, place);
        else
            rank_keys(key, rows, own_selector, own_table, place);
        __syncthreads();
        const int next = (int)s_ticket;
        if (x < DIGITS) {
            keys = keys_of_digit(s_tables, tables_of(size));
            if (tile > 0)
                publish(p.d_word, tile, x, AGGREGATE, keys);
        }
        const unsigned first = scan_digits(keys, s_sum);
        if (x < DIGITS)
            first_places(s_tables, tables_of(size), first);
        __syncthreads();
        /* read again, so that the compiler does not keep what it knows of every row */
        const unsigned selector = s_selector;
        put_in_place(key, rows, selector, own_table, place, s_key);
        if (pairs)
            fetch_values(p.d_values, tile, p.n, size, place, s_value);
        if (x < DIGITS) {
            const unsigned before = tile > 0 ? look_back(p.d_word, tile) : p.s->begin[p.number][x];
            publish(p.d_word, tile, x, PREFIX, before + keys);
            s_to[x] = before - first;
        }
        if (next < tiles)
            ask_for_tile(p.d_in, next, p.n, size);
        if (pairs)
            words_copied();
        __syncthreads();
        if (next < tiles) /* on their way while this tile is stored */
            load_keys(p.d_in, next, p.n, size, key);
        store_tile(p.d_out, pairs ? p.d_values_out : NULL, s_key, s_value, s_to, count, size,
                   selector);
        tile = next;
    }
}

/* ---- kernels and entries --------------------------------------------------------------------- */

#include "launches.h"

DEFINE_COUNT
DEFINE_SWEEPS
