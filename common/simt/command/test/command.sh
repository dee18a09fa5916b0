#!/bin/bash
# command.sh SIMT SOURCE FUNCTION: one test of the `simt` command. SIMT: the program; SOURCE: the kit's folder. Exit status: 0 right, 1
# wrong, with what was expected and what came, 77 skipped. Every function test_NAME here is the CTest test command.NAME.
set -u
simt=$1 source=$2 test=$3
here=$source/common/simt/command/test
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
unset SCANLAB_SIMT

fail() { # what was wrong; what the last command wrote follows
    echo "FAIL $test: $1"
    echo "--- status $status, standard output:"; cat out
    echo "--- standard error:"; cat err
    echo "repeat: bash $here/command.sh $simt $source $test"
    exit 1
}

status=0; : > out; : > err
run() { "$@" > out 2> err < /dev/null; status=$?; } # a command; its status and output
ends_with() { [ "$status" = "$1" ] || fail "expected exit status $1"; }
says() { grep -qF -- "$1" err || fail "standard error lacks: $1"; }
says_not() { if grep -qF -- "$1" err; then fail "standard error has: $1"; fi; }
prints() { grep -qF -- "$1" out || fail "standard output lacks: $1"; }
fits() { # every line of a file within 80 columns
    if grep -qE '.{81}' "$1"; then fail "a line of $1 is longer than 80: $(grep -E '.{81}' "$1" | head -1)"; fi
}
made() { # simt cc that must succeed in silence
    run "$simt" cc "$@"
    ends_with 0
    if [ -s out ] || [ -s err ]; then fail "simt cc is not silent"; fi
}

# ---- cc -----------------------------------------------------------------------------------------------------------------

test_program_of_several_files_runs_by_itself() {
    made "$here/main.cu" "$here/add.cu" "$here/check.c" -o add
    run ./add
    ends_with 0
    prints '1000 of 1000 right'
    [ ! -s err ] || fail 'it says something'
}

test_objects_are_compiled_apart_and_linked() {
    made -c "$here/main.cu" -o main.o
    made -c "$here/add.cu" "$here/check.c" -O2 -g
    made main.o add.o check.o -o add
    run ./add
    ends_with 0
    prints '1000 of 1000 right'
}

test_host_code_may_be_cxx() {
    echo '#include <vector>' | "${CXX:-clang}" -x c++ -fsyntax-only - 2>/dev/null || exit 77
    cat > cxx.cu <<END
#include <cstdio>
#include <vector>
template <typename T> __global__ void twice(T *a) { a[threadIdx.x] *= 2; }
int main() {
    std::vector<int> h(32, 21);
    int *d;
    cudaMalloc(&d, 128);
    cudaMemcpy(d, h.data(), 128, cudaMemcpyHostToDevice);
    twice<<<1, 32>>>(d);
    cudaMemcpy(h.data(), d, 128, cudaMemcpyDeviceToHost);
    std::printf("%d\n", h[31]);
    return cudaFree(d);
}
END
    made cxx.cu -o cxx
    run ./cxx
    prints 42
}

test_compilers_errors_are_shown_as_they_are() {
    printf 'int main(void)\n{\n    return 0\n}\n' > bad.cu
    run "$simt" cc bad.cu -o bad
    ends_with 1
    says "bad.cu:3:13: error: expected ';'"
    [ ! -e bad ] || fail 'there is a program all the same'
}

test_run_gives_a_program_several_devices() {
    made "$source/common/cudart/test/several.cu" -o several
    run "$simt" run --devices 3 ./several
    ends_with 0
    prints ' 0 failed'
    says 'simt: nothing found but notes' # a launch that it makes on another device's stream
    says 'was refused: the stream was'
    run "$simt" run --devices 2 --device-order 0 --late-stores ./several
    ends_with 0
    says 'simt: nothing found but notes'
    run env GPUS=2 "$simt" run ./several for_ever
    ends_with 1
    says 'block 0 of GPU 1 waits for ever'
    run env GPUS=nine ./several
    ends_with 1
    says 'GPUS in the environment is the number of devices: 1 to 8, not "nine"'
    run "$simt" run --devices 9 ./several
    ends_with 2
    says 'it takes a whole number from 1 to 8'
}

test_what_the_headers_lack_is_named() {
    echo 'int main(void) { cudaGraph_t g; return cudaGraphCreate(&g, 0); }' > graph.cu
    run "$simt" cc graph.cu -o graph
    ends_with 1
    says "error: unknown type name 'cudaGraph_t'"
    says "simt: if cudaGraph_t is CUDA's, this kit does not have it"
    says 'graphs are not offered: enqueue the same work in a stream'
    for line in '#include <cuda_fp8.h>|numbers of 8 bits are not simulated' '__global__ void k(half *o) { }|#include <cuda_fp16.h>' \
        '__global__ void k(__nv_bfloat16 *o) { }|#include <cuda_bf16.h>' 'CUdevice d;|the driver API is not offered' \
        '#include <mma.h>|tensor cores are not simulated' '#include <thrust/no_such.h>|apt install libthrust-dev' \
        '#include <cuda/no_such>|apt install libcu++-dev' '#include <curand_kernel.h>|cuRAND is not offered' '#include <helper_gl.h>|name its folder with -I' \
        '__global__ void k(float *o) { *o = tex3D<float>(1, 2, 3, 4); }|objects of one and two dimensions' \
        '__global__ void k(float *o) { *o = j0f(*o); }|a table that the host makes' \
        '#include <cooperative_groups.h>\n__global__ void k() { __shared__ cooperative_groups::block_tile_memory<64> m; }|32 threads at most' \
        '__global__ void k(int *o) { *o = __reduce_add_sync(-1, *o); }|simt cc -arch=sm_80' \
        '__global__ void k(int *o) { *o = __shfl_down(*o, 1); }|take the one with _sync'; do
        echo -e "${line%|*}" > lacks.cu
        run "$simt" cc -c lacks.cu
        ends_with 1
        says "${line#*|}"
    done
    echo '#include <cublas_v99.h>' > blas.cu
    run "$simt" cc blas.cu
    ends_with 1
    says 'simt: the kit has no header cublas_v99.h'
    echo 'int main(void) { return my_own_mistake; }' > mine.cu
    run "$simt" cc mine.cu
    says_not 'simt:'
}

