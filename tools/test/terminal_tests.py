"""terminal_tests.py BUILD SOURCE NAME: one test of what a person sees at a terminal.

BUILD: a build of the kit; SOURCE: its folder. Exit status: 0 right, 1 wrong, with the last screen
and how to repeat it, 2 usage. CTest takes these functions as terminal.NAME:

    test_NAME   quick, with every build
    full_NAME   labelled full
    front_NAME  of the front door, make and tools/; quick, not with the builds of sanitizers
    fresh_NAME  of the front door in a fresh clone, which is built; labelled full
"""
import os
import re
import shutil
import subprocess
import sys
import time

import terminal_watch
from terminal import Terminal
from terminal_steps import (BUILD, COMMANDS, DEMO, GRADE, NAME, PLACE, SIMT, SIZES,
                            SLOW_TO_COMPILE, SOURCE, STOPPED, Wrong, all_numbers, check, ends,
                            grade, hand_in, hangs_on_the_host, labs, run, shows, solution,
                            starters, stopped_in, twin, waits_for)

# ---- make grade ----------------------------------------------------------------------------------

# Whoever looks at the last screen sees the verdict and what to do next.

def test_grade_untouched_says_which_lab_to_begin():
    folder = starters()
    count, _ = all_numbers()
    for size in SIZES + SIZES[:1] * 4:      # again and again: a race may crash
        terminal = run(grade("--src", folder), 1, size)
        shows(terminal, rf"NOT_STARTED +0/{count}00", r"^01 .*not started",
              r"read +labs/01_cpu_scan/README\.md", r"edit +labs/01_cpu_scan/cpu_scan\.cu",
              r"then +make grade LAB=01")


def shows_what_fails(terminal, lab, verdict):
    shows(terminal, rf"^{lab[:2]} .*{verdict}", r"^  (seen|gate) ", r"^  (do|cause) ",
          rf"^  (repeat +make grade|hint +make hint) LAB={lab[:2]}")


def test_grade_one_lab_begun_shows_what_fails_in_it():
    text, verdict = twin("02_naive_reduction", "missing_barrier")
    folder = hand_in(starters(), "02_naive_reduction", text)
    count, last = all_numbers()
    for size in SIZES:
        terminal = run(grade("--src", folder), 1, size)
        shows_what_fails(terminal, "02_naive_reduction", verdict)
        if size == SIZES[0]:
            shows(terminal, rf"^01, 03 to {last} +NOT_STARTED", f"0 of {count} pass")


def full_grade_half_done_shows_the_first_lab_that_fails():
    folder = starters()
    for lab in list(labs())[:9]:
        hand_in(folder, lab, solution(lab))
    for lab, name in (("05_blelloch", None), ("08_ballot_popc", None)):
        text, verdict = first_twin(lab, name)
        hand_in(folder, lab, text)
    expected = first_twin("05_blelloch", None)[1]
    for size in SIZES:
        terminal = run(grade("--src", folder), 1, size, seconds=280)
        shows_what_fails(terminal, "05_blelloch", expected)


def first_twin(lab, name):
    """That of this name, or the first one."""
    names = sorted(file[:-5] for file in os.listdir(os.path.join(SOURCE, "grader/test/twins", lab))
                   if file.endswith(".twin"))
    for one in [name] if name else names:
        with open(os.path.join(SOURCE, "grader/test/twins", lab, one + ".twin")) as file:
            if "// base:" not in file.read():
                return twin(lab, one)
    raise Wrong(f"{lab} has no twin of its solution")


def full_grade_of_one_lab_shows_what_fails_whatever_lab_it_is():
    for number, lab in enumerate(labs()):
        text, _ = first_twin(lab, None)     # the seed decides which part is first, and with what
        folder = hand_in(os.path.join(PLACE, "wrong"), lab, text)
        wrong = grade("--lab", lab[:2], "--src", folder, "--seed", "1")
        terminal = run(wrong, 1, SIZES[number % 2])
        shows_what_fails(terminal, lab, "[A-Z_]{4,}$")


def full_grade_of_the_solutions_says_that_all_pass():
    count, last = all_numbers()
    terminal = run(grade("--src", "solutions"), 0, seconds=580)
    shows(terminal, rf"^{last} .*PASS +100/100", rf"{count} of {count} pass +{count}00/{count}00")
    check(terminal, re.search(r"^01 .*PASS +100/100", terminal.everything(), re.M), "01 passes")


