# lock.sh: sourced by commands that work in build/: one at a time, the next one waits. bash.

# take_build NAME: until this process ends, only it and what it starts may work in build/. The lock
# is descriptor 9. What it starts must not inherit that: run_step closes it, since a compiler's cache
# or a test may leave a process running. Where there are no locks (some network folders), a command
# goes on without one.
take_build()
{
    if [ "${SCANLAB_HOLDS:-}" = "$PWD" ]; then return; fi    # held by the caller
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