test_what_nvcc_takes_is_put_right_in_a_copy() {
    mkdir -p parts temporary
    cat > parts/unroll.cuh <<END
#pragma once
#define UNROLL #pragma unroll
#define LANE(to) asm("mov.u32 %0, %laneid;" : "=r"(to))
END
    cat > taken.cu <<END
#include "unroll.cuh"
#include <stdio.h>
// k << <1, 1 >> >(d); in a comment, and a word that is none: extern __shared__ int x;
struct box { int a[32]; };
extern __shared__ struct box b;
__global__ void k(int *o, int n)
{
    unsigned lane;
    LANE(lane);
    UNROLL
    for (int i = 0; i < 2; i++)
        b.a[31 - threadIdx.x] = lane + i;
    __syncthreads();
    o[threadIdx.x + n] = b.a[threadIdx.x];
}
int main(void)
{
    int *d, h[32];
    cudaMalloc(&d, 128);
    puts("k << <1, 1>> >(d) in a text; '%laneid'");
    k << <1, (1 << 6) >> 1>> >(d, 1'0 - 10);
    cudaMemcpy(h, d, 128, cudaMemcpyDeviceToHost);
    printf("%d %d\\n", h[0], h[31]);
    k<<<1, 33>> >(d, 0);
    return 0;
}
END
    TMPDIR=$PWD/temporary run "$simt" cc -I parts taken.cu -o taken
    ends_with 0
    says "simt: taken.cu:5: \`extern\` is left out, as nvcc does"
    [ -z "$(ls temporary)" ] || fail 'the copies are still there'
    grep -q '<< <1, (1' taken.cu || fail 'the file itself was changed'
    ./taken > out 2> err
    [ "$(head -2 out)" = "k << <1, 1>> >(d) in a text; '%laneid'
32 1" ] || fail 'the program does something else'
    grep -q 'taken.cu:12: out of bounds' err || fail 'the finding names another place'
    for line in 'template <class T> __global__ void k(T *o) { extern __shared__ T s[]; *o = s[0]; } template __global__ void k(int *); template __global__ void k(float *);|T *s = (T *)raw;' \
        'struct S { int n = 3; }; __global__ void k(int *o) { __shared__ S s; *o = s.n; }|CUDA does not initialise __shared__ variables'; do
        echo -e "${line%|*}" > lacks.cu
        run "$simt" cc -c lacks.cu
        ends_with 1
        says "${line#*|}"
    done
}

test_undefined_device_function_is_an_error_when_built() {
    cat > undefined.cu <<END
__device__ float step(float x);
__global__ void k(float *o)
{
    *o = step(*o);
}
int main(void) { return 0; }
END
    run "$simt" cc -c undefined.cu
    ends_with 1
    says "simt: undefined.cu:4: unresolved extern function 'step'"
    says 'There is no device linker'
    [ ! -e undefined.o ] || fail 'there is an object all the same'
    echo '__device__ float step(float x) { return x + 1; }' >> undefined.cu
    made undefined.cu -o defined
}

# clang would delete a store through a null pointer, and what leads to it.
test_a_store_through_null_is_not_removed() {
    cat > null.cu <<END
__global__ void null_store(int *p)
{
    int *q = 0;
    *q = 1;
}
int main(void)
{
    null_store<<<1, 1>>>(0);
    return cudaDeviceSynchronize() != cudaSuccess;
}
END
    run "$simt" cc null.cu -o null
    ends_with 0
    run "$simt" run ./null
    ends_with 1
    says 'out of bounds'
    says 'null.cu:4'
}

# -O1 drops a store that nobody reads; -O0 keeps it for the engine to see.
test_optimisation_0_keeps_what_1_removes() {
    cat > unread.cu <<END
__global__ void unread(int *out)
{
    int a[4];
    a[threadIdx.x + 100000] = 1;
    out[0] = 1;
}
int main(void)
{
    int *d;
    cudaMalloc(&d, 4);
    unread<<<1, 1>>>(d);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
END
    made unread.cu -o unread1
    run "$simt" run ./unread1
    says 'nothing found'
    made -O0 unread.cu -o unread0
    run "$simt" run ./unread0
    ends_with 1
    says 'unread.cu:4'
}

test_wrong_arguments_of_cc_are_told() {
    run "$simt" cc; ends_with 2; says 'no files to compile'
    run "$simt" cc none.cu; ends_with 2; says 'there is no file none.cu'
    : > kernel.cuh
    run "$simt" cc kernel.cuh; ends_with 2; says 'not a file that simt cc takes'
    run "$simt" cc "$here/race.cu" -ptx; ends_with 2; says '-ptx is an option of nvcc: for the decoded code there is simt disasm'
    run "$simt" cc "$here/race.cu" -lcublas; ends_with 2; says 'no libraries on top of it'
    run "$simt" cc "$here/race.cu" -x c; ends_with 2; says 'knows languages by the files'
    run "$simt" cc "$here/race.cu" -gencode; ends_with 2; says '-gencode needs a value'
    run "$simt" cc "$here/race.cu" -o; ends_with 2; says '-o needs a value'
}

test_options_of_nvcc_are_taken() {
    printf '__global__ void k(int *o) {\n#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ != EXPECTED\n#error wrong architecture\n#endif\n    o[0] = 1;\n}\n' > arch.cu
    printf 'int main() { int *d, h = 0; cudaMalloc(&d, 4); k<<<1, 1>>>(d); cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); return cudaFree(d) + (h != SET); }\n' >> arch.cu
    made arch.cu -DEXPECTED=750 -Xcompiler -DSET=1,-Wall --compiler-options=-O1 -Xlinker --as-needed -o arch
    run ./arch; ends_with 0
    made -x cu arch.cu -DEXPECTED=800 -DSET=1 -arch=sm_90a -O3 -G -lineinfo -Xptxas -v -maxrregcount=32 --std c++17 -m64 -rdc=true -lcudart -lm -o arch
    made arch.cu -DEXPECTED=750 -DSET=1 -arch sm_60 --extended-lambda -expt-relaxed-constexpr -ccbin g++ -cudart shared -L/usr/local/cuda/lib64 -o arch
    made arch.cu -DEXPECTED=800 -DSET=1 -gencode arch=compute_75,code=sm_75 -gencode arch=compute_86,code=sm_86 -dc -o arch.o
    run "$simt" cc arch.cu -DEXPECTED=750 -DSET=1 -use_fast_math -o arch; ends_with 0
    says 'simt: -use_fast_math changes nothing here'
    run "$simt" cc arch.cu -DEXPECTED=750 -DSET=1 --default-stream per-thread -o arch; ends_with 0
    says 'simt: --default-stream changes nothing here'
    mkdir -p toolkit/crt; : > toolkit/crt/host_defines.h; echo '#error wrong header' > toolkit/cuda_runtime.h
    run "$simt" cc arch.cu -DEXPECTED=750 -DSET=1 -Itoolkit -o arch; ends_with 0
    says 'simt: -Itoolkit is left out'
}

# ---- run ----------------------------------------------------------------------------------------------------------------

test_clean_program_keeps_its_status() {
    made "$here/main.cu" "$here/add.cu" "$here/check.c" -o add
    run "$simt" run ./add
    ends_with 0
    prints '1000 of 1000 right'
    says 'simt: nothing found in 1 launch of add'
    run "$simt" run ./add status 7
    ends_with 7
    says 'nothing found'
}

test_race_is_told_with_both_lines() {
    made "$here/race.cu" -o race
    run "$simt" run --order reversed --seed 3 --resident 2 ./race
    ends_with 1
    says "race in kernel smooth, launched at race.cu:22"
    says '9 | out[t] = (s[t] + s[t - 1]) / 2;'
    says '7 | s[t] = in[t];'
    says 'in 1 launch of race'
    says 'blocks reversed'
    says 'warps shuffled, seed 3'
    fits err
}

test_checks_are_those_asked_for() {
    made "$here/race.cu" -o race
    run "$simt" run --checks bounds,counters race
    ends_with 0
    says 'checks: bounds, counters'
    run "$simt" run --checks=none --out told.txt race
    ends_with 0
    [ ! -s err ] || fail 'it says something on standard error'
    grep -q 'checks: none' told.txt || fail 'told.txt does not tell'
}

test_program_that_aborts_is_told_about_all_the_same() {
    made "$here/abort.cu" -o abort
    run "$simt" run ./abort
    ends_with 134
    says 'out of bounds in kernel fill'
    says 'signal 6'
    run "$simt" run ./abort segv
    ends_with 139
    says 'the host used the device address'
}

said_of() { # KERNEL: all that is said of findings in it, a line for each
    awk -v RS= -v of="in kernel $1," 'index($0, of) { gsub(/[[:space:]]+/, " "); print }' err
}

test_remedies_are_those_that_cure_the_race() {
    made "$here/remedies.cu" -o remedies
    run "$simt" run ./remedies
    ends_with 1
    while read -r want kernel words; do
        [ -n "$(said_of "$kernel")" ] || fail "no race in kernel $kernel"
        if said_of "$kernel" | grep -q '[a-z ][.][.][.]$'; then fail "cut off: $kernel"; fi
        case $want in
        do) said_of "$kernel" | grep -qF -- "$words" || fail "not advised for $kernel: $words" ;;
        not) if said_of "$kernel" | grep -qF -- "$words"; then fail "advised for $kernel: $words"; fi ;;
        esac
    done < <(sed -nE 's,^// (do|not) ([a-z_]+): ,\1 \2 ,p' "$here/remedies.cu")
}

test_waiting_between_barriers_is_proved_to_be_a_deadlock() {
    made "$here/polls.cu" -o polls
    for how in '' '--seed 3' '--late-stores --seed 5'; do
        for name in told_by_one counted beats voted crossed; do
            run "$simt" run --budget 2M $how ./polls $name
            says "deadlock in kernel $name"
            says_not 'a suspected hang'
            says 'waits for ever for a change of flag['
        done
        for name in patient long_loop; do
            run "$simt" run $how ./polls $name
            ends_with 0
            prints 'no error'
        done
    done
}

# A library of our own that passes words as CUB's scans do, in a folder of that name.
library_like_cub() {
    mkdir -p there/cub
    cat > there/cub/pass.cuh <<END
namespace cub {
template <class T> __global__ void PassKernel(T *words, T *out) {
    T word = 1;
    if (blockIdx.x)
        do
            asm volatile("ld.cg.u32 %0, [%1];" : "=r"(word) : "l"(words + blockIdx.x - 1));
        while (word == 0);
    asm volatile("st.cg.u32 [%0], %1;" ::"l"(words + blockIdx.x), "r"(word + 1));
    out[blockIdx.x] = word;
}
}
END
    cat > user.cu <<END
#include <cub/pass.cuh>
namespace mine {
__global__ void same(unsigned *out) { *out += blockIdx.x; }
}
int main(int count, char **) {
    unsigned *a, *b, last;
    cudaMalloc(&a, 512 * 4);
    cudaMalloc(&b, 512 * 4);
    cudaMemset(a, 0, 512 * 4);
    cub::PassKernel<<<512, 1>>>(a, b);
    if (count > 1)
        mine::same<<<2, 1>>>(a);
    cudaMemcpy(&last, b + 511, 4, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    return last != 512;
}
END
    made -Ithere user.cu -o user
}

test_what_a_library_does_alone_is_a_note() {
    library_like_cub
    run ./user
    says "note: race in a library's own code, kernel PassKernel; simt run says more"
    [ "$(wc -l < err)" = 1 ] || fail 'more than one line'
    run "$simt" run ./user
    ends_with 0
    says "1. note: race in a library's own code, in kernel PassKernel"
    says "it is CUB's way to pass words from block to block"
    says 'nothing found but notes'
    run "$simt" run --quiet-headers ./user
    ends_with 0
    says_not "in a library's own code"
    says 'simt: nothing found in 1 launch'
    run "$simt" run --seeds 3 ./user
    ends_with 0
}

test_race_of_the_program_is_told_before_those_of_a_library() {
    library_like_cub
    run "$simt" run ./user too
    ends_with 1
    says '1. race in kernel same, launched at user.cu:12'
    says "2. note: race in a library's own code, in kernel PassKernel"
    says 'simt: 1 finding in 2 launches'
}

test_headers_of_cccl_get_what_they_need_of_clang() {
    mkdir -p there/cuda/std/__cccl
    : > there/cuda/std/__cccl/cuda_toolkit.h
    cat > any.cu <<END
#ifndef CUDA_VERSION
#error "CCCL asks for it"
#endif
template <class T> __device__ T made_of(...);
__global__ void k(decltype(made_of<int>(1)) *out) { *out = *(int *)__cvta_global_to_generic(__cvta_generic_to_global(out)) + 1; }
int main() { }
END
    made -Ithere any.cu -o any
    # libcu++, where it is installed, needs the same
    if [ -e /usr/include/cuda/std ]; then
        echo 'not tried: a machine without libcu++, which is installed here'
        return
    fi
    run "$simt" cc any.cu -o any
    ends_with 1
    says 'variadic'
}

test_work_on_streams_that_nothing_orders_is_a_race() {
    made "$here/streams.cu" -o streams
    for how in none twice event-too-early other-stream nonblocking copy-nonblocking copy-async memset; do
        run "$simt" run ./streams $how
        ends_with 1
        says '1. race'
        says 'in between. A stream made with cudaStreamNonBlocking'
        says 'streams.cu:7'
    done
    run "$simt" run ./streams none
    says 'kernel copy reads element 0 of an allocation'
    says 'streams.cu:'
    run "$simt" run ./streams copy-async
    says 'cudaMemcpyAsync reads element 0 of an allocation'
    for how in event stream device query halves counters readers default-first default-between default-and-back \
        default-waited copy one-stream; do
        run "$simt" run ./streams $how
        ends_with 0
        says 'nothing found'
        run "$simt" run --seed 3 ./streams $how
        ends_with 0
    done
}

test_a_breakpoint_ends_the_launch_as_on_a_gpu() {
    cat > stop.cu <<'END'
#include <cstdio>
__global__ void stop(int *at) { at[0] = 1; __brkpt(); at[1] = 2; }
int main()
{
    int *at;
    cudaMalloc(&at, 8);
    stop<<<1, 32>>>(at);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
END
    made stop.cu -o stop
    run "$simt" run ./stop
    ends_with 1
    prints 'unspecified launch failure'
    says 'take __brkpt() out'
}

test_locks_in_a_circle_name_who_waits_for_whom() {
    cat > locks.cu <<'END'
__device__ int a, b;
__device__ void lock(int *m)
{
    while (atomicCAS(m, 0, 1) != 0)
        __nanosleep(10);
    __threadfence();
}
__device__ void unlock(int *m)
{
    __threadfence();
    atomicExch(m, 0);
}
__device__ void both(int *x, int *y, int *sum)
{
    lock(x);
    __nanosleep(5000);
    lock(y);
    ++*sum;
    unlock(y);
    unlock(x);
}
__global__ void blocks(int *sum)
{
    if (threadIdx.x == 0)
        both(blockIdx.x ? &a : &b, blockIdx.x ? &b : &a, sum);
}
__global__ void warps(int *sum)
{
    if (threadIdx.x % 32 == 0)
        both(threadIdx.x ? &a : &b, threadIdx.x ? &b : &a, sum);
}
__global__ void twice(int *sum)
{
    if (threadIdx.x == 0)
        both(&a, &a, sum);
}
int main(int, char **words)
{
    int *sum;
    cudaMalloc(&sum, 4);
    cudaMemset(sum, 0, 4);
    switch (words[1][0]) {
    case 'b': blocks<<<2, 32>>>(sum); break;
    case 'w': warps<<<1, 64>>>(sum); break;
    case 't': twice<<<2, 32>>>(sum); break;
    }
    return cudaDeviceSynchronize();
}
END
    made locks.cu -o locks
    words() { tr -s ' \n' ' ' < err > words && mv words err; }
    run "$simt" run ./locks blocks
    words
    says 'block 1 would write it (line 11) but waits for block 0 in turn do if these are locks, take them in one order'
    says 'block 0 waits at locks.cu:4 for a[0], which block 1 would write (spinning)'
    says 'block 1 waits at locks.cu:4 for b[0], which block 0 would write (spinning)'
    run "$simt" run ./locks warps
    words
    says 'warp 1 of the block itself would write it (line 11) but cannot go on while this warp waits do if these are locks'
    says 'which warp 1 of the same block would write'
    run "$simt" run ./locks twice
    words
    says 'the same warp would write it (line 11), but only after this wait do is it a flag of its own'
    says 'block 0 waits at locks.cu:4 for a[0], which the same warp would write, after this wait'
}

test_remedies_fit_the_whole_kernel() {
    cat > whole.cu <<'END'
#define T 16
__device__ unsigned count;
__shared__ bool is_last;
__global__ void multiply(const float *A, const float *B, float *C, int n)
{
    __shared__ float a[T][T], b[T][T];
    int r = threadIdx.y, c = threadIdx.x;
    float s = 0;
    for (int m = 0; m < n / T; m++) {
        a[r][c] = A[r * n + m * T + c];
        b[r][c] = B[(m * T + r) * n + c];
        __syncthreads();
        for (int k = 0; k < T; k++)
            s += a[r][k] * b[k][c];
    }
    C[r * n + c] = s;
}
__global__ void sum(const float *a, int n, float *result)
{
    float s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        s += a[i];
    for (int o = 16; o; o /= 2)
        s += __shfl_down_sync(~0u, s, o);
    if (threadIdx.x == 0) {
        result[blockIdx.x] = s;
        is_last = atomicInc(&count, gridDim.x) == gridDim.x - 1;
    }
    __syncthreads();
    if (is_last && threadIdx.x == 0) {
        float t = 0;
        for (int i = 0; i < gridDim.x; i++)
            t += result[i];
        result[0] = t;
        count = 0;
    }
}
__global__ void square(double *a) { a[threadIdx.x] *= a[threadIdx.x]; }
int main(int, char **words)
{
    float *a;
    double h[64];
    cudaMalloc(&a, 16384);
    cudaMemset(a, 0, words[1][0] == 'u' ? 64 : 16384);
    switch (words[1][0]) {
    case 'm': multiply<<<1, dim3(T, T)>>>(a, a + 1024, a + 2048, 2 * T); break;
    case 's': sum<<<16, 32>>>(a, 512, a + 512); break;
    case 'u': square<<<1, 64>>>((double *)a); break;
    }
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    return cudaFree(a);
}
END
    made whole.cu -o whole
    words() { tr -s ' \n' ' ' < err > words && mv words err; }
    run "$simt" run ./whole multiply # the rows of a are of one warp each, those of b are not
    words
    says 'put a __syncthreads() at the end of the body of the loop of line 10'
    says_not 'put a __syncwarp()'
    run "$simt" run ./whole sum # the last block writes what it has read, and nobody takes a ticket
    words
    says 'count, after the data, with a __threadfence() between'
    says_not ticket
    run "$simt" run ./whole unset
    words
    says 'and whole.cu:38, block 0, thread 8 (warp 0, lane 8)'
}

test_a_lock_that_stays_and_a_grid_in_place_get_their_remedies() {
    cat > stays.cu <<'END'
__device__ int mutex;
__global__ void insert(int *list, int *n, int most)
{
    if (threadIdx.x)
        return;
    while (atomicCAS(&mutex, 0, 1)) {
    }
    __threadfence();
    if (*n >= most)
        return;
    list[(*n)++] = blockIdx.x;
    __threadfence();
    atomicExch(&mutex, 0);
}
__global__ void smooth(int *g, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, n = 0;
    for (int k = -1; k <= 1; k += 2)
        n += g[(y + k + h) % h * w + x] + g[y * w + (x + k + w) % w];
    g[y * w + x] = n / 4;
}
int main(int, char **words)
{
    int *d;
    cudaMalloc(&d, 4096);
    cudaMemset(d, 0, 4096);
    if (words[1][0] == 'l')
        insert<<<32, 32>>>(d, d + 100, 16);
    else
        smooth<<<dim3(2, 2), dim3(16, 16)>>>(d, 32, 32);
    return cudaDeviceSynchronize();
}
END
    made stays.cu -o stays
    words() { tr -s ' \n' ' ' < err > words && mv words err; }
    run "$simt" run ./stays lock
    words
    says 'block 16 has stored there in this launch'
    says 'who took it has not given it back: look for a way out that does not unlock'
    run "$simt" run ./stays grid
    words
    says 'blocks race in these lines as well, and no barrier orders blocks: read from one array'
    says_not 'put a __syncthreads()'
}

test_lock_of_a_lane_needs_both_its_fences() {
    cat > lock.cu <<'END'
__global__ void add(int *lock, int *sum) {
    for (bool done = false; !done;)
        if (atomicCAS(lock, 0, 1) == 0) {
            if (ACQUIRE) __threadfence();
            *sum += 1;
            if (RELEASE) __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
}
int main() {
    int *p;
    cudaMalloc(&p, 8);
    cudaMemset(p, 0, 8);
    add<<<1, 4>>>(p, p + 1);
    return cudaDeviceSynchronize();
}
END
    made -DACQUIRE=1 -DRELEASE=1 lock.cu -o lock; run "$simt" run ./lock; ends_with 0; says 'nothing found'
    made -DACQUIRE=1 -DRELEASE=0 lock.cu -o lock; run "$simt" run ./lock; says 'race in kernel add'
    made -DACQUIRE=0 -DRELEASE=1 lock.cu -o lock; run "$simt" run ./lock; says 'race in kernel add'
}

test_barrier_divergence_is_told_when_the_other_lanes_are_elsewhere() {
    cat > barrier.cu <<'END'
__global__ void k(int how, int *out) {
    int t = threadIdx.x;
    if (how == 0 && t < 16) __syncthreads();
    if (how == 1) {
        if (t < 16) { out[t] = 1; __syncthreads(); out[t + 64] = 2; } else { out[t] = 2; __syncthreads(); }
    }
    for (int i = t; how == 2 && i < 40; i += 32) {
        out[i] = i;
        __syncthreads();
    }
    if (how == 3) { if (t < 16) __syncthreads(); else out[t] = __shfl_sync(~0u, t, 3); }
    if (how == 4 && t == 0) {
        if (out[0] == 0) return;
        out[1] = 1;
    }
    if (how == 4) __syncthreads();
    out[t] += 1;
}
int main(int, char **v) {
    int *d;
    cudaMalloc(&d, 512);
    cudaMemset(d, 0, 512);
    k<<<1, 32>>>(v[1][0] - '0', d);
    return cudaDeviceSynchronize();
}
END
    made barrier.cu -o barrier
    for how in 0 1 2 3 4; do
        run "$simt" run ./barrier $how
        says 'barrier divergence in kernel k'
    done
}

test_host_that_comes_before_its_copy_is_told() {
    cat > early.cu <<'END'
#include <cstdio>
#include <cstdlib>
__global__ void put(int *p, int n) { for (int i = threadIdx.x; i < n; i += blockDim.x) p[i] = i; }
int main(int, char **v) {
    const int n = 5000, how = atoi(v[1]);
    int *d, *h, sum = 0;
    cudaStream_t s;
    cudaEvent_t e;
    cudaStreamCreate(&s);
    cudaEventCreate(&e);
    cudaMalloc(&d, n * sizeof *d);
    cudaMallocHost(&h, n * sizeof *h);
    for (int i = 0; i < n; i++) h[i] = 0;
    put<<<1, 256, 0, s>>>(d, n);
    cudaMemcpyAsync(h, d, n * sizeof *d, cudaMemcpyDeviceToHost, s);
    cudaEventRecord(e, s);
    if (how == 0) cudaStreamSynchronize(s);
    if (how == 1) cudaEventSynchronize(e);
    if (how == 2) while (cudaEventQuery(e) == cudaErrorNotReady);
    if (how == 3) { put<<<1, 32, 0, s>>>(h, 32); cudaDeviceSynchronize(); }
    if (how == 4) h[7] = 1;
    for (int i = 0; i < n; i++)
        sum += h[i];
    cudaStreamSynchronize(s);
    printf("%d\n", sum);
    return 0;
}
END
    made early.cu -o early
    for how in 0 1 2 3; do
        run "$simt" run ./early $how
        ends_with 0
        prints 12497500
    done
    run "$simt" run ./early 4; ends_with 1; says 'the host wrote page-locked memory at early.cu:21 to'
    run "$simt" run ./early 5; ends_with 1; says 'the host read page-locked memory at early.cu:23 to'
    says 'of early.cu:15'
    run ./early 5; ends_with 0; prints 0
}

test_openmp_says_which_library_it_needs() {
    printf '__global__ void k() {}\nint main() {\n#pragma omp parallel\n    k<<<1, 1>>>();\n    return 0;\n}\n' > omp.cu
    run "$simt" cc -Xcompiler -fopenmp omp.cu -o omp
    if grep -qa __asan_init "$simt"; then echo 'with sanitizers it links'; exit 77; fi
    ends_with 1
    says '-lomp instead of -lgomp'
}

test_page_locked_memory_is_checked_as_any_other() {
    cat > pinned.cu <<'END'
#include <cstdlib>
__global__ void put(int *p, int n) { p[n] = 42; }
__global__ void add(int *p) { *p += threadIdx.x; }
__global__ void pair(int2 *p) { p->x = 1; p->y = 2; asm volatile("st.v2.s32 [%0], {1, 2};" : : "l"(p)); }
int main(int, char **v) {
    int *h, *own = (int *)malloc(4096) + 3;
    cudaMallocHost(&h, 64);
    cudaHostRegister(own, 40, cudaHostRegisterDefault);
    switch (atoi(v[1])) {
    case 0: put<<<1, 1>>>(h, 16); break;
    case 1: put<<<1, 1>>>(own, -1); break;
    case 2: cudaFreeHost(h); put<<<1, 1>>>(h, 3); break;
    case 3: add<<<1, 64>>>(h); break;
    case 4: pair<<<1, 1>>>((int2 *)own); break;
    case 5: put<<<1, 1>>>(own, 9); put<<<1, 1>>>(h, 15); break;
    }
    const int error = cudaDeviceSynchronize();
    return error ? error : own[9] != 42 || h[15] != 42;
}
END
    made -O0 pinned.cu -o pinned
    run "$simt" run ./pinned 0; says 'write of element 16 of an allocation of 64 bytes'
    run "$simt" run ./pinned 1; says 'write of element -1 of an allocation of 40 bytes'
    run "$simt" run ./pinned 2; says 'use after free in kernel put'
    run "$simt" run ./pinned 3; says 'race in kernel add'
    run "$simt" run ./pinned 4; says 'misaligned'
    run "$simt" run ./pinned 5; ends_with 0; says 'nothing found'
}

test_blocks_that_take_turns_without_fences_are_told_of_fences() {
    cat > turns.cu <<'END'
#ifndef FENCE
#define FENCE()
#endif
__global__ void serial(float *sum, int *turn)
{
    if (threadIdx.x == 0)
        while (atomicAdd(turn, 0) != blockIdx.x) {}
    FENCE();
    __syncthreads();
    sum[threadIdx.x] += 1;
    FENCE();
    __syncthreads();
    if (threadIdx.x == 0)
        atomicExch(turn, blockIdx.x + 1);
}
int main()
{
    float *a; int *t;
    cudaMalloc(&a, 256); cudaMalloc(&t, 4); cudaMemset(a, 0, 256); cudaMemset(t, 0, 4);
    serial<<<4, 64>>>(a, t);
    return cudaDeviceSynchronize();
}
END
    made turns.cu -o turns
    run "$simt" run ./turns
    says 'race in kernel serial'
    says 'put a'
    says '__threadfence() after the accesses'
    says_not 'use atomicAdd'
    made -DFENCE=__threadfence turns.cu -o fenced
    run "$simt" run ./fenced
    ends_with 0
    # a flag set before the data does not hand it over
    cat > ticket.cu <<'END'
__global__ void count(int *sum, int *ticket)
{
    __shared__ int mine;
    if (threadIdx.x == 0) {
        mine = atomicExch(ticket, blockIdx.x);
        while (atomicAdd(ticket, 0) < 0) {}
    }
    __syncthreads();
    sum[threadIdx.x] += mine;
}
int main()
{
    int *d;
    cudaMalloc(&d, 512); cudaMemset(d, 0, 512);
    count<<<4, 64>>>(d, d + 64);
    return cudaDeviceSynchronize();
}
END
    made ticket.cu -o ticket
    run "$simt" run ./ticket
    says 'use atomicAdd,'
}

test_a_guard_that_stands_there_is_not_advised_again() {
    cat > guards.cu <<'END'
__global__ void le(float *a, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n)
        a[i] = 1;
}
__global__ void early(float *a, int n)
{
    int i = threadIdx.x;
    if (i >= n)
        return;
    a[i + 1] = 2;
}
__global__ void two(float *a, int w, int h)
{
    int x = threadIdx.x, y = threadIdx.y;
    if (x < w && y <= h)
        a[y * w + x] = 1;
}
__global__ void none(float *a) { a[threadIdx.x] = 1; }
__global__ void other(float *a, int n)
{
    if (n == 7)
        return;
    a[threadIdx.x] = 1;
}
__global__ void shared(float *a, int n)
{
    __shared__ float s[32];
    int t = threadIdx.x;
    if (t < 64)
        s[t] = a[t & 7];
    __syncthreads();
    a[t & 7] = s[t & 31];
}
int main(int c, char **v)
{
    float *d;
    cudaMalloc(&d, 400); cudaMemset(d, 0, 400);
    switch (v[1][0]) {
    case '0': le<<<1, 128>>>(d, 100); break;
    case '1': early<<<1, 128>>>(d, 100); break;
    case '2': two<<<1, dim3(10, 12)>>>(d, 10, 10); break;
    case '3': none<<<1, 128>>>(d); break;
    case '4': other<<<1, 128>>>(d, 3); break;
    case '5': shared<<<1, 128>>>(d, 3); break;
    }
    return cudaDeviceSynchronize();
}
END
    made guards.cu -o guards
    for line in '0 4' '2 17' '5 31'; do
        run "$simt" run ./guards ${line% *}
        says "the condition of line ${line#* } lets index "
        says_not 'guard such as'
    done
    run "$simt" run ./guards 1
    says 'the condition of line 10 lets'
    for none in 3 4; do
        run "$simt" run ./guards $none
        says 'a guard such as `if (i < n)`'
    done
}

test_a_load_that_the_compiler_moved_is_told_at_its_own_line() {
    cat > moved.cu <<'END'
__global__ void h(const float *__restrict__ x, float *__restrict__ y, int n)
{
    __shared__ float s[64];
    int t = threadIdx.x;
    s[t] = x[t];
    for (int i = 0;
         i < n;
         i++)
        y[64 * i + t] = s[63 - t];
}
int main()
{
    float *d;
    cudaMalloc(&d, 4096); cudaMemset(d, 0, 4096);
    h<<<1, 64>>>(d, d + 512, 4);
    return cudaDeviceSynchronize();
}
END
    made moved.cu -o moved
    run "$simt" run ./moved
    says 'with   moved.cu:9,'
    says 'also   moved.cu:9 '
}

test_a_race_names_the_array_as_the_kernel_does() {
    mkdir -p parts
    cat > parts/kernels.cuh <<'END'
namespace ns {
template <class T, class F> __global__ void __launch_bounds__(64)
    add(T *__restrict__ sum /* of all, put */, const T *values, int n = 3, F f = F())
{
    sum[0] += f(values[threadIdx.x]);
}
}
END
    cat > named.cu <<'END'
#include "kernels.cuh"
struct id { __device__ float operator()(float x) const { return x; } };
extern "C" __global__ void plain(float *here, int) { here[1] = threadIdx.x; } // (float *nowhere, int)
static __global__ void array(float here[4], float (*other)[2]) { here[2] += (*other)[0]; }
__global__ void array(float *no, int) {}
#define TWO float *x, int y
__global__ void macro(TWO) { x[3] = threadIdx.x; }
int main()
{
    float *d;
    cudaMalloc(&d, 400); cudaMemset(d, 0, 400);
    ns::add<<<1, 64>>>(d, d + 10, 64, id());
    plain<<<1, 64>>>(d, 1);
    array<<<1, 64>>>(d, (float(*)[2])(d + 9));
    macro<<<1, 64>>>(d, 1);
    return cudaDeviceSynchronize();
}
END
    made -I parts named.cu -o named
    run "$simt" run ./named
    says '1. race in kernel add,'
    says 'element 0 of sum,'
    says 'element 1 of here,'
    says 'element 3 of the array in parameter 1'
}

test_a_finding_at_a_call_of_the_host_shows_its_line() {
    cat > calls.cu <<'END'
__global__ void half(int *d) { if (threadIdx.x < 32) d[threadIdx.x] = 1; }
int main()
{
    int *d, *e, h[64];
    cudaStream_t s;
    cudaMalloc(&d, sizeof h);
    cudaMalloc(&e, sizeof h);
    half<<<1, 64>>>(d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemset(d, 0, 300);
    cudaFree(d + 1);
    cudaMemset(e, 0, sizeof h);
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    half<<<1, 64>>>(e);
    cudaMemcpyAsync(h, e, sizeof h, cudaMemcpyDeviceToHost, s);
    cudaDeviceSynchronize();
    cudaFree(d);
    return 0;
}
END
    made calls.cu -o calls
    run "$simt" run --leaks ./calls
    says 'uninitialized value, 32 times; the first:
  at     calls.cu:9
       9 | cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);'
    says 'out of bounds
  at     calls.cu:10'
    says 'bad free
  at     calls.cu:11'
    says 'race
  at     calls.cu:15
      15 | cudaMemcpyAsync(h, e, sizeof h, cudaMemcpyDeviceToHost, s);
  with   calls.cu:1'
    says 'leak
  seen '
}

test_a_source_that_the_host_changes_under_its_copy_is_a_race() {
    made "$here/sources.cu" -o sources
    for how in pinned registered rows other-copy asked again; do
        run "$simt" run ./sources $how
        ends_with 1
        says '1. race'
        says '  at     sources.cu:3'
        says 'wait for the copy first'
    done
    run "$simt" run ./sources pinned
    says 'copies page-locked memory to element 20 of an'
    for how in pageable back synchronised asked-until between-rows; do
        run "$simt" run ./sources $how
        ends_with 0
        prints '1 no error'
        says 'nothing found'
    done
}

# A flag without a fence, or with one (-DFENCE).
make_flags() {
    cat > flags.cu <<'END'
#include <cstdio>
__device__ volatile int data, flag;
__global__ void pass(int *out) {
    if (blockIdx.x == 0) { data = 1;
#ifdef FENCE
        __threadfence();
#endif
        flag = 1; return; }
    while (!flag) { }
#ifdef FENCE
    __threadfence();
#endif
    out[0] = data;
}
int main() {
    int *d, h = 0; cudaMalloc(&d, 4); pass<<<2, 1>>>(d); cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost);
    printf("%d\n", h); return h == 1 ? 0 : 5;
}
END
}

test_seeds_say_under_how_many_a_program_is_right() {
    make_flags
    made flags.cu -o flags
    run "$simt" run --seeds 20 ./flags
    ends_with 5
    prints '0'
    says 'under 20 schedules (seeds 1 to 20), ./flags was right under '
    says_not 'was right under 20'
    says_not 'was right under 0'
    says 'its exit status was not 0, under '
    says 'it printed something else than under the first'
    made -DFENCE flags.cu -o fenced
    run "$simt" run --seeds 20 --seed 7 ./fenced
    ends_with 0
    [ "$(cat out)" = 1 ] || fail 'the output is not that of one run'
    says '(seeds 7 to 26), ./fenced was right under 20'
    made "$here/race.cu" -o race
    run "$simt" run --seeds 3 --out said.txt ./race
    ends_with 1
    says 'was right under 0'
    says 'something was found under 3: seeds 1, 2, 3'
    grep -q 'race in kernel smooth' said.txt || fail 'the report is not in its file'
    run "$simt" run --seeds 2 "$here/scale.ptx" --grid 2 --block 64 --arg in:f32[100]:iota --arg out:f32[100] --arg f32:0.5 --arg u32:101
    ends_with 1
    says 'out of bounds in kernel scale'
    run "$simt" trace --seeds 2 ./race
    ends_with 2
}

test_program_that_asked_for_its_error_is_not_told_to_ask() {
    cat > asked.cu <<'END'
#include <cstdio>
#include <cstdlib>
#include <cstring>
#define CHECK(call) do { cudaError_t e_ = (call); if (e_ != cudaSuccess) { \
    fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); exit(EXIT_FAILURE); } } while (0)
