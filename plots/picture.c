/*
 * picture: makes a picture, and filters it on the engine with lab 23's solution: a summed-area
 * table in one launch, and means of windows by its four look-ups a pixel.
 *
 *   picture OUT     writes OUT/picture.csv: filtered,radius,lookups,row,pixels
 *                   filtered: how often a box filter has been over it, 0 to 3; lookups: sums read a
 *                   pixel, counted; pixels: of that row, 0 to 2^32 - 1, with spaces between them
 *
 * Every filtered picture is compared with sums over all pixels of each window first.
 * Exit status: 0 written; 2 usage; 3 the solution does not run, or is wrong.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_runtime_api.h"
#include "cudart.h"
#include "error.h"
#include "summed_area_table.h"
#include "rng.h"

enum {
    WIDTH = 256,
    HALF = WIDTH / 2,
    PIXELS = WIDTH * WIDTH,
    TIMES = 3,
    DOTS = 6,
    DOT = 12,
    CHECK = 8
};

static const uint32_t white = UINT32_MAX, dark = UINT32_MAX / 8;

static void need(bool right, const char *what)
{
    if (!right)
        die(3, "%s: %s", what, cudart_detail());
}

/* Four quarters with edges of all kinds: a star of spokes, checks that grow, discs over a ramp, and
   white squares. */
static uint32_t quarter(int which, int x, int y)
{
    const double dx = x - HALF / 2 + 0.5, dy = y - HALF / 2 + 0.5, r = sqrt(dx * dx + dy * dy);
    const int size = CHECK << x / (HALF / 2);

    switch (which) {
    case 0: return r > 60 ? dark : sin(16 * atan2(dy, dx)) > 0 ? white : 0;
    case 1: return (x / size + y / size) % 2 ? white : 0;
    case 2: return r < 20 ? 0 : r < 44 ? white : (uint32_t)y * (white / HALF);
    default: return 0;
    }
}

static void make_picture(uint32_t *pixel)
{
    rng r;

    for (int i = 0; i < PIXELS; i++) {
        const int x = i % WIDTH, y = i / WIDTH;
        pixel[i] = quarter(y / HALF * 2 + x / HALF, x % HALF, y % HALF);
    }
    rng_seed(&r, 1);
    for (int dot = 0; dot < DOTS; dot++) {
        const int x = HALF + (int)rng_below(&r, HALF - DOT),
                  y = HALF + (int)rng_below(&r, HALF - DOT);
        for (int i = 0; i < DOT * DOT; i++)
            pixel[(y + i / DOT) * WIDTH + x + i % DOT] = white;
    }
}

/* The mean of each window, pixel by pixel. */
static uint32_t mean_around(const uint32_t *pixel, int x, int y, int radius)
{
    uint64_t sum = 0, count = 0;

    for (int row = y - radius; row <= y + radius; row++)
        for (int column = x - radius; column <= x + radius; column++)
            if (row >= 0 && row < WIDTH && column >= 0 && column < WIDTH) {
                sum += pixel[row * WIDTH + column];
                count++;
            }
    return (uint32_t)(sum / count);
}

static void observe(void *user, const char *kernel, const simt_launch_args *args,
                    simt_status status, const simt_report *report)
{
    (void)kernel, (void)args;
    if (status == SIMT_OK && report)
        simt_counts_add(user, &report->counts);
}

/* Filters the picture in d_pixel; returns how many sums were read. */
static uint64_t filter(uint32_t *pixel, unsigned *d_pixel, long long *d_table)
{
    static uint32_t filtered[PIXELS];
    simt_counts counts = { 0 };
    const int radius = sat_radius(PIXELS);

    sat_one_launch(d_pixel, d_table, PIXELS);
    need(cudaDeviceSynchronize() == cudaSuccess, "sat_one_launch");
    cudart_observe(observe, &counts);
    sat_box(d_table, d_pixel, PIXELS);
    need(cudaDeviceSynchronize() == cudaSuccess, "sat_box");
    cudart_observe(NULL, NULL);
    need(cudaMemcpy(filtered, d_pixel, sizeof filtered, cudaMemcpyDeviceToHost) == cudaSuccess,
         "the filtered picture");
    for (int i = 0; i < PIXELS; i++)
        if (filtered[i] != mean_around(pixel, i % WIDTH, i / WIDTH, radius))
            die(3, "the filtered picture is wrong at %d, %d", i % WIDTH, i / WIDTH);
    for (int i = 0; i < PIXELS; i++)
        pixel[i] = filtered[i];
    return counts.global_bytes_read / sizeof *d_table;
}

static void write_picture(FILE *file, const uint32_t *pixel, int filtered, double lookups)
{
    for (int y = 0; y < WIDTH; y++) {
        fprintf(file, "%d,%d,%.4f,%d,", filtered, sat_radius(PIXELS), lookups, y);
        for (int x = 0; x < WIDTH; x++)
            fprintf(file, "%s%u", x > 0 ? " " : "", pixel[y * WIDTH + x]);
        fprintf(file, "\n");
    }
}

int main(int argc, char **argv)
{
    static uint32_t pixel[PIXELS];
    simt_config config = simt_default_config();
    unsigned *d_pixel;
    long long *d_table;
    char path[4096];
    FILE *file;
    static simt_counts ignored;

    if (argc != 2)
        die(2, "usage: %s OUT", argv[0]);
    snprintf(path, sizeof path, "%s/picture.csv", argv[1]);
    if (!(file = fopen(path, "w")))
        die(3, "cannot write %s: does the folder exist?", path);
    config.checks = SIMT_CHECK_COUNTERS | SIMT_CHECK_BOUNDS;
    need(cudart_open(&config), "the simulated GPU does not open");
    need(cudaMalloc((void **)&d_pixel, sizeof pixel) == cudaSuccess &&
             cudaMalloc((void **)&d_table, PIXELS * sizeof *d_table) == cudaSuccess,
         "memory for a picture");
    make_picture(pixel);
    need(cudaMemcpy(d_pixel, pixel, sizeof pixel, cudaMemcpyHostToDevice) == cudaSuccess,
         "the picture");
    fprintf(file, "filtered,radius,lookups,row,pixels\n");
    write_picture(file, pixel, 0, 0);
    for (int times = 1; times <= TIMES; times++) {
        const uint64_t sums = filter(pixel, d_pixel, d_table);
        write_picture(file, pixel, times, (double)sums / PIXELS);
    }
    cudaFree(d_pixel);
    cudaFree(d_table);
    /* memory that a solution keeps for its next call is no leak to report here */
    cudart_observe(observe, &ignored);
    if (fclose(file) != 0)
        die(3, "writing failed: is the disk full?");
    return 0;
}