def test_pass_says_what_was_learned_and_where_to_go_on():
    for lab, counts in (("01_cpu_scan", r"of\s+the\s+solution's\s+time"),
                        ("04_hillis_steele", r"additions +28688 +28688 +28688")):
        folder = hand_in(os.path.join(PLACE, "solved"), lab, solution(lab))
        for size in SIZES:
            terminal = run(grade("--lab", lab[:2], "--src", folder), 0, size)
            shows(terminal, rf"^{lab[:2]} .*: PASS", r"^  learned +A scan", "^  compare",
                  rf"make diff LAB={lab[:2]}", "NOTES.md", r"^  next +0[25] ")
            if size == SIZES[0]:
                shows(terminal, r"^  learned", counts, r"^  think +1\.", r"^  compare")


def full_pass_fits_whatever_lab_it_is():
    for number, lab in enumerate(labs()):
        folder = hand_in(os.path.join(PLACE, "solved"), lab, solution(lab))
        terminal = run(grade("--lab", lab[:2], "--src", folder), 0, SIZES[number % 2])
        shows(terminal, rf"^{lab[:2]} .*: PASS", r"^  learned", r"^  compare", r"^  (next|more) ")


# ---- Ctrl-C, Ctrl-Z ------------------------------------------------------------------------------

def test_ctrl_c_while_a_lab_is_compiled():
    folder = hand_in(PLACE, "01_cpu_scan", SLOW_TO_COMPILE + solution("01_cpu_scan"))
    for presses in (1, 2):
        stopped_in("compiling", grade("--lab", "01", "--src", folder), presses)


def test_ctrl_c_while_a_lab_runs():
    folder = hand_in(PLACE, "01_cpu_scan", hangs_on_the_host())
    for presses in (1, 2):
        stopped_in(r"inclusive/\d", grade("--lab", "01", "--src", folder), presses, SIZES[1])


def test_ctrl_c_while_the_board_is_drawn():
    folder = hand_in(starters(), "01_cpu_scan", "oops\n")
    for lab in ("04_hillis_steele", "06_multi_block"):
        hand_in(folder, lab, SLOW_TO_COMPILE + solution(lab))
    terminal = stopped_in(r"^01 .*COMPILE_ERROR(.|\n)*^0[2-6] .* \d+%", grade("--src", folder),
                          wait=0)
    shows(terminal, r"^01 .*COMPILE_ERROR")


def test_ctrl_z_and_fg_go_on_with_a_lab():
    folder = hand_in(PLACE, "02_naive_reduction", solution("02_naive_reduction"))
    terminal = Terminal()
    terminal.start(grade("--lab", "02", "--src", folder), PLACE)
    waits_for(terminal, "compiling")
    terminal.press("\x1a")
    terminal.wait_until_stopped()
    time.sleep(0.5)
    terminal.fg()
    ends(terminal, 0)
    shows(terminal, r"02 Naive reduction.* PASS +100/100")


# ---- windows -------------------------------------------------------------------------------------

def full_window_made_narrower_while_a_lab_is_compiled():
    folder = hand_in(PLACE, "04_hillis_steele", SLOW_TO_COMPILE
                     + twin("04_hillis_steele", "barrier_before_read_missing")[0])
    terminal = Terminal()
    terminal.start(grade("--lab", "04", "--src", folder), PLACE)
    waits_for(terminal, "compiling")
    terminal.resize(60, 20)
    ends(terminal, 1)
    shows_what_fails(terminal, "04_hillis_steele", "RACE")


def oops():
    """A lab that is graded in no time: it does not compile."""
    folder = hand_in(PLACE, "01_cpu_scan", "oops\n")
    return grade("--lab", "01", "--src", folder)


def test_dumb_terminals_get_plain_lines():
    for kind in ("dumb", None, ""):
        terminal = run(oops(), 1, environment={"TERM": kind})
        shows(terminal, r"^01 .*COMPILE_ERROR", r"error:")
        check(terminal, b"\x1b" not in terminal.printed, "no escape sequence")
        check(terminal, b"\r" not in terminal.printed.replace(b"\r\n", b""),
              "no line is written over")


def test_no_color_is_honoured():
    terminal = run(oops(), 1, environment={"NO_COLOR": "1"})
    check(terminal, not re.search(rb"\x1b\[[0-9;]*m", terminal.printed), "no colour")
    check(terminal, b"\x1b[K" in terminal.printed, "a progress line all the same")
    terminal = run(oops(), 1)
    check(terminal, re.search(rb"\x1b\[[0-9;]*m", terminal.printed), "colour without it")


