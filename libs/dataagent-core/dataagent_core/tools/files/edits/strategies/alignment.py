"""Which line of the file stands for which line of the old string."""

from collections.abc import Iterator
from dataclasses import dataclass

from dataagent_core.tools.files.edits.strategies.text_lines import LineBlock, TextLines


@dataclass(frozen=True, slots=True)
class Alignment:
    """A run of the file's lines that an old string means, and what it is to become.

    `lines` holds, for each line of the old string, the index of the file's line; `None` only for a
    blank line that the file has not. Lines of the file between them are unknown to the old string.
    """

    source: TextLines
    first: int
    after: int
    old: LineBlock
    new: LineBlock
    lines: tuple[int | None, ...]

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Give each line of the old string that is not blank with the file's."""
        for line, at in zip(self.old.lines, self.lines, strict=True):
            if at is not None and line.strip():
                yield line, self.source.lines[at]

    def unknown_before(self, i: int) -> list[str]:
        """Give the file's lines between the one for the old line `i` and the one before it."""
        at = self.lines[i]
        if at is None:
            return []
        earlier = (line for line in reversed(self.lines[:i]) if line is not None)
        return self.source.lines[next(earlier, self.first - 1) + 1 : at]


def align_lines(source: TextLines, first: int, old: LineBlock, new: LineBlock) -> Alignment:
    """Align an old string with as many lines of the file."""
    after = first + len(old.lines)
    return Alignment(source, first, after, old, new, tuple(range(first, after)))
