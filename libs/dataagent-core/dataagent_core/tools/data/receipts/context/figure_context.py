"""Reads the context of a figure: its sentence or table row, and its claims."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from dataagent_core.tools.data.receipts.context.citations import (
    CITATION,
    Citation,
    find_citations,
    find_covering_citations,
)
from dataagent_core.tools.data.receipts.context.claims import Claim, find_claims, is_gap
from dataagent_core.tools.data.receipts.figures.figure import Figure
from dataagent_core.tools.data.receipts.figures.text_folds import fold_text

_SENTENCE_END = re.compile(r"[.!?](?=[\s*_]|$)|[。;]|\n")
_CLAUSE_END = re.compile(r"[。;]|[.!?](?=\s)")
PAUSE = re.compile(r"[,、;()]|\b(?:and|while|but|whereas)\b|而|但")
# The ends of a range: the least and the most of what is spoken of.
_RANGE_FROM = re.compile(
    r"\b(?:rang(?:e[sd]?|ing)|var(?:y|ies|ied|ying)|l(?:ies?|ay)|span(?:s|ned)?)\b[^.;\d]{0,20}"
    r"(?:from|between)\s?[*_`$€£\u00a5]*\Z|\bbetween\s?[*_`$€£\u00a5]*\Z|介于\s?\Z"
)
_RANGE_TO = re.compile(r"[^\d.;,]{0,12}(?:\bto\b|\band\b|到|至|和|[-\u2013~])[\s*_`$€£\u00a5]*")
_ZH_FROM = re.compile(r"[从在]\s?\Z")
_ZH_RANGE = re.compile(r"[^,。;\d]{0,4}(?:不等|之间)")
_ENDS: frozenset[Claim] = frozenset({"max", "min"})
_SEPARATOR_ROW = re.compile(r"\s*\|?\s*:?-{1,}:?\s*(?:\|\s*:?-{1,}:?\s*)*\|?\s*\Z")
_HEADING = re.compile(r"\s*(?:#{1,6}\s+|\*\*[^*\n]+\*\*\s*:?\s*\Z|[-*+]\s+)")
_DECORATION = re.compile(r"[*_`]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureContext:
    """The surroundings of one figure, folded."""

    sentence: str
    # Of the figure, and of all figures, in the sentence.
    start: int
    end: int
    spans: tuple[tuple[int, int], ...]
    # What its line says before the sentence.
    earlier: str
    # The heading or list item above, which a line of its own may be about.
    above: str
    # Of a table: the other cells of its row, and the heads of its own column.
    in_table: bool
    cells: tuple[str, ...]
    header: str
    # The heads of the other columns of its table.
    heads: tuple[str, ...]
    claims: frozenset[Claim]
    # Claims of the whole sentence, for what takes two to say.
    sentence_claims: frozenset[Claim]
    citations: tuple[Citation, ...]
    # No other figure stands between this one and what is cited.
    next_to_citation: bool

    @property
    def clause_before(self) -> str:
        """The last sentence before the figure on its line."""
        return _CLAUSE_END.split(self.earlier.rstrip(" .!?。;"))[-1]

    @property
    def is_gap(self) -> bool:
        """Whether the words right before the figure make it a difference."""
        return not self.in_table and is_gap(self.sentence[: self.start])

    @property
    def segment(self) -> tuple[int, int]:
        """The span of this figure alone: from the previous figure to the next."""
        before = max((end for _, end in self.spans if end <= self.start), default=0)
        after = min(
            (begin for begin, _ in self.spans if begin >= self.end), default=len(self.sentence)
        )
        return before, after


def read_contexts(text: str, figures: Sequence[Figure]) -> list[FigureContext]:
    """Read the surroundings of every figure."""
    # What a citation spells out is no part of what is said.
    low = fold_text(CITATION.sub(lambda found: " " * len(found[0]), text))
    lines = _split_lines(low)
    starts = [start for start, _ in lines]
    tables = _find_tables(lines)
    cited = find_citations(text)
    found: list[FigureContext] = []
    for figure in figures:
        number = bisect_right(starts, figure.start) - 1
        citations = tuple(find_covering_citations(cited, figure.start))
        if number in tables:
            context = _read_table_context(lines, tables[number], number, figure, citations)
        else:
            context = _read_prose_context(lines, number, figure, figures, citations)
        upto = min((citation.at for citation in citations), default=0)
        others = any(figure.end <= other.start < upto for other in figures)
        found.append(replace(context, next_to_citation=bool(citations) and not others))
    return found


def _split_lines(text: str) -> list[tuple[int, str]]:
    lines: list[tuple[int, str]] = []
    start = 0
    for line in text.split("\n"):
        lines.append((start, line))
        start += len(line) + 1
    return lines


def _find_tables(lines: Sequence[tuple[int, str]]) -> dict[int, int]:
    """Map the rows of every table to the line of its heads."""
    rows: dict[int, int] = {}
    for number, (_, line) in enumerate(lines):
        if number == 0 or "|" not in line or not _SEPARATOR_ROW.match(line):
            continue
        if "|" not in lines[number - 1][1]:
            continue
        below = number + 1
        while below < len(lines) and "|" in lines[below][1]:
            rows[below] = number - 1
            below += 1
    return rows


def _read_table_context(
    lines: Sequence[tuple[int, str]],
    head: int,
    number: int,
    figure: Figure,
    citations: tuple[Citation, ...],
) -> FigureContext:
    start, line = lines[number]
    cells = _split_cells(line)
    own = line[: figure.start - start].count("|") - (1 if line.lstrip().startswith("|") else 0)
    heads = _split_cells(lines[head][1])
    header = heads[own] if own < len(heads) else ""
    others = tuple(cell for at, cell in enumerate(cells) if at != own and cell)
    words = " ".join([header, *others])
    claims = find_claims(words)
    return FigureContext(
        sentence=line,
        start=figure.start - start,
        end=figure.end - start,
        spans=(),
        earlier="",
        above="",
        in_table=True,
        cells=others,
        header=header,
        heads=tuple(one for at, one in enumerate(heads) if at != own and one),
        claims=claims,
        sentence_claims=claims,
        citations=citations,
        next_to_citation=False,
    )


def _read_prose_context(
    lines: Sequence[tuple[int, str]],
    number: int,
    figure: Figure,
    figures: Sequence[Figure],
    citations: tuple[Citation, ...],
) -> FigureContext:
    line_start, line = lines[number]
    at = figure.start - line_start
    ends = [found.end() for found in _SENTENCE_END.finditer(line)]
    begin = max((end for end in ends if end <= at), default=0)
    finish = min((end for end in ends if end > figure.end - line_start), default=len(line))
    sentence = line[begin:finish]
    first = line_start + begin
    spans = tuple(
        (one.start - first, one.end - first)
        for one in figures
        if first <= one.start and one.end <= first + len(sentence)
    )
    start, end = figure.start - first, figure.end - first
    before = max((e for _, e in spans if e <= start), default=0)
    claims = find_claims(sentence[before:start])
    if figure.kind != "number":
        claims -= {"count"}
    claims = claims or find_claims(_get_following_text(sentence, end, spans))
    if _ends_range(sentence, (start, end), spans):
        claims |= _ENDS
    return FigureContext(
        sentence=sentence,
        start=start,
        end=end,
        spans=spans,
        earlier=line[:begin],
        above=_get_line_above(lines, number),
        in_table=False,
        cells=(),
        header=_get_label(sentence[before:start]),
        heads=(),
        claims=claims,
        sentence_claims=find_claims(sentence),
        citations=citations,
        next_to_citation=False,
    )


def _ends_range(sentence: str, span: tuple[int, int], spans: Sequence[tuple[int, int]]) -> bool:
    """Say whether a figure is an end of "ranged from 3 to 8", 从3到8不等."""
    ordered = sorted(spans)
    at = ordered.index(span)
    pairs = [ordered[n : n + 2] for n in (at - 1, at) if n >= 0 and n + 1 < len(ordered)]
    return any(
        _RANGE_TO.fullmatch(sentence, one[1], two[0])
        and (
            _RANGE_FROM.search(sentence, 0, one[0])
            or (_ZH_FROM.search(sentence, 0, one[0]) and _ZH_RANGE.match(sentence, two[1]))
        )
        for one, two in pairs
    )


def _get_following_text(sentence: str, end: int, spans: Sequence[tuple[int, int]]) -> str:
    stop = min((begin for begin, _ in spans if begin >= end), default=len(sentence))
    part = sentence[end:stop]
    pause = PAUSE.search(part)
    return part[: pause.start()] if pause else part


def _get_label(text: str) -> str:
    """Return the label of a `label: figure`."""
    if not (found := re.search(r"([^:,;。]+):[\s*_`$€£¥]*\Z", text)):
        return ""
    return _fold_plain(found[1].lstrip("-•+ "))


def _get_line_above(lines: Sequence[tuple[int, str]], number: int) -> str:
    indent = len(lines[number][1]) - len(lines[number][1].lstrip())
    for _, line in reversed(lines[:number]):
        shallower = len(line) - len(line.lstrip()) < indent or line.lstrip().startswith(("#", "**"))
        if line.strip() and shallower and _HEADING.match(line):
            return line
    return ""


def _split_cells(line: str) -> list[str]:
    return [
        _fold_plain(cell) for cell in line.strip().removeprefix("|").removesuffix("|").split("|")
    ]


def _fold_plain(text: str) -> str:
    return _DECORATION.sub("", text).strip()
