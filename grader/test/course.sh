#!/bin/bash
# course.sh GRADE JSON_GET SOURCE TEST: a course file: what is refused, what a student sees, and what
# a class is worth. One function per test; see cli.sh. bash.
. "$(dirname "$0")/cli_helpers.sh"

# course_file LINE...: $here/course.toml.
course_file() { printf '%s\n' "$@" >"$here/course.toml"; }
# refuses WORDS LINE...: a file of these lines, whose last one is at fault.
refuses()
{
    local words=$1
    shift
    course_file "$@"
    run --ids --course "$here/course.toml"
    ends_with 2
    says "course.toml:$#: "
    says "$words"
    one_screen
}

course_file_with_a_mistake_names_its_line_and_what_was_expected()
{
    refuses 'a = is expected after the name' 'name = "A"' 'points 50'
    refuses 'there is no setting point;' 'point = 50'
    refuses 'a lab has no setting pionts; it has points, due' '[lab.04]' 'pionts = 50'
    refuses 'a part has no setting due' '[lab.04.exclusive]' 'due = 2026-12-08'
    refuses 'lab 04 has no part exclusve; its parts are inclusive, double_buffer, exclusive' '[lab.04.exclusve]'
    refuses 'there is no lab 44' '[lab.44]'
    refuses 'the course does not have that lab' 'labs = "01-03"' '[lab.04]'
    refuses 'there is no [labs.04]; there are [late], [lab.04]' '[labs.04]'
    refuses 'points = "many": a number of points is expected' '[lab.04]' 'points = "many"'
    refuses 'points = -5: a number of points' '[lab.04]' 'points = -5'
    refuses '"10%" is not a value' '[late]' 'percent = 10%'
    refuses 'a number from 0 to 100' '[late]' 'percent = 110'
    refuses '[late] has no setting day' '[late]' 'day = 5'
    refuses 'a date without quotes' '[lab.04]' 'due = "2026-12-08"'
    refuses '"8.12.2026" is not a value' '[lab.04]' 'due = 8.12.2026'
    refuses '"2026-02-30" is not a value' '[lab.04]' 'due = 2026-02-30'
    refuses 'visible = "no": "now", "after due" or "never"' '[lab.04]' 'visible = "no"'
    refuses '"never" is not a value' '[lab.04]' 'visible = never'
    refuses 'a whole number from 1' '[lab.04]' 'tries = 0'
    refuses 'points is here for the second time' '[lab.04]' 'points = 1' 'points = 2'
    refuses '[lab.04] is here for the second time' '[lab.04]' 'points = 1' '[lab.04]'
    refuses 'the quote at the end of the string is missing' 'name = "A'
    refuses 'lists and inline tables are not read' 'labs = ["01", "02"]'
    refuses 'from the smaller number to the larger' 'labs = "06-01"'
    refuses 'one value a line is expected' 'name = "A" labs = "01"'
    refuses 'a ] is expected' '[lab.04'
    refuses 'say one of them' '[lab.04.exclusive]' 'points = 5' '[lab.04]' 'points = 1'
    course_file '[lab.04]' 'visible = "after due"'
    run --ids --course "$here/course.toml"; ends_with 2; says 'needs a date'
    run --ids --course "$here/nowhere.toml"; ends_with 2; says nowhere.toml
    run hint 04 --course "$here"; ends_with 2; says "$here"
}

# Python's own reader of TOML sees what the grader sees: which values, of which kind.
course_file_of_the_docs_is_toml()
{
    run --ids --course "$source/docs/course.toml"; ends_with 0
    [ "$(wc -l <"$here/said")" -eq 5 ] || fail "it has five labs for students"
    run --ids --lab 05-06 --course "$source/docs/course.toml"; ends_with 0
    [ "$(cat "$here/said")" = 05_blelloch ] || fail "lab 06 is never visible"
    awk '/^    name = "Parallel/ { on = 1 } on && !/^    / && !/^$/ { exit } on { sub(/^    /, ""); print }' \
        "$source/docs/instructors.md" | sed -e :a -e '/^\n*$/{$d;N;ba' -e '}' >"$here/shown"
    diff "$here/shown" "$source/docs/course.toml" >"$here/said" || fail "docs/instructors.md shows another file"
    python3 -c 'import tomllib' 2>/dev/null || { echo "no Python with tomllib"; exit 77; }
    python3 - "$source/docs/course.toml" >"$here/said" 2>&1 <<'END' || fail "Python reads it in another way"
import datetime, sys, tomllib
read = tomllib.load(open(sys.argv[1], "rb"))
assert read["labs"] == "01-06" and read["seed"] == 20261101
assert read["late"] == {"grace": 15, "percent": 10, "days": 5}
assert read["lab"]["04"]["due"].astimezone(datetime.timezone.utc).isoformat() == "2026-12-08T22:59:00+00:00"
assert read["lab"]["04"]["exclusive"] == {"points": 50, "visible": "after due"}
assert read["lab"]["06"]["visible"] == "never"
END
}

