"""Carries indentation from the strings of an edit to the file. Pure.

A model that copies a block often indents it in its own way: less deep, or with other characters.
Lines that stand in both show how its indents correspond to the file's. From these pairs a table is
made, and new lines are indented by it. Where the table leaves a choice, the edit is refused: a
guess would be a wrong program that looks right.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from dataagent_core.errors import ValidationError

Pair = tuple[str, str]

# What ends a line that the next one is nested in.
_BRACKETS = ("{", "(", "[")
_OPENERS = (*_BRACKETS, ":", "=>", "->", " do", " then")
_COMMENT = re.compile(r"\s+(#|//).*$")


def read_indent(line: str) -> str:
    """Give the spaces and tabs a line begins with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def opens_block(line: str) -> bool:
    """Say whether the next line is to be indented deeper than this one."""
    return _COMMENT.sub("", line).rstrip().endswith(_OPENERS)


def find_flat_opener(lines: Iterable[str]) -> str | None:
    """Give a line that opens a block with nothing in it, if no line is indented deeper at all."""
    filled = [line for line in lines if line.strip()]
    if len({read_indent(line) for line in filled}) > 1:
        return None
    for one, two in pairwise(filled):
        closes = two.strip().startswith((")", "]", "}"))
        if one.rstrip().endswith(",") if closes else opens_block(one):
            return one.strip()
    return None


def find_indent_unit(lines: Iterable[str]) -> str:
    """Give the step by which lines in a block are indented most often, empty if none is."""
    filled = [
        (read_indent(line), line.rstrip().endswith(_OPENERS)) for line in lines if line.strip()
    ]
    steps = Counter(
        two[len(one) :]
        for (one, opens), (two, _) in pairwise(filled)
        if opens and len(two) > len(one) and two.startswith(one) and not _is_mixed(two)
    )
    return min(steps, key=lambda step: (-steps[step], len(step)), default="")


@dataclass(frozen=True, slots=True)
class IndentTable:
    """How the indents of the model correspond to the file's, and by which steps each indents."""

    known: dict[str, str]
    model_unit: str
    file_unit: str

    def carry(self, indent: str) -> str:
        """Give the file's indent for one of the model's, or raise `ValidationError`."""
        if indent in self.known:
            return self.known[indent]
        self.refuse_unordered()
        answers = {answer for answer in self._answers(indent) if answer is not None}
        if len(answers) != 1:
            raise ValidationError(
                f"old_string is indented otherwise than the file, and it does not show how a line "
                f"of new_string that begins with {indent!r} is to be indented."
            )
        return answers.pop()

    def refuse_unordered(self) -> None:
        """Refuse a table in which what is deeper for the model is not for the file."""
        known = sorted(self.known.items(), key=lambda pair: len(pair[0]))
        for (one, here), (two, there) in pairwise(known):
            comparable = _kind([one, two]) is not None and _kind([here, there]) is not None
            if comparable and len(here) >= len(there):
                raise ValidationError(
                    f"old_string is indented otherwise than the file: {two!r} is deeper than "
                    f"{one!r}, and in the file {there!r} stands for it, which is not deeper than "
                    f"{here!r}."
                )

    def is_shift(self) -> bool:
        """Say whether all known indents differ from the file's by the same characters."""
        return len({len(file) - len(model) for model, file in self.known.items()}) <= 1

    def _answers(self, indent: str) -> list[str | None]:
        if all(model == file for model, file in self.known.items()):
            return [indent if self._alike(indent) else None]
        if any(_is_mixed(part) for pair in self.known.items() for part in pair):
            raise ValidationError(
                "The lines found mix tabs and spaces in their indentation, and old_string is "
                "indented otherwise."
            )
        return [self._shift(indent), self._scale(indent)]

    def _alike(self, indent: str) -> bool:
        """Say whether the file is known, or can be taken, to indent as the model does."""
        if any(self.known) or not self.model_unit or not self.file_unit:
            return not (indent and self.file_unit) or indent[0] == self.file_unit[0]
        return self.model_unit == self.file_unit

    def _shift(self, indent: str) -> str | None:
        """Move the line by as much as all known ones are moved."""
        if self.file_unit and not self._has_steps_of_file(indent):
            return None
        model, file = min(self.known.items(), key=lambda pair: len(pair[0]))
        common = min(len(model), len(file))
        gone, put = model[: len(model) - common], file[: len(file) - common]
        if not all(
            one.startswith(gone) and put + one[len(gone) :] == two
            for one, two in [*self.known.items(), (indent, put + indent[len(gone) :])]
        ):
            return None
        result = put + indent[len(gone) :]
        return None if _is_mixed(result) else result

    def _has_steps_of_file(self, indent: str) -> bool:
        """Say whether the model indents by the file's steps, as far as can be seen."""
        if self.model_unit:
            return self.model_unit == self.file_unit
        return all(not part or _is_multiple(part, self.file_unit) for part in [*self.known, indent])

    def _scale(self, indent: str) -> str | None:
        """Count in steps: as many of the file's as there are of the model's."""
        model_kind = _kind([*self.known, indent])
        file_kind = _kind(self.known.values()) or self.file_unit[:1]
        if model_kind is None or not file_kind:
            return None
        counts = sorted((len(model), len(file)) for model, file in self.known.items())
        same_kind = model_kind == file_kind
        factor = self._factor(counts)
        if factor is None or factor == 1:
            return None
        # Within one kind a factor that nothing but one level shows is a doubt, not an answer.
        if same_kind and len(counts) == 1 and not self._has_units() and not self._shift(indent):
            return None
        model, file = counts[0]
        if any(file + (one - model) * factor != two for one, two in counts):
            return None
        added = (len(indent) - model) * factor
        # Part of a step is an alignment, which no factor carries over.
        if (added / max(len(self.file_unit), 1)).denominator != 1 or file + added < 0:
            return None
        return file_kind * int(file + added)

    def _factor(self, counts: Sequence[tuple[int, int]]) -> Fraction | None:
        (model, file), *more = counts
        if more:
            deeper, wider = more[-1]
            return Fraction(wider - file, deeper - model)
        if not model or not file:
            return None
        if self._has_units():
            factor = Fraction(len(self.file_unit), len(self.model_unit))
            # One level alone says nothing about a shift and a scale at once.
            return factor if model * factor == file else None
        return Fraction(file, model)

    def _has_units(self) -> bool:
        return bool(self.model_unit and self.file_unit)


def make_indent_table(pairs: Iterable[Pair], model_unit: str, file_unit: str) -> IndentTable:
    """Make the table; an indent that stands for two different ones is refused."""
    known: dict[str, str] = {}
    for model, file in pairs:
        if known.setdefault(model, file) != file:
            raise ValidationError(
                f"old_string is indented otherwise than the file: lines that begin with {model!r} "
                f"in it begin with {known[model]!r} and with {file!r} in the file."
            )
    return IndentTable(known, model_unit, file_unit)


def _is_multiple(one: str, unit: str) -> bool:
    return one[0] == unit[0] and len(one) % len(unit) == 0


def _is_mixed(indent: str) -> bool:
    return " " in indent and "\t" in indent


def _kind(indents: Iterable[str]) -> str | None:
    """Give the one character that indents consist of, empty if there is none, `None` if two."""
    characters = set("".join(indents))
    return None if len(characters) > 1 else "".join(characters)
