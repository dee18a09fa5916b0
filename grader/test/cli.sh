#!/bin/bash
# cli.sh GRADE JSON_GET SOURCE TEST: grade as a user meets it: what it prints, what it leaves, how
# it ends. One function per test.
# Prints what was expected and what came where a test fails. Exit status: 0 passed, 1 failed. bash.
. "$(dirname "$0")/cli_helpers.sh"

# Of the kit as it is; a file that is right has it counted beside its own.
reference_is_built_once()
{
    local runner=$out/reference/01_cpu_scan/runner first
    mkdir "$here/own"
    echo '// own' | cat "$source/solutions/01_cpu_scan/cpu_scan.cu" - >"$here/own/cpu_scan.cu"
    run --lab 01 --src "$here/own"; ends_with 0
    first=$(stat -c '%i %y' "$runner") || fail "no reference was kept"
    run --lab 01 --src "$here/own"; ends_with 0
    [ "$first" = "$(stat -c '%i %y' "$runner")" ] || fail "the reference was built again"
    echo old >"$out/reference/01_cpu_scan/kit"
    run --lab 01 --src "$here/own"; ends_with 0
    [ "$first" != "$(stat -c '%i %y' "$runner")" ] || fail "another kit's reference was taken"
}
unknown_lab_lists_those_there_are()
{
    run --lab 77
    ends_with 2
    says 'there is no lab "77"'
    says 01_cpu_scan
    one_screen
}
several_labs_are_named_by_numbers_ranges_and_names()
{
    run --ids --lab '01-03'; ends_with 0
    [ "$(tr '\n' ' ' <"$here/said")" = \
        '01_cpu_scan 02_naive_reduction 03_divergence_free_reduction ' ] || fail "01-03 are three"
    run --ids --lab '4,1 hillis_steele'; ends_with 0
    [ "$(tr '\n' ' ' <"$here/said")" = '01_cpu_scan 04_hillis_steele ' ] || fail "each is named once"
    run --ids --lab 7-7; says 07_streaming_scan; says_not 07_streaming_scan_wide
    run --lab 06-01; ends_with 2; says 'from the smaller number to the larger'; one_screen
    run --lab 60-70; ends_with 2; says 'no labs with these numbers'; one_screen
    run --lab '01 77'; ends_with 2; says 'there is no lab "77"'; one_screen
    run --lab ' '; ends_with 2; says 'there is no lab " "'; one_screen
    run --list --lab 04,05; ends_with 0; says 05_blelloch; says additions
}
several_labs_are_graded_and_others_are_left_out()
{
    run --lab '01 02' --src solutions; ends_with 0; says '2 of 2 pass'; says_not 'NOT_'
    records labs.1.id 02_naive_reduction
}
commands_about_one_lab_refuse_several()
{
    run hint 01-02; ends_with 2; says 'make hint LAB=01'; one_screen
    run diff 01,02; ends_with 2; says 'make diff LAB=01'; one_screen
    run watch '01 02'; ends_with 2; says 'make watch LAB=01'; one_screen
    run --lab 01-02 --case inclusive/3; ends_with 2; says 'LAB=01 CASE=inclusive/3'; one_screen
}
unknown_option_is_named() { run --labb 04; ends_with 2; says 'no option --labb'; one_screen; }
option_without_value_is_named() { run_plain --lab; ends_with 2; says '--lab needs a value'; }
stray_word_is_named() { run lab 04; ends_with 2; says '"lab" is not understood'; }
unknown_backend_is_named() { run --backend metal; ends_with 2; says 'no backend "metal"'; }
seed_zero_is_refused() { run --lab 01 --seed 0; ends_with 2; says 'from 1'; }
no_resident_block_is_refused()
{
    run --lab 01 --resident 0
    ends_with 2
    says 'RESIDENT'
    says 'from 1 to'
    one_screen
}
too_many_resident_blocks_are_refused()
{
    run --lab 01 --resident 1000000
    ends_with 2
    says 'from 1 to'
    one_screen
}
unknown_order_is_named()
{
    run --lab 01 --order sideways
    ends_with 2
    says 'no order "sideways"'
    says 'in, reversed or shuffled'
    one_screen
}
case_beyond_its_part_is_refused()
{
    run --lab 01 --case inclusive/3000000000
    ends_with 2
    says 'at most'
    one_screen
}
unknown_part_lists_the_parts()
{
    run --lab 01 --case sideways/3
    ends_with 2
    says 'no part "sideways"'
    says exclusive
}
case_without_lab_is_refused() { run --case inclusive/3; ends_with 2; says 'say which'; }
missing_folder_is_named() { run --src "$here/nowhere"; ends_with 2; says 'no such folder'; }
folder_without_labs_is_named()
{
    mkdir "$here/empty"
    run --src "$here/empty"
    ends_with 2
    says 'holds no lab'
    one_screen
}
gpu_backend_says_what_is_missing()
{
    if "$(dirname "$grade")/../common/gpu/gpu_facts" >/dev/null 2>&1; then
        echo "there is a GPU here: not tested"
        exit 77
    fi
    run --backend cuda; ends_with 3; says 'nvcc:'; says 'GPU:'; one_screen
}
schedules_of_the_engine_are_refused_on_a_gpu()
{
    run --backend cuda --lab 07 --resident 2
    ends_with 2
    says "RESIDENT and ORDER are for the engine"
    one_screen
    run --backend cuda --lab 07 --order reversed; ends_with 2
}
help_is_one_screen()
{
    run_plain --help
    ends_with 0
    says 'make hint'
    [ "$(wc -l <"$here/said")" -le 34 ] || fail "too long"
}
list_names_every_lab()
{
    run --list
    ends_with 0
    for lab in "$source"/labs/*/grading/lab.c
    do says "$(basename "${lab%/grading/lab.c}")"
    done
}

missing_clang_says_what_to_install()
{
    SCANLAB_CLANG=/nonexistent/clang run --lab 01 --src solutions
    ends_with 3; says 'SCANLAB_CLANG'
}

solution_passes_and_is_recorded()
{
    run --lab 1 --src solutions; ends_with 0; says PASS; says 'time x'
    records schema 1
    records backend simt
    records points 100
    records max_points 100
    records labs 1
    records labs.0.verdict PASS
    records '' 'backend labs max_points points sandbox schema'
    records labs.0 'absent bonus cases counts gates id max_points next notes parts points seconds title verdict warnings'
    records labs.0.warnings.count 0
    records labs.0.cases.0 'message n name verdict where'
    records labs.0.cases.0.where 'block file lane launch_line line warp'
    records labs.0.gates.0 'limit name ok value'
    records labs.0.gates.0.ok true
    [ "$(recorded labs.0.counts.inclusive.pairs)" -ge 15 ] || fail "fewer than 15 pairs"
    recorded labs.0.counts.inclusive.time_ratio >/dev/null &&
        recorded labs.0.counts.inclusive.lower_quartile >/dev/null || fail "no ratio"
}

# What runs it may be a user who is let into no folder above: here that of mktemp.
every_sandbox_runs_what_lies_in_a_closed_folder()
{
    for tier in both landlock namespaces; do
        SCANLAB_SANDBOX=$tier run --lab 04 --src solutions; ends_with 0; says PASS
    done
}

engine_labs_record_their_counts()
{
    run --lab 04 --src solutions; ends_with 0; says 'instr x1.00'
    for part in inclusive double_buffer exclusive; do
        for what in warp_instructions shared_wavefronts global_sectors; do
            records labs.0.counts.$part.ratio.$what 1
        done
        [ "$(recorded labs.0.counts.$part.warp_instructions)" -gt 0 ] ||
            fail "no instructions in $part"
    done
}

untouched_starters_are_not_started()
{
    run --src "$source/labs"
    ends_with 1
    local labs=0
    for lab in "$source"/labs/*/grading/lab.c; do
        grep -q '^ *\.bonus = true' "$lab" && continue # shown where it is begun
        records labs.$labs.verdict NOT_STARTED
        labs=$((labs + 1))
    done
    records labs "$labs"; says "0 of $labs pass"
    says 'Begin with the first'; says 'README.md'
    grep -qE "^01 to $labs +NOT_STARTED +0/${labs}00$" "$here/said" || fail 'no line for all labs'
    one_screen
}