def test_closed_standard_output_harms_nothing():
    for closed in ((1,), (0, 1), (0, 1, 2)):
        terminal = run(oops(), 1, closed=closed)
        with open(os.path.join(PLACE, "out", "results.json")) as results:
            check(terminal, '"COMPILE_ERROR"' in results.read(), "results.json is whole")
        os.remove(os.path.join(PLACE, "out", "results.json"))
    solved = hand_in(PLACE, "01_cpu_scan", solution("01_cpu_scan"))
    run(grade("--lab", "01", "--src", solved), 0, closed=(0, 1))


# ---- hints, a class ------------------------------------------------------------------------------

def test_hints_fit_and_say_how_to_go_on():
    for size in SIZES:
        for lab in ("01", "04", "14"):
            for left in (2, 1):
                terminal = run(grade("hint", lab), 0, size)
                shows(terminal, rf"^Lab {lab},", r"Hint\s+\d\s+of\s+3", rf"{left} more hints?: make hint")
            terminal = run(grade("hint", lab, "again"), 0, size)
            shows(terminal, r"Hint\s+1\s+of\s+3", r"Hint\s+2\s+of\s+3")
        shutil.rmtree(os.path.join(PLACE, "out"))
        run(grade("hint"), 2, size)
        terminal = run(grade("hint", "01", "again"), 0, size)
        shows(terminal, "No hint of this lab was shown yet", "make hint LAB=01")


def test_lists_fit():
    for size in SIZES:
        terminal = run([GRADE, "--list"], 0, size, may_wrap=r"^ +labs/")
        check(terminal, "labs/01_cpu_scan/cpu_scan.cu" in terminal.everything(), "it lists lab 01")
        run([GRADE, "--list", "--lab", "14"], 0, size)
        terminal = run([GRADE, "--help"], 0, size)
        shows(terminal, r"Exit status: 0 all labs pass")
        terminal = run([GRADE, "--lab", "77"], 2, size)
        shows(terminal, r'there is no lab "77"', "22_histogram")


def a_class(**files):
    folder = os.path.join(PLACE, "class")
    for name, text in files.items():
        os.makedirs(os.path.join(folder, name), exist_ok=True)
        with open(os.path.join(folder, name, "cpu_scan.cu"), "w") as file:
            file.write(text)
    return folder


def full_class_is_shown_in_a_row_each():
    folder = a_class(ada=solution("01_cpu_scan"),
                     somebody_with_a_rather_long_name_that_does_not_fit="oops\n")
    for size in SIZES:
        terminal = run(grade("all", folder, "--lab", "01", "--unsafe"), 1, size)
        shows(terminal, r"1/2 +ada +100/100", r"2/2 +some\S+ +0/100.* 01\s+COMPILE_ERROR",
              r"2 submissions: 2 graded", "class.csv", "class.json")
        shutil.rmtree(os.path.join(PLACE, "out"))


def test_ctrl_c_while_a_class_is_graded():
    folder = a_class(ada=hangs_on_the_host(), bo=hangs_on_the_host())
    for size, presses in zip(SIZES, (1, 2)):
        # what was begun comes last
        terminal = stopped_in(r"0 of 2 done, at (ada|bo)",
                              grade("all", folder, "--lab", "01", "--unsafe"), presses, size)
        shows(terminal, r"stopped: 0 of 2 graded, and kept; the same command goes on")


# ---- simt ----------------------------------------------------------------------------------------

PROGRAMS = os.path.join(SOURCE, "common/simt/command/test")
KERNEL_NAME = "a_kernel_whose_name_says_at_great_length_what_it_is_for_and_more"
SLOW_KERNEL = ("#include <cstdio>\n__global__ void " + KERNEL_NAME + """(volatile int *at)
{
    while (*at >= 0) *at = *at / 2 + 1;
}
int main()
{
    int *at;
    cudaMalloc(&at, 4);
    cudaMemset(at, 0, 4);
    """ + KERNEL_NAME + """<<<1, 1>>>(at);
    return cudaDeviceSynchronize() != cudaSuccess;
}
""")


def source(name, text):
    with open(os.path.join(PLACE, name), "w") as file:
        file.write(text)
    return name


