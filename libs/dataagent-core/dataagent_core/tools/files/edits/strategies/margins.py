"""How the new lines of an edit are indented at the place that was found."""

from collections.abc import Mapping
from itertools import chain, pairwise

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.edits.strategies.alignment import Alignment
from dataagent_core.tools.files.edits.strategies.indents import (
    IndentTable,
    find_flat_opener,
    find_indent_unit,
    make_indent_table,
    opens_block,
    read_indent,
)
from dataagent_core.tools.files.edits.strategies.line_edges import (
    carry_after_indent,
    is_other_indent,
)


class Margins:
    """Indents new lines by what the lines of an alignment show.

    `kept` are the lines of the new string that the old one has too, each with its index there.
    """

    def __init__(self, aligned: Alignment, kept: Mapping[int, int]) -> None:
        self._aligned = aligned
        self._kept = kept
        self._pairs = [(read_indent(old), read_indent(file)) for old, file in aligned.pairs()]
        self._tails = {
            _tail(old)
            for old, file in zip(aligned.old.lines, _file_lines(aligned), strict=True)
            if _tail(old) not in {"", _tail(file)}
        }
        self._starts_late = self._is_late()
        self._table = self._make_table()

    def indent(self, j: int, content: str) -> str:
        """Put the indentation of the new line `j` before its content."""
        content = self._strip_tail(content or self._aligned.new.lines[j])
        if not content.strip():
            return content
        if j == 0 and self._starts_late:
            return self._pairs[0][1] + content
        if j in self._kept:
            self._table.refuse_unordered()
        self._refuse_aligned_line(j)
        return self._table.carry(read_indent(self._aligned.new.lines[j])) + content

    def _strip_tail(self, content: str) -> str:
        """Take the spaces from a line's end that the file has not at the end of old lines."""
        tail = _tail(content)
        moved = any(model != file for model, file in self._pairs)
        is_slip = tail in self._tails and not self._has_clean_tails()
        if tail and (moved or self._tails) and not is_slip:
            raise ValidationError(
                "old_string has other spaces at the beginning or end of its lines than the file, "
                f"so it is not clear what those of the new line {content!r:.200} mean."
            )
        return content.rstrip(" \t") if self._tails else content

    def _has_clean_tails(self) -> bool:
        """Say whether the new string has the file's line ends where the old one has others."""
        old, new = self._aligned.old.lines, self._aligned.new.lines
        ends = [
            (_tail(new[j]), _tail(old[i]), _tail(self._aligned.source.lines[at]))
            for j, i in self._kept.items()
            if (at := self._aligned.lines[i]) is not None
        ]
        others = [(now, here) for now, was, here in ends if was != here]
        return bool(others) and all(now == here for now, here in others)

    def _refuse_aligned_line(self, j: int) -> None:
        """Refuse a line that is aligned with the one above it where no shift carries it over."""
        new = self._aligned.new.lines
        above = next((line for line in reversed(new[:j]) if line.strip()), None)
        unit = self._table.model_unit
        indent = read_indent(new[j])
        if above is None or not unit or self._table.is_shift() or indent in self._table.known:
            return
        if len(indent) > len(read_indent(above)) + len(unit):
            raise ValidationError(
                "old_string is indented in other steps than the file, so it is not clear how a "
                f"line is to be aligned that begins with {indent!r}."
            )

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
        carry_after_indent(file, *strings)
        return True

    def _make_table(self) -> IndentTable:
        unit = find_indent_unit(chain(self._aligned.old.lines, self._aligned.new.lines))
        pairs = self._pairs[1:] if self._starts_late else self._pairs
        table = make_indent_table(pairs, unit, self._aligned.source.indent_unit)
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
            (
                read_indent(old[i]),
                read_indent(self._aligned.source.lines[at]),
                read_indent(new[j]),
                new[j],
            )
            for j, i in self._kept.items()
            if new[j].strip() and (at := self._aligned.lines[i]) is not None
        ]
        like_old = any(was == now != here and _is_telling(line) for was, here, now, line in kept)
        like_file = any(was != now == here for was, here, now, _ in kept)
        if (like_file and not self._nests_anew()) or (
            not like_old and _margin(old) != _margin(new)
        ):
            raise ValidationError(
                "old_string is indented otherwise than the file, and new_string otherwise than "
                "old_string, so it is not clear how deep the new lines are to stand."
            )

    def _nests_anew(self) -> bool:
        """Say whether a new line opens a block around lines that are kept, or an old one did."""
        old, new = self._aligned.old.lines, self._aligned.new.lines
        kept_old = set(self._kept.values())
        wraps = any(
            opens_block(line) and read_indent(line) == _margin(old)
            for j, line in enumerate(new)
            if j not in self._kept and j + 1 in self._kept
        )
        return wraps or any(
            opens_block(line)
            for i, line in enumerate(old)
            if i not in kept_old and i + 1 in kept_old
        )

    def _refuse_return_to_margin(self) -> None:
        """Refuse new lines at the margin behind deeper ones, when the old string shows no other.

        Either all of it lost its indentation, or its first line alone did: then those lines stand
        at the margin of the file, as a function behind another does.
        """
        if any(model for model, _ in self._pairs):
            return
        filled = [line for line in self._aligned.new.lines if line.strip()]
        if any(read_indent(one) and not read_indent(two) for one, two in pairwise(filled)):
            raise ValidationError(
                "old_string is not indented, the file is, and new_string goes back to the margin, "
                "so it is not clear where its lines are to stand. Give both strings the file's own "
                "indentation."
            )

    def _refuse_flat_block(self) -> None:
        """Refuse new lines that lost their indentation: what opens a block has nothing in it."""
        if opener := find_flat_opener(self._aligned.new.lines):
            raise ValidationError(
                "old_string is indented otherwise than the file, and new_string is not indented "
                f"after {opener!r:.200}."
            )


def _is_telling(line: str) -> bool:
    """Say whether a line is like few others: a bracket alone may be kept by chance."""
    return sum(character.isalnum() for character in line) > 1


def _margin(lines: list[str]) -> str:
    return min((read_indent(line) for line in lines if line.strip()), key=len, default="")


def _file_lines(aligned: Alignment) -> list[str]:
    return ["" if at is None else aligned.source.lines[at] for at in aligned.lines]


def _tail(line: str) -> str:
    return line[len(line.rstrip(" \t")) :]