empty_file_names_the_entries()
{
    mkdir -p "$here/src"; : >"$here/src/cpu_scan.cu"
    run --lab 01 --src "$here/src"
    ends_with 1
    says COMPILE_ERROR
    says 'void cpu_scan_inclusive(const float *in, float *out, int n)'
    one_screen
}

missing_file_is_named()
{
    mkdir -p "$here/src/01_cpu_scan"
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/src/01_cpu_scan/"
    run --src "$here/src"; ends_with 1; records labs.0.verdict PASS; records labs.1.verdict NOT_RUN
    says "Not in $here/src: 02 03 "
    says '02_naive_reduction/naive_reduction.cu'
    says_not 'make reset'
    one_screen
    run --src "$here/src" --lab 02; ends_with 2; says 'holds no lab'
}

diff_waits_until_the_lab_is_solved()
{
    mkdir -p "$here/src/01_cpu_scan"
    local file=$here/src/01_cpu_scan/cpu_scan.cu
    echo oops >"$file"
    run --src "$here/src" --lab 01; ends_with 1
    run diff 01 --src "$here/src"; ends_with 3; says 'lab 01 is not solved yet'; says 'make hint LAB=01'
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$file"
    run --src "$here/src" --lab 01; ends_with 0
    run diff 01 --src "$here/src"; ends_with 0; says 'The two files are the same'
    echo '// mine' >>"$file"
    run diff 01 --src "$here/src"; ends_with 0; says 'differ in comments and blanks alone'
    printf '\n/* mine */ int mine; // "mine"\nconst char *kept = "// no comment";\n' >>"$file"
    run diff 01 --src "$here/src"; ends_with 0; says '- int mine;'; says '+++ the solution'
    says '-const char *kept = "// no comment";'; says_not '/* mine */'; says_not 'Source'
    run diff 02 --src "$here/src"; ends_with 3
    run diff; ends_with 2; says 'make diff LAB=04'
}

status_says_how_far_one_is_and_what_has_changed()
{
    export LC_ALL=C
    mkdir -p "$here/src/01_cpu_scan" "$here/src/02_naive_reduction"
    local file=$here/src/01_cpu_scan/cpu_scan.cu
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$file"
    echo oops >"$here/src/02_naive_reduction/naive_reduction.cu"
    run status --src "$here/src"; ends_with 0
    says '0 of 24 labs pass, 0 of 2400 points'; says '01 Sequential scan on the > not graded'
    run --src "$here/src" --lab 01; ends_with 0
    run --src "$here/src" --lab 02; ends_with 1
    run --src "$here/src" --lab 02 --case reduce_naive_total/1; ends_with 1    # one case says nothing of the lab
    run status --src "$here/src"; ends_with 0; one_screen
    says '1 of 24 labs pass, 100 of 2400 points'; says '01 Sequential scan > 100 PASS '
    says '02 Naive reduction     0 COMPILE_ERROR'; says '04 Hillis-Steele sc>     no file'
    LC_ALL=C.UTF-8 run status --src "$here/src"; says '04 Hillis-Steele sc…     no file'
    says ' not begun'; says 'next     02 Naive reduction'; says_not 'changed since'
    echo >>"$file"
    run status --src "$here/src"; says '100 PASS         *'; says 'changed since it was graded'
    says 'next     01 Sequential scan'
    for name in "$out/record"/01*; do echo '{ "verdict": 7' >"$name"; done
    run status --src "$here/src"; ends_with 0; says '01 Sequential scan >     not graded'
    run status --src "$here/nowhere"; ends_with 2; says 'no such folder'
}

linked_folder_of_a_lab_is_not_followed()
{
    mkdir -p "$here/src"
    ln -s "$source/solutions/04_hillis_steele" "$here/src/04_hillis_steele"
    run --lab 04 --src "$here/src"; ends_with 1
    records labs.0.verdict NOT_RUN; says 'which is not followed'
}

compilers_sentence_is_wrapped_and_not_cut()
{
    mkdir -p "$here/src"
    sed '/TODO/!s/s_sum\[t\] = i/s_sm[t] = i/' "$source/labs/04_hillis_steele/hillis_steele.cu" \
        >"$here/src/hillis_steele.cu"
    run --lab 04 --src "$here/src"
    ends_with 1
    says COMPILE_ERROR
    says "use of undeclared identifier 's_sm'; did you"
    says "    mean 's_sum'?"
    [ "$(awk 'length > 80' "$here/said" | wc -l)" -eq 0 ] || fail "a line of more than 80 columns"
}

warnings_are_shown_also_where_all_is_right()
{
    mkdir -p "$here/src"
    sed 's/^static int sections.*/static int used(int n) { int m; if (m = n) n = m; return n; }\n&/
         s/if (n > 0)/if (used(n) > 0)/' "$source/solutions/04_hillis_steele/hillis_steele.cu" \
        >"$here/src/hillis_steele.cu"
    local line
    line=$(grep -n 'if (m = n)' "$here/src/hillis_steele.cu" | cut -d: -f1)
    run --lab 04 --src "$here/src"; ends_with 0
    says "warning  hillis_steele.cu:$line: using the result of an assignment"
    says '| static int used(int n) { int m; if (m = n)'
    says "use '==' to turn this assignment into an equality comparison"
    records labs.0.warnings.count 1
    records labs.0.warnings.more false
    records labs.0.warnings.first.0.line "$line"
    records labs.0.warnings.first.0 'advice column line message'
}

