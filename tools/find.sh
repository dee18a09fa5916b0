# find.sh: sourced. Finds what a distribution may have in one of several places. bash.

# python_with MODULE: prints the first Python that has it; fails if none has. The python3 on the PATH
# may be another than the one that the distribution's modules belong to.
python_with()
{
    local python
    for python in ${SCANLAB_PYTHON:-python3 /usr/bin/python3}; do
        if "$python" -c "import $1" 2>/dev/null; then echo "$python"; return 0; fi
    done
    return 1
}

# has_libfuzzer CLANG: Debian has its runtime in a package of its own.
has_libfuzzer()
{
    local name
    for name in libclang_rt.fuzzer-$(uname -m).a libclang_rt.fuzzer.a; do
        if [ -f "$("$1" -print-file-name=$name)" ]; then return 0; fi
    done
    return 1
}

major_version() { "$1" --version | sed -n 's/.*version \([0-9]*\).*/\1/p' | head -n 1; }

# Prints the clang-format that .clang-format is written for; fails if there is none. Other versions
# break macros and braces in other places.
clang_format_14()
{
    local name
    for name in clang-format-14 clang-format; do
        if command -v $name >/dev/null && [ "$(major_version $name)" = 14 ]; then
            echo $name
            return 0
        fi
    done
    return 1
}
