#!/bin/sh
# compile.sh CLANG CUDART: compiles the .cu tests with this clang for the device and for the host, warnings as errors, and checks
# that every line number of the PTX is one of the .cu file: what the headers inline must count for the student's line.
set -eu
clang=$1 cudart=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for name in errors api intrinsics printed cooperative; do
    source=$cudart/test/$name.cu
    "$clang" "@$cudart/device.flags" -isystem "$cudart/include" -Wall -Wextra -Werror "$source" -o "$work/$name.ptx"
    "$clang" "@$cudart/host.flags" -isystem "$cudart/include" -Wall -Wextra -Werror \
        -Xclang -fcuda-include-gpubinary -Xclang "$work/$name.ptx" "$source" -o "$work/$name.o"
    files=$(grep -E '^[[:space:]]*\.file' "$work/$name.ptx")
    case $files in
    *"$name.cu\""*) ;;
    *) echo "$name.ptx names no source file"; exit 1 ;;
    esac
    if [ "$(printf '%s\n' "$files" | grep -cv "$name.cu\"")" != 0 ]; then
        echo "$name.ptx has lines of other files:"
        printf '%s\n' "$files"
        exit 1
    fi
done
# sm_80 has the warp reductions.
"$clang" "@$cudart/device.flags" --no-cuda-gpu-arch=sm_75 --cuda-gpu-arch=sm_80 -isystem "$cudart/include" -DUSE=REDUX \
    "$cudart/test/missing.cu" -o "$work/redux.ptx"
grep -q 'redux.sync.add.u32' "$work/redux.ptx"