special_file_is_not_waited_for()
{
    mkdir -p "$here/src"; mkfifo "$here/src/cpu_scan.cu"
    timeout 20 "$grade" --lab 01 --src "$here/src" --out "$out" >"$here/said" 2>&1; status=$?
    ends_with 1; says NOT_RUN
}

next_lab_runs_after_a_broken_one()
{
    mkdir -p "$here/src"
    tail -n +2 "$source/grader/test/hostile/constructor_that_exits_is_no_pass.cu" \
        >"$here/src/cpu_scan.cu"
    cp "$source/solutions/02_naive_reduction/naive_reduction.cu" "$here/src/"
    run --src "$here/src" --jobs 1; ends_with 1
    records labs.0.verdict EARLY_EXIT; records labs.1.verdict PASS
}

failing_case_repeats_from_its_command()
{
    mkdir -p "$here/src"
    sed 's/^        out\[i\] = sum;$/        out[i] = sum - in[i];/' \
        "$source/solutions/01_cpu_scan/cpu_scan.cu" >"$here/src/cpu_scan.cu"
    run --lab 01 --src "$here/src"; ends_with 1
    local first again command
    first=$(grep -m1 '  seen' "$here/said"); command=$(grep -m1 '  repeat' "$here/said")
    set -- $(sed -E 's/.*CASE=([^ ]+) SEED=([0-9]+).*/\1 \2/' <<<"$command")
    run --lab 01 --src "$here/src" --case "$1" --seed "$2"; ends_with 1
    again=$(grep -m1 '  seen' "$here/said")
    [ "$first" = "$again" ] || fail "first \"$first\", then \"$again\""
}

no_colour_and_80_columns_without_a_terminal()
{
    local choice    # every title; a row with a time, and one with instructions
    for choice in '--src labs' '--src solutions --lab 01' '--src solutions --lab 04'; do
        run $choice
        ! grep -q $'\033' "$here/said" || fail "an escape sequence"
        [ "$(awk 'length > 80' "$here/said" | wc -l)" -eq 0 ] ||
            fail "a line of more than 80 columns"
    done
    ends_with 0; says 'instr x'
    ! grep -q ' $' "$here/said" || fail "blanks at the end of a line"
}

no_color_is_honoured_on_a_terminal()
{
    NO_COLOR=1 run_on_a_terminal --lab 01 --src solutions
    says PASS; ! grep -q $'\033\[3' "$here/said" || fail "a colour"
    run_on_a_terminal --lab 01 --src solutions
    grep -q $'\033\[32m' "$here/said" || fail "no colour without NO_COLOR"
}

# What must be copied whole, a command or a path, may be longer.
narrow_terminals_are_not_overrun()
{
    mkdir -p "$here/src"
    sed 's/^        out\[i\] = sum;$/        out[i] = sum - in[i];/' \
        "$source/solutions/01_cpu_scan/cpu_scan.cu" >"$here/src/cpu_scan.cu"
    sed '/TODO/!s/s_sum\[t\] = i/s_sm[t] = i/' "$source/labs/04_hillis_steele/hillis_steele.cu" \
        >"$here/src/hillis_steele.cu"
    local columns choice
    for columns in 40 60; do
        for choice in "--src $here/src --lab 01 --case inclusive/3" "--src $here/src --lab 04" \
                '--src solutions --lab 04 --case inclusive/33' '--src labs'; do
            COLUMNS=$columns run $choice
            [ "$(grep -v "repeat\|$here" "$here/said" | awk -v c=$columns 'length > c' | wc -l)" \
                -eq 0 ] || fail "a line of more than $columns columns"
            [ "$(awk 'length > 30' "$here/said" | wc -l)" -gt 0 ] || fail "nothing as long as 30"
        done
    done
}

# ---- one case, and what programs print -----------------------------------------------------------

one_case_has_no_points()
{
    run --lab 04 --src solutions --case inclusive/33
    ends_with 0
    says PASS
    says_not '/100'
    says 'one case, which has no points'
}

# The solution of lab 04; its kernel prints for n = 3 and 100, its host code for double_buffer/33.
that_prints()
{
    mkdir -p "$here/src"
    sed -e 's/^#include <cuda_runtime.h>/#include <stdio.h>\n&/' \
        -e '0,/^    s_sum\[t\] = /s//    if (t < 50 \&\& (n == 3 || n == 100))\n'\
'        printf("thread %d\\033[31m of %d\\n", t, n);\n&/' \
        -e 's/^        scan_double_buffer/        printf(n == 33 ? "host at work\\n" : ""),\n&/' \
        "$source/solutions/04_hillis_steele/hillis_steele.cu" >"$here/src/hillis_steele.cu"
}
output_is_shown_on_request_where_a_lab_passes()
{
    that_prints
    run --lab 04 --src "$here/src"
    ends_with 0
    says_not '| thread'
    says_not 'output   of'
    run --lab 04 --src "$here/src" --output
    ends_with 0
    says 'output   of inclusive/3, the smallest case that prints'
    says '| thread 49?[31m of 3'
    says_not '| thread 9?['                     # the last 40 lines of 50
    says 'output   of double_buffer/33, the smallest case that prints'
    says '| host at work'
    ! grep -q $'\033' "$here/said" || fail "an escape sequence"
}
output_is_that_of_the_case_asked_for()
{
    that_prints
    run --lab 04 --src "$here/src" --output --case inclusive/100
    says 'output   of inclusive/100; '
    says '| thread 49?[31m of 100'
    run --lab 04 --src "$here/src" --output --case exclusive/3
    says 'output   nothing was printed'
    run all "$here" --output
    ends_with 2
    says 'OUTPUT is for'
}

output_of_a_stream_of_its_own_is_shown()
{
    mkdir -p "$here/src"
    cat >"$here/src/cpu_scan.cu" <<'END'
#include <iostream>
#include <numeric>
#include "cpu_scan.h"
void cpu_scan_inclusive(const float *in, float *out, int n)
{
    std::ios::sync_with_stdio(false);
    std::cout << "n is " << n << '\n';
    std::partial_sum(in, in + n, out);
}
END
    run --lab 01 --src "$here/src" --case inclusive/3 --output
    ends_with 0
    says 'output   of inclusive/3; seed'
    says '| n is 3'
}

# ---- files that are not as they should be --------------------------------------------------------