def simt_program(path):
    """What simt cc makes of it, without a terminal."""
    program = os.path.basename(path)[:-3]
    subprocess.run([SIMT, "cc", path, "-o", program], check=True, cwd=PLACE)
    return program


def test_simt_run_says_what_is_wrong():
    program = simt_program(os.path.join(PROGRAMS, "race.cu"))
    for size in SIZES:
        terminal = run([SIMT, "run", program], 1, size)
        shows(terminal, r"race in kernel smooth", r"seen", r"do +put a __syncthreads\(\)",
              r"1 finding in 1 launch of race")
    terminal = run([SIMT, "run", program], 1, environment={"TERM": "dumb"})
    check(terminal, b"\x1b" not in terminal.printed, "no escape sequence")
    terminal = run([SIMT, "run", program], 1, environment={"NO_COLOR": "1"})
    check(terminal, b"\x1b[" not in terminal.printed, "no colour")
    run([SIMT, "run", program], 1, closed=(1,))
    run([SIMT, "run", program], 1, closed=(0, 1, 2))


def full_simt_run_tells_of_many_seeds():
    program = simt_program(os.path.join(PROGRAMS, "race.cu"))
    for size in SIZES:
        terminal = run([SIMT, "run", "--seeds", "3", program], 1, size)
        shows(terminal, r"under 3 schedules", r"was\s+right\s+under\s+0")


def test_simt_trace_stats_and_disasm_end_with_the_programs_status():
    program = simt_program(os.path.join(PROGRAMS, "race.cu"))
    for size in SIZES:
        terminal = run([SIMT, "trace", "--count", "9", program], 0, size)
        shows(terminal, r"^0/0 +7 ffffffff ld\.global", r"9 instructions were shown", "simt run")
        terminal = run([SIMT, "stats", "--per-line", program], 0, size)
        shows(terminal, r"kernel smooth, race.cu", r"^ +9 +\d+")
    terminal = run([SIMT, "disasm", program], 0)
    check(terminal, "kernel _Z6smooth" in terminal.everything(), "it lists the kernel")


def test_simt_cc_shows_the_compilers_errors():
    path = source("wrong.cu", "__global__ void k(int *a) { a[0] = b; }\nint main() {}\n")
    for size in SIZES:
        terminal = run([SIMT, "cc", path, "-o", "/dev/null"], 1, size, may_wrap="error:")
        shows(terminal, r"error: use of undeclared identifier", "1 error generated")


def test_simt_says_how_it_is_used():
    for words, status, shown in ((["--help"], 0, "usage, 3 something is missing"),
                                 (["run", "--help"], 0, "usage, 3 something is missing"),
                                 (["trace", "--help"], 0, "usage, 3 something is missing"),
                                 (["stats", "--help"], 0, "usage, 3 something is missing"),
                                 (["disasm", "--help"], 0, "2 usage"),
                                 (["cc", "--help"], 0, "usage"),
                                 (["rum"], 2, "simt --help"), (["run"], 2, "simt run --help"),
                                 (["run", "--nothing"], 2, "simt run --help"),
                                 (["disasm"], 2, ""), (["cc"], 2, ""),
                                 (["run", "/nowhere/x"], 2, "/nowhere/x")):
        terminal = run([SIMT, *words], status)
        shows(terminal, shown)


def test_ctrl_c_while_simt_runs_a_kernel():
    program = simt_program(source("slow.cu", SLOW_KERNEL))
    terminal = stopped_in(r"simt: \d+ s: launch 1, 0 of 1 block ended, kernel",
                          [SIMT, "run", program], 1, SIZES[1], wait=1.2)
    shows(terminal, r"ended by signal 2 \(Interrupt\)")


def test_simt_says_how_far_many_short_launches_are():
    text = SLOW_KERNEL.replace("*at >= 0", "*at >= 0 && n-- > 0").replace("int *at)", "int *at, int n)")
    text = text.replace("<<<1, 1>>>(at);", "<<<64, 32>>>(at, 2000);")
    text = text.replace("    a_kernel", "    for (int k = 0; k < 400; k++) a_kernel")
    program = simt_program(source("short.cu", text))
    terminal = Terminal(*SIZES[0])
    terminal.start([SIMT, "run", "--checks", "none", program], PLACE)
    waits_for(terminal, r"^simt: \d+ s: launch \d\d+, \d+ of 64 blocks ended, kernel")
    terminal.press("\x03")
    ends(terminal, STOPPED, seconds=20)


