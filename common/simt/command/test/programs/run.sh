#!/bin/bash
# run.sh SIMT PROGRAM.cu [MORE...]: a small CUDA program as people write them, by `simt cc`, by itself, under `simt run` and `simt stats`.
#
# It compares its results with the host's and prints PASS; nothing may be found, and nothing said while compiling. Options of the compiler
# stand in its first line after `// flags:`, further files after `// with:`. Exit status: 0 right, 1 wrong, 77 skipped.
set -u
simt=$1 program=$2 folder=$(dirname "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset SCANLAB_SIMT

fail() { # what was wrong, and a file that shows it
    echo "FAIL $(basename "$program"): $1"
    cat "$2"
    echo "repeat: bash $0 $simt $program"
    exit 1
}

if ! echo '#include <vector>' | "${CXX:-clang}" -x c++ -fsyntax-only - 2>/dev/null; then
    echo 'skipped: there is no C++ library'
    exit 77
fi
flags=$(sed -n '1,3s|^// flags: ||p' "$program")
more=$(sed -n '1,3s|^// with: ||p' "$program")
sources=$program
for file in $more; do sources="$sources $folder/$file"; done

# shellcheck disable=SC2086  # words
"$simt" cc $flags $sources -o "$work/prog" > "$work/said" 2>&1 || fail 'it does not compile' "$work/said"
[ ! -s "$work/said" ] || fail 'the compiler says something' "$work/said"
"$work/prog" > "$work/out" 2> "$work/err" < /dev/null || fail "exit status $?" "$work/out"
[ "$(tail -1 "$work/out")" = PASS ] || fail 'its last line is not PASS' "$work/out"
[ ! -s "$work/err" ] || fail 'something is said on standard error' "$work/err"
"$simt" run --leaks "$work/prog" > "$work/out" 2> "$work/err" < /dev/null || fail "simt run ends with $?" "$work/err"
grep -q 'nothing found' "$work/err" || fail 'simt run finds something' "$work/err"
"$simt" run --order shuffled --seed 7 --resident 3 "$work/prog" > "$work/out" 2> "$work/err" < /dev/null || fail "under another schedule simt run ends with $?" "$work/err"
[ "$(tail -1 "$work/out")" = PASS ] || fail 'wrong under another schedule' "$work/out"
"$simt" stats --per-line --csv "$work/prog" > "$work/out" 2> "$work/err" < /dev/null || fail "simt stats ends with $?" "$work/err"
grep -q '^kernel,file,line' "$work/err" || fail 'simt stats has no table of lines' "$work/err"
