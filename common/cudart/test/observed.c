/*
 * observed.c: cudart.h as the runner uses it: open, observe, configure, forget; two object files
 * with kernels.
 */
#include "check.h"
#include "cuda_runtime_api.h"
#include "cudart.h"

int launch_count_up(int threads, int by, int *result);
int launch_other(int *result);
int launch_spin(void);

static struct {
    int calls, status;
    char kernel[64], printed[64], schedule[160];
    simt_counts counts;
    simt_finding_kind last;
} seen;

static void observe(void *user, const char *kernel, const simt_launch_args *args,
                    simt_status status, const simt_report *report)
{
    check_int("user pointer", 1, user == &seen);
    seen.calls++;
    seen.status = (int)status;
    snprintf(seen.kernel, sizeof seen.kernel, "%s", kernel);
    snprintf(seen.printed, sizeof seen.printed, "%s", report->printed ? report->printed : "");
    snprintf(seen.schedule, sizeof seen.schedule, "%s", report->schedule);
    seen.counts = report->counts;
    seen.last = report->findings ? report->finding[report->findings - 1].kind : SIMT_NO_FINDING;
    check_int("grid", 1, args->grid.x);
}

static void launches_are_seen(void)
{
    int result = 0;
    check_int("launch", 0, launch_count_up(32, 7, &result));
    check_int("result", 8, result);
    check_int("calls", 1, seen.calls);
    check_int("status", SIMT_OK, seen.status);
    check_text("kernel", "count_up", seen.kernel);
    check_text("printed", "count 8\n", seen.printed);
    check_int("barriers", 1, (long long)seen.counts.barriers);
    check_int("threads", 32, (long long)seen.counts.threads);
    check_int("other object file", 0, launch_other(&result));
    check_int("its own variable", 101, result);
    check_int("calls", 2, seen.calls);
}

static void refusals_are_seen(void)
{
    int result = 0;
    check_int("2000 threads", 0, launch_count_up(2000, 7, &result));
    check_int("status", SIMT_BAD_LAUNCH, seen.status);
    check_int("nothing ran", 0, (long long)seen.counts.warps);
    check_int("detail names the number", 1, strstr(cudart_detail(), "2000") != NULL);
    check_int("last error", cudaErrorInvalidConfiguration, cudaGetLastError());
}

static void faults_are_seen(simt_config config)
{
    int result = 0;
    config.budget = 100000;
    check_int("configure", 1, cudart_configure(&config));
    check_int("spin", cudaErrorLaunchTimeout, launch_spin());
    check_int("status", SIMT_FAULT, seen.status);
    check_int("hang is found", 1, seen.last == SIMT_DEADLOCK || seen.last == SIMT_BUDGET);
    check_int("sticky", cudaErrorLaunchTimeout, launch_count_up(32, 1, &result));
    cudart_forget();
    check_int("after cudart_forget", 0, launch_count_up(32, 1, &result));
    check_int("memory was kept", 3, result);
}

int main(void)
{
    simt_config config = simt_default_config();
    int result = 0;
    config.memory = 64 << 20;
    config.block_order = SIMT_BLOCKS_REVERSED;
    check_int("open", 1, cudart_open(&config));
    cudart_observe(observe, &seen);
    launches_are_seen();
    check_int("schedule", 1, strstr(seen.schedule, "reversed") != NULL);
    refusals_are_seen();
    faults_are_seen(config);
    void *p = NULL;
    check_int("no more than the device's memory", cudaErrorMemoryAllocation,
              cudaMalloc(&p, 65 << 20));
    check_int("open again", 1, cudart_open(&config));
    check_int("a fresh device", 0, launch_count_up(32, 1, &result));
    check_int("variables are initialised again", 2, result);
    check_int("reset", 0, cudaDeviceReset());
    check_int("the device is opened again when used", 1, cudart_device() != NULL);
    check_int("after the reset", 0, launch_count_up(32, 1, &result));
    check_int("variables are initialised again", 2, result);
    return check_report("observed");
}
