"""How the new lines of an edit are indented at the place that was found."""

from collections.abc import Mapping
from itertools import chain, pairwise

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.strategies.alignment import Alignment
from dataagent_core.tools.files.strategies.indents import (
    IndentTable,
    flat_opener,
    indent_of,
    indent_table,
    indent_unit,
    opens_block,
)
from dataagent_core.tools.files.strategies.line_edges import (
    carried_after_indent,
    is_other_indent,
)


class Margins:
    """Indents new lines by what the lines of an alignment show.

    `kept` are the lines of the new string that the old one has too, each with its index there.
    """

    def __init__(self, aligned: Alignment, kept: Mapping[int, int]) -> None:
        self._aligned = aligned
        self._kept = kept
        self._pairs = [(indent_of(old), indent_of(file)) for old, file in aligned.pairs()]
        self._tails = {
            _tail(old)
            for old, file in zip(aligned.old.lines, _file_lines(aligned), strict=True)
            if _tail(old) not in {"", _tail(file)}
        }
        self._starts_late = self._is_late()
        self._table = self._checked_table()

    def indented(self, j: int, content: str) -> str:
        """Put the indentation of the new line `j` before its content."""
        content = self._ended(content or self._aligned.new.lines[j])
        if not content.strip():
            return content
        if j == 0 and self._starts_late:
            return self._pairs[0][1] + content
        return self._table.carried(indent_of(self._aligned.new.lines[j])) + content

    def _ended(self, content: str) -> str:
        """Take the spaces from a line's end that the file has not at the end of old lines."""
        tail = _tail(content)
        moved = not content.strip() and any(model != file for model, file in self._pairs)
        if tail and (moved or self._tails) and tail not in self._tails:
            raise ValidationError(
                "old_string has other spaces at the beginning or end of its lines than the file, "
                f"so it is not clear what those of the new line {content!r:.200} mean."
            )
        return content.rstrip() if self._tails else content

    def _is_late(self) -> bool:
        """Say whether both strings begin after the indentation of their first line."""
        old, new = self._aligned.old, self._aligned.new
        if not new.lines or any(block.lines[0][:1].isspace() for block in (old, new)):
            return False
        (model, file), *more = self._pairs
        if not file or model or not old.lines[0].strip():
            return False
        if any(one != two for one, two in more):
            return False
        strings = "\n".join(old.lines), "\n".join(new.lines)
        if is_other_indent(file, *strings):
            return False
        carried_after_indent(file, *strings)
        return True

    def _checked_table(self) -> IndentTable:
        unit = indent_unit(chain(self._aligned.old.lines, self._aligned.new.lines))
        pairs = self._pairs[1:] if self._starts_late else self._pairs
        table = indent_table(pairs, unit, self._aligned.source.indent_unit)
        brings = any(line.strip() for line in self._aligned.new.lines)
        if brings and any(model != file for model, file in pairs):
            self._refuse_new_like_file()
            self._refuse_flat_block()
            self._refuse_return_to_margin()
        return table

    def _refuse_new_like_file(self) -> None:
        """Refuse a new string that may be indented like the file, when the old one is not."""
        old, new = self._aligned.old.lines, self._aligned.new.lines
        kept = [
            (indent_of(old[i]), indent_of(self._aligned.source.lines[at]), indent_of(new[j]))
            for j, i in self._kept.items()
            if _is_telling(new[j]) and (at := self._aligned.lines[i]) is not None
        ]
        if any(was == now != here for was, here, now in kept):
            return
        like_file = any(was != now == here for was, here, now in kept)
        if (like_file and not self._wraps()) or _margin(old) != _margin(new):
            raise ValidationError(
                "old_string is indented otherwise than the file, and new_string otherwise than "
                "old_string, so it is not clear how deep the new lines are to stand."
            )

    def _wraps(self) -> bool:
        """Say whether a new line opens a block around lines that are kept."""
        new, margin = self._aligned.new.lines, _margin(self._aligned.old.lines)
        return any(
            opens_block(line) and indent_of(line) == margin
            for j, line in enumerate(new)
            if j not in self._kept and j + 1 in self._kept
        )

    def _refuse_return_to_margin(self) -> None:
        """Refuse new lines at the margin behind deeper ones, when the old string shows no other.

        Either all of it lost its indentation, or its first line alone did: then those lines stand
        at the margin of the file, as a function behind another does.
        """
        if any(model for model, _ in self._pairs):
            return
        filled = [line for line in self._aligned.new.lines if line.strip()]
        if any(indent_of(one) and not indent_of(two) for one, two in pairwise(filled)):
            raise ValidationError(
                "old_string is not indented, the file is, and new_string goes back to the margin, "
                "so it is not clear where its lines are to stand. Give both strings the file's own "
                "indentation."
            )

    def _refuse_flat_block(self) -> None:
        """Refuse new lines that lost their indentation: what opens a block has nothing in it."""
        if opener := flat_opener(self._aligned.new.lines):
            raise ValidationError(
                "old_string is indented otherwise than the file, and new_string is not indented "
                f"after {opener!r:.200}."
            )


def _is_telling(line: str) -> bool:
    """Say whether a line is like few others: a bracket alone may be kept by chance."""
    return sum(character.isalnum() for character in line) > 1


def _margin(lines: list[str]) -> str:
    return min((indent_of(line) for line in lines if line.strip()), key=len, default="")


def _file_lines(aligned: Alignment) -> list[str]:
    return ["" if at is None else aligned.source.lines[at] for at in aligned.lines]


def _tail(line: str) -> str:
    return line[len(line.rstrip()) :]
