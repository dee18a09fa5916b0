"""slides: all figures in one PDF, a page each, with a sentence below it that a lecturer can say.

The sentences are those that style.save is given. They name no number: those are in the figure, and another GPU has others.
"""
import textwrap

from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.transforms import Bbox

STRIP = 0.95            # inches below a figure; the page is as much wider as keeps its form
LETTERS = 96            # of a line there


class Deck:
    def __init__(self, path):
        self.path = path
        self.pages = PdfPages(path, keep_empty=False, metadata={"Title": "Scan Lab: figures", "CreationDate": None})

    def add(self, fig, sentence):
        """A page of the figure, which is drawn and saved already: the sentence stands below its edge."""
        width, height = fig.get_size_inches()
        fig.text(0.02, -0.25 * STRIP / height, textwrap.fill(sentence, LETTERS), ha="left", va="top", fontsize=18, fontstyle="italic")
        more = STRIP * width / height / 2
        self.pages.savefig(fig, bbox_inches=Bbox([[-more, -STRIP], [width + more, height]]))

    def close(self):
        if self.pages.get_pagecount():
            print(f"  wrote {self.path}")
        self.pages.close()
