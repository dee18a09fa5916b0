"""terminal_tests.py BUILD SOURCE NAME: one test of what a person sees at a terminal.

BUILD: a build of the kit; SOURCE: its folder. Exit status: 0 right, 1 wrong, with the last screen
and how to repeat it, 2 usage. CTest takes these functions as terminal.NAME:

    test_NAME   quick, with every build
    full_NAME   labelled full
    front_NAME  of the front door, make and tools/; quick, not with the builds of sanitizers
    fresh_NAME  of the front door in a fresh clone, which is built; labelled full
"""
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from terminal import Terminal

BUILD, SOURCE, NAME = (sys.argv[1:] + ["", "", ""])[:3]
SIZES = ((80, 24), (60, 20))
STOPPED = 128 + signal.SIGINT       # docs/grading.md, "Exit status"
COMMANDS = r"^ +(repeat|restore|hint|then|more) |^make |build/log|make grade"   # to copy: kept whole
PLACE = tempfile.mkdtemp(prefix="scanlab-terminal-")
GRADE, SIMT, DEMO = (os.path.join(BUILD, name)
                     for name in ("grader/grade", "simt", "demo/demo_deadlock"))


class Wrong(Exception):
    pass


# ---- what is expected ----------------------------------------------------------------------------

def check(terminal, so, what):
    if not so:
        terminal.show()
        raise Wrong(what)


def ends(terminal, status, may_wrap=COMMANDS, seconds=120):
    """It ends with this status, and does nothing that no command may do."""
    try:
        got = terminal.end(seconds)
    except AssertionError as late:
        check(terminal, False, str(late))
    check(terminal, got == status, f"exit status {status} (it is {got})")
    faults = terminal.faults(may_wrap)
    check(terminal, not faults, "\n  ".join(faults))


def shows(terminal, *patterns):
    """The last screen shows them, in this order."""
    at, text = 0, terminal.screen()
    for pattern in patterns:
        found = re.compile(pattern, re.M).search(text, at)
        check(terminal, found, f"the last screen shows /{pattern}/"
              + (" below what comes before" if at else ""))
        at = found.end()


def waits_for(terminal, pattern, seconds=60):
    try:
        terminal.wait_for(pattern, seconds)
    except AssertionError as late:
        check(terminal, False, str(late))


def run(command, status, size=SIZES[0], may_wrap=COMMANDS, seconds=120, **more):
    terminal = Terminal(*size)
    terminal.start(command, **{"where": PLACE, **more})
    ends(terminal, status, may_wrap, seconds)
    return terminal


# ---- what is graded ------------------------------------------------------------------------------

SLOW_TO_COMPILE = ("#define A x = x * 3 + k; k ^= x;\n"
                   "#define B A A A A A A A A A A\n#define C B B B B B B B B B B\n"
                   "#define D C C C C C C C C C C\n"
                   "__host__ __device__ int slow(int x, int k) { D D D D return x; }\n")


def labs():
    """Those that count; a bonus does not."""
    folder = os.path.join(SOURCE, "labs")
    for lab in sorted(os.listdir(folder)):
        if os.path.exists(os.path.join(folder, lab, "grading", "lab.c")):
            with open(os.path.join(folder, lab, "grading", "lab.c")) as text:
                if ".bonus = true" not in text.read():
                    yield lab


def all_numbers():
    """The labs' count and the number of the last one."""
    every = list(labs())
    return len(every), every[-1][:2]


def starters():
    """A folder with the labs' starters."""
    folder = os.path.join(PLACE, "work")
    for lab in labs():
        name = f"labs/{lab}/{lab[3:]}.cu"
        told = subprocess.run(["git", "-C", SOURCE, "show", "HEAD:" + name], text=True,
                              capture_output=True, check=False)
        if told.returncode == 0:        # else not a clone; and there it may be a student's
            hand_in(folder, lab, told.stdout)
        else:
            shutil.copytree(os.path.join(SOURCE, "labs", lab), os.path.join(folder, lab))
    return folder


def solution(lab):
    with open(os.path.join(SOURCE, "solutions", lab, lab[3:] + ".cu")) as text:
        return text.read()


