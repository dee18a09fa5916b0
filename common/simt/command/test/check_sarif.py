"""check_sarif.py FILE: is it SARIF 2.1.0, and has it what code hosts ask for besides?

Held against what the standard requires of the parts that simt writes (OASIS SARIF 2.1.0, 3.13 to
3.49), and, where SCANLAB_SARIF_SCHEMA names OASIS's schema and jsonschema is there, against that.
Prints a line for each result: rule, level, place, the related places, and the message. Exit status
1 where something is wrong.
"""
import json
import os
import re
import sys

URI = re.compile(r"(file:///)?([A-Za-z0-9._~/-]|%[0-9A-F]{2})+$")


def place(location, roots):
    physical = location["physicalLocation"]
    artifact = physical["artifactLocation"]
    assert URI.match(artifact["uri"]), artifact
    assert ("uriBaseId" in artifact) == (not artifact["uri"].startswith("file:")), artifact
    assert artifact.get("uriBaseId", "%SRCROOT%") in roots
    line = physical.get("region", {}).get("startLine")
    assert line is None or line >= 1
    return artifact["uri"] + (f":{line}" if line else "")


def text(message):
    assert set(message) == {"text"} and message["text"]
    assert not re.search(r"[{}]", message["text"].replace("{{", "").replace("}}", ""))
    return message["text"]


def check(log):
    assert log["version"] == "2.1.0" and log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert driver["name"] == "simt" and re.match(r"\d+\.\d+", driver["version"])
    rules = driver["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    for rule in rules:
        assert re.match(r"[a-zA-Z0-9_-]+$", rule["id"]), rule["id"]
        assert rule["defaultConfiguration"]["level"] in ("note", "error")
        for part in "shortDescription", "fullDescription", "help":
            text(rule[part])
        assert text(rule["fullDescription"]).endswith("."), f"{rule['id']} has no sentence"
    assert re.match(r"simt/.+/$", run["automationDetails"]["id"])
    roots = run["originalUriBaseIds"]
    assert all(root["uri"].endswith("/") for root in roots.values())
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("note", "error") and result.get("occurrenceCount", 1) >= 1
        (location,) = result["locations"]
        related = result.get("relatedLocations", [])
        assert [other["id"] for other in related] == list(range(1, len(related) + 1))
        for other in related:
            text(other["message"])
        print(result["ruleId"], result["level"], place(location, roots),
              " ".join(place(other, roots) for other in related), text(result["message"]),
              sep=" | ")
    print("findings", run["properties"]["findings"])


def hold_against(schema, log):
    import jsonschema
    with open(schema) as file:
        schema = json.load(file)
    jsonschema.validators.validator_for(schema)(schema).validate(log)
    print("valid against the schema")


with open(sys.argv[1], encoding="utf-8") as file:
    sarif = json.load(file)
check(sarif)
if os.environ.get("SCANLAB_SARIF_SCHEMA"):
    hold_against(os.environ["SCANLAB_SARIF_SCHEMA"], sarif)