static void check(cudaError_t e, const char *what) { if (e) printf("%s: %s\n", what, cudaGetErrorName(e)); }
static void must(cudaError_t e) { if (e) exit(3); }
static void die(cudaError_t e) { if (e) abort(); }
__global__ void beyond(int *a) { a[threadIdx.x + 1000] = 1; }
int main(int argc, char **argv) {
    int *d, h;
    cudaStream_t s; cudaEvent_t v;
    cudaMalloc(&d, 128); cudaStreamCreate(&s); cudaEventCreate(&v);
    beyond<<<1, 32, 0, s>>>(d);
    cudaEventRecord(v, s);
    const char *how = argv[1];
    if (!strcmp(how, "macro")) CHECK(cudaDeviceSynchronize());
    if (!strcmp(how, "stream")) CHECK(cudaStreamSynchronize(s));
    if (!strcmp(how, "copy")) check(cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost), "copy");
    if (!strcmp(how, "event")) check(cudaEventSynchronize(v), "event");
    if (!strcmp(how, "status")) must(cudaDeviceSynchronize());
    if (!strcmp(how, "abort")) die(cudaDeviceSynchronize());
    if (!strcmp(how, "last")) { cudaDeviceSynchronize(); check(cudaGetLastError(), "last"); }
    if (!strcmp(how, "peek")) { cudaDeviceSynchronize(); if (cudaPeekAtLastError()) puts("failed"); }
    cudaDeviceSynchronize();    /* fails again */
    cudaFree(d);
    return 0;
}
END
    made asked.cu -o asked
    for how in macro stream copy event status abort last peek; do
        run "$simt" run ./asked $how
        says 'out of bounds in kernel beyond'
        says_not 'a CUDA call failed'
    done
    run "$simt" run ./asked not
    ends_with 1
    says 'a CUDA call failed with cudaErrorIllegalAddress'
}

