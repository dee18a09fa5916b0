#!/bin/bash
# run.sh SIMT PROGRAM: a program as people write them, by `simt cc`. Its first line says what must come of it:
#   // expect: right               it compiles in silence, its last line is PASS, and `simt run` finds nothing, under two schedules
#   // expect: refused | WORDS     it does not compile, and what `simt cc` says has these words
# Below it `// manner:` (for the table), `// flags:` options, `// with:` more files. Exit status: 0 as expected, 1 not so, 77 skipped.
set -u
simt=$1 program=$2
cd "$(dirname "$program")" || exit 1
program=$(basename "$program")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset SCANLAB_SIMT

fail() { # what was wrong, and files that show it
    echo "FAIL $program: $1"
    shift
    cat "$@"
    echo "repeat: bash $PWD/run.sh $simt $PWD/$program"
    exit 1
}
said() { sed -n "1,5s|^// $1: ||p" "$program"; }

if ! echo '#include <vector>' | "${CXX:-clang}" -x c++ -fsyntax-only - 2>/dev/null; then
    echo 'skipped: there is no C++ library'
    exit 77
fi
expect=$(said expect)
# shellcheck disable=SC2046  # words
"$simt" cc $(said flags) "$program" $(said with) -o "$work/prog" > "$work/out" 2> "$work/err"
status=$?
case $expect in
refused*)
    [ $status = 1 ] || [ $status = 2 ] || fail "expected a refusal, not exit status $status" "$work/err"
    grep -qF -- "${expect#refused | }" "$work/err" || fail "it does not say: ${expect#refused | }" "$work/err"
    ;;
right)
    [ $status = 0 ] || fail 'it does not compile' "$work/err"
    grep -v 'warning' "$work/err" | grep -q 'error\|simt:' && fail 'the compiler says something' "$work/err"
    "$work/prog" > "$work/out" 2> "$work/err" < /dev/null || fail "exit status $?" "$work/out" "$work/err"
    [ "$(tail -1 "$work/out")" = PASS ] || fail 'its last line is not PASS' "$work/out" "$work/err"
    "$simt" run "$work/prog" > "$work/out" 2> "$work/err" < /dev/null || fail "simt run ends with $?" "$work/err"
    grep -q 'nothing found' "$work/err" || fail 'simt run finds something' "$work/err"
    "$simt" run --order shuffled --seed 7 --resident 3 "$work/prog" > "$work/out" 2> "$work/err" < /dev/null || fail "under another schedule simt run ends with $?" "$work/err"
    [ "$(tail -1 "$work/out")" = PASS ] || fail 'wrong under another schedule' "$work/out"
    ;;
*) fail "its first line is not // expect: right, nor // expect: refused | WORDS" /dev/null ;;
esac
