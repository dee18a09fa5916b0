"""terminal.py: a terminal for tests. Runs a command as a person would, and keeps what is seen.

A Terminal stands for the window and for the shell in it: the command gets a pseudo-terminal of its
own and runs there as a job in the foreground, so that Ctrl-C, Ctrl-Z and fg work as they do at a
desk. pyte draws what the command prints: screen() is what stands there at the end, above the
shell's prompt.

    t = Terminal(60, 20)
    t.start(["build/grader/grade", "--lab", "04"])
    t.wait_for("compiling")
    t.press("\\x03")
    status = t.end()        # as a shell has it in $?: 128 and more after a signal

Nothing is judged here but what is true of every command: see faults(). Python's standard library,
and pyte (Debian: python3-pyte).
"""
import ctypes
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import sys
import termios
import time

import pyte

PROMPT = "$ "
CRASH = re.compile(r"Segmentation fault|Aborted|core dumped|Bus error|Sanitizer|runtime error:|"
                   r"stack smashing|Traceback|assertion|Assertion .* failed")
SET_CHILD_SUBREAPER = 36


class Stream(pyte.ByteStream):
    """Knows two sequences of xterm's more, by which ncurses moves a few rows."""
    csi = {**pyte.ByteStream.csi, "S": "scroll_up", "T": "scroll_down"}


class Window(pyte.HistoryScreen):
    """A screen that also knows which lines ran into its right edge and went on in the next row."""

    def __init__(self, columns, lines):
        super().__init__(columns, lines, history=20000, ratio=0.5)
        self.wrapped = []

    def draw(self, data):
        for letter in data:
            if self.cursor.x == self.columns:
                self.wrapped.append(row_text(self.buffer[self.cursor.y], self.columns) + letter)
            super().draw(letter)

    def scroll_up(self, count=1):
        self._at_the_top(self.delete_lines, count)

    def scroll_down(self, count=1):
        self._at_the_top(self.insert_lines, count)

    def _at_the_top(self, change, count):
        """Of the rows that scroll; the cursor stays."""
        x, y = self.cursor.x, self.cursor.y
        self.cursor.y = self.margins.top if self.margins else 0
        change(count or 1)
        self.cursor.x, self.cursor.y = x, y


def row_text(row, columns):
    return "".join(row[x].data for x in range(columns)).rstrip()


# ---- the shell: the child of the test, and the parent of the command -----------------------------

def to_foreground(group):
    signal.signal(signal.SIGTTOU, signal.SIG_IGN)
    os.tcsetpgrp(0, group)


def start_job(command, where, environment, closed):
    """The command, in a process group of its own, which gets the terminal."""
    job = os.fork()
    if job == 0:
        os.setpgid(0, 0)
        to_foreground(os.getpid())
        for number in (signal.SIGTTOU, signal.SIGINT, signal.SIGPIPE, signal.SIGXFSZ):
            signal.signal(number, signal.SIG_DFL)
        for descriptor in closed:
            os.close(descriptor)
        os.chdir(where)
        try:
            os.execvpe(command[0], command, environment)
        except OSError as error:
            os.write(2, f"{command[0]}: {error}\n".encode())
        os._exit(127)
    try:
        os.setpgid(job, job)
    except PermissionError:
        pass    # it has done so itself, and is another program by now
    return job


def left_behind():
    """The command lines of what still runs. Orphans come to the shell, which has no other child."""
    names = []
    for _ in range(40):     # what was killed needs a moment to go
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return []
        time.sleep(0.05)
    with open(f"/proc/self/task/{os.getpid()}/children") as children:
        for child in children.read().split():
            with open(f"/proc/{child}/cmdline") as words:
                names.append(words.read().replace("\0", " ").strip() or child)
            os.kill(int(child), signal.SIGKILL)
    return names


def shell(command, where, environment, closed, orders, reports):
    """Runs one command; "fg" is what it can be ordered. Ends with a prompt, and a last report."""
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    usual = termios.tcgetattr(0)
    usual[3] &= ~termios.ECHOCTL    # "^C" is the terminal's word, not the command's
    termios.tcsetattr(0, termios.TCSADRAIN, usual)
    job = start_job(command, where, environment, closed)
    while True:
        status = os.waitpid(job, os.WUNTRACED)[1]
        if not os.WIFSTOPPED(status):
            break
        to_foreground(os.getpid())
        os.write(1, PROMPT.encode())
        os.write(reports, b'{"stopped": true}\n')
        os.read(orders, 3)
        os.write(1, b"\r\n")
        to_foreground(job)
        os.killpg(job, signal.SIGCONT)
    to_foreground(os.getpid())
    modes_kept = termios.tcgetattr(0)[:6] == usual[:6]
    os.write(1, PROMPT.encode())
    left = left_behind()
    os.write(reports, json.dumps({"status": os.waitstatus_to_exitcode(status), "left": left,
                                  "modes_kept": modes_kept}).encode() + b"\n")
    os.read(orders, 3)
    os._exit(0)


# ---- the terminal --------------------------------------------------------------------------------

def usual_environment(changes):
    """What a person's shell has, as far as the kit looks at it; None takes a variable away."""
    names = ("PATH", "HOME", "TMPDIR", "SCANLAB_HOLDS", "SCANLAB_SANDBOX", "ASAN_OPTIONS")
    environment = {name: os.environ[name] for name in names if name in os.environ}
    environment.update(TERM="xterm-256color", LANG="C.UTF-8")
    environment.update(changes)
    return {name: value for name, value in environment.items() if value is not None}


