"""Parses citations: the result a figure comes from, and the expression to recompute.

    ... 1,234 [r_ab12cd34ef56]                                the figure is in this result
    ... 12.3% [r_ab12cd34ef56: sum(paid) / sum(amount)]       it is this, of this result
    ... 4.5%  [r_ab12cd34ef56: amount@East / amount@West - 1]

A citation covers the figures before it on its line, back to the previous citation. A citation alone
on its line ("Source: [r_...]", 来源) covers the lines right above it.

An expression is `A`, `A - B`, `A / B`, `A / B - 1` or `(A - B) / B`, with `* 100` or without, or
`A * B` of two cells of one row. A and B are `column@label` (the cell of the row that the label
names; `column@label@label` where it takes two), `column` alone where the result has one row,
several of them added up (`A + B + C`, in parentheses beside anything else), or
`sum|mean|min|max(column)` and `count`. Columns with other characters than letters, digits and `_`,
and labels with other signs than `2025-12` or `Desk Lamp` has, go into double quotes.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

CITATION = re.compile(
    r"\[(?P<id>r_[0-9a-f]{12})(?:\s*[:\uff1a]\s*(?P<expression>[^\]\n]{1,400}))?\]"
)
_ALONE = re.compile(
    r"[\s>*_()\uff08\uff09-]*(?:(?:sources?|data|figures?|来源|数据来源|出处)\s*[:\uff1a]?)?[\s*_,、;。.()\uff0c\uff1b\uff08\uff09]*\Z",
    re.IGNORECASE,
)
_BESIDE = re.compile(r"[\s,、;\uff0c\uff1b]+")
_NAME = r"(?:\"[^\"]+\"|\w+)"
# The name of a row needs no quotes for 2025-12, 2025/12 or two words.
_LABEL = r"(?:\"[^\"]+\"|\w+(?:[-.:'&]\w+|(?<=\d)/\d+| \w+)*)"
_CELL = rf"{_NAME}(?:@{_LABEL}(?:[@,]\s?{_LABEL})*)?"
_SUM = rf"{_CELL}(?:\s*\+\s*{_CELL})+"
_OPERAND = rf"(?:(?:sum|mean|min|max)\(\s*{_NAME}\s*\)|\(\s*{_SUM}\s*\)|{_CELL})"
_TIMES_100 = re.compile(r"\s*[*\u00d7]\s*100\s*%?\s*\Z")
_SHAPES = (
    (re.compile(rf"\s*(?P<a>{_SUM}|{_OPERAND})\s*\Z"), "value"),
    (re.compile(rf"\s*(?P<a>{_OPERAND})\s*[-\u2212]\s*(?P<b>{_OPERAND})\s*\Z"), "difference"),
    (re.compile(rf"\s*(?P<a>{_OPERAND})\s*/\s*(?P<b>{_OPERAND})\s*\Z"), "ratio"),
    (re.compile(rf"\s*(?P<a>{_CELL})\s*[*\u00d7]\s*(?P<b>{_CELL})\s*\Z"), "product"),
    (
        re.compile(
            rf"\s*\(?\s*(?P<a>{_OPERAND})\s*/\s*(?P<b>{_OPERAND})\s*[-\u2212]\s*1\s*\)?\s*\Z"
        ),
        "change",
    ),
    (
        re.compile(
            rf"\s*\(\s*(?P<a>{_OPERAND})\s*[-\u2212]\s*(?P<b>{_OPERAND})\s*\)\s*/\s*(?P<c>{_OPERAND})\s*\Z"
        ),
        "share_of_difference",
    ),
)
_FUNCTION = re.compile(rf"\s*(?P<function>sum|mean|min|max)\(\s*(?P<column>{_NAME})\s*\)")
_ONE_CELL = re.compile(rf"(?P<column>{_NAME})(?:@(?P<labels>{_LABEL}(?:[@,]\s?{_LABEL})*))?")
_ONE_LABEL = re.compile(_LABEL)

Shape = Literal["value", "difference", "ratio", "product", "change", "share_of_difference"]


@dataclass(frozen=True, slots=True)
class CitedCell:
    """The cell of a column in the row that has all these labels."""

    column: str
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CitationOperand:
    """An aggregate of a column, or a sum of cells; a count has neither."""

    function: str | None = None
    column: str = ""
    cells: tuple[CitedCell, ...] = ()

    @property
    def columns(self) -> frozenset[str]:
        """The columns of the operand."""
        return frozenset({cell.column for cell in self.cells} or {self.column})


@dataclass(frozen=True, slots=True)
class CitationExpression:
    """The expression of a citation; `over` is the divisor of a share of a difference."""

    shape: Shape
    a: CitationOperand
    b: CitationOperand | None = None
    over: CitationOperand | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A result that a text names, and the part of the text it covers."""

    result_id: str
    expression: str | None
    covers_from: int
    at: int


def find_citations(text: str) -> list[Citation]:
    """List the citations of a text with what each covers."""
    found: list[Citation] = []
    lines = text.split("\n")
    start = 0
    block_start = 0
    for line in lines:
        if not line.strip():
            block_start = start + len(line) + 1
        marks = list(CITATION.finditer(line))
        alone = bool(marks) and bool(_ALONE.match(CITATION.sub("", line)))
        covered = block_start if alone else start
        for number, mark in enumerate(marks):
            found.append(Citation(mark["id"], mark["expression"], covered, start + mark.start()))
            # Citations side by side name several results for the same figures.
            between = line[mark.end() : marks[number + 1].start()] if mark is not marks[-1] else ""
            if _BESIDE.sub("", between) and not alone:
                covered = start + mark.end()
        start += len(line) + 1
    return found


def find_covering_citations(citations: Sequence[Citation], position: int) -> list[Citation]:
    """List the citations that cover a figure."""
    return [one for one in citations if one.covers_from <= position < one.at]


def parse_expression(expression: str) -> CitationExpression | None:
    """Parse an expression; None if it is invalid."""
    for pattern, shape in _SHAPES:
        if found := pattern.match(_TIMES_100.sub("", expression)):
            groups = found.groupdict()
            operands = [
                _parse_operand(groups[name]) if groups.get(name) else None for name in "abc"
            ]
            if operands[0] is not None:
                return CitationExpression(shape, operands[0], operands[1], operands[2])  # pyright: ignore[reportArgumentType]
    return None


def is_in_hundreds(expression: str) -> bool:
    """Say whether an expression is multiplied by a hundred: "8.5 returns per 100 orders"."""
    return _TIMES_100.search(expression) is not None


def _parse_operand(text: str) -> CitationOperand:
    if aggregate := _FUNCTION.match(text):
        return CitationOperand(
            function=aggregate["function"], column=aggregate["column"].strip('"')
        )
    if text.strip().lower() == "count":
        return CitationOperand(function="count")
    cells = tuple(
        CitedCell(
            found["column"].strip('"'),
            tuple(label[0].strip('"') for label in _ONE_LABEL.finditer(found["labels"] or "")),
        )
        for found in _ONE_CELL.finditer(text)
    )
    return CitationOperand(cells=cells)
