"""terminal_watch.py: tests of `make watch` at a terminal; run by terminal_tests.py, which see."""
import hashlib
import json
import os
import re
import shutil
import subprocess
import time

from terminal import Terminal
from terminal_steps import (GRADE, PLACE, SIZES, STOPPED, Wrong, check, ends, grade, hand_in,
                            hangs_on_the_host, labs, run, shows, solution, starters, twin,
                            waits_for)

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
