# lock.sh: sourced by what works in build/. One command at a time does: the next one waits. bash.

# take_build NAME: until this process ends, build/ is its own. What it starts shares that right, and
# not the lock, which is descriptor 9: run_step closes it, as a compiler's cache or a test may leave
# a process behind. Where there are no locks (some network folders), it goes on without.
take_build()
{
    if [ "${SCANLAB_HOLDS:-}" = "$PWD" ]; then return; fi    # whoever started this one has it
    if ! { mkdir -p build/log && exec 9>>build/.lock; } 2>/dev/null; then
        say "Cannot write in $PWD/build: clone the kit into a folder of your own"
        exit 3
    fi
    if ! flock -n 9; then
        say "Waiting for \"$(cat build/.lock)\", which works in this folder"
        flock 9 || say "Going on: there are no locks here"
    fi
    echo "$1 (process $$)" >build/.lock
    export SCANLAB_HOLDS=$PWD
}