students_see_points_and_dates_and_nothing_of_hidden_parts()
{
    course_file 'labs = "01 02"' '[late]' 'percent = 25' '[lab.01]' 'due = 2020-01-01T12:00:00Z' \
        '[lab.02]' 'due = 2099-12-31' 'points = 50' '[lab.02.reduce_naive_total]' 'visible = "after due"'
    mkdir "$here/mine"
    # the part that is hidden is wrong
    sed '/^void reduce_naive_total/,/^{/s/^{/{\n    return;/' \
        "$source/solutions/02_naive_reduction/naive_reduction.cu" >"$here/mine/naive_reduction.cu"
    run --lab 02 --src "$here/mine" --course "$here/course.toml"; ends_with 0
    says 'PASS'
    says '30 of 30 course points; 20 more are graded by your instructor; due on'
    says_not reduce_naive_total
    records labs.0.parts.1.verdict NOT_RUN
    records labs.0.parts.1.visible 'after due'
    run --lab 02 --src "$here/mine"; ends_with 1; says reduce_naive_total
    run --lab 02 --src "$here/mine" --course "$here/course.toml"
    records labs.0.course.hidden_points 20
    records labs.0.course.max_points 50
    run --lab 02 --src "$here/mine" --course "$here/course.toml" --case reduce_naive_total/5
    ends_with 2; says 'graded by your instructor'
    run --lab 01 --src solutions --course "$here/course.toml"; ends_with 0
    says '0 of 100 course points; it was due on'; says 'and nothing'
    course_file 'labs = "01 02"' '[lab.01]' 'visible = "never"'
    run --lab 01 --src solutions --course "$here/course.toml"
    ends_with 2; says 'graded by your instructor alone'
}

class_of_a_course_has_late_days_tries_and_points()
{
    local k
    course_file 'labs = "01"' 'seed = 5' '[late]' 'grace = 10' 'percent = 10' 'days = 3' '[lab.01]' \
        'due = 2026-03-01T12:00:00Z' 'points = 20' 'tries = 2' 'visible = "never"'
    mkdir -p "$here/class/ada" "$here/class/bo" "$here/class/cy" "$here/class/di" "$here/class/ed"
    for k in ada bo cy ed; do cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/class/$k/"; done
    cp "$source/labs/01_cpu_scan/cpu_scan.cu" "$here/class/di/"
    touch -d 2026-03-01T12:09:00Z "$here/class/ada/cpu_scan.cu"
    touch -d 2026-01-01 "$here/class/bo/cpu_scan.cu" "$here/class/ed/cpu_scan.cu"
    printf 'submission,handed in\nbo,2026-03-02T12:01:00Z\ncy,2026-03-09T12:00:00Z\n' >"$here/class/handed_in.csv"
    run all "$here/class" --course "$here/course.toml"; ends_with 1
    points() { sed -n "s/^$1,.*,\([0-9.]*,[0-9]*,[0-9.]*,[0-9]*,[0-9]*\)$/\1/p" "$out/class.csv"; }
    [ "$(points ada)" = 20,20,20,0,1 ] || fail "ada is within the grace: $(points ada)"
    [ "$(points bo)" = 16,20,16,2,1 ] || fail "bo is two days late, as handed_in.csv says: $(points bo)"
    [ "$(points cy)" = 0,20,0,8,1 ] || fail "cy is too late: $(points cy)"
    [ "$(sed -n 's/^di,.*\(.\)$/\1/p' "$out/class.csv")" = , ] || fail "a starter is no try"
    # ed: right, then twice something else. The third does not count, the second does.
    for k in 1 2; do
        echo "int broken$k = ;" >>"$here/class/ed/cpu_scan.cu"
        if [ $k = 2 ]; then cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/class/ed/"; echo '// 3' >>"$here/class/ed/cpu_scan.cu"; fi
        touch -d 2026-01-01 "$here/class/ed/cpu_scan.cu"
        run all "$here/class" --course "$here/course.toml"
    done
    [ "$(points ed)" = 0,20,0,0,3 ] || fail "the last try that counts was wrong: $(points ed)"
    says '1 to grade'
    [ "$("$json_get" "$out/class/ed/results.json" labs.0.course.counted_try)" = 2 ] || fail "try 2 counts"
    [ "$("$json_get" "$out/class/ed/results.json" labs.0.points)" = 100 ] || fail "and what was found stays"
    # another policy: nobody is graded again, and points are new
    course_file 'labs = "01"' 'seed = 5' '[lab.01]' 'points = 40'
    run all "$here/class" --course "$here/course.toml"
    says '0 to grade'
    [ "$(points cy)" = 40,40,40,0,1 ] || fail "the new policy counts: $(points cy)"
    echo 'bo;today' >"$here/class/handed_in.csv"
    run all "$here/class" --course "$here/course.toml"
    ends_with 2; says 'handed_in.csv:1: a name, a comma and a date are expected'
}

"$test"
