"""What a result was made from: its own query, and those of the earlier results it was asked of.

It is kept with the result, because the earlier ones expire first. Rules about a source are asked
again with it, and a report that is run again runs those queries again.
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
    """An earlier result that went into another."""

    result_id: str
    source: str
    sql: str
    by: ResultMaker = "sql_query"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultLineage:
    """Which tool made a result, what of, and what is to be known of the way it was read."""

    by: ResultMaker = "sql_query"
    steps: tuple[LineageStep, ...] = ()
    # How the files and engines behind it were read, where that is not as they stand: lines left
    # out, values that can be read in two ways, an engine's warnings.
    notes: tuple[str, ...] = ()
    # What a person had chosen about its files then; None: kept before that was noted.
    reading: ReadOptions | None = None


@dataclass(frozen=True, slots=True)
class SourceTouch:
    """A source that is read, and the tool whose rules about sources that falls under."""

    tool: str
    source: str


def collect_steps(results: "Iterable[StoredResult]") -> tuple[LineageStep, ...]:
    """Put together what a query over these results is made from."""
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
    """Put together what is to be known of these results."""
    return tuple(dict.fromkeys(note for kept in results for note in kept.lineage.notes))


def list_touched_sources(kept: "StoredResult") -> tuple[SourceTouch, ...]:
    """Say which sources a result holds rows of."""
    if kept.source != RESULTS_SOURCE:
        return (SourceTouch(kept.lineage.by, kept.source),)
    touched = (
        SourceTouch(s.by, s.source) for s in kept.lineage.steps if s.source != RESULTS_SOURCE
    )
    return tuple(dict.fromkeys(touched))
