#!/bin/bash
# export.sh GRADE JSON_GET SOURCE TEST: grade export, results in the formats of others, which
# read_exports.py reads back by libraries that are not the kit's. One function per test; see cli.sh.
# The class is graded once, by the test that the others need. bash.
. "$(dirname "$0")/cli_helpers.sh"
. "$source/tools/find.sh"

graded=$(dirname "$grade")/test-out/export
evil='=1+1 <b>"Zoë" & ~~~Co'

class_to_export_is_graded()
{
    rm -rf "$graded"
    mkdir -p "$here/class/ada" "$here/class/$evil" "$here/class/cy"
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/class/ada/"
    { cat "$source/solutions/01_cpu_scan/cpu_scan.cu"
      printf 'int broken( </pre><script>~~~~ \xff\x1b[31m\n'; } >"$here/class/$evil/cpu_scan.cu"
    cp "$source/labs/01_cpu_scan/cpu_scan.cu" "$here/class/bo.cu"
    out=$graded
    run all "$here/class" --lab 01; ends_with 1
    run --lab 01 --src "$here/class/ada"; ends_with 0
    [ -e "$graded/source/01_cpu_scan.cu" ] || fail "what was graded is not kept"
    classes_of_one
}

# Of each submission $graded/one/NAME, a class of it alone, as Gradescope and others grade.
classes_of_one()
{
    python3 - "$graded" <<'END'
import json, pathlib, shutil, sys
graded = pathlib.Path(sys.argv[1])
whole = json.loads((graded / "class.json").read_text())
for submission in whole["submissions"]:
    name = submission["submission"]
    alone = graded / "one" / name
    (alone / "class").mkdir(parents=True)
    if (graded / "class" / name).exists():
        shutil.copytree(graded / "class" / name, alone / "class" / name)
    (alone / "class.json").write_text(json.dumps(dict(whole, submissions=[submission])))
END
}

# Runs read_exports.py; a Python that has no such library skips the test.
read_back()
{
    local python module=json SCANLAB_PYTHON=${SCANLAB_PYTHON:-/usr/bin/python3 python3}
    case $1 in html) module=html5lib ;; gradescope | classroom50 | github) module=jsonschema ;; esac
    python=$(python_with $module) || python=python3
    "$python" -B "$source/grader/test/read_exports.py" "$@" >"$here/said" 2>&1
    case $? in 0) ;; 77) cat "$here/said"; exit 77 ;; *) fail "$1: read back, it is not right" ;; esac
}

# writes FORMAT [FOLDER]: what there is in a folder, into $here/to.
writes() { run_plain export "$1" --out "${2:-$graded}" --to "$here/to"; ends_with 0; }

export_moodle_has_everybody_with_points()
{
    writes moodle
    read_back moodle "$here/to/moodle.csv" "$graded/class.json"
    grep -qxF ",ada,,100,100,-," "$here/to/moodle.csv" || fail "ada's row"
    grep -q "^,\"'=1+1 <b>" "$here/to/moodle.csv" || fail "a formula is let be"
    ! grep -q '</pre>' "$here/to/moodle.csv" || fail "a comment is not escaped, and Moodle shows HTML"
}

export_canvas_has_everybody_with_points()
{
    writes canvas
    read_back canvas "$here/to/canvas.csv" "$graded/class.json"
    sed -n 1,2p "$here/to/canvas.csv" >"$here/said"
    says 'Student,ID,SIS User ID,SIS Login ID,Section,01_cpu_scan'
    says 'Points Possible,,,,,100'
}

export_html_shows_the_file_and_runs_nothing()
{
    writes html
    read_back html "$here/to/results.html" 'Scan Lab' 'PASS' '100/100'
    read_back html "$here/to/html/$evil.html" "$evil" COMPILE_ERROR 'int broken( </pre><script>'
    read_back html "$here/to/html/cy.html" cy 'there is no cpu_scan.cu'
    grep -q 'class="found" id="01_cpu_scan-' "$here/to/html/$evil.html" ||
        fail "no line of the file is marked"
    ! grep -q $'\x1b' "$here/to/html/$evil.html" || fail "an escape sequence"
}

