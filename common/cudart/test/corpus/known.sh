#!/bin/sh
# known.sh SIMT_KNOWN COMPILER CUDART: compiles the corpus to PTX with this clang (sm_75 at -O1 and -O3, sm_80) or nvcc (sm_75, sm_90), and
# asks the engine whether it knows every instruction. Exit status 77: there is no such compiler.
set -eu
known=$1 compiler=$2 cudart=$3
case $compiler in '' | *-NOTFOUND) echo "skipped: no nvcc was found"; exit 77 ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
compile()       # ARCH LEVEL DEFINITION
{
    for name in compact sort sparse warps; do
        source=$cudart/test/corpus/$name.cu made=$work/$name-$1-$2.ptx
        case $compiler in
        *nvcc) "$compiler" -std=c++17 -O3 "-arch=compute_$1" $3 -ptx "$source" -o "$made" ;;
        *) "$compiler" "@$cudart/device.flags" --no-cuda-gpu-arch=sm_75 "--cuda-gpu-arch=sm_$1" "-O$2" $3 -isystem "$cudart/include" "$source" -o "$made" ;;
        esac
    done
}
case $compiler in
*nvcc) compile 75 3 ''; compile 90 3 -DCORPUS_SM_80 ;;
*) compile 75 1 ''; compile 75 3 ''; compile 80 3 -DCORPUS_SM_80 ;;
esac
"$known" "$work"/*.ptx
