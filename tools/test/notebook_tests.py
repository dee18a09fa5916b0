"""notebook_tests.py SOURCE FOLDER NAME: one test of docs/scan-lab.ipynb.

SOURCE: the kit, a clone; FOLDER: what the notebook clones and builds goes there. CTest takes these
functions as notebook.NAME:

    test_NAME   quick, with every build
    full_NAME   labelled full

Exit status: 0 right, 1 wrong, 2 usage.
"""
import os
import re
import shutil
import sys

import nbformat
from nbconvert.preprocessors import ExecutePreprocessor

SOURCE, FOLDER, NAME = (sys.argv[1:] + ["", "", ""])[:3]
LABS = ("01", "02", "10")
MAGIC = re.compile(r"%%writefile labs/((\d\d)_\w+)/(\w+\.cu)\n")


class Wrong(Exception):
    pass


def check(so, what):
    if not so:
        raise Wrong(what)


def notebook():
    return nbformat.read(os.path.join(SOURCE, "docs/scan-lab.ipynb"), as_version=4)


def files(cells):
    """{number of the lab: (cell, path below labs/ or solutions/)}"""
    found = {}
    for cell in cells:
        magic = MAGIC.match(cell.source)
        if magic:
            found[magic.group(2)] = cell, os.path.join(magic.group(1), magic.group(3))
    return found


def text_of(folder, path):
    with open(os.path.join(SOURCE, folder, path), encoding="utf-8") as file:
        return file.read()


def execute(book):
    """All cells, in FOLDER; returns what each lab's grading printed, and the last grading of all."""
    os.environ["SCANLAB_ADDRESS"] = SOURCE
    ExecutePreprocessor(timeout=900, kernel_name="python3").preprocess(book, {"metadata": {"path": FOLDER}})
    printed = {}
    for cell in book.cells:
        graded = re.match(r'make\("grade(?: LAB=(\d\d))?"\)', cell.source)
        if graded:
            printed[graded.group(1)] = "".join(output.get("text", "") for output in cell.outputs)
    return printed


def pages_lead_somewhere(book):
    """The links of the labs' pages, as they are shown, lead from FOLDER to files."""
    shown = "".join(output.get("data", {}).get("text/markdown", "")
                    for cell in book.cells for output in cell.get("outputs", []))
    links = re.findall(r"\]\((?!https?:)([^)#]+)", shown)
    lost = [link for link in links if not os.path.exists(os.path.join(FOLDER, link))]
    check(links and not lost, f"of {len(links)} links, these lead nowhere: {', '.join(lost)}")


# ---- tests ---------------------------------------------------------------------------------------

def test_cells_are_the_starters():
    book = notebook()
    nbformat.validate(book)
    found = files(book.cells)
    check(tuple(sorted(found)) == LABS, f"its cells write the labs {', '.join(sorted(found))}")
    for cell, path in found.values():
        starter = MAGIC.sub("", cell.source) + "\n"
        check(starter == text_of("labs", path), f"the cell of {path} is not labs/{path}")
    check(not any(cell.get("outputs") for cell in book.cells), "it is stored without outputs")


def full_it_runs_as_it_is_and_with_solutions():
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    book = notebook()
    printed = execute(book)
    pages_lead_somewhere(book)
    check("No lab is started yet" in printed[None], f"the board does not begin: {printed[None]}")
    for lab in LABS:
        check("not started" in printed[lab], f"lab {lab} is not untouched: {printed[lab]}")
    book = notebook()
    for cell, path in files(book.cells).values():
        cell.source = f"%%writefile labs/{path}\n{text_of('solutions', path).rstrip()}"
    printed = execute(book)
    for lab in LABS:
        check(re.search(rf"^{lab} .* PASS +100/100", printed[lab], re.M), f"lab {lab} does not pass: {printed[lab]}")
        check(not re.search(r"\x1b|\r(?!\n)", printed[lab]), f"lab {lab} writes over its lines: {printed[lab]!r}")


test = globals().get("test_" + NAME) or globals().get("full_" + NAME)
if not test:
    print(__doc__, file=sys.stderr)
    sys.exit(2)
try:
    test()
except Wrong as wrong:
    print(f"not so: {wrong}\nrepeat: tools/test/notebook_test {SOURCE} {FOLDER} {NAME}")
    sys.exit(1)