export_html_of_a_file_of_many_lines_shows_those_with_findings()
{
    mkdir -p "$here/one/source"
    cat >"$here/one/results.json" <<'END'
{"schema": 1, "points": 0, "max_points": 100, "labs": [
  {"id": "01_x", "title": "One", "verdict": "COMPILE_ERROR", "points": 0, "max_points": 100,
   "parts": [{"name": "a", "verdict": "NOT_RUN", "points": 0, "max_points": 100}],
   "cases": [{"name": "lab", "n": 0, "verdict": "COMPILE_ERROR",
              "where": {"file": "x.cu", "line": 900001}, "message": "x.cu:900001: wrong"}]}]}
END
    head -c 1000000 /dev/zero | tr '\0' '\n' >"$here/one/source/01_x.cu"
    writes html "$here/one"
    [ "$(wc -c <"$here/to/results.html")" -lt 1000000 ] || fail "the page is as long as the file"
    cp "$here/to/results.html" "$here/said"
    says 'class="found" id="01_x-900001"'; says '994999 lines after line 5000 are left out'
}

export_markdown_keeps_code_in_its_fence()
{
    writes markdown
    command -v cmark >/dev/null || { echo 'no cmark (Debian: cmark): not tested'; exit 77; }
    cmark "$here/to/markdown/$evil.md" >"$here/said" || fail "it is no Markdown"
    says '<h1>=1+1 &lt;b&gt;&quot;Zoë&quot; &amp; ~~~Co: 0/100 points</h1>'
    says '&lt;/pre&gt;&lt;script&gt;~~~~'
    [ "$(grep -c '<pre>' "$here/said")" -eq 1 ] || fail "not one block of code"
    cmark "$here/to/results.md" >"$here/said"; says ': 100/100 points</h1>'
}

