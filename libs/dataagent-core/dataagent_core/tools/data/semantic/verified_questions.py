"""Runs verified questions again: whether the SQL still runs, and still gives the same rows."""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Literal

from dataagent_core.config.limits.data import QUESTION_DIFFERENCES_MAX, QUESTION_ROWS_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.results.result_preview import render_cell_text
from dataagent_core.tools.data.results.result_reader import read_page
from dataagent_core.tools.data.semantic.semantic_model import VerifiedQuestion


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionResult:
    """The outcome of one question."""

    question: VerifiedQuestion
    state: Literal["same", "different", "ran", "failed"]
    differences: tuple[str, ...] = ()
    rows: int = 0


async def run_questions(
    queries: QueryService, questions: Sequence[VerifiedQuestion]
) -> AsyncIterator[QuestionResult]:
    """Run them one after the other."""
    for question in questions:
        try:
            kept = await queries.query(question.source, question.sql)
            page = await read_page(queries.results, kept.result_id, 0, QUESTION_ROWS_MAX)
        except DataAgentError as error:
            yield QuestionResult(question=question, state="failed", differences=(error.for_person,))
            continue
        if question.rows is None:
            yield QuestionResult(question=question, state="ran", rows=kept.row_count)
            continue
        differences = list_differences(question.rows, page.rows, kept.row_count)
        state = "different" if differences else "same"
        yield QuestionResult(
            question=question, state=state, differences=tuple(differences), rows=kept.row_count
        )


def list_differences(
    expected: Sequence[Sequence[Any]], rows: Sequence[Sequence[Any]], row_count: int
) -> list[str]:
    """List the differences, one line each, up to a limit."""
    found: list[str] = []
    if len(expected) != row_count:
        found.append(f"{len(expected)} rows were expected, {row_count} came")
    for number, (wanted, row) in enumerate(zip(expected, rows, strict=False), 1):
        if len(found) >= QUESTION_DIFFERENCES_MAX:
            return [*found, "..."]
        if len(wanted) != len(row) or not all(map(_is_equal, wanted, row)):
            found.append(
                f"row {number}: {_render_row(wanted)} was expected, {_render_row(row)} came"
            )
    return found


def _is_equal(wanted: object, value: object) -> bool:
    if isinstance(wanted, bool) or isinstance(value, bool) or wanted is None or value is None:
        return wanted == value
    if isinstance(wanted, int | float) and isinstance(value, int | float | Decimal):
        # YAML has no decimals: the tolerance is half of the last written digit.
        written = Decimal(str(wanted))
        exponent = written.as_tuple().exponent
        tolerance = Decimal(5).scaleb(int(exponent) - 1) if int(exponent) < 0 else Decimal(0)
        return abs(Decimal(str(value)) - written) <= tolerance
    return str(wanted) == render_cell_text(value)


def _render_row(row: Sequence[object]) -> str:
    return ", ".join(render_cell_text(value) or "NULL" for value in row)
