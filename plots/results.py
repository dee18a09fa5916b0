"""results: reads the files that the collectors and the demo wrote. Nothing is drawn from anywhere else."""
import csv
import os
from collections import defaultdict, namedtuple


class Missing(Exception):
    """A file is not there, or holds nothing for a figure: says which."""


def rows(folder, name):
    path = os.path.join(folder, name)
    try:
        with open(path, newline="") as file:
            return list(csv.DictReader(file))
    except OSError as error:
        raise Missing(f"{path}: {error.strerror}") from error


def counts(folder):
    """{(lab, part): {n: {counter: value}}}"""
    table = defaultdict(lambda: defaultdict(dict))
    for row in rows(folder, "counts.csv"):
        table[row["lab"], row["part"]][int(row["n"])][row["counter"]] = int(row["value"])
    return table


def labs(table):
    """The series of numbered labs: {(lab, part): ...} without networks that are no lab."""
    return {key: by_n for key, by_n in table.items() if key[0][:2].isdigit()}


def number(lab):
    return lab[:2]


Declared = namedtuple("Declared", "titles drawn networks")


def declared(folder):
    """What the labs say of themselves. titles: {lab: its title}; drawn: {lab: [parts for figures that show a line or two of each lab]};
    networks: {lab: [(part, name of its network)]}"""
    table = rows(folder, "labs.csv")
    return Declared({row["lab"]: row["title"] for row in table}, {row["lab"]: row["drawn"].split() for row in table},
                    {row["lab"]: [tuple(one.split("=")) for one in row["networks"].split(";") if one] for row in table})


def common(values, close):
    """The series, {key: {x: y}}, that are nowhere further apart than close, as [(keys, {x: y})]: they are drawn as one line."""
    groups = []
    for key, series in values.items():
        for keys, other in groups:
            shared = series.keys() & other.keys()
            if shared and all(abs(series[x] - other[x]) <= close for x in shared):
                keys.append(key)
                other.update({x: y for x, y in series.items() if x not in other})
                break
        else:
            groups.append(([key], dict(series)))
    return groups
