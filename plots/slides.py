"""slides: all figures in one PDF, a page each, with a sentence below it that a lecturer can say.

The sentences name no number: those are in the figure, and another GPU has others.
"""
import fnmatch
import sys
import textwrap

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.transforms import Bbox

STRIP = 0.95            # inches below a figure; the page is as much wider as keeps its form
LETTERS = 96            # of a line there

SENTENCES = {
    "bytes_moved": "Count how often the data comes and goes: in one pass, each element is read once and written once.",
    "additions": "The tree is frugal; the others buy fewer steps with more additions.",
    "depth": "While threads are idle, it is the steps that take the time, and not the additions.",
    "simd_efficiency": "The same additions in the same tree: only which thread makes them has changed.",
    "bank_conflicts": "One unused word for every 32 is all that padding costs.",
    "networks": "A dot is an addition, a row is a step, and the thick line is why it takes no fewer.",
    "networks_12": "One block, one tile, three ways: few additions or few steps, but not both.",
    "lookback_depth": "A block alone always finds its neighbour's prefix; among many, it has to look further back.",
    "deadlock_timeline": "CUDA promises no order of blocks: a block may wait only for blocks that have started.",
    "library_scan": "All move each element in and out once; they differ in what they do in between.",
    "box_filter": "Four corners of the table make the sum of any window, so the radius costs nothing.",
    "water": "Each step solves a tridiagonal system for every row, and then for every column.",
    "gpu_throughput_parts": "Within a block, compare the exchange; to come near a copy, look at what one thread takes.",
    "gpu_throughput_*": "A copy is the speed of light here: a scan in one pass can come close, and no scan can pass it.",
    "gpu_small_n_*": "At these sizes nobody waits for bytes: count the launches, and how long blocks wait for each other.",
    "gpu_steps": "Each lab stands beside the one before: what did its idea gain?",
    "gpu_against_cub": "Above the line of 1, the lab is faster than CUB.",
    "gpu_share_of_memcpy": "How much of a copy's speed is left when one scans on the way?",
    "gpu_hops": "A tile's sum is ready one hop after its neighbour's: all that helps a chain are larger tiles.",
    "gpu_compaction": "Selecting is a scan of flags, and in one pass the data moves only once.",
    "gpu_segments": "Share out the elements, not the segments: then one giant segment keeps nobody waiting.",
    "gpu_sort": "One sweep for each digit, with a look-back of its own for each value of the digit.",
    "gpu_same_bits": "Wait for all that you need, and only then add: then it no longer matters who comes first.",
    "gpu_many_gpus": "A number that leaves a GPU costs nearly nothing: what counts is how often each GPU reads its own part.",
    "gpu_barrier_count": "The block meets at the barrier anyway, and the barrier can count.",
    "gpu_ballot_scan": "One vote and one count of bits take the place of five steps of a scan.",
    "gpu_shuffle": "Lanes exchange registers: no shared memory, and no barrier.",
    "gpu_ballot_inside": "Where memory sets the pace a faster scan gains little; within a block it gains more.",
    "gpu_structures": "The warp reads neighbouring words, and its lanes sort out among themselves whose they are.",
    "gpu_passes": "Each pass that is saved is a journey of all data to memory and back.",
    "gpu_spmv": "Rows are segments: the same scan takes them, whatever their lengths.",
    "gpu_tridiagonal": "What shared memory was needed for then, caches do nearly as well today.",
    "gpu_water_steps": "The simulation of the paper, on the GPU of then and on this one.",
    "gpu_strategies": "The strategies of the paper, measured again: which of them have aged?",
}


def sentence(name):
    """Of a figure; "", and that is said, if it has none."""
    for pattern, text in SENTENCES.items():
        if fnmatch.fnmatchcase(name, pattern):
            return text
    print(f"draw: {name} has no sentence in plots/slides.py", file=sys.stderr)
    return ""


class Deck:
    def __init__(self, path):
        self.path = path
        self.pages = PdfPages(path, keep_empty=False, metadata={"Title": "Scan Lab: figures", "CreationDate": None})

    def add(self, fig, name):
        """A page of the figure, which is drawn and saved already: the sentence stands below its edge."""
        width, height = fig.get_size_inches()
        fig.text(0.02, -0.25 * STRIP / height, textwrap.fill(sentence(name), LETTERS), ha="left", va="top", fontsize=18, fontstyle="italic")
        more = STRIP * width / height / 2
        self.pages.savefig(fig, bbox_inches=Bbox([[-more, -STRIP], [width + more, height]]))

    def close(self):
        if self.pages.get_pagecount():
            print(f"  wrote {self.path}")
        self.pages.close()
