# Completion of simt for bash. Options are those that simt COMMAND --help lists, so there is no
# second list of them here; after the options of run, trace, stats and disasm come programs.
_simt()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local commands='cc run trace stats disasm' command=${COMP_WORDS[1]}

    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$commands --help --version" -- "$word"))
        return
    fi
    case $before in
    --order) COMPREPLY=($(compgen -W 'in reversed shuffled' -- "$word")); return ;;
    --format) COMPREPLY=($(compgen -W 'text gcc sarif' -- "$word")); return ;;
    --checks) COMPREPLY=($(compgen -W 'all none bounds races init counters' -- "$word")); return ;;
    esac
    case $word in
    -*)
        COMPREPLY=($(compgen -W "$("${COMP_WORDS[0]}" "$command" --help 2>/dev/null |
            grep -oE '(^|[ ,])--?[A-Za-z][a-z0-9-]*' | tr -d ' ,')" -- "$word"))
        return ;;
    esac
    compopt -o filenames 2>/dev/null
    COMPREPLY=($(compgen -f -- "$word"))
}
complete -F _simt simt