def hand_in(folder, lab, text):
    os.makedirs(os.path.join(folder, lab), exist_ok=True)
    with open(os.path.join(folder, lab, lab[3:] + ".cu"), "w") as file:
        file.write(text)
    return folder


def twin(lab, name):
    """The solution with the edits of a wrong twin, and the verdict that it must get."""
    with open(os.path.join(SOURCE, "grader/test/twins", lab, name + ".twin")) as file:
        text = file.read()
    verdict = re.match(r"// expect: (\w+)", text).group(1)
    changed = solution(lab)
    for old, new in re.findall(r"^<<<<\n(.*?)^====\n(.*?)^>>>>$", text, re.M | re.S):
        assert changed.count(old) == 1, f"twin {name} of {lab}: {old!r}"
        changed = changed.replace(old, new)
    return changed, verdict


def hangs_on_the_host():
    return re.sub(r"(\nvoid \w+\([^)]*\)\n\{\n)", r"\1    for (volatile int k = 1; k;) {}\n",
                  solution("01_cpu_scan"), count=1)


def grade(*words):
    return [GRADE, *words, "--out", os.path.join(PLACE, "out")]


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


# ---- make watch ----------------------------------------------------------------------------------

WATCHED = "02_naive_reduction"
FILE = os.path.join("watched", WATCHED, "naive_reduction.cu")


def watch(*words, size=SIZES[0], text=None):
    """On a folder with one lab; log() has what it did."""
    hand_in(os.path.join(PLACE, "watched"), WATCHED, text or solution(WATCHED))
    terminal = Terminal(*size)
    terminal.start([GRADE, "watch", *words, "--src", "watched", "--out", "out", "--log", "log"],
                   PLACE)
    return terminal


def save(text, by_rename=False):
    path = os.path.join(PLACE, FILE)
    with open(path + "~" if by_rename else path, "w") as file:
        file.write(text)
    if by_rename:
        os.rename(path + "~", path)


def log(what):
    """The verdicts that it has logged at a save, a first verdict or an end."""
    with open(os.path.join(PLACE, "log")) as lines:
        return [line.split()[-1] for line in lines if line.split()[1] == what]


def quits(terminal, status=0, key="q"):
    terminal.press(key)
    ends(terminal, status, seconds=20)


def test_watch_shows_what_to_mend_and_goes_on_when_it_is_saved():
    wrong, verdict = twin(WATCHED, "missing_barrier")
    for size in SIZES:
        terminal = watch("02", size=size, text=wrong)
        waits_for(terminal, verdict + r" \d+/100")
        terminal.settle()
        shows(terminal, rf"^02 .*{verdict}", r"^  where ", r"^  seen ", r"^  do ", r"^h hint")
        check(terminal, "  repeat " not in terminal.screen(), "a save repeats it")
        for key, expected in (("h", r"Hint\s+1\s+of\s+3"), ("h", r"Hint\s+2\s+of\s+3"),
                              ("s", r"^> +\d+ "), ("a", rf"^02 .*{verdict}"),
                              ("g", r"no part has passed yet|warp instructions"),
                              ("x", rf"^02 .*{verdict}"), ("n", r"03 Divergence"),
                              ("p", r"02 Naive(.|\n)*" + verdict + r" \d+/100"),
                              ("h", r"Hint\s+2\s+of\s+3"), ("h", r"Hint\s+3\s+of\s+3"),
                              ("x", rf"^02 .*{verdict}")):
            terminal.press(key)
            waits_for(terminal, expected + r"(.|\n)*" + (r"^another key: back  h hint.*q quit"
                                                        if key in "hsag" else r"^h hint.*q quit"))
        save(solution(WATCHED))
        waits_for(terminal, r"PASS 100/100")
        terminal.settle()
        shows(terminal, r"^  learned +A tree", r"^  (counts|think)", r"make diff LAB=02",
              r"^  next +03 ")
        terminal.press("g")
        waits_for(terminal, r"yours +solution +limit")
        quits(terminal)
        shows(terminal, r"^Solved now, and learned", r"^02 Naive", r"^  next +03 ")
        shutil.rmtree(os.path.join(PLACE, "out"))


