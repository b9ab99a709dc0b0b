"""The lineage of a result: its own query, and the queries of the earlier results it reads.

It is stored with the result, because the earlier ones expire first. Rules about a source are
evaluated again with it, and a report that runs again runs those queries again.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from dataagent_core.config.limits.data import RESULT_STEPS_MAX
from dataagent_core.errors import QueryRefusedError
from dataagent_core.tools.data.sources.read_options import ReadOptions
from dataagent_core.tools.data.sources.source_spec import RESULTS_SOURCE

if TYPE_CHECKING:
    from collections.abc import Iterable

    from dataagent_core.tools.data.results.stored_result import StoredResult

# The tools that make results.
ResultMaker = Literal["sql_query", "metric_query"]


@dataclass(frozen=True, slots=True, kw_only=True)
class LineageStep:
    """An earlier result that another result reads."""

    result_id: str
    source: str
    sql: str
    by: ResultMaker = "sql_query"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultLineage:
    """The tool that made a result, the earlier results it reads, and notes on how it was read."""

    by: ResultMaker = "sql_query"
    steps: tuple[LineageStep, ...] = ()
    # How its files were read, where that changed something: lines left out, ambiguous values, an
    # engine's warnings.
    notes: tuple[str, ...] = ()
    # The read options a person had chosen; None for results stored before these were noted.
    reading: ReadOptions | None = None


@dataclass(frozen=True, slots=True)
class SourceTouch:
    """A source that is read, and the tool whose rules about sources apply."""

    tool: str
    source: str


def collect_steps(results: "Iterable[StoredResult]") -> tuple[LineageStep, ...]:
    """Collect the lineage of a query over these results."""
    steps: dict[str, LineageStep] = {}
    for kept in results:
        steps |= {step.result_id: step for step in kept.lineage.steps}
        steps[kept.result_id] = LineageStep(
            result_id=kept.result_id, source=kept.source, sql=kept.sql, by=kept.lineage.by
        )
    if len(steps) > RESULT_STEPS_MAX:
        raise QueryRefusedError(
            f"This would be made from {len(steps)} earlier results, {RESULT_STEPS_MAX} are "
            "possible. Ask the sources themselves in one query instead."
        )
    return tuple(steps.values())


def collect_notes(results: "Iterable[StoredResult]") -> tuple[str, ...]:
    """Collect the notes of these results."""
    return tuple(dict.fromkeys(note for kept in results for note in kept.lineage.notes))


def list_touched_sources(kept: "StoredResult") -> tuple[SourceTouch, ...]:
    """List the sources whose rows a result holds."""
    if kept.source != RESULTS_SOURCE:
        return (SourceTouch(kept.lineage.by, kept.source),)
    touched = (
        SourceTouch(s.by, s.source) for s in kept.lineage.steps if s.source != RESULTS_SOURCE
    )
    return tuple(dict.fromkeys(touched))
