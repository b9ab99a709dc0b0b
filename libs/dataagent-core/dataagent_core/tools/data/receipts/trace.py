"""Traces every figure of an answer to its source, by code and not by the model.

In this order: what the text cites must hold (a figure of another result is no proof then); else
the strongest match over all results of the session; else the output of another tool; else the
figure is without a source.
"""

import time
from collections.abc import Sequence
from typing import Literal

from pydantic import JsonValue

from dataagent_core.config.data_limits import RECEIPT_TRACE_S_MAX
from dataagent_core.tools.data.receipts.cited import ratios
from dataagent_core.tools.data.receipts.context import Context, contexts
from dataagent_core.tools.data.receipts.derive import (
    Match,
    Strength,
    cell_and_aggregates,
    elsewhere,
    of_another_column,
)
from dataagent_core.tools.data.receipts.differences import differences
from dataagent_core.tools.data.receipts.expressions import as_operand, expressed
from dataagent_core.tools.data.receipts.figure import Figure
from dataagent_core.tools.data.receipts.figures import read_figures
from dataagent_core.tools.data.receipts.folding import folded
from dataagent_core.tools.data.receipts.header_scale import scaled_by_header
from dataagent_core.tools.data.receipts.index import ResultIndex
from dataagent_core.tools.data.receipts.outputs import SeenNumbers
from dataagent_core.tools.data.receipts.question import Question
from dataagent_core.tools.data.receipts.values import ToolOutput, Traced

Reason = Literal[
    "not_found", "other_row", "other_column", "not_in_cited", "cited_unknown", "not_checked"
]


def traced(
    text: str,
    results: Sequence[ResultIndex],
    outputs: Sequence[ToolOutput] = (),
    *,
    unchecked: Sequence[str] = (),
    seconds_max: float = RECEIPT_TRACE_S_MAX,
) -> Traced:
    """Trace a text; `results` and `outputs` are the newest first.

    `unchecked` names results that were too large to look at, or are gone. Where there is neither
    a result nor a number in an output, nothing is said: the answer is not about data.
    """
    seen = SeenNumbers(outputs)
    if not results and not unchecked and not seen:
        return Traced()
    answer = Traced()
    until = time.monotonic() + seconds_max
    figures = read_figures(text)
    for figure, context in zip(figures, contexts(text, figures), strict=True):
        found: Match | Reason = "not_checked"
        if time.monotonic() < until:
            found = _source(figure, context, results, seen, unchecked)
            scaled = scaled_by_header(figure, context)
            if scaled is not None and not (isinstance(found, Match) and found.meaning):
                other = _source(scaled, context, results, seen, unchecked)
                found = other if isinstance(other, Match) or not isinstance(found, Match) else found
        if isinstance(found, Match):
            answer.figures.append(_sourced(figure, found))
        elif _names_a_row(figure, results):
            continue
        elif not figure.doubtful or context.citations:
            answer.unsourced.append(_unsourced(figure, found))
    return answer


def _names_a_row(figure: Figure, results: Sequence[ResultIndex]) -> bool:
    """Say whether what reads as a number is the name of a row: class 8B."""
    return any(char.isalpha() for char in figure.text) and any(
        column.exact(folded(figure.text)) is not None
        for index in results
        for column in index.labels
    )


def _source(
    figure: Figure,
    context: Context,
    results: Sequence[ResultIndex],
    seen: SeenNumbers,
    unchecked: Sequence[str],
) -> Match | Reason:
    if context.citations:
        return _cited_source(figure, context, results, unchecked)
    question = Question(figure, context, results)
    if (match := _strongest(question)) is not None:
        return match
    if (place := _other_place(question)) is not None:
        return place
    return seen.find(figure) or ("not_checked" if unchecked else "not_found")


def _cited_source(
    figure: Figure, context: Context, results: Sequence[ResultIndex], unchecked: Sequence[str]
) -> Match | Reason:
    names = {citation.result_id for citation in context.citations}
    indexes = [index for index in results if index.result_id in names]
    by_id = {index.result_id: index for index in indexes}
    question = Question(figure, context, indexes)
    spelt_out = [
        (by_id[citation.result_id], citation.expression)
        for citation in context.citations
        if citation.expression is not None and citation.result_id in by_id
    ]
    for index, expression in spelt_out:
        if (match := expressed(question, index, expression)) is not None:
            return match
    # What is spelt out right behind a rate is what it must be.
    bound = bool(spelt_out) and context.next_to_citation and figure.kind != "number"
    match = None if bound else _strongest(question)
    if match is None or not match.meaning:
        operands = (as_operand(question, index, expression) for index, expression in spelt_out)
        match = next(filter(None, operands), match)
    if match is not None:
        return match
    if not spelt_out:
        for index in indexes:
            for match in ratios(question, index):
                return match
    if names & set(unchecked):
        return "not_checked"
    if not indexes:
        return "cited_unknown"
    return _other_place(question) or "not_in_cited"


def _other_place(question: Question) -> Reason | None:
    if any(of_another_column(question, index) for index in question.results):
        return "other_column"
    return "other_row" if any(elsewhere(question, one) for one in question.results) else None


def _strongest(question: Question) -> Match | None:
    best: Match | None = None
    for index in question.results:
        for match in (*cell_and_aggregates(question, index), *differences(question, index)):
            if best is None or match.rank < best.rank:
                best = match
    return best


def _sourced(figure: Figure, match: Match) -> JsonValue:
    whole = figure.value == figure.value.to_integral_value()
    return {
        "text": figure.text,
        "value": int(figure.value) if whole else float(figure.value),
        "start": figure.start,
        "end": figure.end,
        "result_id": match.result_id,
        "derivation": match.derivation,
        "detail": match.detail,
        "class": _class(match),
    }


def _class(match: Match) -> str:
    if match.result_id is None:
        return "output"
    if not match.meaning:
        return "value"
    return "cited" if match.strength is Strength.CITED else "result"


def _unsourced(figure: Figure, reason: Reason) -> JsonValue:
    return {"text": figure.text, "start": figure.start, "end": figure.end, "reason": reason}