class Terminal:
    def __init__(self, columns=80, lines=24):
        self.window = Window(columns, lines)
        self.stream = Stream(self.window)
        self.printed = b""
        self.said = {}
        self.command = []
        self.ended = False

    def start(self, command, where, environment=None, closed=()):
        self.command = [str(word) for word in command]
        orders, self.orders = os.pipe()
        self.reports, reports = os.pipe()
        self.child, self.terminal = pty.fork()
        if self.child == 0:
            os.close(self.orders)
            os.close(self.reports)
            self._set_size(0)
            try:
                shell(self.command, where, usual_environment(environment or {}), closed, orders,
                      reports)
            finally:
                os._exit(126)
        os.close(orders)
        os.close(reports)

    def _set_size(self, descriptor):
        fcntl.ioctl(descriptor, termios.TIOCSWINSZ,
                    struct.pack("HHHH", self.window.lines, self.window.columns, 0, 0))

    def resize(self, columns, lines):
        self.window.resize(lines, columns)
        self.window.cursor.x = min(self.window.cursor.x, columns - 1)
        self._set_size(self.terminal)      # the kernel sends SIGWINCH

    def press(self, keys):
        os.write(self.terminal, keys.encode())

    def fg(self):
        self.said = {}
        os.write(self.orders, b"fg\n")

    def _take(self, seconds):
        ready, _, _ = select.select([self.terminal, self.reports], [], [], seconds)
        if self.terminal in ready:
            try:
                part = os.read(self.terminal, 65536)
            except OSError:
                part = b""
            self.printed += part
            self.stream.feed(part)
        elif self.reports in ready:
            line = os.read(self.reports, 65536)
            self.said = json.loads(line.decode().splitlines()[-1]) if line else {"status": None}

    def _wait(self, done, seconds, what):
        until = time.monotonic() + seconds
        while not done():
            if time.monotonic() > until or "status" in self.said and not done():
                raise AssertionError(f"{what} within {seconds:g} s")
            self._take(0.05)

    def wait_for(self, pattern, seconds=60):
        """Until the screen shows it."""
        self._wait(lambda: re.search(pattern, "\n".join(self.rows()), re.M), seconds,
                   f"the screen does not show /{pattern}/")

    def settle(self, seconds=0.3):
        """Until nothing more is printed for a moment."""
        before = -1
        while before != len(self.printed):
            before = len(self.printed)
            self._take(seconds)

    def wait_until_stopped(self, seconds=20):
        self._wait(lambda: self.said.get("stopped"), seconds, "Ctrl-Z does not stop it")

    def end(self, seconds=120):
        """Waits for its end. Its status, as a shell has it in $?."""
        if self.ended:
            return self.status()
        self.ended = True
        try:
            self._wait(lambda: "status" in self.said, seconds, "it does not end")
            while select.select([self.terminal], [], [], 0)[0]:
                self._take(0)
            os.write(self.orders, b"end")
        except AssertionError:
            os.killpg(os.tcgetpgrp(self.terminal), signal.SIGKILL)
            os.kill(self.child, signal.SIGKILL)
            raise
        finally:
            os.waitpid(self.child, 0)
            os.close(self.terminal)
        return self.status()

    def status(self):
        status = self.said.get("status")
        return 128 - status if status is not None and status < 0 else status

    # ---- what was seen ----

    def rows(self):
        """The screen's rows, down to the last that is not empty."""
        rows = [row_text(self.window.buffer[y], self.window.columns)
                for y in range(self.window.lines)]
        while rows and not rows[-1]:
            rows.pop()
        return rows

    def screen(self):
        """The last screen without the prompt below it."""
        rows = self.rows()
        return "\n".join(rows[:-1] if rows and rows[-1] == PROMPT.strip() else rows)

    def scrolled(self):
        """The rows that no longer fit."""
        return [row_text(row, self.window.columns) for row in self.window.history.top]

    def everything(self):
        return "\n".join(self.scrolled() + self.rows())

    def faults(self, may_wrap=None):
        """What no command may do, whatever it is. may_wrap: lines that may be wider than the
        window, such as a command to copy."""
        found = []
        status = self.said.get("status")
        if status is not None and status < 0 and status != -signal.SIGINT:
            found.append(f"ended by {signal.Signals(-status).name}")
        if self.said.get("left"):
            found.append("left behind, still running: " + "; ".join(self.said["left"]))
        if not self.said.get("modes_kept"):
            found.append("the terminal's modes are not what they were")
        crash = CRASH.search(self.everything())
        if crash:
            found.append(f"it speaks of a crash: {crash.group(0)}")
        rows = self.rows()
        if not rows or rows[-1] != PROMPT.strip():
            found.append(f"the prompt does not stand alone in its row: {rows[-1:]}")
        attributes = self.window.cursor.attrs
        if attributes.fg != "default" or attributes.bold or self.window.cursor.hidden:
            found.append("colours or a hidden cursor are left to the shell")
        for line in self.window.wrapped:
            if not (may_wrap and re.search(may_wrap, line)):
                found.append(f"wider than {self.window.columns} columns: {line}")
        return found

    def show(self):
        frame = "+" + "-" * self.window.columns + "+"
        print(f"$ {' '.join(self.command)}\n{len(self.scrolled())} lines scrolled away")
        print("\n".join([frame] + [f"|{row:{self.window.columns}}|" for row in self.rows()] +
                        [frame]))
        sys.stdout.flush()