file_under_another_name_is_graded_and_told()
{
    local name
    mkdir -p "$here/src"
    for name in 'cpu_scan (1).cu' cpu_scan_final.cu Cpu-Scan.cu mine.CU; do
        cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/src/$name"
        run --lab 01 --src "$here/src" --case inclusive/3
        ends_with 0
        says "there is no cpu_scan.cu, so $name is"
        rm "$here/src/$name"
    done
    mkdir "$here/src/01_cpu_scan"
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/src/01_cpu_scan/My_cpu_scan.cu"
    touch "$here/src/notes.cu"
    run --lab 01 --src "$here/src" --case inclusive/3
    ends_with 0
    says 'so My_cpu_scan.cu is'
}
files_under_other_names_are_told_apart_or_named()
{
    mkdir -p "$here/src"
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/src/cpu_scan (1).cu"
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/src/cpu_scan (2).cu"
    run --lab 01 --src "$here/src"
    ends_with 2
    says 'cpu_scan (1).cu, cpu_scan (2).cu: rename the one to grade'
    cp "$source/labs/01_cpu_scan/cpu_scan.cu" "$here/src/cpu_scan.cu"   # the right name wins
    run --lab 01 --src "$here/src"
    records labs.0.verdict NOT_STARTED
    rm "$here/src/"*; touch "$here/src/other.cu"    # of all labs it could be any
    run --src "$here/src"
    ends_with 2
    says 'there is other.cu'
}

# A clang beside whose gcc there are no C++ headers.
missing_cxx_headers_are_the_machines_fault()
{
    mkdir -p "$here/src"
    printf '#!/bin/sh\nexec "%s" -nostdinc++ "$@"\n' "$(command -v clang)" >"$here/clang"
    chmod +x "$here/clang"
    { echo '#include <vector>'; cat "$source/solutions/04_hillis_steele/hillis_steele.cu"; } \
        >"$here/src/hillis_steele.cu"
    SCANLAB_CLANG=$here/clang run --lab 04 --src "$here/src"
    ends_with 3
    says INFRA
    says 'finds no headers of the C++ library'
    sed -i 's/<vector>/<vectro>/' "$here/src/hillis_steele.cu"
    run --lab 04 --src "$here/src"
    ends_with 1
    says COMPILE_ERROR
    says_not 'C++ library'
}

# Its words alone do not make it so: hostile_device/words_of_a_broken_clang_are_the_files_own.cu
clang_without_ptx_is_the_machines_fault()
{
    printf '#!/bin/sh\necho "error: unknown target triple '"'nvptx64'"'"\nexit 1\n' >"$here/clang"
    chmod +x "$here/clang"
    SCANLAB_CLANG=$here/clang run --lab 04 --src solutions
    ends_with 3
    says INFRA
    says 'this clang cannot make PTX'
}

# Each case would load them again, in vain.
kernels_that_do_not_load_are_tried_once()
{
    mkdir -p "$here/src"
    sed 's/^    int t = threadIdx.x;/    asm volatile("mov.u32 ((");\n&/' \
        "$source/solutions/04_hillis_steele/hillis_steele.cu" >"$here/src/hillis_steele.cu"
    run --lab 04 --src "$here/src"
    ends_with 1
    records labs.0.cases.1.verdict CUDA_ERROR
    records labs.0.cases.2.verdict NOT_RUN
}

hints_come_one_by_one()
{
    run hint 04 again; ends_with 0; says 'No hint of this lab was shown yet'
    run hint 04; ends_with 0; says 'Hint 1 of 3'; says '2 more hints'
    says 'The last grading was not of this lab'
    run hint 04; says 'Hint 2 of 3'; says '1 more hint:'; says 'AGAIN=1'
    run hint 04
    says 'Hint 3 of 3'
    says '      a barrier: the step before is complete'
    says 'That was the last one'
    run hint 04; says 'Hint 3 of 3'
    run --hint 4 1; says 'Hint 1 of 3'
    run hint 04 again; says 'Hint 1 of 3'; says 'Hint 2 of 3'; says 'Hint 3 of 3'
    run hint; ends_with 2; says 'LAB=04'
}