def test_watch_shows_a_finding_whole_where_a_shorter_one_stood():
    short, verdict = twin(WATCHED, "first_step_missing")
    long, found = twin(WATCHED, "missing_barrier")
    for size in SIZES:
        terminal = watch("02", size=size, text=short)
        waits_for(terminal, verdict + r" \d+/100")
        terminal.settle()
        save(long)
        waits_for(terminal, found + r" \d+/100")
        terminal.settle()
        shows(terminal, r"^  case ", r"^  where ", r"^ +\| s_sum", r"^  seen +race: ", r"^  do ",
              r"^  so far ", r"^h hint")
        quits(terminal)
        shutil.rmtree(os.path.join(PLACE, "out"))


def test_watch_opens_the_source_at_the_todo_that_is_next():
    with open(os.path.join(starters(), WATCHED, "naive_reduction.cu")) as file:
        starter = file.read()
    last = "void reduce_naive_total"
    terminal = watch("02", text=starter)
    waits_for(terminal, r"NOT_STARTED 0/100")
    terminal.press("a")
    waits_for(terminal, r"^another key: back(.|\n)*")
    check(terminal, "Nothing fails" not in terminal.screen(), "nothing has run")
    terminal.press("s")
    waits_for(terminal, r"^> +\d+ .*TODO 1")
    save(solution(WATCHED).split(last)[0] + last + starter.split(last)[1])
    waits_for(terminal, r"UNFINISHED 60/100(.|\n)*next: TODO 4")
    terminal.press("a")
    waits_for(terminal, r"^What is written is correct; the rest is not started\.")
    terminal.press("s")
    waits_for(terminal, r"^> +\d+ .*TODO 4")
    quits(terminal)


def test_watch_says_that_nothing_else_fails():
    wrong, verdict = twin(WATCHED, "first_sum_taken_for_the_total")     # one part of two
    terminal = watch("02", text=wrong)
    waits_for(terminal, verdict + r" \d+/100")
    terminal.press("a")
    waits_for(terminal, r"^Nothing else fails\.")
    quits(terminal)


def test_line_of_source_is_cut_in_a_finding_and_whole_on_its_page():
    more = " // " + "and so on " * 9 + "to_the_end"
    wrong = twin(WATCHED, "every_thread_stores")[0].replace("[blockIdx.x] = s_sum[0];",
                                                            "[blockIdx.x] = s_sum[0];" + more)
    for size in SIZES:
        terminal = watch("02", size=size, text=wrong)
        waits_for(terminal, r"RACE \d+/100(.|\n)*^ +\| .*…$")
        terminal.press("s")
        waits_for(terminal, r"^> +\d+ .*s_sum\[0\];(.|\n)*^ {11,}.*to_the_end")
        check(terminal, "…" not in terminal.screen(), "nothing is cut")
        quits(terminal)
    terminal = run([GRADE, "--lab", "02", "--src", "watched", "--out", "out"], 1)
    shows(terminal, r"^ +\| .*…$")


def test_watch_says_of_a_file_that_does_not_compile_that_there_is_nothing_else():
    terminal = watch("02", text="oops\n")
    waits_for(terminal, r"COMPILE_ERROR \d+/100")
    terminal.press("a")
    waits_for(terminal, r"error:(.|\n)*^Nothing else can be said until it compiles\.")
    quits(terminal)


def test_watch_names_no_single_cases_as_they_pass():
    terminal = watch("02")
    seen = set()
    while not any("PASS" in row for row in seen):
        terminal.settle(0.02)
        seen.update(terminal.rows()[:1])
    named = [row for row in seen if re.search(r"[a-z]/\d", row)]
    check(terminal, len(seen) > 2 and not named, f"parts alone are named: {named}")
    quits(terminal)


def test_watch_shows_the_title_whole_where_a_part_has_a_long_name():
    lab = "03_divergence_free_reduction"
    hand_in(os.path.join(PLACE, "watched"), lab, solution(lab))
    terminal = watch("03", size=SIZES[1])
    seen = set()
    while not any("PASS" in row for row in seen):
        terminal.settle(0.02)
        seen.update(terminal.rows()[:1])
    cut = [row for row in seen if row.strip() and "03 Divergence-free reduction " not in row]
    check(terminal, any("correct so far" in row for row in seen) and not cut, f"cut: {cut}")
    quits(terminal)


