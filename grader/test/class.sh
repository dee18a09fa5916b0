#!/bin/bash
# class.sh GRADE JSON_GET SOURCE TEST: grade all, a class in one table. One function per test; see
# cli.sh.
# Submissions are of lab 01, which takes a second. bash.
. "$(dirname "$0")/cli_helpers.sh"
pack=${json_get%/*}/pack # pack.c

head='submission,state,points,max_points,passed,labs,01_cpu_scan,01_cpu_scan verdict,reason'

# Submissions of lab 01 in $here/class: ada's is solved, "bo, b"'s is the starter, in a file, and cy
# has handed in nothing.
submissions()
{
    mkdir -p "$here/class/ada/01_cpu_scan" "$here/class/cy"
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/class/ada/01_cpu_scan/"
    cp "$source/labs/01_cpu_scan/cpu_scan.cu" "$here/class/bo, b.cu"
}

# hands_in NAME [FOLDER]: the starter, below class/NAME.
hands_in()
{
    mkdir -p "$here/class/$1/${2:-}"
    cp "$source/labs/01_cpu_scan/cpu_scan.cu" "$here/class/$1/${2:-}/"
}

table()
{
    printf '%s\n' "$@" | diff - "$out/class.csv" >>"$here/said" ||
        fail "class.csv is not as expected"
}
row()
{
    grep -qxF -- "$1" "$out/class.csv" ||
        { cat "$out/class.csv" >>"$here/said"; fail "there is no row $1"; }
}
in_80_columns()
{
    [ "$(LC_ALL=C.UTF-8 awk 'length > 80' "$here/said" | grep -vc '^  /')" -eq 0 ] ||
        fail "a line of more than 80 columns"
}

file_under_another_name_is_handed_in()
{
    local solved=$source/solutions/01_cpu_scan/cpu_scan.cu
    mkdir -p "$here/class/ada/project" "$here/class/bo" "$here/class/cy"
    cp "$solved" "$here/class/ada/project/cpu_scan.cu"     # the right name, deeper down
    touch "$here/class/ada/notes.cu"
    cp "$solved" "$here/class/bo/cpu_scan (1).cu"
    cp "$solved" "$here/class/cy/cpu_scan_1.cu"
    cp "$solved" "$here/class/cy/cpu_scan_2.cu"
    run all "$here/class" --lab 01
    row 'ada,graded,100,100,1,1,100,PASS,'
    row 'bo,graded,100,100,1,1,100,PASS,'
    grep -q '^cy,nothing_to_grade,.*there is no cpu_scan.cu, but cpu_scan_1.cu, cpu_scan_2.cu"$' \
        "$out/class.csv" || fail "the files of cy are not named"
    grep -q 'so cpu_scan (1).cu is' "$out/class/bo/report.txt" || fail "report.txt names no file"
}

class_is_one_table()
{
    submissions
    run all "$here/class" --lab 01; ends_with 1
    says '1/2  ada '
    says '100/100   1/1 '
    says '3 submissions: 2 graded, 1 with nothing to grade, 0 that could not be graded'
    in_80_columns
    table "$head" 'ada,graded,100,100,1,1,100,PASS,' \
          '"bo, b",graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED' \
          'cy,nothing_to_grade,,,,1,,,nothing to grade: there is no cpu_scan.cu'
    "$json_get" "$out/class.json" submissions.0.labs.0.verdict | grep -qx PASS || fail "class.json"
    "$json_get" "$out/class/ada/results.json" labs.0.id | grep -qx 01_cpu_scan ||
        fail "class/ada/results.json"
    grep -q PASS "$out/class/ada/report.txt" || fail "class/ada/report.txt"
    [ ! -e "$out/class.shared/build" ] && [ ! -e "$out/class/ada/01_cpu_scan" ] ||
        fail "the builds were kept"
}

class_is_graded_again_where_it_has_changed()
{
    submissions
    run all "$here/class" --lab 01; says '2 to grade, 0 as before'
    run all "$here/class" --lab 01; ends_with 1; says '0 to grade, 2 as before'
    echo 'int broken(' >>"$here/class/ada/01_cpu_scan/cpu_scan.cu"
    run all "$here/class" --lab 01; ends_with 1; says '1 to grade, 1 as before'
    grep -q '^ada,graded,0,100,0,1,0,COMPILE_ERROR,"\?01 COMPILE_ERROR: ' "$out/class.csv" ||
        fail "ada's row is the old one"
    rm "$out/class/ada/results.json"
    run all "$here/class" --lab 01
    ends_with 1
    says '1 to grade, 1 as before'
    says_not 'cannot be read'
    local damaged
    for damaged in '{"labs": [' '{}'; do
        echo "$damaged" >"$out/class/ada/results.json"
        run all "$here/class" --lab 01
        ends_with 1
        says '1 to grade, 1 as before'
        says_not 'cannot be read'
    done
    rm "$here/class/ada/01_cpu_scan/cpu_scan.cu"
    run all "$here/class" --lab 01
    row 'ada,nothing_to_grade,,,,1,,,nothing to grade: there is no cpu_scan.cu'
    [ ! -e "$out/class/ada/results.json" ] || fail "results of a file that is no more"
}

class_goes_on_behind_one_that_cannot_be_graded()
{
    submissions
    mkdir -p "$out/class"; : >"$out/class/ada"
    run all "$here/class" --lab 01; ends_with 3; says 'ada '; says '1 that could not be graded'
    table "$head" 'ada,failed,,,,1,,,its folder for results cannot be made' \
          '"bo, b",graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED' \
          'cy,nothing_to_grade,,,,1,,,nothing to grade: there is no cpu_scan.cu'
}

class_without_submissions_is_told()
{
    run all; ends_with 2; says 'make grade-all SUBMISSIONS=folder'
    run all "$here/nowhere"; ends_with 2; says 'there is no such folder'
    "$pack" "$here/export.zip" text=ada/cpu_scan.cu x
    run all "$here/export.zip"; ends_with 2; says 'export.zip is a file: unpack it once'
    mkdir "$here/none"; run all "$here/none"; ends_with 2; says 'holds no submission'; one_screen
    submissions; run all "$here/class" --resident 3; ends_with 2; says 'CASE, RESIDENT'
}

# A table that cannot be written is the machine's fault, not the command line's.
class_that_cannot_be_written_ends_with_3()
{
    submissions
    mkdir -p "$out/class.csv"
    run all "$here/class" --lab 01; ends_with 3; says 'class.csv'
}

class_names_are_no_formulas()
{
    hands_in '=1+1'
    hands_in '@SUM(A1),2'
    hands_in '-bo'
    hands_in '+cy'
    hands_in 'O"Hara'
    hands_in $'two\nlines'
    run all "$here/class" --lab 01; ends_with 1; in_80_columns
    local rest=',graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED'
    table "$head" "'+cy$rest" "'-bo$rest" "'=1+1$rest" \
          "\"'@SUM(A1),2\"$rest" "\"O\"\"Hara\"$rest" "two?lines$rest"
    "$json_get" "$out/class.json" submissions.2.submission | grep -qxF '=1+1' ||
        fail "class.json has another name"
}

class_names_behind_blanks_and_in_wide_letters_are_no_formulas()
{
    hands_in '  =1+1'
    hands_in $'\u00a0@SUM(A1)'
    hands_in $'\u2003\u200d=1+1'
    hands_in '＝1+1'
    run all "$here/class" --lab 01; ends_with 1
    local rest=',graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED'
    row "'  =1+1$rest"
    row $'\'\u00a0@SUM(A1)'"$rest"
    row $'\'\u2003\u200d=1+1'"$rest"
    row "'＝1+1$rest"
}

class_names_beyond_ascii_reach_a_spreadsheet()
{
    hands_in 'Zoë Müller'
    hands_in 'a name of so many letters that it does not fit into its column'
    run all "$here/class" --lab 01; ends_with 1; says 'Zoë Müller               '; in_80_columns
    row 'Zoë Müller,graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED'
    [ "$(head -c 3 "$out/class.csv" | od -An -tx1)" = ' ef bb bf' ] ||
        fail "no byte-order mark, which Excel needs"
}

# ---- as course systems export it -----------------------------------------------------------------

solved() { echo "$source/solutions/01_cpu_scan/cpu_scan.cu"; }

class_of_moodle_has_a_row_for_each_owner()
{
    local folder="$here/class/Zoë Müller_4711_assignsubmission_file_"
    mkdir -p "$folder" "$here/class/Zoë Müller_4711_assignsubmission_onlinetext_" \
        "$here/class/Ada King_12_assignsubmission_file"
    cp "$(solved)" "$folder/Cpu_Scan (1).cu"
    echo x >"$here/class/Zoë Müller_4711_assignsubmission_onlinetext_/onlinetext.html"
    cp "$(solved)" "$here/class/Ada King_12_assignsubmission_file/"
    cp "$(solved)" "$here/class/Bo_Ek_13_assignsubmission_file_mine.cu"
    run all "$here/class" --lab 01; ends_with 0
    grep -q 'verdict,reason,name,id$' "$out/class.csv" || fail "no columns for owners"
    row 'Zoë Müller_4711,graded,100,100,1,1,100,PASS,,Zoë Müller,4711'
    row 'Ada King_12,graded,100,100,1,1,100,PASS,,Ada King,12'
    row 'Bo_Ek_13,graded,100,100,1,1,100,PASS,,Bo_Ek,13'
    [ "$(wc -l <"$out/class.csv")" -eq 4 ] || fail "not 3 rows"
    "$json_get" "$out/class.json" submissions.0.id | grep -qx 12 || fail "class.json has no id"
}

class_of_canvas_has_a_row_for_each_owner()
{
    mkdir -p "$here/class"
    cp "$(solved)" "$here/class/lovelaceada_123_456_cpu_scan.cu"
    echo x >"$here/class/lovelaceada_LATE_123_457_report.pdf"
    cp "$source/labs/02_naive_reduction/naive_reduction.cu" \
        "$here/class/lovelaceada_123_458_naive_reduction-1.cu"
    "$pack" "$here/class/ekbo_LATE_124_459_work.zip" text=work/docs/a.txt x \
        file=work/src/cpu_scan.cu "$(solved)"
    echo x >"$here/class/raycy_125_460_report.pdf"
    run all "$here/class"; ends_with 1
    grep -q '^lovelaceada_123,graded,100,[0-9]*,1,[0-9]*,100,PASS,0,NOT_STARTED,0,NOT_RUN,.*,'\
'02 NOT_STARTED,lovelaceada,123$' "$out/class.csv" || fail "the two files of Ada are not one row"
    grep -q '^ekbo_124,graded,100,.*,PASS,0,NOT_RUN,.*,,ekbo,124$' "$out/class.csv" ||
        fail "what Bo has not handed in is a problem"
    grep -q '^raycy_125,nothing_to_grade,.*no .cu file and no archive, but report.pdf"' \
        "$out/class.csv" || fail "what Cy has handed in is not listed"
    says 'ekbo_124 '
    ! grep 'ekbo_124' "$here/said" | grep -q NOT_RUN || fail "what was not handed in is a problem"
}

class_takes_archives_as_they_come()
{
    local format name
    mkdir -p "$here/class/fay"
    for format in zip tar tar.gz tar.xz tar.bz2; do
        "$pack" "$here/class/by_${format//./_}.$format" file='a b/01_cpu_scan/cpu_scan.cu' \
            "$(solved)" text=.git/cpu_scan.cu x text=__MACOSX/cpu_scan.cu x
    done
    cp "$here/class/by_tar_gz.tar.gz" "$here/class/fay/handed in.TGZ"
    "$pack" "$here/class/nested.tar.gz" file=inner.zip "$here/class/by_zip.zip"
    run all "$here/class" --lab 01; ends_with 0
    for name in by_zip by_tar by_tar_gz by_tar_xz by_tar_bz2 fay nested; do
        row "$name,graded,100,100,1,1,100,PASS,"
    done
    run all "$here/class" --lab 01; says '0 to grade, 7 as before'
    "$pack" "$here/class/by_zip.zip" file=cpu_scan.cu "$source/labs/01_cpu_scan/cpu_scan.cu"
    run all "$here/class" --lab 01; says '1 to grade, 6 as before'
    [ "$(ls -d "$out/class/by_zip/handed-in-"* | wc -l)" -eq 1 ] ||
        fail "the earlier hand-in was kept"
}

# Nothing of them is made outside, the class goes on, and their rows say what they are.
class_refuses_archives_that_are_attacks()
{
    submissions
    local solved name
    solved=$(solved)
    cd "$here/class"
    "$pack" up.zip file=../../up_canary.cu "$solved"
    "$pack" up_windows.zip file='a\..\..\up_canary.cu' "$solved"
    "$pack" up_absolute.zip file=/tmp/up_canary.cu "$solved"
    "$pack" up_late.zip file=cpu_scan.cu "$solved" file=a/../../up_canary.cu "$solved"
    "$pack" long.tar text="$(printf 'n%.0s' {1..256})/cpu_scan.cu" x
    "$pack" both.tar text=x.cu x text=x.cu/cpu_scan.cu x
    "$pack" same.zip text=cpu_scan.cu x text=cpu_scan.cu y
    "$pack" dot.zip text=cpu_scan.cu x text=.//./cpu_scan.cu y
    "$pack" twice.zip file=cpu_scan.cu "$solved" file=cpu_scan.cu "$solved"
    "$pack" link.tar link=cpu_scan.cu "$solved"
    "$pack" hard.tar hard=cpu_scan.cu "$solved"
    "$pack" device.tar device=cpu_scan.cu 0
    "$pack" by_link.tar link=01_cpu_scan ../../../../../.. file=01_cpu_scan/up_canary.cu "$solved"
    "$pack" many.zip many=1 10000
    "$pack" too_many.zip many=0 20001
    "$pack" bomb.zip zeros=cpu_scan.cu 64
    "$pack" bombs.zip sources=1048576 17
    "$pack" small.zip sources=1 2001
    "$pack" bomb_tar.tar.gz zeros=a 600
    "$pack" empty.zip
    "$pack" empty_file.zip text=cpu_scan.cu ''
    "$pack" one.zip file=cpu_scan.cu "$solved"
    "$pack" two.zip file=inner.zip one.zip
    "$pack" deep.zip file=inner.zip two.zip
    head -c 700 up_late.zip >cut.zip
    run all "$here/class" --lab 01; ends_with 1
    row 'ada,graded,100,100,1,1,100,PASS,'
    for name in up up_windows up_absolute up_late; do
        grep -q "^$name,nothing_to_grade,.*$name.zip was not unpacked: a path in it leads out" \
            "$out/class.csv" || fail "$name"
    done
    row 'long,nothing_to_grade,,,,1,,,'\
'long.tar was not unpacked: the name of a file or folder in it is longer than 255 bytes'
    row 'both,nothing_to_grade,,,,1,,,'\
'both.tar was not unpacked: it has a file and a folder of one name: x.cu/cpu_scan.cu'
    row 'same,nothing_to_grade,,,,1,,,same.zip was not unpacked: it has two files of one name: '\
'cpu_scan.cu'
    row 'dot,nothing_to_grade,,,,1,,,dot.zip was not unpacked: it has two files of one name: '\
'.//./cpu_scan.cu'
    row 'twice,graded,100,100,1,1,100,PASS,'
    for name in link hard device; do
        row "$name,nothing_to_grade,,,,1,,,\"$name.tar was not unpacked: cpu_scan.cu in it is a "\
'link, or no ordinary file; the file itself is needed"'
    done
    row 'many,nothing_to_grade,,,,1,,,'\
'"nothing to grade: there is no cpu_scan.cu, but 0.txt, 1.txt, 2.txt, 3.txt, 4.txt, '\
'5.txt and 9994 more"'
    row 'too_many,nothing_to_grade,,,,1,,,'\
'too_many.zip was not unpacked: it has more than 20000 entries'
    row 'bomb,nothing_to_grade,,,,1,,,'\
'bomb.zip was not unpacked: cpu_scan.cu in it is larger than 1 MiB'
    row 'bombs,nothing_to_grade,,,,1,,,'\
'bombs.zip was not unpacked: its .cu files have more than 16 MiB'
    row 'small,nothing_to_grade,,,,1,,,'\
'small.zip was not unpacked: it has more than 2000 .cu files'
    row 'bomb_tar,nothing_to_grade,,,,1,,,'\
'bomb_tar.tar.gz was not unpacked: it has more than 512 MiB unpacked'
    row 'empty,nothing_to_grade,,,,1,,,nothing to grade: there is no cpu_scan.cu'
    grep -q '^empty_file,graded,0,100,0,1,0,COMPILE_ERROR,.*cpu_scan.cu is empty' \
        "$out/class.csv" || fail "empty_file"
    row 'by_link,graded,100,100,1,1,100,PASS,'
    row 'two,graded,100,100,1,1,100,PASS,'
    row 'deep,nothing_to_grade,,,,1,,,'\
'"nothing to grade: there is no cpu_scan.cu, but inner/inner.zip"'
    grep -q "^cut,[a-z_]*,.*cut.zip was not unpacked: " "$out/class.csv" || fail "cut"
    find "$here" /tmp -maxdepth 4 -name up_canary.cu 2>/dev/null >"$here/said"
    ! grep -v "$out/class/by_link/" "$here/said" || fail "a file was made outside"
}

class_reads_the_encodings_of_editors()
{
    mkdir -p "$here/class"/{le,be,bare,bom,latin,nul,binary}
    { cat "$(solved)"; echo '// für Zoë'; } | sed 's/$/\r/' >"$here/whole"
    cd "$here/class"
    { printf '\xff\xfe'; iconv -f UTF-8 -t UTF-16LE "$here/whole"; } >le/cpu_scan.cu
    { printf '\xfe\xff'; iconv -f UTF-8 -t UTF-16BE "$here/whole"; } >be/cpu_scan.cu
    iconv -f UTF-8 -t UTF-16LE "$here/whole" >bare/cpu_scan.cu
    { printf '\xef\xbb\xbf'; cat "$here/whole"; } >bom/cpu_scan.cu
    iconv -f UTF-8 -t ISO-8859-1 "$here/whole" >latin/cpu_scan.cu
    { cat "$here/whole"; printf 'a\0b\n'; } >nul/cpu_scan.cu
    head -c 5000 "$grade" >binary/cpu_scan.cu
    run all "$here/class" --lab 01; ends_with 1
    local name
    for name in le be bare bom latin; do row "$name,graded,100,100,1,1,100,PASS,"; done
    for name in le be bare; do
        grep -q 'cpu_scan.cu is UTF-16 and was read as such' "$out/class/$name/report.txt" ||
            fail "the report of $name does not say it"
    done
    grep -q 'cpu_scan.cu is Latin-1' "$out/class/latin/report.txt" || fail "latin"
    ! grep -q encoding "$out/class/bom/report.txt" || fail "nothing was converted in bom"
    grep -q "^nul,graded,0,.*COMPILE_ERROR: cpu_scan.cu:[0-9]*: a NUL byte" "$out/class.csv" ||
        fail "nul"
    grep -q "^binary,graded,0,.*COMPILE_ERROR: cpu_scan.cu:1: a NUL byte" "$out/class.csv" ||
        fail "binary"
}

# The board's columns stand one below the other, whatever the letters are.
class_keeps_its_columns_with_wide_letters()
{
    hands_in '王小明'; hands_in $'Zoe\xcc\x88'; hands_in 'Zoë'; hands_in ada
    hands_in '一二三四五六七八九十一二三四五六七八九十'
    run all "$here/class" --lab 01; ends_with 1
    [ "$(columns_before '0/100' | wc -l)" -eq 5 ] || fail "not 5 rows"
    [ "$(columns_before '0/100' | sort -u | wc -l)" -eq 1 ] || fail "a column is not where it belongs"
}

# columns_before TEXT: how many there are, of each line that has it.
columns_before()
{
    local line
    while read -r line; do LC_ALL=C.UTF-8 wc -L <<<"$line"; done < <(sed -n "s|$1.*|.|p" "$here/said")
}

# Neither on the board nor in the table; a lab that was begun is.
class_has_no_problem_with_what_was_not_handed_in()
{
    mkdir -p "$here/class/ada" "$here/class/bo"
    cp "$(solved)" "$here/class/ada/"
    cp "$(solved)" "$source/labs/02_naive_reduction/naive_reduction.cu" "$here/class/bo/"
    run all "$here/class"; ends_with 1
    grep -q '^ada,graded,100,.*,PASS,0,NOT_RUN,.*,NOT_RUN,$' "$out/class.csv" || fail "ada"
    grep -q '^bo,graded,100,.*,PASS,0,NOT_STARTED,.*,02 NOT_STARTED$' "$out/class.csv" || fail "bo"
    ! grep ' ada ' "$here/said" | grep NOT_RUN || fail "ada has a problem"
}

# For a person to look at; nobody's points hang on it.
class_marks_what_looks_alike()
{
    mkdir -p "$here/class/ada" "$here/class/Bö" "$here/class/cy" "$here/class/di"
    local own="$source/grader/test/strangers/right/01_cpu_scan/r_backwards.cu"
    cp "$own" "$here/class/ada/cpu_scan.cu"
    { echo '/* all my own work */'; sed 's/\bin\b/input/g; s/$/ \r/' "$own"; } \
        >"$here/class/Bö/cpu_scan.cu"
    cp "$source/labs/01_cpu_scan/cpu_scan.cu" "$here/class/cy/"
    cp "$(solved)" "$here/class/di/"
    run all "$here/class" --lab 01; ends_with 1
    says 'similar.csv: 2 pairs that look alike, for you to look at; that they do proves nothing'
    in_80_columns
    sed 's/^\xef\xbb\xbf//; s/[0-9]* to [0-9]*/L/g' "$out/similar.csv" >"$here/pairs"
    diff - "$here/pairs" >>"$here/said" <<'END' || fail "similar.csv is not as expected"
lab,first,second,kind,percent,first lines,second lines
01_cpu_scan,(the kit's solution),di,identical,100,L,L
01_cpu_scan,Bö,ada,renamed,100,L,L
END
    row 'di,graded,100,100,1,1,100,PASS,'
    rm -r "$here/class/di" "$here/class/ada"
    run all "$here/class" --lab 01; says_not alike
    [ "$(wc -l <"$out/similar.csv")" -eq 1 ] || fail "an earlier pair stays"
}

# Whoever has handed in something is in the table.
class_leaves_nobody_out()
{
    submissions
    : >"$here/class/di.zip"
    : >"$here/class/ed.tar.gz"
    mkdir "$here/class/flo"
    : >"$here/class/flo/work.zip"
    : >"$here/class/hal.rar"
    ln -s nowhere "$here/class/gus"; echo x >"$here/class/grades.csv"; mkdir "$here/class/__MACOSX"
    run all "$here/class" --lab 01; ends_with 1; says '1 skipped'; says 'grades.csv'; in_80_columns
    row 'di,nothing_to_grade,,,,1,,,di.zip was not unpacked: Unrecognized archive format'
    row 'ed,nothing_to_grade,,,,1,,,ed.tar.gz was not unpacked: Unrecognized archive format'
    row 'flo,nothing_to_grade,,,,1,,,work.zip was not unpacked: Unrecognized archive format'
    row 'hal.rar,nothing_to_grade,,,,1,,,'\
'an archive of a kind that is not unpacked here: unpack it into a folder of its own'
    row 'gus,nothing_to_grade,,,,1,,,"a symbolic link, which is not followed"'
    [ "$(wc -l <"$out/class.csv")" -eq 9 ] || fail "not 8 submissions"
    run all "$here/class"
    grep -q '^"bo, b",nothing_to_grade,.*,a file alone: which lab is it for? (LAB=04)$' \
        "$out/class.csv" || fail "a file alone is not told where all labs are asked for"
}

class_keeps_two_of_one_name_apart()
{
    submissions
    cp "$source/labs/01_cpu_scan/cpu_scan.cu" "$here/class/ada.cu"
    run all "$here/class" --lab 01; ends_with 1
    row 'ada,graded,100,100,1,1,100,PASS,'
    row 'ada.cu,graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED'
    run all "$here/class" --lab 01; says '0 to grade, 3 as before'
}

class_finds_files_that_lie_deeper()
{
    hands_in ada a-clone/labs/01_cpu_scan; mkdir -p "$here/class/ada/a-clone/solutions/01_cpu_scan"
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/class/ada/a-clone/solutions/01_cpu_scan/"
    hands_in bo work/01_cpu_scan; echo x >"$here/class/bo/README.md"
    hands_in cy one; hands_in cy two
    run all "$here/class" --lab 01; ends_with 1
    row 'ada,graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED'
    row 'bo,graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED'
    row 'cy,nothing_to_grade,,,,1,,,'\
'"nothing graded: there are two files of cpu_scan.cu, in one and in two; which one?"'
}

class_finds_each_labs_file_in_a_folder_of_its_own()
{
    mkdir -p "$here/class/ada/first/src" "$here/class/ada/second/src" "$here/class/ada/docs"
    cp "$(solved)" "$here/class/ada/first/src/"
    cp "$source/labs/02_naive_reduction/naive_reduction.cu" "$here/class/ada/second/src/"
    mkdir -p "$here/class/bo"
    "$pack" "$here/class/bo/one.zip" file=work/cpu_scan.cu "$(solved)"
    "$pack" "$here/class/bo/two.zip" text=a.txt x \
        file=naive_reduction.cu "$source/labs/02_naive_reduction/naive_reduction.cu"
    run all "$here/class"; ends_with 1
    local name
    for name in ada bo; do
        grep -q "^$name,graded,100,.*,PASS,0,NOT_STARTED,0,NOT_RUN,.*,02 NOT_STARTED$" \
            "$out/class.csv" || fail "$name"
    done
    run all "$here/class"; says '0 to grade, 2 as before'
}

class_gives_what_is_odd_a_row_and_goes_on()
{
    local name long=$(printf 'n%.0s' {1..255}) many
    for name in pipe sparse folder deep "$long" '...' '--out' 'class.shared' 'a:b|c*?' many; do
        mkdir -p "$here/class/$name"
    done
    mkfifo "$here/class/pipe/cpu_scan.cu"
    truncate -s 1T "$here/class/sparse/cpu_scan.cu"
    mkdir -p "$here/class/folder/cpu_scan.cu" "$here/class/deep/1/2/3/4/5/6"
    hands_in deep 1/2/3/4/5/6
    for name in "$long" '--out' 'class.shared' 'a:b|c*?'; do hands_in "$name"; done
    mkdir "$here/class/many/d"; (cd "$here/class/many/d" && seq 3000 | xargs touch)
    mkfifo "$here/class/a.cu"
    ln -s . "$here/class/many/loop"
    run all "$here/class" --lab 01
    [ "$status" -eq 1 ] || [ "$status" -eq 3 ] || fail "status $status"
    in_80_columns
    [ "$(wc -l <"$out/class.csv")" -eq 11 ] || fail "not a row for each of 10"
    for name in "$long" 'class.shared' 'a:b|c*?'; do
        row "$name,graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED"
    done
    row "'--out,graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED"
    ! grep -E '^(pipe|sparse|folder|deep|many|a),.*PASS' "$out/class.csv" || fail "who has passed?"
}

# Another's work, or the kit's solution.
class_follows_no_link_out_of_a_submission()
{
    submissions
    mkdir -p "$here/class/eve/01_cpu_scan" "$here/class/fay/files"
    ln -s ../../ada/01_cpu_scan/cpu_scan.cu "$here/class/eve/01_cpu_scan/cpu_scan.cu"
    cp "$source/labs/01_cpu_scan/cpu_scan.cu" "$here/class/fay/files/mine.cu"
    ln -s files/mine.cu "$here/class/fay/cpu_scan.cu"
    ln -s "$source/solutions" "$here/class/gil"
    mkdir "$here/class/hal" "$here/class/ida"
    ln -s "$source/solutions/01_cpu_scan" "$here/class/hal/01_cpu_scan"
    ln -s cpu_scan.cu "$here/class/ida/cpu_scan.cu"        # to nowhere
    run all "$here/class" --lab 01; ends_with 1
    row 'eve,nothing_to_grade,,,,1,,,nothing graded: cpu_scan.cu is a link and not a file'
    row 'hal,nothing_to_grade,,,,1,,,nothing graded: cpu_scan.cu is a link and not a file'
    row 'ida,nothing_to_grade,,,,1,,,nothing graded: cpu_scan.cu is a link and not a file'
    row 'gil,nothing_to_grade,,,,1,,,"a symbolic link, which is not followed"'
    row 'fay,nothing_to_grade,,,,1,,,nothing graded: cpu_scan.cu is a link and not a file'
}

# Whoever hands in may change the file at any time.
class_shows_no_file_that_a_link_leads_to_later()
{
    mkdir -p "$here/class/eve"
    { cat "$source/solutions/01_cpu_scan/cpu_scan.cu"; echo '#warning mine'; } \
        >"$here/class/eve/cpu_scan.cu"
    sed 's/.*/CANARY/' "$here/class/eve/cpu_scan.cu" >"$here/canary"
    start
    appears "$out/class.shared/build/01_cpu_scan/cpu_scan.cu"
    ln -sf "$here/canary" "$here/class/eve/cpu_scan.cu"
    wait $at_work
    cp "$out/class/eve/report.txt" "$here/said"
    says '| #warning mine'
    says_not CANARY
}

# What a terminal takes for a command, in a name, a line of source and a compiler's words.
class_shows_no_escapes_of_a_submission()
{
    local escapes=$'\033[2J\u009b31m\u202e\u200b' name
    name="a$escapes"
    mkdir -p "$here/class/$name" "$here/class/bo"
    { cat "$source/solutions/01_cpu_scan/cpu_scan.cu"; echo "#warning x$escapes"; } \
        >"$here/class/$name/cpu_scan.cu"
    : >"$here/class/bo/x$escapes.zip"
    run all "$here/class" --lab 01; ends_with 1
    cat "$out/class.csv" "$out/class.json" "$out/class/$name/report.txt" >>"$here/said"
    says 'a?[2J?31m??,graded,100,'
    says '| #warning x?[2J?31m??'
    ! LC_ALL=C grep -qE $'\033|\xc2\x9b|\xe2\x80[\xae\x8b]' "$here/said" || fail "an escape is shown"
}

class_takes_no_file_that_has_another_name()
{
    echo 'a canary sings' >"$here/canary"
    mkdir -p "$here/class/eve"
    ln "$here/canary" "$here/class/eve/cpu_scan.cu"
    ln "$here/canary" "$here/class/fay.cu"
    run all "$here/class" --lab 01; ends_with 3
    row 'eve,failed,,,,1,,,"cpu_scan.cu has another name elsewhere (a hard link): grade a copy, '\
'made by cp -r"'
    ! grep -rq canary "$out" || fail "it is told"
    rm "$here/canary"
    cp "$here/class/fay.cu" "$here/copy"
    mv "$here/copy" "$here/class/fay.cu"
    run all "$here/class" --lab 01; ends_with 1
    grep -q '^eve,graded,0,' "$out/class.csv" || fail "eve has one name, and is not graded"
}

# Somebody's archive, unpacked beside it, has linked to ada's file; or a tool that saves space has.
class_grades_what_has_all_its_names_in_the_class()
{
    hands_in ada; hands_in bo
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/class/ada/cpu_scan.cu"
    ln -f "$here/class/ada/cpu_scan.cu" "$here/class/bo/cpu_scan.cu"
    ln "$here/class/ada/cpu_scan.cu" "$here/class/cy.cu"
    run all "$here/class" --lab 01; ends_with 0
    for name in ada bo cy; do
        grep -q "^$name,graded,100," "$out/class.csv" || fail "$name is not graded"
    done
    [ "$(grep -cE "^01_cpu_scan,\(the kit's solution\),(ada|bo|cy),identical," \
        "$out/similar.csv")" -eq 3 ] || fail "similar.csv does not say that they are the same"
    ln "$here/class/ada/cpu_scan.cu" "$here/elsewhere"
    rm -r "$out"
    run all "$here/class" --lab 01; ends_with 3
    grep -q '^ada,failed,.*has another name elsewhere' "$out/class.csv" || fail "ada is graded"
}

# Another name may come at any time.
class_reads_no_file_that_gets_another_name()
{
    mkdir -p "$here/class/ada" "$here/class/eve"
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/class/ada/"
    echo 'a bird' >"$here/class/eve/cpu_scan.cu"
    echo 'a canary sings' >"$here/canary"
    start
    appears "$out/class.shared/build/01_cpu_scan/cpu_scan.cu"
    ln -f "$here/canary" "$here/class/eve/cpu_scan.cu"
    wait $at_work
    ! grep -rq canary "$out" || fail "it is told"
    grep -q 'has another name' "$out/class/eve/report.txt" || fail "it is not told why"
}

class_says_what_cannot_be_read()
{
    [ "$(id -u)" -ne 0 ] || { echo "root reads every file: not tested"; exit 77; }
    submissions; hands_in di
    chmod 0 "$here/class/ada/01_cpu_scan/cpu_scan.cu" "$here/class/di"
    run all "$here/class" --lab 01; ends_with 3; chmod 755 "$here/class/di"
    row 'ada,failed,,,,1,,,cpu_scan.cu cannot be read: Permission denied'
    row 'di,failed,,,,1,,,its folder cannot be read: Permission denied'
    run all "$here/class" --lab 01; row 'di,graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED'
}

# What Windows makes of a starter is a starter.
class_knows_a_starter_with_other_line_ends()
{
    hands_in ada; sed -i 's/$/\r/' "$here/class/ada/cpu_scan.cu"
    hands_in bo; sed -i '1s/^/\xef\xbb\xbf/' "$here/class/bo/cpu_scan.cu"
    hands_in cy
    iconv -f UTF-8 -t UTF-16LE "$here/class/ada/cpu_scan.cu" |
        sed '1s/^/\xff\xfe/' >"$here/class/cy/cpu_scan.cu"
    run all "$here/class" --lab 01; ends_with 1
    row 'ada,graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED'
    row 'bo,graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED'
    row 'cy,graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED'
}

# The command that repeats a case is typed again by somebody who has not read the name in it.
class_reports_repeat_whatever_a_folder_is_called()
{
    local name command first
    for name in 'O'"'"'Neil $(touch pwned) `touch pwned`; touch pwned' 'a  b' $'two\nlines'; do
        mkdir -p "$here/class/$name"
        sed 's/^        out\[i\] = sum;$/        out[i] = sum - in[i];/' \
            "$source/solutions/01_cpu_scan/cpu_scan.cu" >"$here/class/$name/cpu_scan.cu"
        run all "$here/class" --lab 01; ends_with 1
        first=$(grep -m1 '  seen' "$out/class/$name/report.txt")
        command=$(sed -n 's/^  repeat *//p' "$out/class/$name/report.txt" | head -n 1)
        case $command in make*)
            command="$grade --lab 01 --src ${command#* SRC=}"
            command=$(sed -E 's/ CASE=/ --case /; s/ SEED=/ --seed /' <<<"$command") ;;
        esac
        (cd "$here" &&
            eval "${command/#build\/grader\/grade/$grade} --out '$out'") >"$here/said" 2>&1
        [ ! -e "$here/pwned" ] || fail "the name was executed"
        says "$first"
    done
}

# Compilers put the path of what they compile into their output, and nvcc has a shell run its parts.
class_compiles_where_no_name_of_a_folder_is_in_the_path()
{
    local name='Zoë "Zo" $(touch pwned) \ Müller'
    mkdir -p "$here/class/$name"
    cp "$source/solutions/04_hillis_steele/hillis_steele.cu" "$here/class/$name/"
    run all "$here/class" --lab 04; ends_with 0
    grep -q ',graded,100,100,1,1,100,PASS,$' "$out/class.csv" ||
        { cat "$out/class/$name/report.txt" >>"$here/said"; fail "it does not pass"; }
    [ ! -e "$out/class.shared/build" ] || fail "the builds were kept"
}

# ---- stopping ------------------------------------------------------------------------------------

# Ada's submission hangs; those before and after her do not.
with_one_that_hangs()
{
    hands_in a1; hands_in z1; mkdir "$here/class/hangs"
    tail -n +2 "$source/grader/test/hostile/hang_is_killed.cu" >"$here/class/hangs/cpu_scan.cu"
}

start() { setsid "$grade" all "$here/class" --lab 01 --out "$out" >"$here/said" 2>&1 & at_work=$!; }

class_stopped_has_a_row_for_all_and_goes_on()
{
    local signal row_of_a1='a1,graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED'
    with_one_that_hangs
    start; appears "$out/class/hangs/report.txt"; kill -INT $at_work; wait $at_work; status=$?
    [ "$status" -eq 130 ] || fail "SIGINT: status $status"
    says 'stopped: 1 of 3 graded'; says 'the same command goes on'
    table "$head" "$row_of_a1" 'hangs,not_graded,,,,1,,,not graded yet' \
          'z1,not_graded,,,,1,,,not graded yet'
    # what was at work then comes last
    start
    appears "$out/class/z1/key"
    appears "$out/class/hangs/report.txt"
    sleep 0.5
    kill -KILL $at_work
    wait $at_work 2>/dev/null
    table "$head" "$row_of_a1" 'hangs,not_graded,,,,1,,,not graded yet' "z1${row_of_a1#a1}"
    tail -n +2 "$source/grader/test/hostile/abort_is_a_crash.cu" >"$here/class/hangs/cpu_scan.cu"
    run all "$here/class" --lab 01; ends_with 1; says '1 to grade, 2 as before'
    row "$row_of_a1"
    row "z1${row_of_a1#a1}"
    grep -q '^hangs,graded,0,100,0,1,0,CRASH,' "$out/class.csv" || fail "the one that hung"
    [ ! -e "$out/class.shared/build" ] || fail "builds were left"
}

# A changed submission costs the others no row while it is graded.
class_keeps_its_rows_while_one_is_graded_again()
{
    with_one_that_hangs; mv "$here/class/hangs" "$here/"
    run all "$here/class" --lab 01; ends_with 1
    mv "$here/hangs" "$here/class/"
    start; appears "$out/class/hangs/report.txt"
    grep -q '^z1,graded,0,' "$out/class.csv" || fail "z1 has lost its row"
    kill -TERM $at_work; wait $at_work; [ $? -eq 143 ] || fail "SIGTERM: another status"
}

second_grading_of_a_class_is_refused()
{
    with_one_that_hangs
    start; appears "$out/class/hangs/report.txt"
    "$grade" all "$here/class" --lab 01 --out "$out" >"$here/second" 2>&1; status=$?
    kill -INT $at_work; wait $at_work
    cp "$here/second" "$here/said"
    ends_with 3
    says "another grading of a class (process $at_work on $(hostname)) writes to"
    one_screen
}

# Its owner is of another machine's, and writes again.
class_that_another_machine_grades_is_refused()
{
    submissions; mkdir -p "$out/class.shared"
    local owner=$out/class.shared/.owner
    printf 'process 7 on node3, job 45\nelsewhere pid:[1] 7 1\n0\n' >"$owner"
    (sleep 2; sed -i 's/^0$/1/' "$owner") &
    run all "$here/class" --lab 01; ends_with 3; wait $!
    says 'process 7 on node3, job 45 worked on this: waiting up to 30 s'
    says 'another grading of a class (process 7 on node3, job 45) writes to'
    [ ! -e "$out/class.csv" ] && grep -qx 1 "$owner" || fail "it has changed something"
}

# As on some network folders: every lock is refused as unknown.
class_in_a_folder_without_locks_is_graded_by_one()
{
    printf '%s\n' '#include <errno.h>' '#include <fcntl.h>' '#include <stdarg.h>' \
        '#include <sys/syscall.h>' '#include <unistd.h>' 'int fcntl(int fd, int what, ...)' \
        '{ va_list list; va_start(list, what); long with = va_arg(list, long);' \
        '  if (what == F_SETLK) { errno = ENOLCK; return -1; }' \
        '  return (int)syscall(SYS_fcntl, fd, what, with); }' \
        'int fcntl64(int, int, ...) __attribute__((alias("fcntl")));' >"$here/nolocks.c"
    cc -shared -fPIC -o "$here/nolocks.so" "$here/nolocks.c" >"$here/said" 2>&1 || fail "no shim"
    with_one_that_hangs
    export LD_PRELOAD=$here/nolocks.so
    start; appears "$out/class/hangs/report.txt"
    "$grade" all "$here/class" --lab 01 --out "$out" >"$here/second" 2>&1; status=$?
    kill -KILL $at_work; wait $at_work 2>/dev/null
    cp "$here/second" "$here/said"
    ends_with 3; says "another grading of a class (process $at_work on "
    rm -r "$here/class/hangs"
    run all "$here/class" --lab 01; ends_with 1; says ': 1 to grade, 1 as before'
}

# Half a minute of silence.
class_of_a_machine_that_went_away_is_taken_over()
{
    submissions; mkdir -p "$out/class.shared"
    printf 'process 7 on node3\nelsewhere pid:[1] 7 1\n0\n' >"$out/class.shared/.owner"
    run all "$here/class" --lab 01; ends_with 1
    row 'ada,graded,100,100,1,1,100,PASS,'
    [ ! -e "$out/class.shared/.owner" ] || fail "it is still owned"
}

# Its machine was asleep, say.
class_that_another_took_over_ends()
{
    with_one_that_hangs
    start; appears "$out/class/hangs/report.txt"
    printf 'process 7 on node3\nelsewhere pid:[1] 7 1\n0\n' >"$out/class.shared/.owner"
    wait $at_work; status=$?; ends_with 3
    says 'took '; says 'this one ends'
    ! grep -q '^z1,graded' "$out/class.csv" || fail "it went on"
    grep -q node3 "$out/class.shared/.owner" || fail "the other has lost it"
}

# ---- a cluster -----------------------------------------------------------------------------------

# Right, wrong, not begun, not compiled, in a file, an archive, nothing.
submissions_for_shards()
{
    submissions
    local solved=$source/solutions/01_cpu_scan/cpu_scan.cu
    hands_in dora; hands_in emil; hands_in fritz; touch "$here/class/gus.zip"; hands_in hans
    sed 's/^        out\[i\] = sum;$/        out[i] = sum - in[i];/' "$solved" \
        >"$here/class/dora/cpu_scan.cu"
    echo 'int main(' >"$here/class/emil/cpu_scan.cu"
    cp "$solved" "$here/class/fritz/"
    "$pack" "$here/class/ida.zip" file=work/cpu_scan.cu "$solved"
}

shard() { run all "$here/class" --lab 01 --seed 7 --shard "$1" || true; }
merge() { run all "$here/class" --lab 01 --seed 7 --merge; }

# What is in --out beside the shards, without times.
is_that_of_a_single_run()
{
    local single=$here/single
    [ -e "$single" ] || "$grade" all "$here/class" --lab 01 --seed 7 --out "$single" >/dev/null 2>&1
    cmp "$out/class.csv" "$single/class.csv" >>"$here/said" 2>&1 &&
        cmp "$out/class.json" "$single/class.json" >>"$here/said" 2>&1 ||
        { diff "$out/class.csv" "$single/class.csv" >>"$here/said"; fail "another table"; }
    cmp "$out/similar.csv" "$single/similar.csv" >>"$here/said" 2>&1 || fail "other pairs look alike"
    diff <(cd "$out/class" && find . | sort) <(cd "$single/class" && find . | sort) \
        >>"$here/said" || fail "other files"
    diff <(cd "$out/class" && cat */key) <(cd "$single/class" && cat */key) >>"$here/said" ||
        fail "other keys"
}

shards_merged_are_what_a_single_run_leaves()
{
    local k
    submissions_for_shards
    for k in 1 2 3; do
        shard $k/3
        says "shard $k of 3 has"
    done
    merge; ends_with 1
    says '9 submissions: 7 graded, 2 with nothing to grade, 0 that could not be graded'
    in_80_columns
    is_that_of_a_single_run
    run all "$here/class" --lab 01 --seed 7; ends_with 1; says '0 to grade, 7 as before'
    is_that_of_a_single_run
    shard 2/3; says ': 0 to grade,'
}

shards_that_are_missing_are_named()
{
    submissions_for_shards
    merge; ends_with 2; says 'no shard of a class was graded'; one_screen
    shard 1/3; shard 3/3
    merge; ends_with 3
    says '1 of 3 shards are missing'; says 'shard 2/3: not begun; it has '; says 'SHARD=2/3'
    one_screen
    [ ! -e "$out/class.csv" ] || fail "there is a table"
    shard 2/3; merge; ends_with 1
    cp "$out/class.csv" "$here/first"
    echo '// more' >>"$here/class/fritz/cpu_scan.cu"
    merge; ends_with 3; says 'are not graded, or changed since; one is fritz'
    cmp "$here/first" "$out/class.csv" || fail "the table has changed"
    shard 1/2; merge; ends_with 2; says 'a cut into'
}

shards_graded_otherwise_are_not_merged()
{
    submissions_for_shards
    shard 1/2; shard 2/2
    run all "$here/class" --lab 02 --merge; ends_with 2
    says 'was graded with other settings (labs 01_cpu_scan, backend simt)'
    run all "$here/class" --lab 01 --seed 8 --shard 2/2
    merge; ends_with 2; says 'different kits, compilers or seeds'
}

# Its node went away; another begins it again. Meanwhile nobody else does.
shard_that_is_killed_loses_and_doubles_nothing()
{
    submissions_for_shards; with_one_that_hangs
    setsid "$grade" all "$here/class" --lab 01 --seed 7 --shard 1/1 --out "$out" \
        >"$here/said" 2>&1 &
    at_work=$!
    appears "$out/class.shards/1-of-1/class/hangs/report.txt"
    "$grade" all "$here/class" --lab 01 --seed 7 --shard 1/1 --out "$out" >"$here/second" 2>&1
    [ $? -eq 3 ] && grep -q 'another grading of a class' "$here/second" || fail "two at once"
    kill -KILL $at_work; wait $at_work 2>/dev/null
    merge; ends_with 3; says 'shard 1/1: '
    tail -n +2 "$source/grader/test/hostile/abort_is_a_crash.cu" >"$here/class/hangs/cpu_scan.cu"
    shard 1/1; ends_with 1
    grep -qE ': [1-9] to grade, [1-9] as before' "$here/said" || fail "it began anew"
    merge; ends_with 1
    is_that_of_a_single_run
}

# What could not be graded is a row of the merged table, too.
shard_that_cannot_grade_one_says_so_to_all()
{
    kills SIGKILL
    run all "$here/class" --lab 01 --unsafe --shard 1/1; ends_with 3
    run all "$here/class" --lab 01 --merge; ends_with 3
    grep -q '^eve,failed,0,100,' "$out/class.csv" || fail "eve's row"
    row 'zoe,graded,100,100,1,1,100,PASS,'
    [ "$("$json_get" "$out/class.json" sandbox)" = unsafe ] || fail "class.json does not say so"
}

shards_that_cannot_be_are_refused()
{
    local text
    mkdir "$here/class"
    for text in 3 0/8 9/8 1/0 1/x /8 3/8/9 -1/8; do
        run all "$here/class" --shard "$text"; ends_with 2; says SHARD; one_screen
    done
    run all "$here/class" --shard 1/2 --merge; ends_with 2; says 'one of them'
    run --lab 01 --shard 1/2; ends_with 2; says 'are for a class'
}

# ---- time ----------------------------------------------------------------------------------------

class_builds_each_reference_once()
{
    submissions
    hands_in di
    echo '// di' | cat "$source/solutions/01_cpu_scan/cpu_scan.cu" - >"$here/class/di/cpu_scan.cu"
    run all "$here/class" --lab 01; ends_with 1
    local runner=$out/class.shared/reference/01_cpu_scan/runner first
    first=$(stat -c '%i %y' "$runner") || fail "no reference was kept"
    echo '// again' >>"$here/class/di/cpu_scan.cu"
    run all "$here/class" --lab 01; row 'di,graded,100,100,1,1,100,PASS,'
    [ "$first" = "$(stat -c '%i %y' "$runner")" ] || fail "the reference was built again"
    echo old >"$out/class.shared/reference/01_cpu_scan/kit"
    echo '// once more' >>"$here/class/di/cpu_scan.cu"
    run all "$here/class" --lab 01; row 'di,graded,100,100,1,1,100,PASS,'
    [ "$first" != "$(stat -c '%i %y' "$runner")" ] || fail "another kit's reference was taken"
}

class_on_a_terminal_says_how_long_it_takes()
{
    with_one_that_hangs
    run_on_a_terminal all "'$here/class'" --lab 01
    says '1 of 3 done, at hangs, 3 s; about'
    run all "$here/class" --lab 01
    ! grep -q $'[\r\033]' "$here/said" || fail "an escape sequence without a terminal"
}

# kills SIGNAL: a submission whose program sends it to the grader that started it.
kills()
{
    mkdir -p "$here/class/eve"
    printf '%s\n' '#include <signal.h>' '#include <unistd.h>' '#include "cpu_scan.h"' \
        '__attribute__((constructor)) static void go(void)' \
        "{ if (getppid() > 1) kill(getppid(), $1); }" >"$here/class/eve/cpu_scan.cu"
    mkdir -p "$here/class/zoe"
    cp "$source/solutions/01_cpu_scan/cpu_scan.cu" "$here/class/zoe"
}

# In a sandbox it cannot; without one it is a row that says so.
class_goes_on_after_one_that_kills_its_grader()
{
    kills SIGKILL
    run all "$here/class" --lab 01 --unsafe; ends_with 3
    row 'eve,failed,0,100,0,1,0,INFRA,01 INFRA: a signal (Killed) ended the grader on this lab twice: look at what the file does'
    row 'zoe,graded,100,100,1,1,100,PASS,'
    [ ! -e "$out/class/eve/key" ] || fail "it has a key: it would not be graded again"
    run all "$here/class" --lab 01; ends_with 1
    row 'zoe,graded,100,100,1,1,100,PASS,'
    grep -q '^eve,graded,0,100' "$out/class.csv" || fail "eve is not graded in a sandbox"
}

class_goes_on_after_one_that_stops_its_grader()
{
    kills SIGSTOP
    run all "$here/class" --lab 01 --unsafe
    row 'zoe,graded,100,100,1,1,100,PASS,'
    grep -q '^eve,' "$out/class.csv" || fail "there is no row for eve"
}

grader_that_somebody_stops_goes_on()
{
    "$grade" --lab 01 --src solutions --out "$out" >"$here/said" 2>&1 &
    local front=$! worker=
    for _ in $(seq 200); do
        worker=$(cat /proc/$front/task/$front/children 2>/dev/null) && [ -n "$worker" ] && break
        sleep 0.01
    done
    sleep 0.3
    kill -STOP $worker
    wait $front; status=$?; ends_with 0
    says '100/100'
}

# A merge grades nothing, and needs no sandbox; but archives are read in one.
shards_merged_without_a_sandbox_unpack_nothing()
{
    mkdir -p "$here/class"
    "$pack" "$here/class/ada.zip" file=cpu_scan.cu "$source/labs/01_cpu_scan/cpu_scan.cu"
    shard 1/1; says 'shard 1 of 1 has 1 of 1'
    SCANLAB_SANDBOX=none run all "$here/class" --lab 01 --seed 7 --merge
    [ "$(find "$out/class" -name '*.cu')" = '' ] || fail "it was unpacked"
    merge; ends_with 1; row 'ada,graded,0,100,0,1,0,NOT_STARTED,01 NOT_STARTED'
}

class_without_a_sandbox_is_not_graded()
{
    submissions
    SCANLAB_SANDBOX=none run all "$here/class" --lab 01; ends_with 4
    says 'no safe sandbox'
    says '--unsafe'
    [ ! -e "$out/class.csv" ] || fail "there is a table"
    run all "$here/class" --lab 01 --unsafe; ends_with 1
    [ "$("$json_get" "$out/class.json" sandbox)" = unsafe ] || fail "class.json does not say so"
    row 'ada,graded,100,100,1,1,100,PASS,'
}

# With a small disk of its own: below a mount namespace.
class_on_a_full_disk_keeps_no_key()
{
    unshare -m true 2>/dev/null || { echo "no mount namespace: not tested"; exit 77; }
    submissions; mkdir -p "$out"
    export -f run ends_with fail row says; export grade here out test source json_get
    unshare -m bash -c '
        mount -t tmpfs -o size=100k tmpfs "$out" || exit 77 # built, but not written down
        run all "$here/class" --lab 01; ends_with 3
        grep -q "^ada,.*results.json: No space left\|^ada,.*disk is full" "$out/class.csv" ||
            fail "its full disk is not named"
        umount "$out"; mount -t tmpfs -o size=64k tmpfs "$out" # no room for a program
        run all "$here/class" --lab 01; ends_with 3
        cp "$out/class.csv" "$here/first"
        [ ! -e "$out/class/ada/key" ] || fail "it has a key"
        mount -o remount,size=64m "$out"
        run all "$here/class" --lab 01; ends_with 1
        row "ada,graded,100,100,1,1,100,PASS,"' || exit
    grep -q '^ada,.*INFRA.*disk is full' "$here/first" ||
        { cp "$here/first" "$here/said"; fail "the full disk is not named"; }
}

class_removes_what_was_left_half_written()
{
    submissions
    mkdir -p "$out/class/ada" "$out/class.shared/reference/01_cpu_scan"
    touch "$out/class.csv.12.0.tmp" "$out/class.json.12.1.tmp" "$out/class/ada/results.json.1.2.tmp" \
        "$out/class.shared/reference/01_cpu_scan/host-1234abcd.o.tmp" "$out/class/ada/begun" \
        "$out/class.shared/reference/01_cpu_scan/symbolizer-input-de17cb"
    run all "$here/class" --lab 01; ends_with 1
    find "$out" -name '*.tmp' -o -name begun -o -name 'symbolizer*' >"$here/said"
    [ ! -s "$here/said" ] || fail "these are left"
}

"$test"
