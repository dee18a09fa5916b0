#!/bin/bash
# table.sh [CSV]: the table of ../README.md, "Speed", from what simt_bench has written (build/bench/simt.csv): rows of n = 2^20, for one core and for
# the most there are. Million elements a second / million warp instructions a second. awk.
set -eu
csv=${1:-build/bench/simt.csv}
if [ ! -r "$csv" ]; then
    echo "table.sh: there is no $csv; make bench writes it" >&2
    exit 1
fi
awk -F, '
    NR > 1 && $2 == 1048576 {
        if (!($1 in seen)) { seen[$1] = 1; name[++names] = $1 }
        cell[$1, $3, $4 > 1] = sprintf("%.1f / %.0f", $6, $7)
        if ($4 > most) most = $4
    }
    function show(kernel, level, many) { return (kernel, level, many) in cell ? cell[kernel, level, many] : "" }
    END {
        printf "| kernel, n = 2^20 | off, 1 core | counters, 1 | all, 1 | off, %d cores | counters, %d | all, %d |\n|---|---|---|---|---|---|---|\n", most, most, most
        for (k = 1; k <= names; k++) {
            printf "| `%s`", name[k]
            for (many = 0; many < 2; many++)
                printf " | %s | %s | %s", show(name[k], "off", many), show(name[k], "counters", many), show(name[k], "all", many)
            print " |"
        }
    }' "$csv"
