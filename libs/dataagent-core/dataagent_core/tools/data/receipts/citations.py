"""How an answer names the result a figure comes from, and what code shall recompute.

    ... 1,234 [r_ab12cd34ef56]                                the figure is in this result
    ... 12.3% [r_ab12cd34ef56: sum(paid) / sum(amount)]       it is this, of this result
    ... 4.5%  [r_ab12cd34ef56: amount@East / amount@West - 1]

A citation counts for the figures before it on its line, back to the citation before. One that
stands alone on its line ("Source: [r_...]", 来源) counts for the lines right above it.

An expression is `A`, `A - B`, `A / B`, `A / B - 1` or `(A - B) / B`. A and B are `column@label`
(the cell of the row that the label names), `column` alone where the result has one row, or
`sum|mean|min|max(column)` and `count`. Names with other characters than letters, digits and `_`
go into double quotes.
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
_OPERAND = rf"(?:(?:sum|mean|min|max)\(\s*{_NAME}\s*\)|{_NAME}(?:@{_NAME})?)"
_SHAPES = (
    (re.compile(rf"\s*(?P<a>{_OPERAND})\s*\Z"), "value"),
    (re.compile(rf"\s*(?P<a>{_OPERAND})\s*[-\u2212]\s*(?P<b>{_OPERAND})\s*\Z"), "difference"),
    (re.compile(rf"\s*(?P<a>{_OPERAND})\s*/\s*(?P<b>{_OPERAND})\s*\Z"), "ratio"),
    (re.compile(rf"\s*(?P<a>{_OPERAND})\s*/\s*(?P<b>{_OPERAND})\s*[-\u2212]\s*1\s*\Z"), "change"),
    (
        re.compile(
            rf"\s*\(\s*(?P<a>{_OPERAND})\s*[-\u2212]\s*(?P<b>{_OPERAND})\s*\)\s*/\s*(?P<c>{_OPERAND})\s*\Z"
        ),
        "share_of_difference",
    ),
)
_PARTS = re.compile(
    r"(?:(?P<function>sum|mean|min|max)\(\s*)?(?P<column>\"[^\"]+\"|\w+)(?:@(?P<label>\"[^\"]+\"|\w+))?"
)

Shape = Literal["value", "difference", "ratio", "change", "share_of_difference"]


@dataclass(frozen=True, slots=True)
class Operand:
    """A cell or an aggregate."""

    column: str
    function: str | None = None
    label: str | None = None


@dataclass(frozen=True, slots=True)
class Expression:
    """What a citation asks to recompute; `over` is the divisor of a share of a difference."""

    shape: Shape
    a: Operand
    b: Operand | None = None
    over: Operand | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A result that a text names, and which part of the text it covers."""

    result_id: str
    expression: str | None
    covers_from: int
    at: int


def citations_in(text: str) -> list[Citation]:
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


def covering(citations: Sequence[Citation], position: int) -> list[Citation]:
    """List the citations that a figure stands under."""
    return [one for one in citations if one.covers_from <= position < one.at]


def parsed(expression: str) -> Expression | None:
    """Read an expression; None if it is none."""
    for pattern, shape in _SHAPES:
        if found := pattern.match(expression):
            groups = found.groupdict()
            operands = [_operand(groups[name]) if groups.get(name) else None for name in "abc"]
            if operands[0] is not None:
                return Expression(shape, operands[0], operands[1], operands[2])  # pyright: ignore[reportArgumentType]
    return None


def _operand(text: str) -> Operand:
    parts = _PARTS.match(text)
    assert parts is not None, text
    label = parts["label"].strip('"') if parts["label"] else None
    column = parts["column"].strip('"')
    if column.lower() == "count" and not parts["function"] and label is None:
        return Operand(column="", function="count")
    return Operand(column=column, function=parts["function"], label=label)
