#!/bin/bash
# run.sh SIMT PROGRAM.cu [ROWS]: a program that uses CUB or Thrust as they are installed, by `simt cc`: it compiles in silence, prints PASS
# under two schedules, and `simt run` finds nothing in it; what is a library's own is a note. A program with a line `// wrong:` is one that
# is wrong for a reason of the library's own, which `simt run` names. One with `// needs: HEADER` includes that instead of CUB and Thrust.
# LIBCUDACXX in the environment names a folder that has libcu++, where it is not installed. ROWS: a file that gets this program's row of the table (see table).
# Exit status: 0 right, 1 wrong, 77 skipped.
set -u
simt=$1 program=$2 rows=${3:-}
name=$(basename "$program" .cu)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
unset SCANLAB_SIMT

fail() { # what was wrong, and files that show it
    echo "FAIL $name: $1"
    shift
    tail -n 60 "$@"
    echo "repeat: bash $0 $simt $program"
    exit 1
}
said() { sed -n "1,3s|^// $1: ||p" "$program"; }
now() { date +%s%N; }
seconds() { awk -v from="$1" -v to="$2" 'BEGIN { printf "%.1f", (to - from) / 1e9 }'; }

include=${LIBCUDACXX:+-isystem$LIBCUDACXX}
needs=$(said needs)
for header in ${needs:-cub/version.cuh thrust/version.h}; do
    # shellcheck disable=SC2086  # a word, or none
    if ! echo "#include <$header>" | "${CXX:-clang}" -x c++ $include -E - > "$work/out" 2> /dev/null; then
        echo "skipped: there is no $header here: apt install $([ -n "$needs" ] && echo libcu++-dev || echo libthrust-dev libcub-dev)"
        exit 77
    fi
done
start=$(now)
# shellcheck disable=SC2086
"$simt" cc ${include:+-isystem $LIBCUDACXX} "$program" -o "$work/prog" > "$work/out" 2> "$work/err" || fail 'it does not compile' "$work/err"
compiled=$(now)
[ ! -s "$work/err" ] || fail 'the compiler says something' "$work/err"
"$simt" run "$work/prog" > "$work/out" 2> "$work/err" < /dev/null
status=$?
ran=$(now)
wrong=$(said wrong)
if [ -n "$wrong" ]; then
    grep -q "note: race in a library's own code" "$work/err" || fail 'the race is not named' "$work/err"
    [ $status = 1 ] || fail 'it is right now; take the line // wrong: away' "$work/out" "$work/err"
else
    [ $status = 0 ] || fail "simt run ends with $status" "$work/out" "$work/err"
    [ "$(tail -1 "$work/out")" = PASS ] || fail 'its last line is not PASS' "$work/out" "$work/err"
    grep -q 'nothing found' "$work/err" || fail 'simt run finds something' "$work/err"
    "$simt" run --quiet-headers --seed 7 "$work/prog" > "$work/out" 2> "$work/err" < /dev/null || fail "under another schedule simt run ends with $?" "$work/out" "$work/err"
    grep -q "a library's own" "$work/err" && fail '--quiet-headers is not quiet' "$work/err"
fi
if [ -n "$rows" ]; then
    echo "$name|$(said shows)|yes|${wrong:+no: $wrong}|$(seconds "$start" "$compiled")|$(seconds "$compiled" "$ran")" | sed 's/|yes||/|yes|yes|/' >> "$rows"
fi
exit 0