def test_ctrl_c_while_simt_compiles():
    text = SLOW_TO_COMPILE.replace("D D D D", "D " * 16)    # longer than it is silent
    path = source("slow.cu", text + "__global__ void k(int *a) { *a = slow(*a, 1); }\n"
                  "int main() {}\n")
    for size in SIZES:
        terminal = stopped_in(r"simt: \d s: compiling", [SIMT, "cc", path, "-o", "slow"], 1, size)
        check(terminal, os.listdir(PLACE) == [path], f"nothing is left: {os.listdir(PLACE)}")


def test_ctrl_c_while_simt_tries_seeds():
    program = simt_program(source("slow.cu", SLOW_KERNEL))
    before = os.listdir(PLACE)
    terminal = Terminal(*SIZES[1])
    terminal.start([SIMT, "run", "--seeds", "5", program], PLACE)
    waits_for(terminal, r"^simt: \d+ s: slow, schedule 1 of 5")
    terminal.press("\x03")
    ends(terminal, STOPPED, seconds=20)
    check(terminal, os.listdir(PLACE) == before, f"nothing is left: {os.listdir(PLACE)}")


# ---- make demo-deadlock, make bench --------------------------------------------------------------

def step_through(command, size, where=PLACE, environment=None):
    """The demo, to its end: Enter goes on, and each step is one screen."""
    terminal = Terminal(*size)
    terminal.start(command, where, environment)
    waits_for(terminal, r"tools/demo/chained_scan\.cu[\s\S]*^Enter: static")
    terminal.press("\r")
    waits_for(terminal, r"^Static numbers[\s\S]*^Enter: dynamic")
    shows(terminal, r"DEADLOCK, proved", r"waits for", r"has\s+not\s+started")
    terminal.press("\r")
    ends(terminal, 0)
    shows(terminal, r"^Dynamic numbers", r"\. waiting to start +# running", r"blocks, \d in flight")
    check(terminal, not terminal.scrolled(), "each step is one screen")


def test_demo_shows_the_deadlock():
    for size in SIZES:
        for more in ([], ["--order=shuffled", "--resident=8", "--blocks=300"]):
            step_through([DEMO, *more], size)
    stopped_in(r"^Enter: static", [DEMO])
    terminal = run([DEMO], 0, environment={"TERM": "dumb"})
    check(terminal, b"\x1b" not in terminal.printed, "no escape sequence")
    run([DEMO, "--blocks=1"], 2)
    run([DEMO, "--timeline=" + os.path.join(PLACE, "t.csv")], 0, closed=(1,))
    with open(os.path.join(PLACE, "t.csv")) as file:
        check(Terminal(), file.readline() == "version,block,state,from,to\n", "the file is whole")


def test_bench_shows_its_rows():
    bench = os.path.join(BUILD, "common/simt/bench/simt_bench")
    for size in SIZES:
        terminal = run([bench, "-k", "reduce_sequential", "-n", "256", "-r", "1", "-o",
                        os.path.join(PLACE, "simt.csv")], 0, size)
        shows(terminal, r"kernel.*", r"^reduce_sequential +256 +off", r"written to .*simt\.csv")
    terminal = stopped_in(r"^block_hillis_steele", [bench, "-o", os.path.join(PLACE, "b.csv")], 1,
                          SIZES[1])
    check(terminal, not os.path.exists(os.path.join(PLACE, "b.csv")), "no file that is half written")


# ---- the front door: make and tools/, in a copy of them ------------------------------------------

