"""read_exports.py KIND PATH...: reads what grade export wrote, by libraries that are not the kit's,
and holds it against what the grader wrote. Exit status: 0 as it should be, 1 not, 77 the library
that reads this kind is missing here.

  gradescope|classroom50|github FILE          against a schema
  moodle|canvas FILE CLASS.JSON               every submission, with its points
  html FILE NAME TEXT...                      no error, no script; the name; the texts, as text
  junit FILE...                               the numbers of tests are those that are there
"""
import csv
import json
import sys
import xml.etree.ElementTree as xml


def fail(text):
    sys.exit("read_exports: " + text)


def library(name):
    try:
        return __import__(name)
    except ImportError:
        print("there is no python3 here with %s (Debian: python3-%s): not tested" % (name, name))
        sys.exit(77)


def text_of(least=0):
    return {"type": "string", "minLength": least}


def object_of(required, optional=None, **more):
    properties = dict(required, **(optional or {}))
    return dict({"type": "object", "required": sorted(required), "properties": properties}, **more)


points = {"type": "number", "minimum": 0}
whole = {"type": "integer", "minimum": 0}
shown = {"enum": ["hidden", "after_due_date", "after_published", "visible"]}
form = {"enum": ["text", "html", "simple_format", "md", "ansi"]}

# gradescope-autograders.readthedocs.io/en/latest/specs
gradescope_test = object_of(
    {"score": points},
    {"max_score": points, "status": {"enum": ["passed", "failed"]}, "name": text_of(),
     "name_format": form, "number": text_of(), "output": text_of(), "output_format": form,
     "tags": {"type": "array", "items": text_of()}, "visibility": shown,
     "extra_data": {"type": "object"}}, additionalProperties=False)
# the wiki of foundation50/classroom50, Advanced-Autograding, and its schemas/result-v1.schema.json
classroom50_test = object_of({"test-name": text_of(1), "passed": {"type": "boolean"},
                              "score": whole, "max-score": whole})
# classroom-resources/autograding-grading-reporter: what its src/*.js reads
github_test = object_of({"name": text_of(1), "status": {"enum": ["pass", "fail", "error"]},
                         "score": points, "max_score": points, "message": text_of(), "test_code": text_of(),
                         "filename": text_of(), "line_no": whole})
schemas = {
    "gradescope": object_of(
        {"score": points, "tests": {"type": "array", "items": gradescope_test}},
        {"execution_time": points, "output": text_of(), "output_format": form,
         "test_output_format": form, "test_name_format": form, "visibility": shown,
         "stdout_visibility": shown, "extra_data": {"type": "object"},
         "leaderboard": {"type": "array"}}, additionalProperties=False),
    "classroom50": object_of(
        {"schema": {"const": "classroom50/result/v1"}, "classroom": text_of(1),
         "assignment": text_of(1), "submission": {"type": "string", "pattern": "^submit/"},
         "commit": text_of(1), "release": text_of(1), "review": text_of(1),
         "datetime": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$"},
         "score": whole, "max-score": whole,
         "tests": {"type": "array", "items": classroom50_test}},
        {"owner": text_of(1), "assignment_type": {"enum": ["individual", "group", "team"]}},
        additionalProperties=False),
    "github": object_of(
        {"version": whole, "status": {"enum": ["pass", "fail", "error"]}, "max_score": points,
         "tests": {"type": "array", "items": github_test}}, additionalProperties=False),
}


def read_json(kind, path):
    jsonschema = library("jsonschema")
    with open(path, encoding="utf-8") as file:
        found = json.load(file)
    errors = list(jsonschema.Draft7Validator(schemas[kind]).iter_errors(found))
    for error in errors:
        print("%s: %s" % ("/".join(str(step) for step in error.absolute_path), error.message))
    if errors:
        fail("%s is not what %s takes" % (path, kind))


def rows_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


def submissions_of(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)["submissions"]


def as_text(number):
    return "" if number is None else "%g" % number


def read_moodle(path, class_json):
    rows, submissions = rows_of(path), submissions_of(class_json)
    for row, submission in zip(rows, submissions):
        if row["Grade"] != as_text(submission["points"]):
            fail("%s has the grade %s, and not %s" % (row, row["Grade"], submission["points"]))
        if None in row or None in row.values():
            fail("%s has cells too many or too few" % row)
    if len(rows) != len(submissions):
        fail("%d rows for %d submissions" % (len(rows), len(submissions)))


def read_canvas(path, class_json):
    rows, submissions = rows_of(path), submissions_of(class_json)
    if "Points Possible" not in rows[0]["Student"]:
        fail("the row of points is missing: %s" % rows[0])
    for row, submission in zip(rows[1:], submissions):
        for lab in submission["labs"]:
            if row[lab["id"]] != as_text(lab["points"]):
                fail("%s: %s is not %s" % (row, lab["id"], lab["points"]))
            if rows[0][lab["id"]] != as_text(lab["max_points"]):
                fail("%s: %s points are possible" % (lab["id"], lab["max_points"]))
        if None in row or None in row.values():
            fail("%s has cells too many or too few" % row)
    if len(rows) != len(submissions) + 1:
        fail("%d rows for %d submissions" % (len(rows) - 1, len(submissions)))


def read_html(path, name, *texts):
    parser = library("html5lib").HTMLParser(namespaceHTMLElements=False)
    with open(path, "rb") as file:
        page = parser.parse(file)
    if parser.errors:
        fail("%s is no HTML: %s" % (path, parser.errors[:3]))
    for name_of_tag in "script", "link", "img", "iframe":
        if page.find(".//" + name_of_tag) is not None:
            fail("%s has a <%s>" % (path, name_of_tag))
    if page.find(".//title").text != name or page.find(".//h1").text != name:
        fail("the name is %s, and not %s" % (page.find(".//h1").text, name))
    said = "".join(page.find("body").itertext())
    for text in texts:
        if text not in said:
            fail("%s does not say %s" % (path, text))


def read_junit(*paths):
    for path in paths:
        read_report(path)


def read_report(path):
    suites = xml.parse(path).getroot()
    for suite in suites:
        cases = suite.findall("testcase")
        for number, tag in ("failures", "failure"), ("errors", "error"), ("skipped", "skipped"):
            if int(suite.get(number)) != sum(case.find(tag) is not None for case in cases):
                fail("%s: the number of %s is not %s" % (path, number, suite.get(number)))
        if int(suite.get("tests")) != len(cases):
            fail("%s: there are %d tests" % (path, len(cases)))
    if not len(suites):
        fail("%s has no suite" % path)


if len(sys.argv) < 3:
    fail(__doc__)
kind, *paths = sys.argv[1:]
if kind in schemas:
    read_json(kind, *paths)
else:
    {"moodle": read_moodle, "canvas": read_canvas, "html": read_html,
     "junit": read_junit}[kind](*paths)
