"""Traces every figure of an answer to its source, by code and not by the model.

In this order: a citation of the text must hold (then another result proves nothing); else the
strongest match in all results of the session; else the output of another tool; else the figure has
no source.
"""

import time
from collections.abc import Sequence
from typing import Literal

from pydantic import JsonValue

from dataagent_core.config.limits.data import RECEIPT_TRACE_S_MAX
from dataagent_core.tools.data.receipts.context.figure_context import FigureContext, read_contexts
from dataagent_core.tools.data.receipts.derivation.cited_expressions import (
    match_operand,
    recompute_expression,
)
from dataagent_core.tools.data.receipts.derivation.cited_ratios import find_ratios
from dataagent_core.tools.data.receipts.derivation.differences import find_differences
from dataagent_core.tools.data.receipts.derivation.figure_match import (
    FigureMatch,
    MatchStrength,
    is_of_another_column,
    is_of_another_row,
    match_cells_and_aggregates,
)
from dataagent_core.tools.data.receipts.figure_question import FigureQuestion
from dataagent_core.tools.data.receipts.figures.figure import Figure
from dataagent_core.tools.data.receipts.figures.figure_reader import read_figures
from dataagent_core.tools.data.receipts.figures.header_scale import scale_by_header
from dataagent_core.tools.data.receipts.figures.text_folds import fold_text
from dataagent_core.tools.data.receipts.result_values.result_index import ResultIndex
from dataagent_core.tools.data.receipts.result_values.tool_numbers import ToolNumbers
from dataagent_core.tools.data.receipts.trace_values import ToolOutput, TraceResult

Reason = Literal[
    "not_found", "other_row", "other_column", "not_in_cited", "cited_unknown", "not_checked"
]


def trace_figures(
    text: str,
    results: Sequence[ResultIndex],
    outputs: Sequence[ToolOutput] = (),
    *,
    unchecked: Sequence[str] = (),
    seconds_max: float = RECEIPT_TRACE_S_MAX,
) -> TraceResult:
    """Trace a text; `results` and `outputs` are the newest first.

    `unchecked` names results that are too large to check, or missing. Without any result or number
    in an output the trace is empty: the answer is not about data.
    """
    seen = ToolNumbers(outputs)
    if not results and not unchecked and not seen:
        return TraceResult()
    answer = TraceResult()
    until = time.monotonic() + seconds_max
    figures = read_figures(text)
    for figure, context in zip(figures, read_contexts(text, figures), strict=True):
        found: FigureMatch | Reason = "not_checked"
        if time.monotonic() < until:
            found = _find_source(figure, context, results, seen, unchecked)
            scaled = scale_by_header(figure, context)
            if scaled is not None and not (isinstance(found, FigureMatch) and found.meaning):
                other = _find_source(scaled, context, results, seen, unchecked)
                found = (
                    other
                    if isinstance(other, FigureMatch) or not isinstance(found, FigureMatch)
                    else found
                )
        if isinstance(found, FigureMatch):
            answer.figures.append(_make_sourced(figure, found))
        elif _is_row_name(figure, results):
            continue
        elif not figure.doubtful or context.citations:
            answer.unsourced.append(_make_unsourced(figure, found))
    return answer


def _is_row_name(figure: Figure, results: Sequence[ResultIndex]) -> bool:
    """Say whether what reads as a number is the name of a row: class 8B."""
    return any(char.isalpha() for char in figure.text) and any(
        column.exact(fold_text(figure.text)) is not None
        for index in results
        for column in index.labels
    )


def _find_source(
    figure: Figure,
    context: FigureContext,
    results: Sequence[ResultIndex],
    seen: ToolNumbers,
    unchecked: Sequence[str],
) -> FigureMatch | Reason:
    if context.citations:
        return _find_cited_source(figure, context, results, unchecked)
    question = FigureQuestion(figure, context, results)
    if (match := _find_strongest(question)) is not None:
        return match
    if (place := _explain_other_location(question)) is not None:
        return place
    return seen.find(figure) or ("not_checked" if unchecked else "not_found")


def _find_cited_source(
    figure: Figure, context: FigureContext, results: Sequence[ResultIndex], unchecked: Sequence[str]
) -> FigureMatch | Reason:
    names = {citation.result_id for citation in context.citations}
    indexes = [index for index in results if index.result_id in names]
    by_id = {index.result_id: index for index in indexes}
    question = FigureQuestion(figure, context, indexes)
    spelt_out = [
        (by_id[citation.result_id], citation.expression)
        for citation in context.citations
        if citation.expression is not None and citation.result_id in by_id
    ]
    for index, expression in spelt_out:
        if (match := recompute_expression(question, index, expression)) is not None:
            return match
    # What is spelt out right behind a rate is what it must be.
    bound = bool(spelt_out) and context.next_to_citation and figure.kind != "number"
    match = None if bound else _find_strongest(question)
    if match is None or not match.meaning:
        operands = (match_operand(question, index, expression) for index, expression in spelt_out)
        match = next(filter(None, operands), match)
    if match is not None:
        return match
    if not spelt_out:
        for index in indexes:
            for match in find_ratios(question, index):
                return match
    if names & set(unchecked):
        return "not_checked"
    if not indexes:
        return "cited_unknown"
    return _explain_other_location(question) or "not_in_cited"


def _explain_other_location(question: FigureQuestion) -> Reason | None:
    if any(is_of_another_column(question, index) for index in question.results):
        return "other_column"
    return (
        "other_row" if any(is_of_another_row(question, one) for one in question.results) else None
    )


def _find_strongest(question: FigureQuestion) -> FigureMatch | None:
    best: FigureMatch | None = None
    for index in question.results:
        for match in (
            *match_cells_and_aggregates(question, index),
            *find_differences(question, index),
        ):
            if best is None or match.rank < best.rank:
                best = match
    return best


def _make_sourced(figure: Figure, match: FigureMatch) -> JsonValue:
    whole = figure.value == figure.value.to_integral_value()
    return {
        "text": figure.text,
        "value": int(figure.value) if whole else float(figure.value),
        "start": figure.start,
        "end": figure.end,
        "result_id": match.result_id,
        "derivation": match.derivation,
        "detail": match.detail,
        "class": _get_class(match),
    }


def _get_class(match: FigureMatch) -> str:
    if match.result_id is None:
        return "output"
    if not match.meaning:
        return "value"
    return "cited" if match.strength is MatchStrength.CITED else "result"


def _make_unsourced(figure: Figure, reason: Reason) -> JsonValue:
    return {"text": figure.text, "start": figure.start, "end": figure.end, "reason": reason}
