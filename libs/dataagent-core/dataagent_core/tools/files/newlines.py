r"""Lets an edit speak of lines while the file keeps its own line ends.

Strategies see a text whose only line end is `\n`; places found there are carried back, and what
is put in takes the line end of the line it is put into.
"""

import re
from bisect import bisect_left
from dataclasses import dataclass

_CRLF = re.compile("\r\n")


@dataclass(frozen=True, slots=True)
class Flat:
    """A text with plain line ends; `crlf` are the places of those that were not."""

    text: str
    crlf: list[int]

    def original(self, position: int) -> int:
        """Carry a place back to the file's own text."""
        return position + bisect_left(self.crlf, position)

    def line_end_at(self, position: int) -> str:
        """Give the line end in use at a place: that of its line, else of the line before."""
        end = self.text.find("\n", position)
        if end < 0:
            end = self.text.rfind("\n")
        index = bisect_left(self.crlf, end)
        return "\r\n" if index < len(self.crlf) and self.crlf[index] == end else "\n"


def flat(text: str) -> Flat:
    """Make all line ends plain."""
    places = [match.start() - index for index, match in enumerate(_CRLF.finditer(text))]
    return Flat(text.replace("\r\n", "\n") if places else text, places)
