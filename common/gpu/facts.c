/*
 * facts.c: see facts.h.
 */
#include "facts.h"

#include <ctype.h>
#include <string.h>
#include <time.h>

#include <cuda_runtime_api.h>

/* The driver's version is the first word of the file's first line that looks like one: digits, a
   dot, digits ... */
static void read_driver(char *to, size_t room)
{
    char line[256] = "";
    FILE *file = fopen("/proc/driver/nvidia/version", "r");

    snprintf(to, room, "unknown");
    if (!file)
        return;
    if (fgets(line, sizeof line, file))
        for (char *word = strtok(line, " \t\n"); word; word = strtok(NULL, " \t\n"))
            if (isdigit((unsigned char)*word) && strchr(word, '.') &&
                strspn(word, "0123456789.") == strlen(word)) {
                snprintf(to, room, "%s", word);
                break;
            }
    fclose(file);
}

/* Two transfers a clock, of the whole width of the bus. kHz * 2 * bytes = thousands of bytes a
   second. */
static double peak_bandwidth(int device)
{
    int clock_kHz = 0, bus_bits = 0;

    if (cudaDeviceGetAttribute(&clock_kHz, cudaDevAttrMemoryClockRate, device) != cudaSuccess ||
        cudaDeviceGetAttribute(&bus_bits, cudaDevAttrGlobalMemoryBusWidth, device) != cudaSuccess) {
        (void)cudaGetLastError();
        return 0;
    }
    return 2.0 * clock_kHz * (bus_bits / 8) / 1e6;
}

bool gpu_facts_get(gpu_facts *facts, base_error *error)
{
    struct cudaDeviceProp properties;
    int device = 0, count = 0;
    cudaError_t failed = cudaGetDeviceCount(&count);

    memset(facts, 0, sizeof *facts);
    if (failed == cudaSuccess && count == 0)
        failed = cudaErrorNoDevice;
    if (failed != cudaSuccess)
        return error_set(error, "no GPU: %s; this needs an NVIDIA GPU and its driver",
                         cudaGetErrorString(failed));
    failed = cudaGetDevice(&device);
    if (failed == cudaSuccess)
        failed = cudaGetDeviceProperties(&properties, device);
    if (failed != cudaSuccess)
        return error_set(error, "the GPU says nothing about itself: %s",
                         cudaGetErrorString(failed));
    snprintf(facts->name, sizeof facts->name, "%.*s", (int)sizeof facts->name - 1, properties.name);
    facts->major = properties.major;
    facts->minor = properties.minor;
    facts->gpus = count;
    facts->multiprocessors = properties.multiProcessorCount;
    facts->l2_bytes = (size_t)properties.l2CacheSize;
    facts->memory_bytes = properties.totalGlobalMem;
    facts->peak_GBps = peak_bandwidth(device);
    read_driver(facts->driver, sizeof facts->driver);
    if (cudaDriverGetVersion(&facts->cuda_driver) != cudaSuccess ||
        cudaRuntimeGetVersion(&facts->cuda_runtime) != cudaSuccess)
        return error_set(error, "the versions of the driver and the runtime cannot be read");
    return true;
}

void gpu_facts_write(FILE *file, const gpu_facts *facts, const char *commit)
{
    char date[32] = "unknown";
    const time_t now = time(NULL);
    struct tm utc;

    if (gmtime_r(&now, &utc))
        strftime(date, sizeof date, "%Y-%m-%d", &utc);
    fprintf(file, "# gpu: %s\n# gpus: %d\n# compute_capability: %d.%d\n# multiprocessors: %d\n",
            facts->name, facts->gpus, facts->major, facts->minor, facts->multiprocessors);
    fprintf(file, "# l2_bytes: %zu\n# memory_bytes: %zu\n# peak_GBps: %.1f\n", facts->l2_bytes,
            facts->memory_bytes, facts->peak_GBps);
    fprintf(file, "# driver: %s\n# cuda: runtime %d.%d, driver %d.%d\n", facts->driver,
            facts->cuda_runtime / 1000, facts->cuda_runtime % 1000 / 10, facts->cuda_driver / 1000,
            facts->cuda_driver % 1000 / 10);
    fprintf(file, "# date: %s\n# commit: %s\n", date, commit ? commit : "unknown");
}
