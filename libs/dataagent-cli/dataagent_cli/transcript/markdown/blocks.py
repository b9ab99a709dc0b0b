"""Splits streamed Markdown into blocks that can no longer change. Pure.

Each line is read once, when it is complete, so the work grows with the text and not with the number
of pieces, and the result depends on the text alone. `block_lines.py` renders a block's content. A
block that does not end is returned in parts.
"""

import re
from dataclasses import dataclass
from typing import Literal

from dataagent_cli.output.sanitize import sanitize_text
from dataagent_cli.transcript.limits import (
    BLOCK_CHARS_MAX,
    BLOCK_LINES_MAX,
    CODE_LINES_AT_ONCE,
    LINE_CHARS_MAX,
    TABLE_HEAD_CHARS_MAX,
    TABLE_LINES_AT_ONCE,
)

FENCE = re.compile(r"( {0,3})(`{3,}(?=[^`]*$)|~{3,})(.*)$")
HEADING = re.compile(r" {0,3}#{1,6}(?:[ \t]|$)")
RULE = re.compile(r" {0,3}(?:(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|(?:-[ \t]*){3,})$")
# The underline of a heading.
SETEXT = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
QUOTE = re.compile(r" {0,3}>")
ITEM = re.compile(r"( {0,3})([-+*]|\d{1,9}[.)])(?:([ \t]{1,4})(?=\S)|[ \t]*$|[ \t])")
INDENTED = re.compile(r"(?: {4}| {0,3}\t)")
_TABLE_RULE = re.compile(r" {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$")

# "more" continues a list item that was already returned.
Kind = Literal["text", "code", "table", "item", "more", "quote"]

_TABLE_HEAD_LINES = 2


@dataclass(frozen=True, slots=True)
class Block:
    """Lines that belong together. `follows`: it continues the block before, without a gap."""

    kind: Kind
    lines: tuple[str, ...]
    follows: bool = False
    # Of code: its language. Of an item: its number in the list, which may differ from the typed
    # one.
    language: str = ""
    number: int | None = None


@dataclass(slots=True)
class _OpenBlock:
    """The block that is being written."""

    kind: Kind
    lines: list[str]
    follows: bool = False
    language: str = ""
    number: int | None = None
    chars: int = 0
    # Of code: its closing fence, and its indent.
    fence: str = ""
    indent: int = 0
    # Of an item: its sign, because another sign starts another list; whether a line was blank.
    sign: str = ""
    blank: bool = False
    # Whether a part of it was already returned.
    parted: bool = False

    def block(self, partial: str = "") -> Block | None:
        """Return its content, without blank lines at the end."""
        lines = [*self.lines, partial] if partial.strip() else self.lines
        kept = len(lines)
        while self.kind != "code" and kept and not lines[kept - 1]:
            kept -= 1
        # Only the head of a table whose rows were already returned.
        if kept <= (_TABLE_HEAD_LINES if self.kind == "table" and self.parted else 0):
            return None
        kind, lines = self.kind, lines[:kept]
        if kind == "item" and self.parted:
            kind, lines = "more", [dedent_line(line, self.indent) for line in lines]
        return Block(kind, tuple(lines), self.follows, self.language, self.number)


