r"""How much of an output a tool shows (S2 §7.2.6). Pure; where the whole is kept is the caller's.

Lines end in `\n` only, so that line numbers agree with grep and every editor. `offset` is the
number of lines to skip: the number a notice names is the offset of the next page.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from dataagent_core.config.limits import (
    OUTPUT_BYTES_MAX,
    OUTPUT_LINE_CHARS_MAX,
    OUTPUT_LINES_DEFAULT,
)

_CUT_MARK = "..."


@dataclass(frozen=True, slots=True)
class TruncatedText:
    """The beginning of a text, and how many bytes were left out."""

    text: str
    bytes_left_out: int


@dataclass(frozen=True, slots=True)
class TextPage:
    """Some lines of a text; `end` says what stopped it: its bytes, its lines, or the end."""

    lines: tuple[str, ...]
    offset: int
    total_lines: int
    end: Literal["bytes", "lines", "file"]
    max_bytes: int

    @property
    def next_offset(self) -> int:
        return self.offset + len(self.lines)

    @property
    def notice(self) -> str:
        """Say how to go on, in S2's words."""
        match self.end:
            case "bytes":
                return (
                    f"\n(Output truncated at {self.max_bytes} bytes. Use 'offset' parameter to "
                    f"read beyond line {self.next_offset})"
                )
            case "lines":
                return (
                    "\n(File has more lines. Use 'offset' parameter to read beyond line "
                    f"{self.next_offset})"
                )
            case "file":
                return f"\n(End of file - total {self.total_lines} lines)"

    @property
    def numbered(self) -> str:
        """Show the lines with their numbers."""
        return "\n".join(
            _number_line(number, line) for number, line in enumerate(self.lines, self.offset + 1)
        )


def truncate_by_bytes(text: str, max_bytes: int = OUTPUT_BYTES_MAX) -> TruncatedText:
    """Cut a text to a number of UTF-8 bytes, never inside a character."""
    if len(text) * 4 <= max_bytes:
        return TruncatedText(text, 0)
    data = text.encode("utf-8", "surrogatepass")
    if len(data) <= max_bytes:
        return TruncatedText(text, 0)
    end = max(max_bytes, 0)
    while end and data[end] & 0xC0 == 0x80:  # noqa: PLR2004 (a byte inside a character)
        end -= 1
    return TruncatedText(data[:end].decode("utf-8", "surrogatepass"), len(data) - end)


def truncate_line(line: str, max_chars: int = OUTPUT_LINE_CHARS_MAX) -> str:
    """Cut a line to a number of characters, marking that it was cut."""
    return line if len(line) <= max_chars else line[:max_chars] + _CUT_MARK


def split_lines(text: str) -> list[str]:
    """Split a text into its lines, without their ends."""
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if lines[-1] == "" else lines


def truncate_lines_by_bytes(
    lines: Sequence[str],
    offset: int = 0,
    limit: int = OUTPUT_LINES_DEFAULT,
    *,
    max_bytes: int = OUTPUT_BYTES_MAX,
    max_line_chars: int = OUTPUT_LINE_CHARS_MAX,
) -> TextPage:
    """Take the lines from `offset` on that fit; at least one, so that paging goes on."""
    offset = min(max(offset, 0), len(lines))
    wanted = lines[offset : offset + max(limit, 1)]
    taken: list[str] = []
    left = max_bytes
    for line in wanted:
        shown = truncate_line(line, max_line_chars)
        numbered = _number_line(offset + len(taken) + 1, shown)
        left -= len(numbered.encode("utf-8", "surrogatepass")) + 1
        if left < 0 and taken:
            return TextPage(tuple(taken), offset, len(lines), "bytes", max_bytes)
        taken.append(shown)
    end = "file" if offset + len(taken) == len(lines) else "lines"
    return TextPage(tuple(taken), offset, len(lines), end, max_bytes)


def _number_line(number: int, line: str) -> str:
    return f"{number:>6}\t{line}"