def test_watch_says_soon_that_a_case_does_not_end():
    global WATCHED, FILE
    WATCHED, FILE = "01_cpu_scan", os.path.join("watched", "01_cpu_scan", "cpu_scan.cu")
    for size in SIZES:
        terminal = watch("01", size=size, text=hangs_on_the_host())
        waits_for(terminal, r"^  waits +inclusive/\d+ has not returned for [3-6] s:"
                            r"(.|\n)*does\s+each\s+loop", 30)
        check(terminal, "TIMEOUT" not in terminal.screen(), "it says so while the case runs")
        waits_for(terminal, r"TIMEOUT(.|\n)*had\s+not\s+returned\s+after", 170)
        check(terminal, "has not returned for" not in terminal.screen(), "and then no more")
        quits(terminal)
        shutil.rmtree(os.path.join(PLACE, "out"))


def test_what_a_page_of_pass_leaves_out_is_named():
    """Lab 04 has more questions than 60x20 has room for."""
    folder = hand_in(os.path.join(PLACE, "solved"), "04_hillis_steele", solution("04_hillis_steele"))
    terminal = run(grade("--lab", "04", "--src", folder), 0, SIZES[1])
    shows(terminal, r"^  learned", r"^  think +2 questions: labs/04_hillis_steele/README",
          r"^  compare", r"^  next ")
    terminal = run(grade("--lab", "04", "--src", folder), 0, (80, 24))
    shows(terminal, r"^  think +1\.", "1 more question: labs/04_hillis_steele/README")


def test_watch_lists_limits_that_are_missed_or_taught_and_counts_the_others():
    wrong, _ = twin("04_hillis_steele", "every_thread_adds")
    global WATCHED, FILE
    WATCHED, FILE = "04_hillis_steele", os.path.join("watched", "04_hillis_steele",
                                                     "hillis_steele.cu")
    terminal = watch("04", text=wrong)
    waits_for(terminal, r"OVER_BUDGET \d+/100$")
    terminal.press("g")
    waits_for(terminal, r"^  missed +additions(.|\n)*^  kept +\d+ more")
    save(solution(WATCHED))
    waits_for(terminal, r"PASS 100/100$")
    terminal.press("g")
    waits_for(terminal, r"yours +solution +limit(.|\n)*additions: (.|\n)*^  kept +\d+ more")
    quits(terminal)


def test_status_shows_titles_as_long_as_there_is_room():
    folder = starters()
    terminal = run(grade("status", "--src", folder), 0)
    shows(terminal, r"^01 Sequential scan on the C… +not begun +13 Warp sort and transpose +not",
          r"^03 Divergence-free reduction not begun")
    hand_in(folder, "02_naive_reduction", "oops\n")
    run(grade("--lab", "02", "--src", folder), 1)
    for size in SIZES:
        terminal = run(grade("status", "--src", folder), 0, size)
        shows(terminal, r"^02 Naive.*COMPILE_ERROR", r"^  next ")


def test_watch_does_not_grade_again_what_has_passed():
    terminal = watch("02")
    waits_for(terminal, r"PASS 100/100$")
    for key, expected in (("n", "^ 03 Divergence"), ("p", r"PASS 100/100, as before(.|\n)*learned"),
                          ("g", "Save it, and it is counted again")):
        terminal.press(key)
        waits_for(terminal, expected)
    check(terminal, log("done") == ["PASS"], f"it is graded once: {log('done')}")
    save(solution(WATCHED))
    waits_for(terminal, r"PASS 100/100$")
    terminal.press("g")
    waits_for(terminal, r"yours +solution +limit")
    terminal.press("n")
    waits_for(terminal, "^ 03 Divergence")
    save(solution(WATCHED) + "// more\n")   # another file than the one that passed
    waits_for(terminal, r"^ 02 Naive.*PASS 100/100$")
    check(terminal, log("done") == ["PASS"] * 3, f"it is graded thrice: {log('done')}")
    quits(terminal)