test_host_that_uses_managed_memory_too_early_is_told_its_line() {
    printf '__global__ void k(int *x) { *x = 5; }\nint main(void) {\n    int *m; cudaMallocManaged(&m, 4); k<<<1, 1>>>(m);\n    volatile int *v = m;\n    return *v;\n}\n' > early.cu
    made early.cu -o early
    run "$simt" run --leaks ./early
    says ' at early.cu:5'
    says_not 'was never freed' # it had no time to
}

test_managed_variables_are_checked_as_any_memory() {
    cat > managed.cu <<'END'
#include <cstdio>
__managed__ float data[16];
__managed__ int total;
__global__ void fill(float *to, int n)
{
    int i = threadIdx.x;
    if (i <= n)
        (to ? to : data)[i] = i;
}
__global__ void count() { total = total + threadIdx.x; }
__global__ void set() { total = 1; }
int main(int, char **words)
{
    if (words[1][0] == 'n')
        fill<<<1, 32>>>(nullptr, 16);
    if (words[1][0] == 'p')
        fill<<<1, 32>>>(data, 16);
    if (words[1][0] == 'r')
        count<<<1, 64>>>();
    if (words[1][0] == 'e') {
        set<<<1, 1>>>();
        total++;
    }
    if (words[1][0] == 'f')
        cudaFree(data);
    cudaDeviceSynchronize();
}
END
    made managed.cu -o managed
    for way in name pointer; do
        run "$simt" run ./managed $way
        says 'write of element 16 of data, which has 16 elements of 4 bytes'
    done
    run "$simt" run ./managed race
    says 'writes total[0]'
    run "$simt" run ./managed early
    says 'at managed.cu:22 while a'
    run "$simt" run ./managed free
    says 'which is a __managed__ variable'
    says_not 'host pointer'
}

