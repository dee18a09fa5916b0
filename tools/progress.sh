# progress.sh: sourced by the other tools. Runs one long step, keeps what it prints in a log, and
# shows how far it is: on a terminal as one line that is written over, elsewhere as a line every 20
# seconds. bash.

if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then interactive=yes; else interactive=; fi

# On a terminal, broken at blanks where the window ends; a command to copy, which is indented, is not.
say()
{
    local size
    case $* in
    '  '*) printf '%s\n' "$*" >&2; return ;;
    esac
    if [ -t 2 ] && size=$(stty size <&2 2>/dev/null) && [ "${size#* }" -gt 0 ]; then
        printf '%s\n' "$*" | fold -s -w "${size#* }" >&2
    else
        printf '%s\n' "$*" >&2
    fi
}

# Reads a step's output: "[3/61] ..." of ninja, "12/40 Test ..." of ctest, the lines of apt-get.
watch_lines()
{
    local title=$1 line state='' last=$SECONDS count=0
    while IFS= read -r line; do
        case $line in
        '['[0-9]*/[0-9]*']'*)       state=${line%%]*}; state=${state#[} ;;
        *[0-9]/[0-9]*' Test '*'#'*) state=${line%% Test*}; state=${state// /} ;;
        Get:*)                      count=${line#Get:}; state="download ${count%% *}" ;;
        'Unpacking '* | 'Setting up '*)
            line=${line#Setting up } line=${line#Unpacking }
            state="package ${line%% *}" ;;
        *) continue ;;
        esac
        if [ -n "$interactive" ]; then
            printf '\r\033[K  %s: %s' "$title" "${state:0:40}" >&2
        elif [ $((SECONDS - last)) -ge 20 ]; then
            last=$SECONDS
            say "  $title: $state"
        fi
    done
    if [ -n "$interactive" ]; then printf '\r\033[K' >&2; fi
}

# run_step TITLE LOG COMMAND...: the command's exit status; its output is in LOG only. It does not
# inherit descriptor 9, which is lock.sh's.
run_step()
{
    local title=$1 log=$2
    shift 2
    mkdir -p "$(dirname "$log")"
    # Ctrl-C: the line that is written over goes, then this process, as without the trap
    if [ -n "$interactive" ]; then trap 'printf "\r\033[K" >&2; trap - INT; kill -INT $$' INT; fi
    set +e
    "$@" </dev/null 2>&1 9>&- | tee "$log" | watch_lines "$title"
    local status=${PIPESTATUS[0]}
    set -e
    trap - INT
    return "$status"
}

# What a failed build's log says of the causes, compilers' and linkers', or its end.
show_build_errors()
{
    grep -E -A 6 ': (fatal )?error:|undefined reference|ninja: error|CMake Error' "$1" |
        head -n 40 >&2 || tail -n 20 "$1" >&2
}