# as the grader writes them: the part to work on, its verdict, the gate that it missed
last_grading()
{
    local next=null
    [ -z "$1" ] || next="\"$1\""
    mkdir -p "$out"
    echo "{\"labs\": [{\"id\": \"10_decoupled_lookback\", \"verdict\": \"${2-PASS}\", \"next\": $next,
        \"parts\": [{\"name\": \"other\", \"verdict\": \"RACE\"},
            {\"name\": \"$1\", \"verdict\": \"${2-PASS}\"}],
        \"gates\": [{\"name\": \"other: launches\", \"ok\": false},
            {\"name\": \"$1: launches\", \"ok\": true}, {\"name\": \"$1: ${3-}\", \"ok\": false}]}]}" \
        >"$out/results.json"
}

hints_are_about_the_part_to_work_on()
{
    last_grading lookback_publish WRONG
    run hint 10; says 'lookback_publish was the part to work on'
    says 'lookback_publish. Hint 1 of 3'
    run hint 10; says 'lookback_publish. Hint 2 of 3'
    last_grading lookback_window WRONG
    run hint 10; says 'lookback_window. Hint 1 of 3'
    # those about publish stay readable
    run hint 10 again; says 'publish. Hint 1 of 3'; says 'publish. Hint 2 of 3'
    says 'window. Hint 1 of 3'
    last_grading '' PASS
    run hint 10; says 'no part failed'
    last_grading '' COMPILE_ERROR
    run hint 10; says 'the file did not compile'
}

# Parts that share their hints share what was shown; each is headed by its own name.
hint_is_headed_by_the_part_that_failed()
{
    last_grading lookback_f32 WRONG
    run hint 10; says 'lookback_f32 was the part to work on'; says 'lookback_f32. Hint 1 of 3'
    last_grading lookback_i32 WRONG
    run hint 10; says 'lookback_i32. Hint 2 of 3'
    run hint 10 again; says 'lookback_i32, lookback_f32'
}

gate_that_is_missed_has_hints_of_its_own()
{
    last_grading lookback_i32 OVER_BUDGET 'bytes moved'
    run hint 10; says '"bytes moved" was missed'
    says 'lookback_i32, bytes moved.'; says 'Hint 1 of 3, a question:'; says 'How often is each element read from global memory'
    run hint 10; says 'What the theory says of it:'
    run hint 10; says 'Compare your code with these steps'; says 'That was the last one'
    last_grading lookback_i32 WRONG
    run hint 10; says 'lookback_i32. Hint 1 of 3'
    run hint 10 again; says 'bytes moved.'; says 'Hint 3 of 3'; says 'lookback_affine.'
    # as the grader itself reports it
    mkdir -p "$here/src"
    sed '0,/^            s_sum\[t\] += left;$/s//            s_sum[t] += left;\n        __syncthreads();/' \
        "$source"/solutions/04_*/*.cu >"$here/src/hillis_steele.cu"
    run --lab 04 --src "$here/src"; ends_with 1; says OVER_BUDGET
    records labs.0.next inclusive
    run hint 04; says 'inclusive, barriers. Hint 1 of 3'
}

parts_stand_in_results_json()
{
    run --lab 05 --src solutions --case up_sweep/33 --seed 7; ends_with 0
    [ "$(recorded labs.0.parts.0.name) $(recorded labs.0.parts.0.verdict)" = 'up_sweep PASS' ] ||
        fail "parts.0 is $(recorded labs.0.parts.0)"
}

# The starter of lab 05 with its first TODO done.
report_says_how_far_a_lab_has_come()
{
    mkdir -p "$here/src"
    sed '/TODO 1:/,/\*\//c\
    for (int stride = 1; stride < SECTION; stride *= 2) {\
        int right = (t + 1) * 2 * stride - 1;\
        __syncthreads();\
        if (right < SECTION)\
            s_sum[right] += s_sum[right - stride];\
    }' "$source/labs/05_blelloch/blelloch.cu" >"$here/src/blelloch.cu"
    run --lab 05 --src "$here/src"; ends_with 1
    says ' 10/100'
    says 'TODO 1 is correct; next: TODO 2, inclusive scan'
}

# The starter of lab 04 with TODO 1 done; $1 edits what was written.
first_todo_of_lab_04()
{
    mkdir -p "$here/src"
    sed '/TODO 1:/,/\*\//c\
    for (int stride = 1; stride < SECTION; stride *= 2) {\
        __syncthreads();\
        float left = t >= stride ? s_sum[t - stride] : 0.0f;\
        __syncthreads();    // before the store\
        if (t >= stride)\
            s_sum[t] += left;\
    }' "$source/labs/04_hillis_steele/hillis_steele.cu" | sed "$1" >"$here/src/hillis_steele.cu"
}

todos_that_are_not_begun_are_not_started()
{
    first_todo_of_lab_04 ''
    run --lab 04 --src "$here/src"; ends_with 1
    records labs.0.verdict UNFINISHED; records labs.0.points 40
    records labs.0.parts.1.verdict NOT_STARTED; records labs.0.parts.2.verdict NOT_STARTED
    says_not WRONG; says 'next: TODO 2'; says 'TODO 3 is'
    run --lab 04 --src "$here/src" --case double_buffer/2; says WRONG    # asked for
}

# In place, the elements that TODO 3 loads race until TODO 6 is done; between these stands TODO 5.
race_for_want_of_a_later_todo_is_not_told()
{
    mkdir -p "$here/src"
    sed '/else if (m == PARTITION/,+1d
/^    if (m == PARTITION)/,+1d
s,^    if (m == IN_PLACE),    /* TODO 6: */,
/__threadfence();/d
/\*d_count = before + kept;/a\
    /* TODO 5: */' "$source/solutions/14_compaction/compaction.cu" >"$here/src/compaction.cu"
    run --lab 14 --src "$here/src"; ends_with 1
    records labs.0.verdict UNFINISHED; says_not RACE
    says 'TODO 1 to 4 are correct; next: TODO 5'; says 'TODO 6 is not'
}

race_above_a_todo_that_is_not_begun_is_told()
{
    mkdir -p "$here/src"
    sed '/TODO 2:/i\
    s_sum[t] = first < n ? d_in[first] : 0.0f;\
    s_sum[t + BLOCK] = second < n ? d_in[second] : 0.0f;
/TODO 3:/i\
    for (unsigned stride = 1; stride <= BLOCK; stride *= 2)\
        if (t % stride == 0)\
            s_sum[2 * t] += s_sum[2 * t + stride];' "$source/labs/02_naive_reduction/naive_reduction.cu" \
        >"$here/src/naive_reduction.cu"
    run --lab 02 --src "$here/src"; ends_with 1
    records labs.0.parts.0.verdict RACE; says 's_sum[2 * t] += s_sum[2 * t + stride];'
    says 'launched at line 45'; records labs.0.cases.1.where.launch_line 45
}

# addr2line names the wrong file of a line table of DWARF 5.
launch_in_a_given_header_has_no_line_of_the_file()
{
    mkdir -p "$here/src"
    sed 's/store_element(t, d_out, at + i/store_element(t, d_out, (int)at + i/' \
        "$source/solutions/14_compaction/compaction.cu" >"$here/src/compaction.cu"
    run --lab 14 --src "$here/src" --case far/1; ends_with 1
    says 'OUT_OF_BOUNDS'; says_not 'launched at line'
}

launch_with_no_elements_names_its_line()
{
    edited=$source/solutions/04_hillis_steele/hillis_steele.cu
    mkdir -p "$here/src"
    sed 's/if (n > 0)/if (n >= 0)/; s/<<<sections(n),/<<<(n + 255) \/ 256,/' "$edited" \
        >"$here/src/hillis_steele.cu"
    line=$(grep -n '<<<' "$here/src/hillis_steele.cu" | head -1 | cut -d: -f1)
    run --lab 04 --src "$here/src" --case inclusive/0; ends_with 1
    records labs.0.verdict CUDA_ERROR; says "where    launched at line $line"
    records labs.0.cases.0.where.launch_line "$line"
    sed 's/if (n > 0)/if (n >= 0)/' "$edited" >"$here/src/hillis_steele.cu"
    run --lab 04 --src "$here/src"; ends_with 1
    records labs.0.verdict OVER_BUDGET; says 'launches at n = 0: 1'; says "line $line"
}

# What needs TODO 3 fails as well, at the same line.
one_part_that_fails_is_shown_in_full()
{
    first_todo_of_lab_04 '/before the store/d'
    LINES=24 run --lab 04 --src "$here/src"; ends_with 1; one_screen
    records labs.0.verdict RACE
    says '04 inclusive: RACE'; says 'same     RACE at this line: exclusive'; says_not WRONG
    says_not double_buffer; says 'to mend: TODO 1,'; says '; TODO 2 is'; says 'make hint LAB=04'
    # after it, what fails elsewhere is counted
    sed '/before the store/d; s/s_sum\[from\]\[t\];$/s_sum[from][t ^ 1];/' \
        "$source/solutions/04_hillis_steele/hillis_steele.cu" >"$here/src/hillis_steele.cu"
    sed -i '/s_sum\[t\] += left/s/+= left/+= 2 * left/' "$here/src/hillis_steele.cu"
    LINES=24 run --lab 04 --src "$here/src"; one_screen
    says 'more     '; says "LAB=04 SRC=$here/src ALL=1"
    [ "$(grep -c '^  seen' "$here/said")" -eq 1 ] || fail 'more than one part in full'
    run --lab 04 --src "$here/src" --all
    [ "$(grep -c '^  seen' "$here/said")" -ge 2 ] || fail 'ALL=1 shows no more'
    says_not 'more     '
}

# Eight warnings, a line printed by each thread, and a race: what helps least gives way.
report_fits_the_screen_whatever_is_to_be_said()
{
    first_todo_of_lab_04 '/before the store/d'
    sed -i -e 's/^#include <cuda_runtime.h>/#include <stdio.h>\n&/' \
        -e 's/^    for (int stride = 1/    int a, b, c, d, e, f, g, h; printf("thread %d\\n", t);\n&/' \
        "$here/src/hillis_steele.cu"
    LINES=24 run --lab 04 --src "$here/src"; one_screen
    says RACE; says '  where'; says '  do'; says 'make hint LAB=04'
    run --lab 04 --src "$here/src"
    [ "$(wc -l <"$here/said")" -gt 24 ] || fail 'it fits without any thrift: it proves nothing'
}

# Absolute, as editors may stand anywhere: with the column where the line's text begins.
findings_are_in_lines_that_editors_jump_to()
{
    local file=$here/src/hillis_steele.cu line
    first_todo_of_lab_04 '/before the store/d'
    line=$(sed -n '/s_sum\[t\] += left/{=;q}' "$file")
    run --lab 04 --src "$here/src" --format gcc; ends_with 1
    grep -qE "^$file:$line:[0-9]+: race: thread [0-9]+ .* \[inclusive/[0-9]+\]$" "$here/said" ||
        fail "no race at line $line"
    says_not 'race: race'; says_not 'Scan Lab'; says_not 'repeat'
    says '04 Hillis-Steele scan: RACE, '
    # a wrong answer has no line but its function's, a count that is too high likewise
    sed 's/t >= stride ?/t > stride ?/' "$source/solutions/04_hillis_steele/hillis_steele.cu" >"$file"
    line=$(sed -n '/hillis_steele_inclusive(/{=;q}' "$file")
    run --lab 04 --src "$file" --format gcc; ends_with 1
    says "$file:$line:1: wrong: d_out["
    run --src solutions --lab 04 --format gcc; ends_with 0
    [ "$(cat "$here/said")" = '04 Hillis-Steele scan: PASS, 100/100 points' ] || fail 'more than the verdict'
    # of several labs, those not begun and the sum stand below
    cp -r "$source/labs" "$here/labs"
    run --src "$here/labs" --format gcc; ends_with 1
    grep -qE '^01 to [0-9]+ +NOT_STARTED' "$here/said" || fail 'it says nothing of labs not begun'
}

compilers_errors_are_in_lines_that_editors_jump_to()
{
    local file=$here/src/hillis_steele.cu
    first_todo_of_lab_04 's/float left/floaty left/'
    run --lab 04 --src "$here/src" --format gcc; ends_with 1
    grep -qE "^$file:$(sed -n '/floaty/=' "$file"):[0-9]+: error: unknown type name 'floaty'" "$here/said" ||
        fail 'no error at its line'
    says_not '^'
    sed 's/hillis_steele.h/hillis.h/' "$source/solutions/04_hillis_steele/hillis_steele.cu" >"$file"
    run --lab 04 --src "$here/src" --format gcc
    says ": note: is its name right?"
}

unknown_format_is_named()
{
    run --lab 04 --format emacs; ends_with 2; says 'no format "emacs"'
    run hint 04 --format gcc; ends_with 2; says 'FORMAT=gcc'
}

# What Visual Studio Code takes for a problem: each finding, and nothing else.
task_of_vs_code_matches_findings()
{
    local regexp
    regexp=$(sed -n 's/^ *"regexp": "\(.*\)",$/\1/p' "$source/.vscode/tasks.json")
    first_todo_of_lab_04 '/before the store/d; s/float left/int a = 0; float a2 = a == 0; a == 1; &/'
    run --lab 04 --src "$here/src" --format gcc
    [ "$(grep -cP "${regexp//\\\\/\\}" "$here/said")" -eq "$(($(wc -l <"$here/said") - 1))" ] ||
        fail "lines that do not match $regexp"
    grep -P "${regexp//\\\\/\\}" "$here/said" | grep -q ': race: ' || fail 'it does not match the race'
    grep -q ': warning: ' "$here/said" || fail 'there is no warning'
    says '04 Hillis-Steele scan: RACE'
}

# The first lab that fails is shown, the others are named; those not begun have one line.
board_shows_the_first_lab_that_fails()
{
    first_todo_of_lab_04 '/before the store/d'
    mkdir "$here/src/01_cpu_scan" "$here/src/02_naive_reduction" "$here/src/03_divergence_free_reduction"
    cp "$source/labs/01_cpu_scan/cpu_scan.cu" "$here/src/01_cpu_scan"
    cp "$source/labs/02_naive_reduction/naive_reduction.cu" "$here/src/02_naive_reduction"
    { cat "$source/solutions/03_divergence_free_reduction/divergence_free_reduction.cu"; echo '}'; } \
        >"$here/src/03_divergence_free_reduction/divergence_free_reduction.cu"
    LINES=24 run --src "$here/src"; ends_with 1
    grep -qE '^01, 02 +NOT_STARTED +0/200$' "$here/said" || fail 'no line for those not begun'
    says '03 Divergence-free reduction: COMPILE_ERROR'
    says '1 more lab needs work: 04 RACE (make grade LAB=04)'; says_not '  hint'
    says_not '04 inclusive'
    run --src "$here/src" --all; says '04 inclusive: RACE'
}

a_lab_that_passes_leads_to_the_next()
{
    run --lab 01 --src solutions; says_not '  next'      # the kit's own
    cp -r "$source/labs" "$here/labs"
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/labs/01_cpu_scan"
    run --lab 01 --src "$here/labs"
    says 'learned  A scan makes all running sums'; says '  next     02 Naive reduction'
    run --lab 01 --src "$here/labs" --case inclusive/33; says_not '  next'
}

a_lab_that_passes_says_where_its_instructions_go()
{
    mkdir -p "$here/src"
    cp "$source/solutions/02_naive_reduction/naive_reduction.cu" "$here/src"
    run --lab 02 --src "$here/src"; ends_with 0; says 'instr x1.00'; says_not '  instr '
    sed 's/        __syncthreads();/&\n        for (volatile int k = 0; k < 8; k++) { }/' \
        "$source/solutions/02_naive_reduction/naive_reduction.cu" >"$here/src/naive_reduction.cu"
    run --lab 02 --src "$here/src"; ends_with 0
    says '  instr    x'; says 'most in reduce_naive'
}

a_lab_that_compares_parts_shows_counts_of_each()
{
    mkdir -p "$here/src"
    cp "$source/solutions/12_block_strategies/block_strategies.cu" "$here/src"
    run --lab 12 --src "$here/src"; ends_with 0
    says '  counts   block_propagate at n ='
    says '  also     block_raking at n = 8192: 16904 additions, 16 barriers'
    says '  also     block_sklansky at n ='
}

# A file that has changed what a function takes, or has another way, needs no steps.
steps_that_do_not_fit_are_left_out()
{
    mkdir -p "$here/src"
    sed -e 's/up_sweep(float \*s_sum, int t)/up_sweep(float *s_sum, int t, int section)/' \
        -e 's/up_sweep(s_sum, t)/up_sweep(s_sum, t, SECTION)/' \
        "$source/solutions/05_blelloch/blelloch.cu" >"$here/src/blelloch.cu"
    run --lab 05 --src "$here/src"; ends_with 0; says '100/100'
    sed '/steps.h/d' "$source/solutions/05_blelloch/blelloch.cu" >"$here/src/blelloch.cu"
    run --lab 05 --src "$here/src"; ends_with 0; says '100/100'
}

tile_with_far_more_than_2_to_the_31_elements_behind_it_is_tried()
{
    mkdir -p "$here/src"
    sed -e '/scan_tile(operation op/,/{/s/long long n)/int n)/' \
        "$source/solutions/10_decoupled_lookback/decoupled_lookback.cu" \
        >"$here/src/decoupled_lookback.cu"
    run --lab 10 --src "$here/src" --case lookback_far/8192; ends_with 1; says 'WRONG'
    run --lab 10 --src "$source/solutions" --case lookback_far/24576; ends_with 0
}

step_that_fails_is_told_where_all_else_is_right()
{
    mkdir -p "$here/src"
    sed -e 's/up_sweep(/own_up_sweep(/' \
        -e 's/^#include "steps.h"/__device__ void up_sweep(float *s_sum, int t) { }\n&/' \
        "$source/solutions/05_blelloch/blelloch.cu" >"$here/src/blelloch.cu"
    run --lab 05 --src "$here/src"; ends_with 0; says '100/100'
    says 'WRONG, and no points lost'
}

labs_of_two_digits_are_known()
{
    local number
    for lab in "$source"/labs/[12][0-9]_*/grading/lab.c; do
        [ -e "$lab" ] || { echo "no lab has a number of two digits yet: not tested"; exit 77; }
        number=$(basename "${lab%/grading/lab.c}")
        grep -q 'bonus = true' "$lab" || number=${number%%_*}
        run hint "$number"; ends_with 0; says 'Hint 1 of 3'; says "make hint LAB=$number"
    done
}

# It stands below its lab once it is begun, and its points are in no sum.
a_bonus_is_shown_once_begun_and_counts_nowhere()
{
    local id=16_segmented_scan_sums sum
    mkdir -p "$here/src/$id"
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/src"
    cp "$source/labs/$id/segmented_scan_sums.cu" "$here/src/$id"
    run --src "$here/src"; says_not 'Sums of segments'; says_not 'bonus'
    sum=$(grep -o '[0-9]* of [0-9]* pass.*' "$here/said")
    cp "$source/solutions/$id/segmented_scan_sums.cu" "$here/src/$id"
    run --src "$here/src"; says 'and 1 bonus from'; says "$sum"
    grep -q 'Sums of segments, fast  *PASS  *bonus' "$here/said" || fail 'no row of the bonus'
}

# Not even root, whom the kernel lets start as many as there is room for.
submissions_start_no_processes()
{
    [ "$(sed -n 's/^Seccomp:[^0-9]*//p' /proc/self/status)" ] ||
        { echo "this kernel has no seccomp: not tested"; exit 77; }
    mkdir -p "$here/src"
    cat >"$here/src/cpu_scan.cu" <<'END'
#include <errno.h>
#include <sched.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "cpu_scan.h"
extern char **environ;
static int refused(long pid) { if (pid == 0) _exit(0); return pid < 0 && errno == EAGAIN; }
void cpu_scan_inclusive(const float *in, float *out, int n)
{
    char name[] = "/bin/true", *arguments[] = { name, 0 };
    pid_t pid;
    int fine = refused(fork()) && system("true") != 0 &&
               posix_spawn(&pid, name, 0, 0, arguments, environ) == EAGAIN;
    fine = fine && refused(syscall(SYS_clone, 17, 0, 0, 0, 0));
    float sum = 0;
    for (int i = 0; i < n; i++) { sum += in[i]; out[i] = fine ? sum : 0; }
}
END
    run --lab 01 --src "$here/src" --case inclusive/3; ends_with 0
}

# block_of_page WORDS [PAGE]: of README.md, or that page, the block of code that has these words, without its indent.
block_of_page()
{
    awk -v words="$1" '/^    / { block = block substr($0, 5) "\n"; next }
        { if (index(block, words)) { printf "%s", block; exit } block = "" }' "$source/${2:-README.md}"
}

# what_todo_1_becomes LAB: standard input, below the comment of TODO 1 in the starter of the lab.
what_todo_1_becomes()
{
    local file
    file=$(echo "$source/labs/$1"_*/*.cu | sed 's/ .*//')
    cat >"$here/code"
    mkdir -p "$here/src"
    awk -v code="$here/code" '{ print } /TODO 1:/ { todo = 1 }
        todo && /\*\// { while ((getline line < code) > 0) print line; todo = 0 }' "$file" \
        >"$here/src/${file##*/}"
}

# The block of the page is what this prints; SRC is not what the page has.
shows_block_of_page()
{
    sed -i 's/ SRC=[^ ]*//' "$here/said"
    block_of_page "$@" >"$here/wanted"
    [ -s "$here/wanted" ] || fail "${2:-README.md} has no block with: $1"
    while read -r line; do says "$line"; done <"$here/wanted"
}

first_lab_of_readme_goes_as_the_page_says()
{
    local row
    block_of_page 'out[i] = in[i];' | what_todo_1_becomes 01
    run --lab 01 --src "$here/src" --case inclusive/2 --seed 673308; ends_with 1
    shows_block_of_page '01 inclusive: WRONG'
    printf 'float sum = 0;\nfor (int i = 0; i < n; i++)\n out[i] = sum += in[i];\n' |
        what_todo_1_becomes 01
    run --lab 01 --src "$here/src"; ends_with 1
    row=$(block_of_page '/95' | sed -n 's/ time x.*//p')
    [ -n "$row" ] || fail 'README.md shows no row of all 95 cases'
    says "$row"
}

# Each part's points stand in one row of the table of TODOs.
points_of_a_page_add_up_to_those_of_the_lab()
{
    local lab sum
    for lab in "$source"/labs/*/; do
        lab=${lab%/} lab=${lab##*/}
        run_plain --page --lab "$lab"; ends_with 0
        sum=$(sed -n '/^|/p' "$here/said" | grep -o '([0-9]*)' | tr -d '()' |
            awk '{ sum += $1 } END { print sum + 0 }')
        if grep -q '\.bonus = true' "$source/labs/$lab/grading/lab.c"; then
            [ "$sum" = 0 ] || fail "labs/$lab is a bonus with $sum points"
        else
            [ "$sum" = 100 ] || fail "the table of labs/$lab has $sum points"
        fi
    done
}

# A folder that is the student's own is like labs/: what to look at, and what comes next.
passing_lab_in_another_folder_says_what_is_next()
{
    cp -r "$source/solutions/02_naive_reduction" "$here/mine"
    run --lab 02 --src "$here/mine"; ends_with 0
    says 'compare  make diff LAB=02 SRC='; says 'solutions/02_naive_reduction/NOTES.md'
    says 'next     03 Divergence-free reduction:'
    run --lab 02 --src solutions; ends_with 0
    says_not "compare "
}

# elements.h reads, for load_tile, which the student's file calls.
what_a_given_header_does_is_at_the_line_that_calls_it()
{
    local line
    mkdir "$here/src"
    sed '/in place it also says/,/__threadfence/d' "$source/solutions/14_compaction/compaction.cu" \
        >"$here/src/compaction.cu"
    line=$(sed -n '/^    load_tile(/=' "$here/src/compaction.cu")
    run --lab 14 --src "$here/src" --case in_place_i32/20000 --seed 1; ends_with 1
    says "compaction.cu:$line: nothing orders"
}

tiles_that_looked_back_are_counted_as_tiles()
{
    run --lab 10 --src "$source/solutions"; ends_with 0
    tr -s ' \n' '  ' <"$here/said" >"$here/words"
    grep -q 'depth lookback_i32: tiles looked back: median [0-9, a-z]* of [0-9]* tiles' "$here/words" ||
        fail 'it counts no tiles'
}

race_of_readme_is_shown_as_the_page_says()
{
    what_todo_1_becomes 04 <<'END'
    __syncthreads();
    for (int stride = 1; stride < SECTION; stride *= 2) {
        float left = t >= stride ? s_sum[t - stride] : 0;
        s_sum[t] += left;
    }
END
    run --lab 04 --src "$here/src" --case inclusive/1 --seed 279096; ends_with 1
    shows_block_of_page '04 inclusive: RACE'
}

# The edits that the page has for a stage, of solutions.
demos_of_lecturers_are_shown_as_their_page_says()
{
    local lab file page=docs/lecturers.md
    mkdir -p "$here/build/talk"
    cd "$here"
    for lab in 04_hillis_steele 05_blelloch; do
        file=build/talk/${lab#*_}.cu
        cp "$source/solutions/$lab/${lab#*_}.cu" "$file"
        eval "$(sed -n "s|^    \(sed -i .* $file\)$|\1|p" "$source/$page")"
        ! cmp -s "$source/solutions/$lab/${lab#*_}.cu" "$file" || fail "$page has no edit of $file"
    done
    run --lab 04 --src "$here/build/talk" --case inclusive/1 --seed 7; ends_with 1
    shows_block_of_page '04 inclusive: RACE' $page
    run --lab 05 --src "$here/build/talk" --case exclusive_padded/512 --seed 7; ends_with 1
    shows_block_of_page '05 exclusive_padded: OVER_BUDGET' $page
}

# compile_error LAB WORDS EDIT...: the lab's solution, edited by sed, is shown with these words.
compile_error()
{
    local file lab=$1 words=$2
    shift 2
    rm -rf "$here/src"
    mkdir -p "$here/src"
    file=$(echo "$source/solutions/$lab"_*/*.cu | sed 's/ .*//')
    sed "$@" "$file" >"$here/src/${file##*/}"
    ! cmp -s "$file" "$here/src/${file##*/}" || fail "this edits nothing: $*"
    run --lab "$lab" --src "$here/src"
    ends_with 1
    says COMPILE_ERROR
    tr -s ' \n' ' ' <"$here/said" >"$here/said.flat"
    grep -qF -- "$words" "$here/said.flat" || fail "of $*, it does not say: $words"
}

names_of_the_library_without_their_header_are_told_it()
{
    local after='0,/^{/s/^{/{ '
    compile_error 01 'do: printf is declared in <stdio.h>: write #include <stdio.h>' \
        -e "${after}printf(\"%d\", n);/"
    compile_error 01 'do: uint32_t is declared in <stdint.h>' -e "${after}uint32_t u = n;/"
    compile_error 01 'do: std::cout is declared in <iostream>: write #include <iostream> at the top' \
        -e "${after}std::cout << n;/"
    compile_error 01 'and std:: in front of the name' -e "${after}cout << n;/"
    compile_error 04 'do: assert is declared in <assert.h>' -e "${after}assert(t >= 0);/"
    compile_error 04 'is #include "hillis_steele.h" missing' -e '/include "hillis_steele.h"/d'
    compile_error 04 "The lab's own header is \"hillis_steele.h\"" -e 's/"hillis_s/"hilis_s/'
}

words_of_cuda_that_are_misspelt_or_missing_are_told()
{
    compile_error 04 "did you mean '__syncthreads'?" -e '0,/__syncthreads/s//__syncthread/'
    compile_error 04 "did you mean 'threadIdx'?" -e '0,/threadIdx/s//threadidx/'
    compile_error 04 'do: two underscores before and two after' -e '0,/__shared__/s//_shared_/'
    compile_error 04 'is __global__ missing in front of this function?' -e '0,/__global__/s///'
    compile_error 04 'do: a kernel is launched with three angle brackets on each side' -e 's/<<<\(.*\)>>>/<<\1>>/'
    compile_error 04 'do: scan_inclusive is a kernel: launch it, with scan_inclusive<<<' \
        -e 's/scan_inclusive<<<.*>>>/scan_inclusive/'
    compile_error 04 'write __device__ in front of it' -e '0,/static __device__/s//static/'
    compile_error 04 'do: a kernel returns nothing: write void' -e '0,/__global__ void/s//__global__ int/'
}

what_is_not_closed_is_told_with_its_line()
{
    local line
    line=$(grep -n 'if (t >= stride)' "$source"/solutions/04_*/*.cu | head -1 | cut -d: -f1)
    compile_error 04 "do: the ( in line $line is not closed" -e "${line}s/)\$//"
    compile_error 04 'is a closing brace } missing above this line' -e '0,/^    }$/{/^    }$/d}'
    compile_error 04 "error: expected ';'" -e '0,/threadIdx.x;/s//threadIdx.x/'
}

"$test"