test_copy_to_a_variable_by_its_name_is_told_to_go_by_the_symbol() {
    printf '__device__ int table[4];\n__global__ void k(int *o) { *o = table[1]; }\nint main(void) { int h[4] = { 0 };\n    return cudaMemcpy(table, h, sizeof h, cudaMemcpyHostToDevice) == cudaSuccess; }\n' > symbol.cu
    made symbol.cu -o symbol
    run "$simt" run ./symbol
    ends_with 1
    says 'table is a variable of the'
    says 'cudaMemcpyToSymbol'
}

test_leak_is_told_when_asked_for() {
    made "$here/main.cu" "$here/add.cu" "$here/check.c" -o add
    run "$simt" run --leaks ./add leak
    ends_with 1
    says '1. leak'
    says 'of 4000 bytes, was never freed'
    run "$simt" run --leaks ./add
    ends_with 0
    run "$simt" run ./add leak
    ends_with 0
    printf 'int main(void) { int *d; cudaMalloc(&d, 40); cudaFree(d); cudaFree(d); cudaGetLastError(); cudaMalloc(&d, 80); return cudaDeviceReset(); }\n' > twice.cu
    made twice.cu -o twice
    run "$simt" run --leaks ./twice
    ends_with 1
    says 'bad free'
    says 'of 80 bytes, was never freed'
}

test_findings_that_a_rule_names_are_left_out() {
    made "$here/race.cu" -o race
    printf '# known\nrace kernel=smo* line=7-11\nleak\n' > known
    run "$simt" run --suppress known ./race
    ends_with 0
    says 'nothing found'
    says 'known:2 has left out 1 finding'
    says 'known:3 was never used: leak'
    printf 'race line=99\n' > known
    run "$simt" run --suppress known ./race
    ends_with 1
    says '1. race'
    says 'known:1 was never used'
    printf 'race where=99\n' > known
    run "$simt" run --suppress known ./race
    ends_with 2
    says 'known:1:6: expected kernel='
}

test_launch_that_was_refused_is_told() {
    made "$here/refused.cu" -o refused
    run "$simt" run ./refused
    ends_with 1
    says 'launch 1, of nothing at refused.cu:6, was refused: a block of 2048 x 1'
    cat > more.cu <<'END'
#include <cstdio>
__global__ void k(int *p) { *p = 1; }
int main() {
    cudaStream_t s;
    int *d;
    cudaMalloc(&d, 4);
    cudaStreamCreate(&s);
    cudaStreamDestroy(s);
    for (int i = 0; i < 3; i++)
        k<<<1, 32, 0, s>>>(d);
    if (cudaGetLastError()) puts("asked");
    return 3;
}
END
    made more.cu -o more
    run "$simt" run ./more
    ends_with 3
    says 'of k at more.cu:10, was refused, 3 times: the stream'
    says_not 'a CUDA call failed'
}

test_launch_that_asks_for_much_shared_memory_is_told_what_allows_it() {
    cat > much.cu <<'END'
extern __shared__ int s[];
__global__ void k(int *p)
{
    s[threadIdx.x] = threadIdx.x;
    p[threadIdx.x] = s[threadIdx.x];
}
int main(int, char **words)
{
    int *d;
    cudaMalloc(&d, 128);
    cudaMemset(d, 0, 128);
    k<<<1, 32, 54 * 1024>>>(d);
    if (words[1][0] == 'a')
        cudaGetLastError();
    cudaFree(d);
}
END
    made much.cu -o much
    for asked in a -; do
        run "$simt" run ./much $asked
        tr -s ' \n' ' ' < err > words && mv words err
        says 'cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes)'
    done
}

test_call_that_failed_is_told_before_what_comes_of_it() {
    cat > cause.cu <<'END'
__global__ void twice(int *d) { d[threadIdx.x] *= 2; }
int main(int, char **words)
{
    int h[32] = { 0 }, *d;
    cudaMalloc(&d, sizeof h);
    if (words[1][0] == 'c')
        cudaMemcpy(d, h, sizeof h, cudaMemcpyDeviceToHost);
    twice<<<1, words[1][0] == 'l' ? 2048 : 32>>>(words[1][0] == 'b' ? d + 1 : d);
    cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(d);
}
END
    made cause.cu -o cause
    words() { tr -s ' \n' ' ' < err > words && mv words err; }
    run "$simt" run ./cause copy
    words
    says 'its source a host address, and its kind says otherwise; it is cudaMemcpy(to, from, bytes, kind)'
    grep -q 'a CUDA call failed.* 1. uninitialized value' err || fail 'the cause does not come first'
    run "$simt" run ./cause launch
    words
    grep -q 'was refused.* 1. uninitialized value' err || fail 'the cause does not come first'
    run "$simt" run ./cause beyond # here the kernel is the cause
    words
    grep -q '1. .*out of bounds in kernel twice.* a CUDA call failed' err || fail 'the cause does not come first'
}

# A program may ask for more than there is, to see whether it gets it.
test_launch_that_was_refused_is_a_note_where_the_program_asked() {
    cat > asked.cu <<'END'
#include <cstdlib>
#include <thread>
__global__ void k(int *p) { *p = 1; }
int main(int, char **words) {
    int how = atoi(words[1]), *d, asked = 0;
    cudaMalloc(&d, 4);
    void *arguments[] = { &d };
    if (how != 2) k<<<1, 2048>>>(d);
    if (how == 0) asked = cudaGetLastError();
    if (how == 1) asked = cudaPeekAtLastError();
    if (how == 2) asked = cudaLaunchKernel((const void *)k, dim3(1), dim3(2048), arguments, 0, nullptr);
    if (how == 3) cudaDeviceSynchronize(); // has nothing to say of it
    if (how == 4) std::thread([] { cudaGetLastError(); }).join(); // of another thread
    if (how == 5) cudaGetLastError(), k<<<1, 4096>>>(d);
    if (asked) k<<<1, 1024>>>(d);
    cudaDeviceSynchronize();
    return 0;
}
END
    made asked.cu -o asked
    for how in 0 1 2; do
        run "$simt" run ./asked $how
        ends_with 0
        says 'note:  launch 1, of k at asked.cu:'
        says 'simt: nothing found but notes in 2 launches of asked'
    done
    for how in 3 4 5; do
        run "$simt" run ./asked $how
        ends_with 1
        says 'simt: 1 finding in'
    done
    says 'note:  launch 1, of k at asked.cu:8, was refused' # 5: the second is a finding
    run "$simt" run --format gcc ./asked 0
    says 'asked.cu:8: warning: launch 1, of k'
    run "$simt" run --format sarif ./asked 0
    says '"findings": 0,'
    says '"level": "note"'
}

# Page-locked memory of either kind, back and forth: the kernel sees what the thread writes, and the thread what the kernel writes.
test_kernel_may_wait_for_another_thread_of_the_host() {
    cat > answers.cu <<'END'
#include <cstdlib>
#include <thread>
__global__ void ask(volatile int *asked, volatile int *answered, int *sum) {
    for (int k = 1; k <= 5; k++) {
        *asked = k;
        __threadfence_system();
        while (abs(*answered) != k)
            ;
        *sum += *answered;
    }
}
int main(int, char **words) {
    const int how = atoi(words[1]); // 0: nobody answers; 1, 2: a thread does, in memory of either kind
    int *h;
    cudaHostAlloc(&h, 12, how == 2 ? cudaHostAllocMapped : cudaHostAllocDefault);
    h[0] = h[1] = h[2] = 0;
    volatile int *asked = h, *answered = h + 1;
    std::thread other([=] {
        for (int k = 1; how && k <= 5; *answered = -k++)
            while (*asked != k)
                std::this_thread::yield();
    });
    if (!how) other.join();
    ask<<<1, 1>>>(h, h + 1, h + 2);
    if (cudaDeviceSynchronize()) return 3;
    if (how) other.join();
    return h[2] != -15;
}
END
    made answers.cu -o answers
    for how in 1 2; do
        run timeout 20 "$simt" run ./answers $how
        ends_with 0
        says 'nothing found'
    done
    run timeout 20 "$simt" run ./answers 0
    ends_with 3
    says 'deadlock in kernel ask, launched at answers.cu'
    says 'it is memory of the host'
}

# A launch returns as it does on a GPU, once its kernel can go on only by what the host writes; so the launching thread may write it.
test_kernel_may_wait_for_the_thread_that_launched_it() {
    cat > later.cu <<'END'
#include <cstdio>
#include <cstdlib>
__global__ void answer(volatile int *asked, volatile int *answered) {
    for (int k = 1; k <= 3; k++) {
        while (*asked < k)
            ;
        *answered = k;
        __threadfence_system();
    }
}
#define CHECK(call) do { cudaError_t e = (call); if (e) exit(printf("%s\n", cudaGetErrorName(e))); } while (0)
int main(int, char **words) {
    const int how = atoi(words[1]);
    int *h;
    cudaStream_t s;
    cudaEvent_t begin, end;
    CHECK(cudaStreamCreate(&s));
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
    CHECK(cudaHostAlloc(&h, 8, how == 2 ? cudaHostAllocDefault : cudaHostAllocMapped));
    volatile int *asked = h, *answered = h + 1;
    *asked = *answered = 0;
    CHECK(cudaEventRecord(begin, s));
    answer<<<1, 1, 0, s>>>(asked, answered);
    CHECK(cudaGetLastError());
    switch (how) {
    case 0: *asked = 3; break;
    case 1: CHECK(cudaEventRecord(end, s)); *asked = 3; CHECK(cudaEventSynchronize(end)); break;
    case 2: for (int k = 1; k <= 3; k++) for (*asked = k; *answered != k;) ; break;
    case 3: while (cudaStreamQuery(s) == cudaErrorNotReady) ++*asked; break;
    case 4: CHECK(cudaEventRecord(end, s)); while (cudaEventQuery(end) == cudaErrorNotReady) ++*asked; break;
    case 6: return 0;
    }
    CHECK(cudaStreamSynchronize(s)); // 5: nobody has written
    return *answered != 3;
}
END
    made later.cu -o later
    for how in 0 1 2 3 4; do
        run timeout 20 "$simt" run ./later $how
        ends_with 0
        says 'nothing found in 1 launch'
    done
    for how in 5 6; do
        run timeout 8 "$simt" run ./later $how
        says 'deadlock in kernel answer, launched at later.cu:24'
        says 'it is memory of the host'
    done
    run timeout 8 ./later 5
    prints cudaErrorLaunchTimeout
}

# A GPU copies vectors, and structs that are aligned like them, by accesses of 16 bytes (error 716); those aligned to 8 or less by smaller ones.
test_copies_of_vectors_need_aligned_addresses() {
    cat > copies.cu <<'END'
struct __align__(16) two { float4 a, b; };
struct __align__(8) pair_of_pairs { float x, y, z, w; };
template <typename T> __device__ void copy(const void *from, void *to) { *(T *)to = *(const T *)from; }
__global__ void copies(char *d, int what, int at) {
    __shared__ __align__(16) char s[256];
    __align__(16) char l[256];
    for (int k = 0; k < 256; k++) s[k] = l[k] = d[k];
    if (what == 0) copy<float4>(d + at, d + 128);
    if (what == 1) copy<float4>(d + 128, d + at);
    if (what == 2) copy<double2>(d + at, d + 128);
    if (what == 3) copy<int4>(s + at, d + 128);
    if (what == 4) copy<longlong2>(d + 128, s + at), d[at] = s[at];
    if (what == 5) copy<uint4>(l + at, d + 128);
    if (what == 6) copy<two>(d + at, d + 128);
    if (what == 7) copy<int2>(d + at, d + 128);
    if (what == 8) copy<pair_of_pairs>(d + at, d + 128);
}
int main(int, char **words) {
    char *d;
    cudaMalloc(&d, 256);
    cudaMemset(d, 1, 256);
    copies<<<1, 1>>>(d, words[1][0] - '0', atoi(words[2]));
    return cudaDeviceSynchronize() == cudaErrorMisalignedAddress ? 0 : cudaGetLastError();
}
END
    sed -i '1i #include <cstdlib>' copies.cu
    made copies.cu -o copies
    for what in 0 1 2 3 4 5 6; do
        run "$simt" run ./copies $what 8
        ends_with 1
        says 'misaligned access in kernel copies, launched at copies.cu:23'
        says 'at     copies.cu:4,'
        says ' of 16 bytes at address'
        says 'do     an access of 16 bytes needs an address that is a multiple of 16'
        run "$simt" run ./copies $what 16
        says 'nothing found'
    done
    run "$simt" run ./copies 7 4; ends_with 1; says 'of 8 bytes at address'
    run "$simt" run ./copies 8 8; ends_with 0; says 'nothing found'
}

