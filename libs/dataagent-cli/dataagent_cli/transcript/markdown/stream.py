"""The text of an answer while it streams: finished blocks, and the open one. Pure."""

from collections.abc import Iterable

from rich.text import Text

from dataagent_cli.transcript.markdown.block_lines import block_lines
from dataagent_cli.transcript.markdown.blocks import Block, Splitter
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle


class MarkdownStream:
    """Follows one text from its first piece to its final form."""

    def __init__(self) -> None:
        self._splitter = Splitter()
        self._pieces: list[str] = []
        self._begun = False

    @property
    def streamed(self) -> bool:
        """Whether any text has arrived."""
        return bool(self._pieces)

    def piece(self, text: str, look: TerminalStyle) -> list[Text]:
        """Add a piece; return the lines that are finished."""
        self._pieces.append(text)
        return self._lines(self._splitter.feed(text), look)

    def contradicts(self, whole: str) -> bool:
        """Say whether the final text does not begin with the streamed pieces."""
        return not whole.startswith("".join(self._pieces))

    def final(self, whole: str, look: TerminalStyle) -> list[Text]:
        """Take the whole text; return the lines that were not returned yet."""
        rest = whole[sum(map(len, self._pieces)) :]
        blocks = [*self._splitter.feed(rest), *self._splitter.end()]
        return self._lines(blocks, look)

    def rest(self, look: TerminalStyle) -> list[Text]:
        """Return the lines of a text that will not be finished."""
        return self._lines(self._splitter.end(), look)

    def live(self, look: TerminalStyle) -> list[Text]:
        """Return the lines of the open block."""
        tail = self._splitter.tail()
        if tail is None:
            return []
        gap = [Text()] if self._begun and not tail.follows else []
        return [*gap, *block_lines(tail, look)]

    def _lines(self, blocks: Iterable[Block], look: TerminalStyle) -> list[Text]:
        lines: list[Text] = []
        for block in blocks:
            if self._begun and not block.follows:
                lines.append(Text())
            lines += block_lines(block, look)
            self._begun = True
        return lines
