# cli_helpers.sh: what cli.sh and class.sh share; sourced with their arguments: GRADE JSON_GET
# SOURCE TEST.
# Sets grade, source, here (a folder of the test's own, removed at the end) and out; run leaves
# `status` and $here/said. bash.
set -u
grade=$1 json_get=$2 source=$3 test=$4
here=$(mktemp -d) || exit 1
trap 'rm -rf "$here"' EXIT
out=$here/out

fail() { echo "$test: $1"; sed 's/^/  | /' "$here/said"; exit 1; }
run() { "$grade" "$@" --out "$out" >"$here/said" 2>&1; status=$?; }
run_plain() { "$grade" "$@" >"$here/said" 2>&1; status=$?; }
# What it prints on a terminal, at whose keyboard nobody says that they are gone.
run_on_a_terminal()
{
    script -qec true /dev/null >/dev/null 2>&1 ||
        { echo "no script(1), or no pseudo-terminal: not tested"; exit 77; }
    [ -p "$here/keyboard" ] || mkfifo "$here/keyboard"
    TERM=xterm script -qec "'$grade' $* --out '$out'" /dev/null \
        0<>"$here/keyboard" >"$here/said" 2>&1
}
ends_with() { [ "$status" -eq "$1" ] || fail "exit status $status, not $1"; }
says() { grep -qF -- "$1" "$here/said" || fail "it does not say: $1"; }
says_not() { ! grep -qF -- "$1" "$here/said" || fail "it says: $1"; }
one_screen() { [ "$(wc -l <"$here/said")" -le 24 ] || fail "more than a screen"; }
recorded() { "$json_get" "$out/results.json" "$1"; }
records() { [ "$(recorded "$1")" = "$2" ] || fail "results.json: $1 is $(recorded "$1"), not $2"; }

# Waits until the file or folder is there.
appears()
{
    for _ in $(seq 400)
    do if [ -e "$1" ]
    then return
    fi
    sleep 0.05
    done
    fail "$1 has not appeared"
}