test_variable_that_is_never_set_is_warned_of() {
    printf '__global__ void k(float *a) {\n    float sum;\n    for (int i = 0; i < 8; i++)\n        sum += a[i];\n    a[0] = sum;\n}\n' > sum.cu
    run "$simt" cc -c sum.cu; ends_with 0; says "sum.cu:4:9: warning: variable 'sum' is uninitialized when used here"
    run "$simt" cc -c -Wno-uninitialized sum.cu; [ ! -s err ] || fail 'the warning cannot be turned off'
}

test_padding_of_records_may_be_copied() {
    cat > records.cu <<'END'
struct number { int i; double d; };
struct node { double at[2]; int kind; };
struct list { int key; list *next; short tag; };
template <typename T, typename F> __global__ void make(T *p, int n, F f) { if (threadIdx.x < n) f(p[threadIdx.x], threadIdx.x); }
template <typename T, typename F> int copied(int n, int made, F f) {
    T h[8], *d;
    cudaMalloc(&d, n * sizeof(T));
    make<<<1, 32>>>(d, made, f);
    const int error = cudaMemcpy(h, d, n * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(d);
    return error;
}
int main(int, char **words) {
    const int n = words[1][1] - '0', made = n - (words[1][2] == '-');
    switch (words[1][0]) {
    case 'n': return copied<number>(n, made, [] __device__(number &x, int i) { x.i = i, x.d = i; });
    case 'o': return copied<node>(n, made, [] __device__(node &x, int i) { x.at[0] = x.at[1] = x.kind = i; });
    case 'l': return copied<list>(n, made, [] __device__(list &x, int i) { x.key = i, x.next = 0, x.tag = 1; });
    case 'i': return copied<int2>(n, made, [] __device__(int2 &x, int i) { x.x = i; }); // every other int is nobody's
    }
}
END
    made --extended-lambda records.cu -o records
    for what in n1 n8 o2 o7 l2 l8; do
        run "$simt" run ./records $what; ends_with 0; says 'nothing found'
    done
    for what in n8- o7- l8- i1 i8; do
        run "$simt" run ./records $what; ends_with 1; says 'which nobody has written'
    done
}

test_lines_of_a_kernel_that_nobody_waits_for_are_told() {
    printf '#include <cstdio>\n__global__ void hi() { printf("thread %%d\\n", threadIdx.x); }\nint main(int n, char **) { hi<<<1, 4>>>(); if (n > 1) cudaDeviceSynchronize(); }\n' > hi.cu
    made hi.cu -o hi
    run "$simt" run ./hi; ends_with 1; says '4 lines that kernels have printed were never shown'
    run "$simt" run ./hi wait; ends_with 0; prints 'thread 3'
    run ./hi; ends_with 0; [ ! -s out ] || fail 'it shows what a GPU would not'
}

test_pointer_to_a_local_variable_of_another_thread_is_a_finding() {
    cat > local.cu <<'END'
#include <cstdio>
__global__ void give(int *out, int n)
{
    __shared__ int *box;
    int mine[4];
    for (int i = 0; i < 4; i++)
        mine[i] = 100 * threadIdx.x + i + n;
    if (threadIdx.x == 5)
        box = mine;
    __syncthreads();
    out[threadIdx.x] = box[threadIdx.x % 4] + mine[n];
}
__device__ __noinline__ int sum(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}
__global__ void keep(int *out, int n)
{
    int a[10], *there[2] = {a + n, a};
    for (int i = 0; i < 10; i++)
        a[i] = i * n;
    out[threadIdx.x] = sum(there[n % 2], n) + __isLocal(there[0]);
    printf("%d %s\n", *there[1], "x");
}
__global__ void below(int *out, int n)
{
    int a[10], *p = a;
    for (int i = 0; i < 10; i++)
        a[i] = i;
    out[threadIdx.x] = sum(n ? p - n : out, 1) + a[n % 10];
}
int main(int, char **words)
{
    int *d, h;
    cudaMalloc(&d, 256);
    cudaMemset(d, 0, 256);
    switch (words[1][0]) {
    case 'g': give<<<1, 64>>>(d, 1); break;
    case 'k': keep<<<40, 1>>>(d + 63, 5); break;
    case 'b': below<<<1, 64>>>(d, 100000); break;
    }
    cudaMemcpy(&h, d, 4, cudaMemcpyDefault);
    return cudaFree(d);
}
END
    made local.cu -o local
    run "$simt" run ./local give
    ends_with 1
    tr -s ' \n' ' ' < err > words && mv words err
    says 'out of bounds in kernel give, launched at local.cu:41, 63 times'
    says 'at local.cu:11, block 0, thread 0'
    says 'read by a pointer to a local variable of thread 5: local memory is each thread'
    run "$simt" run ./local below
    says 'at offset -400000 of the thread'
    says_not 'variable of thread'
    sed -i 's/out\[threadIdx.x\] = sum(there/atomicExch(out, sum(there/; s/__isLocal(there\[0\]);/__isLocal(there[0]));/' local.cu
    made local.cu -o local
    run "$simt" run ./local keep
    says 'nothing found'
    prints '0 x'
}

test_instruction_of_a_newer_gpu_is_a_note() {
    cat > newer.cu <<'END'
__global__ void k(int *out)
{
    int r;
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(r) : "r"((int)threadIdx.x));
    out[threadIdx.x] = r;
}
int main(void)
{
    int *d;
    cudaMalloc(&d, 128);
    k<<<1, 32>>>(d);
    return cudaFree(d);
}
END
    made newer.cu -o newer
    run "$simt" run ./newer
    ends_with 0
    tr -s ' \n' ' ' < err > words && mv words err
    says 'note: needs a newer GPU in kernel k'
    says 'at newer.cu:4'
    says '`redux.sync.add.s32'"' needs a GPU of compute capability 8.0 or newer (sm_80), and the program is compiled for an older one"
    says '-arch=sm_80'
    made -arch=sm_80 newer.cu -o newer
    run "$simt" run ./newer
    says 'nothing found in'
}

test_budget_ends_a_loop_without_end() {
    printf '__global__ void spin(volatile unsigned *a) { while (*a < 4000000000u) ++*a; }\nint main(void) { unsigned *d; cudaMalloc(&d, 4); cudaMemset(d, 0, 4); spin<<<1, 1>>>(d); return cudaDeviceSynchronize() == 0; }\n' > spin.cu
    made spin.cu -o spin
    run "$simt" run --budget 100k spin
    ends_with 1
    says 'instruction budget spent in kernel spin'
}

test_program_that_cannot_be_watched_is_refused() {
    run "$simt" run /bin/true; ends_with 2; says '/bin/true was not made by simt cc'
    run "$simt" run ./none; ends_with 2; says 'cannot open ./none'
    run "$simt" run nowhere.cu; ends_with 2; says 'nowhere.cu'
}

test_wrong_options_are_told() {
    made "$here/race.cu" -o race
    run "$simt"; ends_with 2; says 'simt cc prog.cu -o prog'
    run "$simt" walk; ends_with 2; says 'there is no command "walk"'
    run "$simt" run; ends_with 2; says 'no program is given'
    run "$simt" run --order sideways race; ends_with 2; says 'it is in, reversed or shuffled'
    run "$simt" run --checks bounds,luck race; ends_with 2; says 'there is no check "luck"'
    run "$simt" run --resident 0 race; ends_with 2; says 'a whole number from 1'
    run "$simt" run --seed; ends_with 2; says '--seed needs a value'
    run "$simt" run --count 5 race; ends_with 2; says 'there is no option --count; simt run --help'
    run "$simt" run --kernel smooth race; ends_with 2; says 'are for a bare kernel'
    SCANLAB_SIMT='order=in' run ./race; ends_with 2; says 'must begin with what=run'
    SCANLAB_SIMT='what=run order=up' run ./race; ends_with 2; says 'in SCANLAB_SIMT: there is no order "up"'
}

test_variable_is_not_handed_on() {
    printf '#include <stdlib.h>\nint main(void) { return system("env | grep -c SCANLAB_SIMT") == 0; }\n' > child.cu
    made child.cu -o child
    run "$simt" run child
    prints 0
    says 'it has launched no kernel'
}

test_every_help_fits_80_columns() {
    for command in '' cc run trace stats disasm; do
        run "$simt" $command --help
        ends_with 0
        fits out
        [ -s out ] || fail "no help for $command"
    done
}

test_time_tries_seeds_until_one_is_not_right() {
    make_flags
    made flags.cu -o flags
    run "$simt" run --time 60 ./flags
    ends_with 5
    says 'in which all was right; again:'
    again=$(sed -n 's/^  simt run /run /p' err)
    run "$simt" $again
    ends_with 5
    made -DFENCE flags.cu -o fenced
    run "$simt" run --time 5 ./fenced
    ends_with 0
    says 'simt: nothing found in 1 launch of fenced'
    grep -qE 'simt: right under [0-9]+ schedules in [1-9][0-9]* s: the usual one, and seeds? 1 to [0-9]+ with' err || fail 'no count'
    [ "$(grep -c . out)" -le 1 ] || fail 'what it prints is there more than once'
    made "$here/race.cu" -o race
    run "$simt" run --time 60 --out report ./race
    ends_with 1
    says 'simt: this is the usual schedule; no other was tried'
    grep -q 'race in kernel smooth' report || fail 'no report'
    run "$simt" run --time 1 --seeds 3 ./race
    ends_with 2
    run "$simt" run --time 1 "$here/scale.ptx" --grid 2 --block 64 --arg in:f32[100]:iota --arg out:f32[100] --arg f32:0.5 --arg u32:101
    says 'this is the usual schedule'
}

# The last block and the first ones are wrong in large.cu; the program itself always says that it is wrong.
test_sample_runs_some_blocks_and_says_what_that_leaves_out() {
    cat > large.cu <<END
__global__ void shift(const int *in, int *out, int n)
{
    __shared__ int s[256];
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? in[i] : 0;
    BARRIER
    if (i < LIMIT) out[i] = s[t] + s[255 - t];
}
int main()
{
    int n = 200000001, *in, *out;
    cudaMalloc(&in, 4l * n);
    cudaMalloc(&out, 4l * n);
    cudaMemset(in, 0, 4l * n);
    shift<<<(n + 255) / 256, 256>>>(in, out, n);
    cudaDeviceSynchronize();
    return 7;
}
END
    made -DBARRIER='__syncthreads();' -DLIMIT=n large.cu -o right
    run timeout 20 "$simt" run --sample ./right
    ends_with 0
    says 'simt: nothing found in 1 launch of right'
    says 'checks: bounds, races, counters'
    says 'this is a sample: of 1 launch with more than 8 blocks the first and the last'
    says '8 of 781251'
    says 'exit'
    says 'Not looked for: values that were never set, deadlocks'
    says_not 'stopped early'
    made -DBARRIER= -DLIMIT='n + 1' large.cu -o large
    run timeout 20 "$simt" run --sample ./large
    ends_with 1
    says 'race in kernel shift'
    says 'out of bounds in kernel shift'
    says 'large.cu:7, block 781250'
    made "$here/race.cu" -o race
    run "$simt" run --sample ./race
    ends_with 1
    says 'of 0 launches with more than 8 blocks'
    run "$simt" run --sample --seeds 2 ./race
    ends_with 2
    says '--sample runs blocks one after the other'
}