def stand_in(path, text):
    path = os.path.join(PLACE, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.write("#!/bin/bash\n" + text)
    os.chmod(path, 0o755)


def a_front_door(set_up="exit 0\n"):
    """The Makefile and tools/ with the programs of the build; the grader writes only here."""
    kit = os.path.join(PLACE, "kit")
    os.makedirs(kit)
    shutil.copy(os.path.join(SOURCE, "Makefile"), kit)
    shutil.copytree(os.path.join(SOURCE, "tools"), os.path.join(kit, "tools"))
    stand_in("kit/build/grader/grade", f"exec {GRADE} \"$@\" --out {PLACE}/out\n")
    for name in ("simt", "demo/demo_deadlock", "common/simt/bench/simt_bench"):
        stand_in("kit/build/" + name, f"exec {BUILD}/{name} \"$@\"\n")
    if set_up:
        stand_in("kit/tools/setup", set_up)
    return kit


def front_make_shows_what_its_commands_show():
    kit = a_front_door()
    hand_in(os.path.join(kit, "right"), "01_cpu_scan", solution("01_cpu_scan"))
    hand_in(os.path.join(kit, "wrong"), "01_cpu_scan", "oops\n")
    for start, size, failed in (("make", SIZES[0], 2), ("tools/run", SIZES[1], 1)):
        for name, settings, status, shown in (
                ("grade", {"LAB": "01", "SRC": "right"}, 0, r"01 .*PASS +100/100"),
                ("grade", {"LAB": "01", "SRC": "wrong"}, failed, r"01 .*COMPILE_ERROR"),
                ("hint", {"LAB": "04"}, 0, r"Hint\s+\d\s+of\s+3"),
                ("hint", {}, 2, r"LAB="),
                ("simt", {}, 0, r"build/simt is ready"),
                ("test", {"FULL": "9"}, 2, r"FULL=9: "),
                ("help", {}, 0, r"make help ALL=1 says what each takes")):
            by_word = [f"{key}={value}" for key, value in settings.items()]
            terminal = run([start, name] + (by_word if start == "make" else []), status, size,
                           may_wrap="." if name == "help" else COMMANDS, where=kit,
                           environment={} if start == "make" else settings)
            shows(terminal, shown)
            check(terminal, "***" not in terminal.everything(), "no noise of make's own")
        step_through([start, "demo-deadlock"], size, kit)


def front_misspelt_words_are_answered_in_whole_words():
    kit = a_front_door()
    for size in SIZES:
        for words, shown in ((["graed"], r"there is no command 'graed'"),
                             (["grade", "LABZ=04"], r"unknown setting LABZ"),
                             (["grade", "lab=04"], r"in capital\s+letters: LAB=04"),
                             (["grade", "SHARD=1/2"], r"make grade takes no SHARD")):
            terminal = run(["make"] + words, 2, size, may_wrap=None, where=kit)
            shows(terminal, shown)


def front_ctrl_c_while_make_grades():
    kit = a_front_door()
    hand_in(os.path.join(kit, "slow"), "01_cpu_scan", SLOW_TO_COMPILE + solution("01_cpu_scan"))
    hand_in(os.path.join(kit, "hangs"), "01_cpu_scan", hangs_on_the_host())
    for pattern, command in ((r"compiling", ["make", "grade", "LAB=01", "SRC=slow"]),
                             (r"inclusive/0", ["make", "grade", "LAB=01", "SRC=hangs"]),
                             (r"simt: running for|kernel", ["make", "bench"])):
        stopped_in(pattern, command, where=kit)
    terminal = run(["make", "hint", "LAB=01"], 0, where=kit)
    check(terminal, "Waiting for" not in terminal.everything(), "the folder is free again")


def front_ctrl_c_while_the_kit_is_built():
    kit = a_front_door(set_up=None)
    stand_in("bin/ninja", "exit 0\n")
    stand_in("bin/cmake", """[ "$1" = --build ] || exit 0
for k in {1..300}; do
    echo "[$k/300] Building C object common/simt/machine/exec/CMakeFiles/alu.c.o"; sleep 0.1
done
""")
    path = os.path.join(PLACE, "bin") + ":" + os.environ["PATH"]
    for presses, command in ((1, ["make", "grade"]), (2, ["make", "grade"]), (1, ["tools/setup"])):
        terminal = stopped_in(r"building: \d+/300", command, presses, SIZES[1], where=kit,
                              environment={"PATH": path, "SCANLAB_HOLDS": None})
        check(terminal, "building:" not in terminal.screen(), "the progress line is gone")


def front_ctrl_c_while_tests_run_or_figures_are_drawn():
    kit = a_front_door()
    shutil.copytree(os.path.join(SOURCE, "plots"), os.path.join(kit, "plots"),
                    ignore=shutil.ignore_patterns("data", "test"))
    with open(os.path.join(kit, "build/CMakeCache.txt"), "w") as cache:
        cache.write("CMAKE_C_COMPILER:FILEPATH=true\n")
    stand_in("bin/ctest", """for k in {1..300}; do
    echo "$k/300 Test #$k: engine.a_test ........ Passed"; sleep 0.1
done
""")
    stand_in("bin/python", "exit 0\n")
    stand_in("kit/build/collect/collect_01", "sleep 60\n")
    environment = {"PATH": os.path.join(PLACE, "bin") + ":" + os.environ["PATH"],
                   "SCANLAB_PYTHON": os.path.join(PLACE, "bin/python"), "SCANLAB_HOLDS": None}
    for size in SIZES:
        terminal = stopped_in(r"testing: \d+/300", ["make", "test"], 1, size, where=kit,
                              environment=environment)
        check(terminal, "testing:" not in terminal.screen(), "the progress line is gone")
        stopped_in(r"1/1 01", ["make", "plots"], 1, size, where=kit, environment=environment)
    stand_in("kit/build/collect/collect_01", "exit 0\n")
    stand_in("kit/build/collect/picture", "exit 0\n")
    terminal = run(["make", "plots"], 0, SIZES[1], where=kit, environment=environment)
    shows(terminal, r"1/1 01", "Drawing")


def fresh_clone_shows_a_student_the_way():
    clone = os.path.join(PLACE, "clone")
    if subprocess.run(["git", "clone", "-q", SOURCE, clone], check=False).returncode:
        print("this is not a clone: not tested")
        sys.exit(77)
    fresh = {"where": clone, "environment": {"SCANLAB_HOLDS": None}}
    count, _ = all_numbers()
    stopped_in(r"building: \d+/", ["make", "grade"], 1, **fresh)
    for size in (SIZES[0], SIZES[1]) * 3:
        terminal = run(["make", "grade"], 2, size, seconds=500, **fresh)
        shows(terminal, rf"NOT_STARTED +0/{count}00", r"read +labs/01_cpu_scan/README\.md",
              r"then +make grade LAB=01")
    path = os.path.join(clone, "labs/01_cpu_scan/cpu_scan.cu")
    with open(path) as file:
        text = file.read()
    with open(path, "w") as file:       # what the README has a beginner write
        file.write(re.sub(r"(cpu_scan_inclusive\([^)]*\)\n\{\n)",
                          r"\1    for (int i = 0; i < n; i++)\n        out[i] = in[i];\n", text,
                          count=1))
    for size in SIZES:
        terminal = run(["make", "grade", "LAB=01"], 2, size, **fresh)
        shows(terminal, r"^01 inclusive: WRONG", r"cause +the output is the input",
              r"repeat +make grade LAB=01 CASE=inclusive/")
        terminal = run(["make", "hint", "LAB=01"], 0, size, **fresh)
        shows(terminal, r"last graded, inclusive ", r"Hint\s+\d\s+of\s+3", r"make hint LAB=01")
    terminal = Terminal()
    terminal.start(["make", "grade", "LAB=01"], **fresh)
    waits_for(terminal, r"^01 .* \d+%")
    terminal.press("\x1a")
    terminal.wait_until_stopped()
    terminal.fg()
    ends(terminal, 2)
    shutil.copy(os.path.join(clone, "solutions/01_cpu_scan/cpu_scan.cu"), path)
    terminal = run(["make", "grade", "LAB=01"], 0, **fresh)
    shows(terminal, r"^01 .*PASS +100/100", r"next +02 Naive reduction")
    for shown in ("is the starter again; yours is", "nothing to keep"):
        terminal = run(["make", "reset", "LAB=01"], 0, SIZES[1], **fresh)
        shows(terminal, shown)
    with open(path, "a") as file:
        file.write("// mine\n")
    terminal = run(["make", "reset", "ALL=1"], 0, **fresh)
    shows(terminal, "cpu_scan.cu is the starter again", "All labs are the starters")
    run(["make", "clean"], 0, **fresh)


# --------------------------------------------------------------------------------------------------

def main():
    known = {**vars(terminal_watch), **globals()}
    tests = [known[kind + NAME] for kind in ("test_", "full_", "front_", "fresh_")
             if kind + NAME in known]
    if not tests:
        print(__doc__)
        return 2
    try:
        for end in os.openpty():
            os.close(end)
    except OSError as none:
        print(f"this system gives no pseudo-terminal (/dev/pts): {none}; not tested")
        return 77
    try:
        tests[0]()
    except Wrong as wrong:
        print(f"not so: {wrong}\nrepeat: {os.path.dirname(__file__)}/terminal_test {BUILD} {SOURCE} {NAME}")
        return 1
    finally:
        shutil.rmtree(PLACE, ignore_errors=True)
    return 0


sys.exit(main())
