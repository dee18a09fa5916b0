/* cooperative_test: cooperative launches and the grid barrier: right values, no findings, and what
   is refused. */
#include "check.h"

#include <stdlib.h>

#include "cooperative.h"
#include "cuda_runtime_api.h"
#include "cudart.h"

static unsigned findings;

static void observe(void *user, const char *kernel, const simt_launch_args *args,
                    simt_status status, const simt_report *report)
{
    (void)user;
    (void)args;
    (void)status;
    findings = report->findings;
    if (report->findings) {
        simt_words words;
        simt_finding_words(&report->finding[0], NULL, &words);
        printf("%s: %s\n", kernel, words.message);
    }
}

static void rotates(int blocks, int threads, int rounds)
{
    int n = blocks * threads, *values = malloc((size_t)n * sizeof *values);
    for (int i = 0; i < n; i++)
        values[i] = 1000 * i;
    check_int("cudaLaunchCooperativeKernel", cudaSuccess,
              run_rotate(values, blocks, threads, rounds, 1));
    for (int i = 0; i < n; i++)
        check_int("rotated value", 1000 * ((i + rounds * threads) % n) + rounds, values[i]);
    check_int("findings", 0, findings);
    free(values);
}

int main(void)
{
    static int values[17 * 1024];
    cudart_observe(observe, NULL);
    for (unsigned order = SIMT_BLOCKS_IN_ORDER; order <= SIMT_BLOCKS_SHUFFLED; order++)
        for (unsigned late = 0; late < 2; late++) {
            simt_config config = simt_default_config();
            config.block_order = (simt_block_order)order;
            config.seed = order + 1;
            config.shuffle_warps = order != SIMT_BLOCKS_IN_ORDER;
            config.late_stores = late;
            cudart_open(&config);
            rotates(1, 64, 5);
            rotates(2, 96, 4);
            rotates(40, 32, 7); /* more than are resident of an ordinary launch */
        }
    check_int("all places", cudaSuccess, run_rotate(values, 9, 32, 1, 1));
    check_int("a grid larger than the device", cudaErrorCooperativeLaunchTooLarge,
              run_rotate(values, 17, 1024, 1, 1));

    simt_config config = simt_default_config();
    config.resident_blocks = 8;
    cudart_open(&config);
    check_int("the device holds as many blocks as its caller said", 8, places_for_rotate(32));
    check_int("and no more when they are large", 8, places_for_rotate(1024));
    rotates(8, 32, 3);
    check_int("one block too many", cudaErrorCooperativeLaunchTooLarge,
              run_rotate(values, 9, 32, 1, 1));
    check_int("error 720", 720, cudaErrorCooperativeLaunchTooLarge);
    check_int("a grid barrier in an ordinary launch", cudaErrorLaunchFailure,
              run_rotate(values, 2, 32, 1, 0));
    return check_report("cooperative_test");
}