test_source_is_compiled_run_and_removed() {
    mkdir temporary
    export TMPDIR=$work/temporary
    run "$simt" run --order reversed "$here/race.cu"
    ends_with 1
    prints '0.5 62.5'
    says '1. race in kernel smooth, launched at race.cu:22'
    says 'simt: 1 finding in 1 launch of race'
    run "$simt" run --seeds 2 "$here/race.cu"
    ends_with 1
    says 'was right under 0'
    run "$simt" stats --per-line "$here/race.cu"
    ends_with 0
    printf 'int main(int count, char **words) { return count * 10 + (words[1][0] == 65); }\n' > words.cu
    run "$simt" run words.cu A b --seed
    ends_with 41
    printf '#include <cstdlib>\nint main() { abort(); }\n' > aborts.cu
    run "$simt" run aborts.cu
    ends_with 134
    says 'the program was ended by signal 6'
    echo 'int main() { return' > bad.cu
    run "$simt" run bad.cu
    ends_with 1
    says 'bad.cu:1:'
    [ -z "$(ls temporary)" ] || fail "it leaves $(ls temporary)"
}

# ---- a bare kernel --------------------------------------------------------------------------------------------------------

scale() { run "$simt" "$@" --grid 2 --block 64 --arg f32:0.5 --arg u32:100; } # not the arrays

test_bare_kernel_takes_arguments_and_gives_results() {
    run "$simt" run "$here/scale.ptx" --kernel scale --grid 2 --block 64 --arg 'in:f32[100]:iota' --arg 'out:f32[100]:out.txt' --arg f32:0.5 --arg u32:100
    ends_with 0
    [ "$(sed -n 100p out.txt)" = 49.5 ] || fail "the last of out.txt is $(sed -n 100p out.txt), not 49.5"
    run "$simt" run "$here/scale.ptx" --grid 2 --block 64 --arg 'in:f32[100]:out.txt' --arg 'out:f32[100]' --arg f32:2 --arg u32:100
    ends_with 0
    prints 'argument 2, f32[100]:'
    prints '    8: 8 9 10 11 12 13 14 15'
    prints '... and 36 more'
    fits out
}

test_arguments_may_have_8_and_16_bits() {
    cat > narrow.ptx <<END
.version 7.5
.target sm_75
.address_size 64
.visible .entry sum(.param .u64 bytes, .param .u64 halves, .param .u64 out, .param .s8 more)
{
    .reg .b16 %h<3>;
    .reg .b32 %r<3>;
    .reg .b64 %a<4>;
    mov.u32 %r1, %tid.x;
    ld.param.u64 %a1, [bytes];
    ld.param.u64 %a2, [halves];
    ld.param.u64 %a3, [out];
    cvt.u64.u32 %a0, %r1;
    add.u64 %a1, %a1, %a0;
    mad.wide.u32 %a2, %r1, 2, %a2;
    mad.wide.u32 %a3, %r1, 2, %a3;
    ld.global.u8 %h1, [%a1];
    ld.global.s16 %h2, [%a2];
    add.s16 %h1, %h1, %h2;
    ld.param.s8 %h2, [more];
    add.s16 %h1, %h1, %h2;
    st.global.s16 [%a3], %h1;
    ret;
}
END
    echo '0 1 200 255' > bytes.txt
    run "$simt" run narrow.ptx --block 4 --arg in:u8[4]:bytes.txt --arg in:s16[4]:iota --arg out:s16[4] --arg s8:-5
    ends_with 0

    prints '     0: -5 -3 197 253'
    run "$simt" run narrow.ptx --block 4 --arg in:u8[4]:iota --arg in:s16[4]:iota --arg out:s16[4] --arg s8:128
    ends_with 2
    says '"128" is not of type s8'
    echo '0 1 2 256' > bytes.txt
    run "$simt" run narrow.ptx --block 4 --arg in:u8[4]:bytes.txt --arg in:s16[4]:iota --arg out:s16[4] --arg s8:1
    ends_with 2
    says 'value 4, "256'
}

test_finding_in_a_bare_kernel_shows_its_ptx() {
    run "$simt" run "$here/scale.ptx" --grid 2 --block 64 --arg 'in:f32[100]:random' --arg 'out:f32[100]' --arg f32:2 --arg u32:101
    ends_with 1
    says 'out of bounds in kernel scale'
    says '29 | ld.global.f32 %f2, [%rd4];'
    says 'the kernel was stopped here'
    fits err
}

test_wrong_arguments_of_a_kernel_are_told() {
    k=$here/scale.ptx
    run "$simt" run "$k"; ends_with 2; says 'the size of a block is missing'
    run "$simt" run "$k" --block 32 --arg u32:1; ends_with 2; says 'the kernel takes 4 parameters, and there is 1 --arg'
    run "$simt" run "$k" --block 32 --arg u32:x; ends_with 2; says '"x" is not of type u32'
    run "$simt" run "$k" --block 32 --arg u32:4294967296; ends_with 2; says 'is not of type u32'
    run "$simt" run "$k" --block 32 --arg f16:1; ends_with 2; says '"f16:1" is not understood'
    run "$simt" run "$k" --block 32 --arg 'in:f32[4]'; ends_with 2; says 'is not understood'
    run "$simt" run "$k" --block 32 --arg 'in:f32[0]:iota'; ends_with 2; says 'from 1 to'
    run "$simt" run "$k" --block 32 --arg 'in:f32[4]:none.txt'; ends_with 2; says 'cannot open none.txt'
    echo '1 2 x' > three.txt
    run "$simt" run "$k" --block 32 --arg 'in:f32[4]:three.txt'; ends_with 2; says 'three.txt: value 3, "x'
    run "$simt" run "$k" --block 32 --arg 'in:f32[2]:three.txt'; ends_with 2; says 'more than the 2 numbers'
    run "$simt" run "$k" --block 32 --arg u32:1 --arg 'out:f32[1]' --arg f32:1 --arg u32:1; ends_with 2; says 'parameter 1 of the kernel has 8 bytes, and --arg u32:1 has 4'
    run "$simt" run "$k" --block 32 --kernel skale; ends_with 2; says 'has no kernel "skale"; it has:'; says '  scale'
    run "$simt" run "$k" --block 0 --arg u32:1; ends_with 2; says 'at least one thread'
    run "$simt" run "$k" --block 2048 --arg 'in:f32[4]:iota' --arg 'out:f32[4]' --arg f32:1 --arg u32:4; ends_with 1; says 'was refused: scale: a block of 2048'
    echo '.version 7.5 .target sm_75 .address_size 64 .visible .entry k() { mov.u32 %r1, 5; }' > bad.ptx
    run "$simt" run bad.ptx --block 32; ends_with 1; says 'bad.ptx:1:'; says '^'
}

# ---- trace ----------------------------------------------------------------------------------------------------------------

test_trace_shows_what_a_warp_executes() {
    made "$here/race.cu" -o race
    run "$simt" trace ./race
    ends_with 0
    prints '0.5 62.5'
    says 'launch 1, kernel smooth'
    says '7 | s[t] = in[t];'
    grep -qE '^0/0 +6 ffffffff mov\.u32 %r[0-9]+, %tid\.x; +%r[0-9]+ = 0 1 \.\. 31$' err || fail 'no line of tid.x with its values'
    grep -qE '^0/0 +[0-9]+ ffffffff setp\..* %p[0-9]+ = (00000001|fffffffe)$' err || fail 'no line of the comparison with its lanes'
    grep -qE '^0/0 +9 fffffffe add(\.rn)?\.f32 .* = 1 3 \.\. 61$' err || fail 'no line of the addition with 31 lanes'
    says 'there is also 1 finding: see simt run'
    if grep -q '^0/1' err; then fail 'warp 1 is shown as well'; fi
    fits err
}

test_trace_is_cut_to_what_is_asked_for() {
    trace() { run "$simt" trace "$@" "$here/scale.ptx" --grid 2 --block 64 --arg 'in:f32[100]:iota' --arg 'out:f32[100]:o.txt' --arg f32:0.5 --arg u32:100; }
    trace --show-block 1 --warp all
    [ "$(grep -c '^1/[01] ' err)" = 34 ] || fail "$(grep -c '^1/[01] ' err) lines of block 1; expected 34 of two warps"
    trace --skip 2 --count 3
    [ "$(grep -c '^0/0 ' err)" = 3 ] || fail 'not 3 lines'
    grep -qE '18 ffffffff ld\.param\.f32 %f1, \[factor\]; +%f1 = 0\.5$' err || fail 'the third instruction is not the first shown'
    says '... 3 instructions were shown'
    trace --lane 3 --show-block 1
    grep -qE 'ld\.global\.f32 .* %f2 = 67$' err || fail 'lane 3 of block 1 does not read element 67'
    trace --lane all --skip 6 --count 1
    says 'lanes 24-31 24 25 26 27 28 29 30 31'
    trace --show-block 9
    says 'no instruction was shown'
}

test_trace_ends_where_the_kernel_was_stopped() {
    made "$here/abort.cu" -o abort
    run "$simt" trace ./abort
    ends_with 134
    grep -qE 'st\.global\.u32 .*  stopped the kernel$' err || fail 'the store that stopped the kernel is not marked'
}

test_trace_shows_lanes_that_wait_for_each_other() {
    cat > meet.cu <<END
__global__ void meet(int *out) {
    int t = threadIdx.x, v;
    if (t < 16) v = __shfl_sync(0xffffffffu, t, 31);
    else v = __shfl_sync(0xffffffffu, t, 0);
    out[t] = v;
}
int main(void) { int *d; cudaMalloc(&d, 128); meet<<<1, 32>>>(d); cudaDeviceSynchronize(); return cudaFree(d); }
END
    made meet.cu -o meet
    run "$simt" trace ./meet
    grep -q 'shfl.sync.*waits for the other lanes' err || fail 'no lanes wait'
}

# ---- stats ----------------------------------------------------------------------------------------------------------------

test_stats_count_by_line() {
    made "$here/conflicts.cu" -o conflicts
    run "$simt" stats --per-line ./conflicts
    ends_with 0
    says 'kernel uneven, conflicts.cu'
    grep -qE '^ +6 .* 100% +- +32x +8\.0x +s\[32 \* t\] = in\[8 \* t\];$' err || fail 'line 6 lacks 32x, 8.0x or its text'
    grep -qE '^ +8 .* 100% ' err || fail 'line 8 does not part its warp in every branch'
    fits err
    run "$simt" stats --per-line --csv --out lines.csv ./conflicts
    line=$(grep '^uneven,conflicts.cu,6,' lines.csv) || fail 'lines.csv lacks line 6'
    [ "$(echo "$line" | cut -d, -f10-13)" = 32,1,32,4 ] || fail "line 6: $line; expected 32,1,32,4 of passes and sectors"
    run "$simt" stats --csv --out launches.csv ./conflicts
    [ "$(wc -l < launches.csv)" = 2 ] || fail 'launches.csv has not two lines'
}

# ---- disasm ---------------------------------------------------------------------------------------------------------------

