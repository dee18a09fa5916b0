/*
 * water: lab 21's solution on the engine, step after step, beside its reference: what the animation
 * of shallow water shows.
 *
 *   collect_water OUT [LARGEST]     writes two files in OUT. LARGEST: the most cells, for tests
 *
 *   water.csv   step,rows,volume,reference,difference
 *               the sum of all heights, of both; the largest difference of two heights, relative
 *   water.f32   rows * 256 floats each: the ground; then for each step of water.csv the solution's
 *               heights, and the reference's
 *
 * Each of the two goes on from its own heights: errors may add up.
 * Exit status: 0 written; 2 usage; 3 the solution does not run.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda_runtime_api.h"
#include "cudart.h"
#include "error.h"
#include "lab.h"
#include "tridiagonal.h"

enum { ROWS = 128, CELLS = ROWS * WATER_WIDTH, STEPS = 160, FEW_STEPS = 8 };

/* now and before, of either; and what is written next */
typedef struct heights {
    float *before, *now, *next;
} heights;

static void need(cudaError_t error)
{
    if (error != cudaSuccess)
        die(3, "lab 21's solution: %s",
            *cudart_detail() ? cudart_detail() : cudaGetErrorString(error));
}

static void *room(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        die(3, "no memory");
    return memory;
}

static const lab_part *find_step(void)
{
    for (size_t i = 0; i < lab_table_length; i++)
        for (unsigned p = 0; p < lab_part_count(lab_table[i]); p++)
            if (strcmp(lab_table[i]->parts[p].entry, "water_step") == 0)
                return &lab_table[i]->parts[p];
    die(3, "no lab has water_step");
}

/* A basin that becomes flat to the right, with an island in it and a heap of water; with fewer rows
   the same, compressed. */
static void make_basin(float *ground, float *height, size_t n)
{
    const float level = 6;

    for (size_t i = 0; i < n; i++) {
        const float x = (float)(i % WATER_WIDTH), y = (float)(i / WATER_WIDTH * CELLS / n);
        const float across = (x - 170) / 20, along = (y - 70) / 16, dx = x - 60, dy = y - 48;
        const bool island = across * across + along * along < 1;
        ground[i] = island ? level + 2 : 1 + x / 64;
        height[i] = level + (island ? 0 : 1.5f * expf(-(dx * dx + dy * dy) / 200));
    }
}

static void turn(heights *h)
{
    float *kept = h->before;
    h->before = h->now;
    h->now = h->next;
    h->next = kept;
}

static void write_all(FILE *file, const void *data, size_t bytes)
{
    if (fwrite(data, 1, bytes, file) != bytes)
        die(3, "writing failed: is the disk full?");
}

static FILE *create(const char *folder, const char *name)
{
    char path[4096];
    FILE *file;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!(file = fopen(path, "wb")))
        die(3, "cannot write %s: does the folder exist?", path);
    return file;
}

static void report(FILE *file, int step, const float *has, const float *should, size_t n)
{
    double sum = 0, expected = 0, most = 0;

    for (size_t i = 0; i < n; i++) {
        const double off = fabs((double)has[i] - (double)should[i]) / (double)should[i];
        sum += (double)has[i];
        expected += (double)should[i];
        most = off > most ? off : most;
    }
    fprintf(file, "%d,%zu,%.9g,%.9g,%.3g\n", step, n / WATER_WIDTH, sum, expected, most);
}

int main(int argc, char **argv)
{
    const lab_part *step = find_step();
    const size_t largest = argc == 3 ? strtoul(argv[2], NULL, 10) : CELLS,
                 n = (largest < CELLS ? largest : CELLS) / WATER_WIDTH * WATER_WIDTH,
                 bytes = n * sizeof(float);
    const int steps = n < CELLS ? FEW_STEPS : STEPS;
    simt_config config = simt_default_config();

    if (argc < 2 || argc > 3 || n == 0)
        die(2, "usage: %s OUT [LARGEST], LARGEST at least %d", argv[0], WATER_WIDTH);
    config.checks = SIMT_CHECK_BOUNDS;
    if (!cudart_open(&config))
        die(3, "the simulated GPU does not open: %s", cudart_detail());
    FILE *table = create(argv[1], "water.csv"), *frames = create(argv[1], "water.f32");
    float *ground = room(bytes), *seen = room(bytes), *d_ground;
    heights host = { room(bytes), room(bytes), room(bytes) }, device;

    make_basin(ground, host.now, n);
    memcpy(host.before, host.now, bytes);
    memcpy(seen, host.now, bytes);
    need(cudaMalloc((void **)&d_ground, bytes));
    need(cudaMalloc((void **)&device.before, bytes));
    need(cudaMalloc((void **)&device.now, bytes));
    need(cudaMalloc((void **)&device.next, bytes));
    need(cudaMemcpy(d_ground, ground, bytes, cudaMemcpyHostToDevice));
    need(cudaMemcpy(device.before, seen, bytes, cudaMemcpyHostToDevice));
    need(cudaMemcpy(device.now, seen, bytes, cudaMemcpyHostToDevice));

    fprintf(table, "step,rows,volume,reference,difference\n");
    write_all(frames, ground, bytes);
    for (int k = 0; k <= steps; k++) {
        write_all(frames, seen, bytes);
        write_all(frames, host.now, bytes);
        report(table, k, seen, host.now, n);
        water_step(d_ground, device.before, device.now, device.next, (int)n);
        step->reference((void *[]){ ground, host.before, host.now, host.next }, n);
        turn(&device);
        turn(&host);
        need(cudaMemcpy(seen, device.now, bytes, cudaMemcpyDeviceToHost));
    }
    cudaFree(d_ground);
    cudaFree(device.before);
    cudaFree(device.now);
    cudaFree(device.next);
    if (fclose(table) != 0 || fclose(frames) != 0)
        die(3, "writing failed: is the disk full?");
    return 0;
}
