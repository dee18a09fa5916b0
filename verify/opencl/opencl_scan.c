/*
 * opencl_scan: the engine's block scan on whatever OpenCL device there is, to set the engine beside
 * other simulators.
 *
 *   opencl_scan [N]                                       N: elements, a multiple of 256 (16384)
 *   oclgrind --data-races --uninitialized opencl_scan     on Oclgrind, with its checks
 *
 * Prints the platform and the best of three launches in elements a second of elapsed time. The
 * output is compared with a loop on the host. Exit code: 0, or 1 where something went wrong. Built
 * where OpenCL is found (Debian: ocl-icd-opencl-dev, opencl-c-headers).
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "error.h"
#include "file.h"

enum { SECTION = 256, LAUNCHES = 3, SOURCE_LIMIT = 1 << 16 };

static void check(cl_int status, const char *doing)
{
    if (status != CL_SUCCESS)
        die(1, "%s: OpenCL says %d", doing, (int)status);
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static cl_kernel build_kernel(cl_context context, cl_device_id device)
{
    char *source;
    size_t bytes;
    base_error error;
    cl_int status;

    if (!file_read(OPENCL_SCAN_SOURCE /* from the build */, SOURCE_LIMIT, &source, &bytes, &error))
        die(1, "%s", error.text);
    const char *text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, &bytes, &status);
    check(status, "making the program");
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "compiling " OPENCL_SCAN_SOURCE);
    cl_kernel kernel = clCreateKernel(program, "block_hillis_steele", &status);
    check(status, "finding the kernel");
    free(source);
    return kernel;
}

static double best_launch(cl_command_queue queue, cl_kernel kernel, size_t n)
{
    size_t section = SECTION;
    double best = 0;

    for (int launch = 0; launch < LAUNCHES; launch++) {
        double start = now();

        check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, &section, 0, NULL, NULL),
              "launching");
        check(clFinish(queue), "running the kernel");
        double seconds = now() - start;
        best = launch == 0 || seconds < best ? seconds : best;
    }
    return best;
}

int main(int argc, char **argv)
{
    size_t n = argc > 1 ? strtoul(argv[1], NULL, 10) : 16384;
    cl_platform_id platform;
    cl_device_id device;
    char name[80] = "";
    cl_int status, elements = (cl_int)n;

    if (n == 0 || n % SECTION)
        die(1, "%zu elements: a multiple of %d is expected", n, SECTION);
    check(clGetPlatformIDs(1, &platform, NULL), "looking for a platform");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), "looking for a device");
    check(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL),
          "asking for its name");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "making a context");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &status);
    check(status, "making a queue");

    float *in = malloc(n * sizeof *in), *out = malloc(n * sizeof *out);
    if (!in || !out)
        die(1, "no memory for %zu elements", n);
    for (size_t i = 0; i < n; i++)
        in[i] = (float)(i * 7919 % 17) - 8;
    cl_mem d_in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, n * sizeof *in,
                                 in, &status);
    check(status, "allocating the input");
    cl_mem d_out = clCreateBuffer(context, CL_MEM_WRITE_ONLY, n * sizeof *out, NULL, &status);
    check(status, "allocating the output");
    cl_kernel kernel = build_kernel(context, device);
    check(clSetKernelArg(kernel, 0, sizeof d_in, &d_in) |
              clSetKernelArg(kernel, 1, sizeof d_out, &d_out) |
              clSetKernelArg(kernel, 2, sizeof elements, &elements),
          "setting the arguments");
    double seconds = best_launch(queue, kernel, n);

    check(clEnqueueReadBuffer(queue, d_out, CL_TRUE, 0, n * sizeof *out, out, 0, NULL, NULL),
          "copying the output");
    float sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum = i % SECTION ? sum + in[i] : in[i];
        if (out[i] != sum)
            die(1, "element %zu is %g and should be %g", i, (double)out[i], (double)sum);
    }
    printf("%s: %zu elements in %.4f s: %.4f million elements/s\n", name, n, seconds,
           (double)n / seconds / 1e6);
    free(in);
    free(out);
    return 0;
}
