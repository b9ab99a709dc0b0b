"""How the new lines of an edit are indented at the place that was found."""

from collections.abc import Mapping
from functools import cached_property
from itertools import chain, pairwise

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.strategies.alignment import Alignment
from dataagent_core.tools.files.strategies.indents import (
    IndentTable,
    indent_of,
    indent_table,
    indent_unit,
    opens_block,
)
from dataagent_core.tools.files.strategies.line_edges import carried_after_indent

_CLOSERS = (")", "]", "}")


class Margins:
    """Indents new lines by what the lines of an alignment show; looks only when it is asked.

    `kept` are the lines of the new string that the old one has too, each with its index there.
    """

    def __init__(self, aligned: Alignment, kept: Mapping[int, int]) -> None:
        self._aligned = aligned
        self._kept = kept
        self._pairs = [(indent_of(old), indent_of(file)) for old, file in aligned.pairs()]
        # Spaces at the end of lines that the file has not are none of the new lines' either.
        self._strips = any(
            old != old.rstrip() and old.rstrip() + _tail(file) != old
            for old, file in zip(aligned.old.lines, _file_lines(aligned), strict=True)
        )

    def indented(self, j: int, content: str) -> str:
        """Put the indentation of the new line `j` before its content."""
        if not content.strip():
            return self._blank(self._aligned.new.lines[j])
        if self._strips:
            content = content.rstrip()
        if j == 0 and self._starts_late:
            return self._pairs[0][1] + content
        return self._table.carried(indent_of(self._aligned.new.lines[j])) + content

    def _blank(self, line: str) -> str:
        """Give a blank line; spaces in it count only where the strings have the file's own."""
        same = not self._strips and all(model == file for model, file in self._pairs)
        if line and not same and any(one.isspace() for one in self._aligned.source.lines):
            raise ValidationError(
                "old_string has other spaces at the ends of its lines than the file, which has "
                "blank lines with spaces, so it is not clear what those of new_string mean."
            )
        return line if same else ""

    @cached_property
    def _starts_late(self) -> bool:
        """Say whether both strings begin after the indentation of their first line."""
        old, new = self._aligned.old, self._aligned.new
        if not self._pairs or any(block.lines[0][:1].isspace() for block in (old, new)):
            return False
        (model, file), *more = self._pairs
        if not file or model or not old.lines[0].strip():
            return False
        if any(one != two for one, two in more):
            return False
        carried_after_indent(file, "\n".join(old.lines), "\n".join(new.lines))
        return True

    @cached_property
    def _table(self) -> IndentTable:
        unit = indent_unit(chain(self._aligned.old.lines, self._aligned.new.lines))
        pairs = self._pairs[1:] if self._starts_late else self._pairs
        table = indent_table(pairs, unit, self._aligned.source.indent_unit)
        if any(model != file for model, file in pairs):
            self._refuse_new_like_file()
            self._refuse_flat_block()
        return table

    def _refuse_new_like_file(self) -> None:
        """Refuse a new string that may be indented like the file, when the old one is not."""
        old, new = self._aligned.old.lines, self._aligned.new.lines
        kept = [
            (indent_of(old[i]), indent_of(self._aligned.source.lines[at]), indent_of(new[j]))
            for j, i in self._kept.items()
            if new[j].strip() and (at := self._aligned.lines[i]) is not None
        ]
        if any(was == now != here for was, here, now in kept):
            return
        like_file = any(was != now == here for was, here, now in kept)
        if like_file or _margin(old) != _margin(new):
            raise ValidationError(
                "old_string is indented otherwise than the file, and new_string otherwise than "
                "old_string, so it is not clear how deep the new lines are to stand."
            )

    def _refuse_flat_block(self) -> None:
        """Refuse new lines that lost their indentation: what opens a block has nothing in it."""
        filled = [line for line in self._aligned.new.lines if line.strip()]
        if len({indent_of(line) for line in filled}) > 1:
            return
        for one, two in pairwise(filled):
            if opens_block(one) and not two.strip().startswith(_CLOSERS):
                raise ValidationError(
                    "old_string is indented otherwise than the file, and new_string is not "
                    f"indented after {one.strip()!r:.200}."
                )


def _margin(lines: list[str]) -> str:
    return min((indent_of(line) for line in lines if line.strip()), key=len, default="")


def _file_lines(aligned: Alignment) -> list[str]:
    return ["" if at is None else aligned.source.lines[at] for at in aligned.lines]


def _tail(line: str) -> str:
    return line[len(line.rstrip()) :]