class Splitter:
    """Takes a text in pieces and returns its blocks."""

    def __init__(self) -> None:
        self._partial: list[str] = []
        self._partial_chars = 0
        self._open: _OpenBlock | None = None
        self._done: list[Block] = []

    def feed(self, piece: str) -> list[Block]:
        """Add a piece; return the blocks that are finished."""
        *whole, rest = piece.split("\n")
        for line in whole:
            self._add(line)
            self._end_line()
        self._add(rest)
        return self._pop_done()

    def tail(self) -> Block | None:
        """Return the unfinished block as it is."""
        partial = sanitize_text("".join(self._partial))
        if self._open is None:
            return Block("text", (partial,)) if partial.strip() else None
        return self._open.block(partial)

    def end(self) -> list[Block]:
        """End the text; return the rest."""
        if self._partial_chars:
            self._end_line()
        self._close()
        return self._pop_done()

    def _pop_done(self) -> list[Block]:
        done, self._done = self._done, []
        return done

    def _add(self, text: str) -> None:
        """Extend the current line; one that is too long is split."""
        while self._partial_chars + len(text) > LINE_CHARS_MAX:
            room = LINE_CHARS_MAX - self._partial_chars
            self._partial.append(text[:room])
            text = text[room:]
            self._end_line()
        if text:
            self._partial.append(text)
            self._partial_chars += len(text)

    def _end_line(self) -> None:
        # Terminal sequences do not cross a line break, so sanitizing a line gives the same result
        # as sanitizing the whole text, however the pieces were split.
        line = sanitize_text("".join(self._partial).removesuffix("\r"))
        self._partial, self._partial_chars = [], 0
        for part in line.split("\n"):
            self._line(part)

    def _line(self, line: str) -> None:
        now = self._open
        if now is None or not self._goes_on(now, line):
            self._begin(line)
        now = self._open
        if now is not None and _is_full(now):
            self._part(now)

    def _goes_on(self, now: _OpenBlock, line: str) -> bool:
        """Add a line to the open block and return True, or close the block."""
        match now.kind:
            case "code":
                return self._code_goes_on(now, line)
            case "item":
                return self._item_goes_on(now, line)
            case "text":
                return self._text_goes_on(now, line)
            case "table" | "quote" | "more":
                quoted = now.kind == "quote" and QUOTE.match(line)
                if line.strip() and (quoted or not interrupts(line)):
                    return _take(now, line)
                self._close()
                return not line.strip()

    def _code_goes_on(self, now: _OpenBlock, line: str) -> bool:
        bare = line.strip()
        if not now.fence:
            if INDENTED.match(line):
                return _take(now, line.expandtabs(4)[4:])
            self._close()
            return not bare
        indent = len(line) - len(line.lstrip(" "))
        if indent <= 3 and len(bare) >= len(now.fence) and set(bare) == {now.fence[0]}:  # noqa: PLR2004 (Markdown's own)
            self._close()
            return True
        return _take(now, line[min(indent, now.indent) :])

    def _item_goes_on(self, now: _OpenBlock, line: str) -> bool:
        if not line.strip():
            now.blank = True
            return _take(now, "")
        indent = len(line.expandtabs(4)) - len(line.expandtabs(4).lstrip(" "))
        if indent >= now.indent:
            now.blank = False
            return _take(now, line)
        if not now.blank and not interrupts(line) and ITEM.match(line) is None:
            return _take(now, line)
        item = None if RULE.match(line) else ITEM.match(line)
        self._close()
        if item is None or sign_of(item) != now.sign:
            return False
        number = None if now.number is None else now.number + 1
        self._open = _item(line, item, number, follows=True)
        return True

    def _text_goes_on(self, now: _OpenBlock, line: str) -> bool:
        if not line.strip():
            self._close()
            return True
        if SETEXT.match(line) and now.lines:
            _take(now, line)
            self._close()
            return True
        if now.lines and is_table(now.lines[-1], line):
            head = now.lines.pop()
            if now.lines:
                self._close()
            self._open = _OpenBlock("table", [head, line], chars=len(head) + len(line))
            return True
        if interrupts(line):
            self._close()
            return False
        return _take(now, line)

    def _begin(self, line: str) -> None:
        if not line.strip():
            return
        if fence := FENCE.match(line):
            language = fence[3].strip().split(" ")[0]
            self._open = _OpenBlock(
                "code", [], language=language, fence=fence[2], indent=len(fence[1])
            )
        elif HEADING.match(line) or RULE.match(line):
            self._done.append(Block("text", (line,)))
        elif INDENTED.match(line):
            code = line.expandtabs(4)[4:]
            self._open = _OpenBlock("code", [code], chars=len(code))
        elif item := ITEM.match(line):
            sign = item[2]
            self._open = _item(line, item, int(sign[:-1]) if len(sign) > 1 else None)
        else:
            kind: Kind = "quote" if QUOTE.match(line) else "text"
            self._open = _OpenBlock(kind, [line], chars=len(line))

    def _close(self) -> None:
        now, self._open = self._open, None
        if now is not None and (block := now.block()):
            self._done.append(block)

    def _part(self, now: _OpenBlock) -> None:
        """Return a block that grew too long; the following lines continue it."""
        if block := now.block():
            self._done.append(block)
        # The next part of a table repeats its head.
        now.lines = now.lines[:_TABLE_HEAD_LINES] if now.kind == "table" else []
        now.chars = sum(map(len, now.lines))
        now.follows = now.parted = True


def _take(now: _OpenBlock, line: str) -> bool:
    now.lines.append(line)
    now.chars += len(line)
    return True


def _is_full(now: _OpenBlock) -> bool:
    most = {"code": CODE_LINES_AT_ONCE, "table": TABLE_LINES_AT_ONCE}
    lines_max = most.get(now.kind, BLOCK_LINES_MAX)
    return len(now.lines) >= lines_max or now.chars >= BLOCK_CHARS_MAX


def _item(
    line: str, item: re.Match[str], number: int | None, *, follows: bool = False
) -> _OpenBlock:
    indent = len(item[1]) + len(item[2]) + len((item[3] or " ").expandtabs(4))
    return _OpenBlock(
        "item",
        [line],
        follows=follows,
        number=number,
        chars=len(line),
        indent=indent,
        sign=sign_of(item),
    )


def interrupts(line: str) -> bool:
    """Say whether a line starts another block although the paragraph has not ended."""
    item = ITEM.match(line)
    return bool(
        HEADING.match(line)
        or RULE.match(line)
        or QUOTE.match(line)
        or FENCE.match(line)
        # A year at the start of a line is not a list.
        or (item is not None and item[3] and (len(item[2]) == 1 or item[2][:-1] == "1"))
    )


def is_table(head: str, rule: str) -> bool:
    """Say whether two lines are the head of a table."""
    # Every part repeats the head, so it must not be most of it.
    if "|" not in head or "|" not in rule or len(head) + len(rule) > TABLE_HEAD_CHARS_MAX:
        return False
    return _TABLE_RULE.match(rule) is not None


def sign_of(item: re.Match[str]) -> str:
    """Return the sign that distinguishes lists: `-` from `*`, `1.` from `1)`."""
    return item[2][-1]


def dedent_line(line: str, cells: int) -> str:
    """Remove a line's indent, up to a number of cells."""
    plain = line.expandtabs(4)
    return plain[min(cells, len(plain) - len(plain.lstrip(" "))) :]
