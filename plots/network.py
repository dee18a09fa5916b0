"""network: the additions of one call at n = 16, from networks.csv, as nodes in columns and rows.

A column is an element, a row a step: the additions of one moment. A sum of the inputs a to b stands in column b. Sums on which no output
depends are left out where a thread without an element made them: one of those that pad a section.
"""
import results

N = 16


class Network:
    """inputs, sums, outputs: as drawn; work and depth: as counted."""

    def __init__(self, events):
        self.column, self.row, self.depth, self.sums, self.outputs = {}, {}, {}, [], {}
        needed = set()
        for e in reversed(events):
            if e["kind"] == "output" and e["buffer"] != "scratch":
                self.outputs[int(e["element"])] = e["id"]
                needed.add(e["id"])
            elif e["kind"] == "sum" and (e["id"] in needed or int(e["thread"]) < N):
                needed |= {e["id"], e["left"], e["right"]}
        times = sorted({int(e["time"]) for e in events if e["kind"] == "sum" and e["id"] in needed})
        for e in events:
            if e["kind"] == "input":
                self.column[e["id"]], self.row[e["id"]], self.depth[e["id"]] = int(e["element"]), 0, 0
            elif e["kind"] == "sum" and e["id"] in needed:
                self.column[e["id"]] = max(self.column[e["left"]], self.column[e["right"]])
                self.row[e["id"]] = 1 + times.index(int(e["time"]))
                self.depth[e["id"]] = int(e["depth"])
                self.sums.append((e["id"], e["left"], e["right"]))
        self.rows = len(times)
        self.work = len(self.sums)
        self.longest = max((self.depth[i] for i in self.outputs.values()), default=0)
        self.chain = self.longest_chain()

    def longest_chain(self):
        """Values from an input to an output, each an operand of the next: as many sums as the network is deep."""
        operands = {value: (left, right) for value, left, right in self.sums}
        chain = [next(i for i in self.outputs.values() if self.depth[i] == self.longest)] if self.outputs else []
        while chain and chain[-1] in operands:
            chain.append(max(operands[chain[-1]], key=self.depth.get))
        return chain[::-1]

    def shape(self):
        """Equal for networks that are drawn alike."""
        at = {i: (self.column[i], self.row[i]) for i in self.column}
        sums = sorted((at[value], *sorted((at[left], at[right]))) for value, left, right in self.sums)
        return sums, sorted((element, at[i]) for element, i in self.outputs.items())


def find(folder, lab, part):
    """The network of a lab's part, or None."""
    events = [e for e in results.rows(folder, "networks.csv") if (e["lab"], e["part"]) == (lab, part)]
    return Network(events) if events else None