export_junit_is_as_ant_writes_it()
{
    writes junit
    read_back junit "$here/to/results.xml" "$here/to/junit"/*.xml
    grep -q '<failure type="COMPILE_ERROR"' "$here/to/junit/$evil.xml" ||
        fail "what does not compile is no failure"
    command -v xmllint >/dev/null ||
        { echo 'no xmllint (Debian: libxml2-utils): not tested'; exit 77; }
    xmllint --noout --relaxng "$source/grader/test/junit.rng" "$here/to/results.xml" \
        "$here/to/junit"/*.xml >"$here/said" 2>&1 || fail "it does not keep to the schema"
}

export_gradescope_takes_its_schema()
{
    writes gradescope "$graded/one/$evil"
    read_back gradescope "$here/to/results.json"
    "$json_get" "$here/to/results.json" tests.0.output >"$here/said"; says 'expected'
    writes gradescope "$graded/one/cy"
    read_back gradescope "$here/to/results.json"
    "$json_get" "$here/to/results.json" output >"$here/said"; says 'there is no cpu_scan.cu'
    writes gradescope "$graded/one/ada"
    [ "$("$json_get" "$here/to/results.json" score)" = 100 ] || fail "ada's score"
    writes gradescope "$graded/one/bo"
    "$json_get" "$here/to/results.json" tests.0.output >"$here/said"; says 'still the starter'
    writes gradescope "$graded/one/ada"
    [ "$("$json_get" "$here/to/results.json" tests.0.status)" = passed ] || fail "ada's first part"
}

export_classroom50_takes_its_schema()
{
    run_plain export classroom50 --out "$graded/one/ada" --to "$here/to"; ends_with 3
    says 'the variable CLASSROOM is not set'
    export CLASSROOM=cs ASSIGNMENT=scan SUBMISSION_TAG=submit/1 COMMIT_URL=https://a/c
    export RELEASE_URL=https://a/r REVIEW_URL=https://a/v OWNER=ada ASSIGNMENT_TYPE=individual
    for name in cy "$evil"; do
        writes classroom50 "$graded/one/$name"
        read_back classroom50 "$here/to/result.json"
    done
}

export_github_takes_its_schema()
{
    for name in cy "$evil"; do
        writes github "$graded/one/$name"
        read_back github "$here/to/github.json"
    done
    writes github "$graded/one/ada"
    [ "$("$json_get" "$here/to/github.json" status)" = pass ] || fail "ada passes"
}

export_names_people_by_the_ids_of_course_systems()
{
    mkdir "$here/one"
    cat >"$here/one/class.json" <<'END'
{"schema": 1, "submissions": [
  {"submission": "Zoë M_71_assignsubmission_file_", "name": "Zoë M", "id": "71", "points": 62.5,
   "max_points": 100, "reason": "04 RACE: a < b", "labs": [{"id": "04_x", "points": 62.5,
   "max_points": 100}]},
  {"submission": "bo@uni.edu", "points": null, "max_points": null, "reason": "no file",
   "labs": []}]}
END
    writes moodle "$here/one"
    grep -qxF 'Participant 71,Zoë M,,62.5,100,-,"04 RACE: a &lt; b"' "$here/to/moodle.csv" ||
        fail "Zoë's row for Moodle"
    grep -qxF ',bo@uni.edu,bo@uni.edu,,,-,no file' "$here/to/moodle.csv" || fail "bo's for Moodle"
    writes canvas "$here/one"
    grep -qxF 'Zoë M,71,,,,62.5' "$here/to/canvas.csv" || fail "Zoë's row for Canvas"
    grep -qxF 'bo@uni.edu,,,bo@uni.edu,,' "$here/to/canvas.csv" || fail "bo's for Canvas"
}

export_without_results_says_what_to_do()
{
    run_plain export; ends_with 2; says 'in which format? make export FORMAT=moodle'
    run_plain export excel; ends_with 2; says 'there are: html, markdown, junit'
    mkdir "$here/none"
    run_plain export html --out "$here/none" --to "$here/to"; ends_with 3
    says 'make grade-all SUBMISSIONS=folder'
    run_plain export canvas --out "$here/none" --to "$here/to"; ends_with 3; says 'class.json'
    echo '{"schema": 1, ' >"$here/none/class.json"
    run_plain export html --out "$here/none" --to "$here/to"; ends_with 3; says 'class.json:'
    says 'grade again'
    run_plain export gradescope --out "$graded" --to "$here/to"; ends_with 3
    says 'for one submission'
    : >"$here/file"
    run_plain export moodle --out "$graded" --to "$here/file"; ends_with 3; says "$here/file"
}

# Names of submissions come from a file here: none leads out of the folder.
export_writes_nothing_outside_its_folder()
{
    mkdir -p "$here/one" "$here/to"
    for name in ../evil a/b .. ''; do
        printf '{"submissions": [{"submission": "%s", "points": null, "labs": []}]}' "$name" \
            >"$here/one/class.json"
        run_plain export html --out "$here/one" --to "$here/to"; ends_with 3
        says 'which is not a file'
    done
    printf '{"submissions": [{"submission": ".hidden", "points": null, "labs": []}]}' \
        >"$here/one/class.json"
    writes html "$here/one"; [ -e "$here/to/html/_hidden.html" ] || fail "a hidden file"
    local long; long=$(printf 'é%.0s' {1..127})
    printf '{"submissions": [{"submission": "%s", "points": null, "labs": []}]}' "$long" \
        >"$here/one/class.json"
    writes html "$here/one"
}

# Of several labs, those that are not begun are a row; where the grader looked is nobody's business.
export_tells_no_path_of_what_is_not_handed_in()
{
    mkdir "$here/one"
    cat >"$here/one/results.json" <<'END'
{"schema": 1, "points": 100, "max_points": 200, "labs": [
  {"id": "01_x", "title": "One", "verdict": "PASS", "points": 100, "max_points": 100,
   "parts": [{"name": "a", "verdict": "PASS", "points": 100, "max_points": 100}], "cases": []},
  {"id": "02_y", "title": "Two", "verdict": "NOT_RUN", "points": 0, "max_points": 100,
   "parts": [{"name": "b", "verdict": "NOT_RUN", "points": 0, "max_points": 100}],
   "cases": [{"name": "lab", "n": 0, "verdict": "NOT_RUN", "where": {},
              "message": "there is no file /secret/y.cu"}]}]}
END
    for format in html markdown junit gradescope github; do
        writes "$format" "$here/one"
    done
    ! grep -r secret "$here/to" || fail "it tells a path"
    grep -q '^| 02 Two | NOT_RUN | 0/100 |' "$here/to/results.md" || fail "no row of lab 02"
    ! grep -q '^## 02' "$here/to/results.md" || fail "a section of what is not there"
    grep -q 'nothing to run' "$here/to/results.json" || fail "Gradescope is told nothing"
}

# What a course file makes of a result: points after the policy, and parts that students do not see.
export_keeps_to_the_course()
{
    mkdir "$here/one"
    cat >"$here/one/results.json" <<'END'
{"schema": 1, "points": 60, "max_points": 100, "course": {"points": 4.5, "max_points": 10},
 "labs": [{"id": "01_x", "title": "One", "verdict": "WRONG", "points": 60, "max_points": 100,
   "course": {"points": 4.5, "max_points": 10, "due": "2999-01-01T00:00:00Z"},
   "parts": [{"name": "a", "verdict": "PASS", "points": 60, "max_points": 60, "visible": "now"},
    {"name": "b", "verdict": "WRONG", "points": 0, "max_points": 20, "visible": "after due"},
    {"name": "c", "verdict": "WRONG", "points": 0, "max_points": 20, "visible": "never"}],
   "cases": [{"name": "b/1", "n": 1, "verdict": "WRONG", "message": "secret", "where": {}},
             {"name": "c/1", "n": 1, "verdict": "WRONG", "message": "secret", "where": {}}]}]}
END
    for format in html markdown junit github; do writes "$format" "$here/one"; done
    ! grep -r secret "$here/to" || fail "a hidden part is told"
    grep -q '4.5/10</strong> points' "$here/to/results.html" || fail "the page has other points"
    [ "$("$json_get" "$here/to/github.json" status)" = pass ] || fail "what a student sees passes"
    writes gradescope "$here/one"
    read_back gradescope "$here/to/results.json"
    [ "$("$json_get" "$here/to/results.json" score)" = 4.5 ] || fail "Gradescope has other points"
    [ "$("$json_get" "$here/to/results.json" tests.0.visibility)" = visible ] &&
        [ "$("$json_get" "$here/to/results.json" tests.1.visibility)" = after_due_date ] &&
        [ "$("$json_get" "$here/to/results.json" tests.2.visibility)" = hidden ] ||
        fail "Gradescope shows others"
    sed -i 's/2999/2001/' "$here/one/results.json"; writes html "$here/one"
    [ "$(grep -c secret "$here/to/results.html")" -eq 1 ] || fail "after the due date one is told"
}

# What make export makes for systems that grade by themselves.
export_packs_an_autograder()
{
    local zip=$here/packed/gradescope.zip
    LAB=04 FORMAT=gradescope EXPORT_TO=$here/packed "$source/tools/export" >"$here/said" 2>&1 ||
        fail "gradescope is not made"
    mkdir "$here/unpacked"; (cd "$here/unpacked" && cmake -E tar xf "$zip")
    for file in setup.sh run_autograder; do
        [ -x "$here/unpacked/$file" ] && bash -n "$here/unpacked/$file" || fail "$file is no program"
        grep -q ' 04$' "$here/unpacked/$file" || grep -q ' 04; fi$' "$here/unpacked/$file" ||
            fail "$file does not name the lab"
        ! grep -q '@' "$here/unpacked/$file" || fail "$file has a word that was not filled in"
    done
    tar -tzf "$here/unpacked/kit.tar.gz" >"$here/said"
    for file in tools/grade-one labs/04_hillis_steele/grading/lab.c CMakeLists.txt; do says "$file"; done
    says_not 'build/'
    for format in classroom50 github; do
        FORMAT=$format EXPORT_TO=$here/packed "$source/tools/export" >"$here/said" 2>&1 ||
            fail "$format is not made"
    done
    python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' \
        "$here/packed/classroom50/autograder.py" || fail "autograder.py is no Python"
    grep -q '^  KIT: https://' "$here/packed/github/classroom.yml" || fail "classroom.yml has no KIT"
}

export_packs_a_course()
{
    [ "$source/build/grader/grade" -ef "$grade" ] ||
        { echo "this build is not $source/build: not tested"; exit 77; }
    echo 'labs = "01"' >"$here/mine.toml"
    COURSE=$here/mine.toml FORMAT=gradescope EXPORT_TO=$here/packed "$source/tools/export" >"$here/said" 2>&1 ||
        fail "gradescope is not made"
    cmake -E tar tf "$here/packed/gradescope.zip" >"$here/said"; says course.toml
    COURSE=$here/mine.toml FORMAT=classroom50 EXPORT_TO=$here/packed "$source/tools/export" >"$here/said" 2>&1 ||
        fail "classroom50 is not made"
    cmp "$here/mine.toml" "$here/packed/classroom50/course.toml" || fail "it has another course"
    COURSE=$source/docs/course.toml FORMAT=github EXPORT_TO=$here/packed "$source/tools/export" >"$here/said" 2>&1 ||
        fail "github is not made"
    grep -q 'grade-one --course kit/docs/course.toml github' "$here/packed/github/classroom.yml" ||
        fail "classroom.yml knows no course"
    status=0
    COURSE=$here/mine.toml FORMAT=github EXPORT_TO=$here/packed "$source/tools/export" >"$here/said" 2>&1 || status=$?
    ends_with 2; says 'has to be in the kit'
    echo 'point = 1' >"$here/mine.toml"
    status=0
    COURSE=$here/mine.toml FORMAT=gradescope EXPORT_TO=$here/packed "$source/tools/export" >"$here/said" 2>&1 || status=$?
    ends_with 2; says 'mine.toml:1: there is no setting point'
}

# tools/grade-one takes the grader of the kit's own build.
takes_the_kits_build()
{
    [ "$source/build/grader/grade" -ef "$grade" ] ||
        { echo "this build is not $source/build: not tested"; exit 77; }
}

one_submission_is_graded_and_exported()
{
    takes_the_kits_build
    mkdir "$here/ada"
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/ada/"
    "$source/tools/grade-one" gradescope,markdown "$here/ada" "$here/to" 01 >"$here/said" 2>&1 ||
        fail "exit status $?"
    read_back gradescope "$here/to/results.json"
    [ "$("$json_get" "$here/to/results.json" score)" = 100 ] || fail "the score"
    grep -q '^# submission: 100/100' "$here/to/markdown/submission.md" || fail "the report"
    rm "$here/ada/cpu_scan.cu"
    "$source/tools/grade-one" gradescope "$here/ada" "$here/to" 01 >"$here/said" 2>&1 ||
        fail "nothing handed in is no failure"
    "$json_get" "$here/to/results.json" output >"$here/said"; says 'there is no cpu_scan.cu'
    status=0; "$source/tools/grade-one" gradescope >"$here/said" 2>&1 || status=$?
    ends_with 2; says 'grade-one [--unsafe] [--course FILE]'
    # a course: ten points, one of them a day for being late
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/ada/"
    printf '%s\n' '[late]' 'percent = 10' '[lab.01]' 'points = 10' 'due = 2026-03-01T12:00:00Z' \
        >"$here/course.toml"
    "$source/tools/grade-one" --course "$here/course.toml" --handed-in 2026-03-01T13:00:00.5-01:00 \
        gradescope "$here/ada" "$here/to" 01 >"$here/said" 2>&1 || fail "exit status $?"
    [ "$("$json_get" "$here/to/results.json" score)" = 9 ] || fail "a course's score"
}

# Another name may be that of a file of whoever grades. Two names in the submission tell nothing.
one_submission_with_a_file_from_elsewhere_is_not_graded()
{
    takes_the_kits_build
    mkdir "$here/ada"
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/elsewhere.cu"
    ln "$here/elsewhere.cu" "$here/ada/cpu_scan.cu"
    "$source/tools/grade-one" gradescope "$here/ada" "$here/to" 01 >"$here/said" 2>&1 || true
    "$json_get" "$here/to/results.json" output >"$here/said"; says 'has another name elsewhere'
    rm "$here/ada/cpu_scan.cu"
    cp "$here/elsewhere.cu" "$here/ada/cpu_scan.cu"
    ln "$here/ada/cpu_scan.cu" "$here/ada/copy.cu"
    "$source/tools/grade-one" gradescope "$here/ada" "$here/to" 01 >"$here/said" 2>&1 || fail "exit status $?"
    [ "$("$json_get" "$here/to/results.json" score)" = 100 ] || fail "the score"
}

submissions_graded_one_by_one_at_once_get_their_own_results()
{
    takes_the_kits_build
    local i good
    mkdir "$here/good" "$here/bad"
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/good/"
    "$source/tools/grade-one" gradescope "$here/good" "$here/to_good" 01 >"$here/said" 2>&1 & good=$!
    for i in 1 2 3 4; do
        "$source/tools/grade-one" gradescope "$here/bad" "$here/to_bad" 01 >"$here/said_of_bad" 2>&1 ||
            { cat "$here/said_of_bad"; fail "call $i was refused"; }
        [ "$("$json_get" "$here/to_bad/results.json" score)" = 0 ] || fail "the score of nothing, call $i"
    done
    wait "$good" || fail "exit status $?"
    [ "$("$json_get" "$here/to_good/results.json" score)" = 100 ] || fail "the score"
}

"$test"