def test_watch_sees_every_way_to_save():
    right, wrong = solution(WATCHED), twin(WATCHED, "missing_barrier")[0]
    terminal = watch("02")
    waits_for(terminal, "PASS 100/100")
    save(wrong, by_rename=True)
    waits_for(terminal, r"RACE \d+/100")
    save(right[:700])                       # half of it, in two steps
    time.sleep(0.01)
    save(right)
    waits_for(terminal, "PASS 100/100")
    with open(os.path.join(PLACE, FILE), "w") as file:      # half of it, and the file stays open
        file.write(wrong[:700])
        file.flush()
        time.sleep(0.2)
        file.write(wrong[700:])
    waits_for(terminal, r"RACE \d+/100")
    check(terminal, log("done") == ["PASS", "RACE", "PASS", "RACE"], f"no half file: {log('done')}")
    save(right)                             # one save after the other: the last one counts
    time.sleep(0.4)
    save(wrong + "\n")
    time.sleep(0.4)
    save(right + "\n", by_rename=True)
    waits_for(terminal, "PASS 100/100")
    before = len(log("save"))
    save(right + "\n")                      # the same again
    terminal.press("s")
    waits_for(terminal, r"^ +1  /\*")
    os.remove(os.path.join(PLACE, FILE))    # and gone, and back
    waits_for(terminal, "No such file")
    save("oops\n")
    waits_for(terminal, "COMPILE_ERROR")
    check(terminal, len(log("save")) == before + 1, "what is the same is not graded again")
    quits(terminal)


def test_watch_goes_on_where_a_folder_is_made_anew():
    folder = os.path.dirname(os.path.join(PLACE, FILE))
    right, wrong = solution(WATCHED), twin(WATCHED, "missing_barrier")[0]
    terminal = watch("02")
    waits_for(terminal, "PASS 100/100")
    os.rename(folder, folder + ".old")      # as a checkout does, or an archive unpacked again
    os.mkdir(folder)
    save(wrong)
    waits_for(terminal, r"RACE \d+/100")
    with open(os.path.join(folder + ".old", os.path.basename(FILE)), "w") as file:
        file.write("oops\n")                # nobody's any more
    save(right)
    waits_for(terminal, "PASS 100/100")
    shutil.rmtree(folder)
    time.sleep(0.7)                         # longer than watch waits before it looks again
    os.mkdir(folder)
    save(wrong)
    waits_for(terminal, r"RACE \d+/100")
    check(terminal, log("done") == ["PASS", "RACE", "PASS", "RACE"], f"no more: {log('done')}")
    quits(terminal)


def solution_hint(terminal):
    """The words of the hint on the screen; None: those that make hint shows."""
    if terminal:
        terminal.settle()
        text = terminal.screen()
    else:
        text = subprocess.run(grade("hint", "02", "1"), capture_output=True, text=True,
                              check=False).stdout
    return re.search(r"question:\s(.*?)\s+2 more", text, re.S).group(1).split()


def test_watch_fits_when_the_window_changes_and_after_ctrl_z():
    terminal = watch("02", text=twin(WATCHED, "missing_barrier")[0])
    waits_for(terminal, r"RACE \d+/100")
    for size in (SIZES[1], (40, 10), (100, 40), SIZES[1]):
        terminal.resize(*size)
        waits_for(terminal, r"^ 02 Naive(.|\n)*^h hint.*$")
        terminal.settle()
        check(terminal, terminal.rows()[-1].startswith("h hint") and
              len(terminal.rows()) == size[1], "it fills the window")
    terminal.resize(*SIZES[0])
    terminal.press("h")
    waits_for(terminal, r"Hint 1 of 3")
    terminal.settle()
    terminal.resize(*SIZES[1])      # the same hint, in narrower lines, whole
    waits_for(terminal, r"Hint 1 of 3(.|\n)*2 more hints: h")
    check(terminal, solution_hint(terminal) == solution_hint(None), "the hint is whole")
    terminal.resize(*SIZES[0])
    terminal.press("h")             # the one before stands below
    waits_for(terminal, r"Hint 2 of 3(.|\n)*1 more hint: h(.|\n)*Hint 1 of 3")
    terminal.press("\x1a")
    terminal.wait_until_stopped()
    terminal.fg()
    terminal.press("s")
    waits_for(terminal, r"^> +\d+ ")
    quits(terminal, STOPPED, "\x03")