test_disasm_shows_rows_places_and_joins() {
    run "$simt" disasm "$here/scale.ptx"
    ends_with 0
    prints 'kernel scale: 17 instructions'
    grep -qE '^ +9 +bra +if a=[0-9]+ to 16, meet at 16 +@%p1 bra done;$' out || fail 'no branch with its target and its join'
    grep -qE '^ +16 +JOIN$' out || fail 'no JOIN'
    grep -qE '^ +14 +mul_f32 +d=[0-9]+ a=[0-9]+ b=[0-9]+ +mul\.f32 %f3, %f2, %f1;$' out || fail 'no row mul_f32'
    made "$here/main.cu" "$here/add.cu" "$here/check.c" "$here/race.cu" -c
    made main.o add.o check.o -o add
    run "$simt" disasm ./add
    prints 'vector_add'
    prints 'add.cu:7'
    run "$simt" disasm --kernel smooth race.o
    prints 'race.cu:9'
    run "$simt" disasm --kernel none race.o
    ends_with 2
    says 'has no kernel or function "none"'
    run "$simt" disasm /bin/true
    ends_with 2
    says 'holds no PTX'
}

# ---- the manual -----------------------------------------------------------------------------------------------------------

test_manual_shows_what_the_command_prints() {
    quoted() { # [FILE [MANUAL]]: the last command's standard error, or FILE, line by line, in docs/simt.md
        while IFS= read -r line; do
            grep -qxF -- "    $line" "${2:-$source/docs/simt.md}" || [ -z "$line" ] || fail "docs/simt.md has another line than: $line"
        done < "${1:-err}"
    }
    made "$here/race.cu" -o race
    "$simt" disasm race | grep -q 'add_f32 .*add\.f32 .*%f5, %f6, %f4;' || exit 77    # another clang, other PTX
    run "$simt" run ./race; quoted
    run "$simt" trace --from 8 --to 9 --count 7 ./race; quoted
    made "$here/conflicts.cu" -o conflicts
    run "$simt" stats --per-line ./conflicts; quoted
    run "$simt" run "$here/scale.ptx" --grid 2 --block 64 --arg 'in:f32[100]:iota' --arg 'out:f32[100]:half.txt' --arg f32:0.5 --arg u32:101
    head -n 7 err > head; quoted head
    places() { sed -E 's/=[0-9]+/=N/g' "$@"; }  # where registers lie is the engine's business, and may change
    places "$source/docs/simt.md" > manual
    "$simt" disasm ./race | sed -n '/race.cu:8/,/shl/p' | places > code; quoted code manual
}


# ---- formats for editors and code hosts ------------------------------------------------------------------------------------

# Is the file SARIF? What it says, a line for each result, is standard output. check_sarif.py says what it is held against.
is_sarif() {
    command -v python3 > /dev/null || exit 77
    run python3 -B "$here/check_sarif.py" "$1"
    ends_with 0
}

test_sarif_has_the_finding_its_places_and_words() {
    mkdir -p project/.git project/src project/build
    cd project/build
    cp "$here/race.cu" ../src/
    made ../src/race.cu -o race
    run "$simt" run --format sarif --out race.sarif ./race
    ends_with 1
    says '1. race in kernel smooth, launched at race.cu:22'     # in words as well
    is_sarif race.sarif
    prints 'race | error | src/race.cu:9 | src/race.cu:7 src/race.cu:22 | race in kernel smooth: thread 1 reads s[0], which'
    prints 'To do: put a __syncthreads() that every thread reaches between line 7 and line 9'
    prints 'findings 1'
    run "$simt" run --format sarif ./race
    says_not '1. race'
    cp err err.sarif
    is_sarif err.sarif
    prints 'race | error | src/race.cu:9'
}

test_sarif_tells_of_the_program_where_there_is_no_line() {
    printf 'int main(int n, char **v) { int *p; cudaMalloc(&p, 4); cudaMemset(p, 0, 8); if (n > 1) __builtin_trap(); }\n' \
        > 'an odd "name" \303\244{0}.cu'
    made an*.cu -o 'odd program'
    run "$simt" run --leaks --format sarif --out odd.sarif './odd program'
    is_sarif odd.sarif
    grep -qE '^out-of-bounds \| error \| an%20odd%20%22name%22[^ ]*%7B0%7D.cu:1 \|  \|' out || fail 'no line of the call'
    prints 'leak | error | odd%20program'
    # who is stopped has not come to its cudaFree
    run "$simt" run --leaks --format sarif --out odd.sarif './odd program' trap
    is_sarif odd.sarif
    prints 'program | error | odd%20program |  | the program was ended by signal 4'
    prints 'findings 2'
    run "$simt" run --format sarif --out odd.sarif "$here/scale.ptx" --grid 2 --block 64 --arg in:f32[100]:iota \
        --arg out:f32[100]:half.txt --arg f32:0.5 --arg u32:101
    ends_with 1
    is_sarif odd.sarif
    prints 'scale.ptx:29'
    printf '__global__ void k() { }\nint main() {\n    k<<<1, 2000>>>();\n    return 0; }\n' > 'too many.cu'
    made 'too many.cu' -o many
    run "$simt" run --format sarif --out many.sarif ./many
    is_sarif many.sarif
    prints 'program | error | too%20many.cu:3 |  | launch 1, of k at too many.cu:3, was refused'
    run "$simt" run --format gcc ./many
    says 'too many.cu:3: error: launch 1, of k'
}

test_sarif_of_seeds_is_that_of_the_first_run_that_was_not_right() {
    made "$here/add.cu" "$here/main.cu" "$here/check.c" -o add
    run "$simt" run --seeds 2 --format sarif --out add.sarif ./add
    ends_with 0
    says './add was right under 2'
    is_sarif add.sarif
    prints 'findings 0'
    made "$here/race.cu" -o race
    run "$simt" run --seeds 2 --format sarif --out race.sarif ./race
    ends_with 1
    says './race was right under 0'
    is_sarif race.sarif
    prints 'race.cu:9'
    run "$simt" run --seeds 2 --format gcc ./race
    says 'race.cu:9: error: race in kernel smooth'
}

# A file may come from somebody else, name and all.
test_names_that_would_move_the_cursor_are_shown_harmless() {
    local name=$'race \033[31m\nnote: x'
    printf '// \033[32m\n' | cat "$here/race.cu" - >"$name.cu"
    for format in text gcc; do
        run "$simt" run --format $format "$name.cu"
        ends_with 1
        says 'simt: 1 finding in 1 launch of race ?[31m?note: x'
        says_not $'\033'
        if grep -q '^note: x' err; then fail "$format: the name makes a line of its own"; fi
    done
    run "$simt" run "$name.nothere.cu"
    ends_with 2
    says_not $'\033'
    run "$simt" stats --format csv "$name.cu"
    if grep -q $'\033' out; then fail "an escape in the table"; fi
}

test_format_gcc_has_a_line_for_each_place() {
    cp "$here/race.cu" .
    made race.cu -o race
    run "$simt" run --format gcc ./race
    ends_with 1
    says 'race.cu:9: error: race in kernel smooth: thread 1 reads s[0], which thread 0 wrote at race.cu:7'
    says 'race.cu:9: note: to do: put a __syncthreads()'
    says 'race.cu:7: note: the other place'
    says 'simt: 1 finding in 1 launch of race'
    says_not '|'
    run "$simt" run --format xml ./race
    ends_with 2
    says 'there is no format "xml": it is text, gcc or sarif'
}

# The step "Tests" of the example is run as it stands, on a project with a right and a wrong test.
test_workflow_for_github_fails_with_sarif_where_a_test_has_a_race() {
    python3 -c 'import yaml' 2> /dev/null || exit 77
    mkdir -p tests bin
    cp "$here/race.cu" tests/
    sed 's/s\[t\] = in\[t\];/& __syncthreads();/' "$here/race.cu" > tests/right.cu
    ln -s "$simt" bin/simt
    python3 - "$source/common/simt/command/github-workflow.yml" > step <<END
import sys, yaml
steps = yaml.safe_load(open(sys.argv[1]))["jobs"]["tests"]["steps"]
print(next(step["run"] for step in steps if step.get("name") == "Tests"))
END
    PATH=$work/bin:$PATH run bash -e step
    ends_with 1
    says 'race in kernel smooth, launched at race.cu:22'
    is_sarif build/sarif/race.sarif
    prints 'race | error | tests/race.cu:9'
    is_sarif build/sarif/right.sarif
    prints 'findings 0'
}

# ---- installed: below a prefix, with its manual ----------------------------------------------------------------------------

# The prefix may be moved; nothing in the clone or its build is used.
test_installed_it_works_without_the_clone() {
    grep -q '^SCANLAB_SANITIZE:STRING=OFF' "$(dirname "$simt")/CMakeCache.txt" || exit 77
    run cmake --install "$(dirname "$simt")" --component simt --prefix "$work/here"
    ends_with 0
    mv here there
    simt=$work/there/bin/simt
    run "$simt" --version
    prints "headers and libraries: $work/there/lib/simt"
    cp "$here/race.cu" .
    run "$simt" cc -v race.cu -o race
    ends_with 0
    says "$work/there/lib/simt/cudart/include"
    says_not "$source/"
    says_not "$work/here"
    run "$simt" run ./race
    ends_with 1
    says '1. race in kernel smooth, launched at race.cu:22'
    made -c "$source/common/cudart/test/printed.cu" -o printed.o # the clone's is a program like any other
    [ -s there/share/man/man1/simt.1 ] || fail 'there is no manual page'
    [ -s there/share/bash-completion/completions/simt ] || fail 'there is no completion'
}

test_version_is_told_with_the_compiler() {
    run "$simt" --version
    ends_with 0
    grep -qE '^simt [0-9]+\.[0-9]+' out || fail 'no version'
    grep -qE '^compiler: /.*clang' out || fail 'no compiler'
}

options_of() { # simt COMMAND --help's, a line each
    "$simt" "$1" --help | grep -oE '(^ *|, |and )--[a-z][a-z-]*' | grep -oE -- '--.*'
}

test_manual_page_has_the_options_that_help_lists() {
    local page=$source/common/simt/command/simt.1
    for command in run trace stats disasm; do options_of "$command"; done | sort -u > listed
    sed 's/\\-/-/g' "$page" | grep -oE -- '--[a-z][a-z-]*' | sort -u |
        grep -vxE -- '--(version|help)' > written
    run diff listed written
    [ "$status" = 0 ] || fail 'help (<) and simt.1 (>) differ'
    grep -q "simt $("$simt" --version | sed -n 's/^simt //p')" "$page" || fail 'the page is of another version'
}

test_manual_page_is_clean() {
    local page=$source/common/simt/command/simt.1
    if command -v mandoc; then
        run mandoc -Tlint "$page"
    elif command -v groff; then
        run groff -ww -man -Tascii -z "$page"
    else
        exit 77
    fi
    ends_with 0
    [ ! -s err ] || fail 'it warns'
    if grep -q simt.1 out; then fail 'it warns'; fi
}

completes() { # the words of a command line, the last one to be completed; into COMPREPLY
    COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
    _simt
    printf '%s\n' "${COMPREPLY[@]}" > out
}

test_completion_offers_commands_options_and_files() {
    . "$source/common/simt/command/completion.bash"
    completes "$simt" t
    prints trace
    completes "$simt" run --se
    [ "$(sort out | paste -sd ' ')" = '--seed --seeds' ] || fail 'run --se'
    completes "$simt" stats --per
    prints --per-line
    completes "$simt" cc -ar
    prints -arch
    completes "$simt" run --order re
    prints reversed
    touch program.file
    completes "$simt" run --seed 4 prog
    prints program.file
}

"$test"
