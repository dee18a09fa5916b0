"""terminal_steps.py: what the tests at a terminal stand on: what they expect of one, and what they
have graded. For inclusion by a program whose arguments are terminal_tests.py's.
"""
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