def test_watch_begins_where_one_was():
    hand_in(os.path.join(PLACE, "watched"), "03_divergence_free_reduction", "oops\n")
    terminal = watch("02")
    waits_for(terminal, "PASS 100/100")
    quits(terminal)
    terminal = watch()                      # the next that is not solved
    waits_for(terminal, "^ 03 Divergence(.|\n)*COMPILE_ERROR")
    save("oops\n")                          # another lab's file: there it goes on
    waits_for(terminal, "^ 02 Naive(.|\n)*COMPILE_ERROR")
    quits(terminal)
    terminal = watch(text="oops\n")
    waits_for(terminal, "^ 02 Naive(.|\n)*COMPILE_ERROR")
    quits(terminal)


def a_record_of(lab):
    """As if the lab's solution had been graded."""
    path = os.path.join(PLACE, "watched", lab, lab[3:] + ".cu")
    with open(path, "rb") as file:
        content = hashlib.sha256(file.read()).hexdigest()
    name = hashlib.sha256(os.path.realpath(path).encode()).hexdigest()[:16]
    os.makedirs(os.path.join(PLACE, "out", "record"), exist_ok=True)
    with open(os.path.join(PLACE, "out", "record", f"{lab}.{name}"), "w") as file:
        json.dump({"verdict": "PASS", "points": 100, "content": content, "solved": True,
                   "part": "", "n": 0, "seed": 0, "schedule": 0}, file)


def test_watch_ends_with_what_one_can_do_now():
    for lab in labs():
        hand_in(os.path.join(PLACE, "watched"), lab, solution(lab))
        if lab != WATCHED:
            a_record_of(lab)
    terminal = watch()
    waits_for(terminal, "^ 02 (.|\n)*PASS 100/100")
    terminal.settle()
    terminal.press(" ")
    waits_for(terminal, r"^  now +scan and reduce(.|\n)*^  more +bonus labs")
    quits(terminal)
    shows(terminal, r"^All labs pass", r"^  now ", r"^  more +bonus labs")
    terminal = run([GRADE, "status", "--src", "watched", "--out", "out"], 0)
    shows(terminal, "24 of 24 labs pass, 2400 of 2400", r"^  next +all labs pass")


def test_watch_draws_on_terminals_of_other_names():
    for kind in ("vt100", "xterm-somebody-elses"):
        hand_in(os.path.join(PLACE, "watched"), WATCHED, "oops\n")
        terminal = Terminal()
        terminal.start([GRADE, "watch", "02", "--src", "watched", "--out", "out"], PLACE,
                       {"TERM": kind})
        waits_for(terminal, "^ 02 Naive(.|\n)*COMPILE_ERROR(.|\n)*^h hint")
        quits(terminal)


def test_watch_is_refused_without_a_terminal():
    hand_in(os.path.join(PLACE, "watched"), WATCHED, "oops\n")
    told = subprocess.run([GRADE, "watch", "--src", "watched"], cwd=PLACE, capture_output=True,
                          text=True, stdin=subprocess.DEVNULL, check=False)
    if told.returncode != 3 or "watch needs a terminal" not in told.stderr:
        raise Wrong(f"it is refused with a word: {told}")
    terminal = run([GRADE, "watch", "--src", "watched"], 3, environment={"TERM": "dumb"})
    shows(terminal, "TERM=dumb has none")


# ---- Ctrl-C, Ctrl-Z ------------------------------------------------------------------------------

def stopped_in(pattern, command, presses=1, size=SIZES[0], wait=0.3, **more):
    """Ctrl-C once the screen shows the pattern."""
    for _ in range(5):
        terminal = Terminal(*size)
        terminal.start(command, **{"where": PLACE, **more})
        waits_for(terminal, pattern)
        time.sleep(wait)
        for _ in range(presses):
            terminal.press("\x03")
            time.sleep(0.05)
        if command[0] != "make" or not make_is_confused(terminal):
            ends(terminal, STOPPED, seconds=60)
            return terminal
    raise Wrong("make exits with 130 at least once")


def make_is_confused(terminal):
    """Once in twenty times GNU make 4.3 hears of Ctrl-C between the end of its child and its own
    note of that, waits for a child that it no longer has, and exits with 2; whatever it runs."""
    terminal.end(60)
    return "make: *** wait: No child processes" in terminal.everything()


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
    tests = [globals()[kind + NAME] for kind in ("test_", "full_", "front_", "fresh_")
             if kind + NAME in globals()]
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
