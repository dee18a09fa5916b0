# python.sh: sourced by what draws figures. python_that_draws prints the first Python that has matplotlib; fails if none has. bash.

python_that_draws() # python3 on the PATH may be another than the one that the distribution's matplotlib belongs to
{
    local python
    for python in ${SCANLAB_PYTHON:-python3 /usr/bin/python3}; do
        if "$python" -c 'import matplotlib' 2>/dev/null; then echo "$python"; return 0; fi
    done
    return 1
}
