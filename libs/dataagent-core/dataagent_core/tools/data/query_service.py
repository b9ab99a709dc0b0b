"""From SQL to a kept result: find the source, check the SQL, run it, keep the rows.

Tools, commands, routes, reports and verified questions all use it; nothing else opens an engine.
Earlier results are a source of their own, named `results`: each is a table named by its id.
"""

import asyncio
import os
import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from dataagent_core.config.limits.data import (
    CATALOGUE_WAIT_S,
    PROFILE_COLUMNS_MAX,
    QUERY_CHECK_S,
    QUERY_COST_ASK,
    QUERY_PLAN_S,
    QUERY_ROWS_ASK,
    QUERY_ROWS_MAX,
    QUERY_TIMEOUT_S_MAX,
    RESULTS_JOINED_MAX,
)
from dataagent_core.errors import (
    DataAgentError,
    DeniedError,
    NotFoundError,
    QueryFailedError,
    QueryRefusedError,
    ValidationError,
)
from dataagent_core.tools.data.catalog import filter_visible
from dataagent_core.tools.data.data_model import (
    Catalogue,
    Column,
    ColumnOrigin,
    ColumnProfile,
    CostEstimate,
    EngineResult,
    QueryLimits,
    Table,
)
from dataagent_core.tools.data.guard import CheckedSql, check, list_named_tables
from dataagent_core.tools.data.privacy import find_personal_outputs
from dataagent_core.tools.data.privacy.failure_text import redact_failure
from dataagent_core.tools.data.privacy.touched_columns import find_personal_among
from dataagent_core.tools.data.results.result_lineage import (
    LineageStep,
    ResultLineage,
    ResultMaker,
    SourceTouch,
    collect_notes,
    collect_steps,
    list_touched_sources,
)
from dataagent_core.tools.data.results.result_store import ResultStore
from dataagent_core.tools.data.results.stored_result import (
    StoredResult,
    parse_personal_kinds,
    write_personal_marks,
)
from dataagent_core.tools.data.sources.engines.data_engine import DataEngine
from dataagent_core.tools.data.sources.engines.engine_pool import EnginePool, OpenSource
from dataagent_core.tools.data.sources.read_options import ReadOptions, get_read_options
from dataagent_core.tools.data.sources.source_spec import RESULTS_SOURCE, SourceSpec
from dataagent_core.tools.data.sources.source_store import SourceStore
from dataagent_core.tools.data.time_left import TimeLeft, limit_time
from dataagent_core.tools.definition.name_suggestions import describe_unknown_name

_T = TypeVar("_T")
_RESULT_ID = re.compile(r"r_[0-9a-f]{12}")

# Opens an engine over Parquet files, each a table of the given name.
OpenResultStore = Callable[[SourceSpec, Mapping[str, Path]], DataEngine]
# Makes a source of a path, if there is a file that may be read.
FileSource = Callable[[str], Awaitable[SourceSpec | None]]


@dataclass(frozen=True, slots=True)
class PreparedQuery:
    """SQL that was checked against a source and is ready to run there."""

    # As the call gives it: a source's name, or a path.
    name: str
    spec: SourceSpec
    engine: DataEngine
    checked: CheckedSql
    # The kinds of the personal columns it reads.
    personal: Mapping[ColumnOrigin, str]
    # Over earlier results: which sources they hold rows of, and how they were made.
    touches: tuple[SourceTouch, ...] = ()
    steps: tuple[LineageStep, ...] = ()
    notes: tuple[str, ...] = ()
    # Whether its engine was opened for this query alone.
    once: bool = False

    async def aclose(self) -> None:
        """Close an engine that was opened for this query alone."""
        if self.once:
            await self.engine.aclose()


class QueryService:
    """Answers with kept results, for the owner of its sources and its results."""

    def __init__(
        self,
        *,
        sources: SourceStore,
        pool: EnginePool,
        results: ResultStore,
        open_results: OpenResultStore,
        file_source: FileSource | None = None,
    ) -> None:
        self.sources = sources
        self.results = results
        self._pool = pool
        self._open_results = open_results
        self._file_source = file_source

    async def find_spec(self, name: str) -> SourceSpec:
        """Find a source by its name, or make one of a file's path."""
        if not name.strip():
            raise ValidationError("No source is named: give a source's name, or a file's path.")
        found = await self.sources.find(name)
        if found is None and self._file_source is not None:
            found = await self._file_source(name)
        if found is None:
            known = [spec.name for spec in await self.sources.listed()]
            problem = f"There is no source {name!r:.100}."
            hint = "data_list_sources lists what there is."
            raise NotFoundError(*describe_unknown_name(problem, name, known, hint))
        return found

    async def list_names(self, name: str) -> tuple[str, ...]:
        """List the names a rule may have for a source: the one given, and its whole path."""
        try:
            spec = await self.find_spec(name)
        except DeniedError:
            raise
        except DataAgentError:
            return (name,)  # the source is gone, its name is still known
        if spec.beneath is None:
            return (name,)
        path = await asyncio.to_thread(_format_path_beneath, spec.beneath, spec.location)
        return tuple(dict.fromkeys((name, path)))

    async def open_source(self, name: str) -> OpenSource:
        """Open a source."""
        return await self._pool.source(await self.find_spec(name))

    async def load_catalogue(self, name: str, wait_s: float = CATALOGUE_WAIT_S) -> Catalogue:
        """Load the catalogue of a source, without what is hidden."""
        opened = await self.open_source(name)
        return filter_visible(await _run_redacted(opened.catalogue.get(wait_s)), opened.spec)

    async def profile(
        self, opened: OpenSource, table: Table, sample_rows: int
    ) -> tuple[ColumnProfile, ...]:
        """Look at a sample of a table, of its first columns if there are very many."""
        names = [column.name for column in table.columns[:PROFILE_COLUMNS_MAX]]
        return await _run_redacted(opened.engine.profile(table, names, sample_rows), personal=True)

    async def check(self, name: str, sql: str, timeout_s: float = QUERY_CHECK_S) -> PreparedQuery:
        """Check SQL against a source; nothing runs."""
        async with limit_time(f"The source {name!r:.100}", timeout_s):
            if name == RESULTS_SOURCE:
                return await self._check_results(sql)
            return await self._check_source(name, sql, timeout_s)

    async def _check_source(self, name: str, sql: str, timeout_s: float) -> PreparedQuery:
        opened = await self.open_source(name)
        catalogue = await _run_redacted(opened.catalogue.get(timeout_s))
        try:
            checked = await _check_in_thread(sql, catalogue, opened.spec.hidden)
        except QueryRefusedError:
            # The schema may have changed a moment ago; once more with what is there now.
            if await opened.engine.fingerprint() == catalogue.fingerprint:
                raise
            opened.catalogue.forget()
            catalogue = await _run_redacted(opened.catalogue.get(timeout_s))
            checked = await _check_in_thread(sql, catalogue, opened.spec.hidden)
        personal = await find_personal_among(opened, catalogue, checked.reads)
        return PreparedQuery(
            name, opened.spec, opened.engine, _refuse_personal_names(checked, personal), personal
        )

    async def estimate(
        self, prepared: PreparedQuery, timeout_s: float = QUERY_PLAN_S
    ) -> CostEstimate:
        """Say what a checked query would cost; planning counts like running."""
        return await _ask_engine(
            prepared, prepared.engine.estimate(prepared.checked.sql, timeout_s)
        )

    async def query(
        self,
        name: str,
        sql: str,
        limits: QueryLimits | None = None,
        *,
        session_id: str | None = None,
        by: ResultMaker = "sql_query",
    ) -> StoredResult:
        """Check, run and keep."""
        limits = check_limits(limits or QueryLimits())
        left = TimeLeft(limits.timeout_s)
        prepared = await self.check(name, sql, left.s())
        try:
            return await self._run(prepared, replace(limits, timeout_s=left.s()), session_id, by)
        finally:
            await prepared.aclose()

    async def has_row(self, name: str, sql: str) -> bool:
        """Say whether a query gives a row; nothing is kept."""
        prepared = await self.check(name, sql)
        draft = self.results.draft()
        try:
            one = QueryLimits(rows_max=1)
            ran = await _ask_engine(
                prepared, prepared.engine.query(prepared.checked.sql, draft, one)
            )
        finally:
            draft.unlink(missing_ok=True)
            await prepared.aclose()
        return ran.row_count > 0

    async def query_into(
        self,
        name: str,
        sql: str,
        draft: Path,
        limits: QueryLimits,
        *,
        reading: ReadOptions | None = None,
    ) -> tuple[EngineResult, tuple[str, ...]]:
        """Check and run; the rows go to a file that is not kept. Give its personal columns too.

        A source whose files are not read as `reading` says is refused.
        """
        prepared = await self.check(name, sql)
        try:
            if reading not in (None, get_read_options(prepared.spec)):
                raise QueryRefusedError(
                    "its files are read in another way now, as somebody chose since. Run the query "
                    "again."
                )
            ran = await _ask_engine(
                prepared, prepared.engine.query(prepared.checked.sql, draft, limits)
            )
            return ran, _make_personal_marks(prepared, ran)
        finally:
            await prepared.aclose()

    async def _run(
        self, prepared: PreparedQuery, limits: QueryLimits, session_id: str | None, by: ResultMaker
    ) -> StoredResult:
        draft = self.results.draft()
        try:
            ran = await _ask_engine(
                prepared, prepared.engine.query(prepared.checked.sql, draft, limits)
            )
            return await self.results.keep(
                draft,
                ran,
                source=prepared.name,
                dialect=prepared.spec.dialect,
                sql=prepared.checked.sql,
                personal=_make_personal_marks(prepared, ran),
                session_id=session_id,
                lineage=ResultLineage(
                    by=by,
                    steps=prepared.steps,
                    notes=tuple(dict.fromkeys((*prepared.notes, *ran.notes))),
                    reading=get_read_options(prepared.spec),
                ),
            )
        finally:
            draft.unlink(missing_ok=True)

    async def _check_results(self, sql: str) -> PreparedQuery:
        named = (name.lower() for name in list_named_tables(sql, "duckdb"))
        ids = [name for name in dict.fromkeys(named) if _RESULT_ID.fullmatch(name)]
        if not ids or len(ids) > RESULTS_JOINED_MAX:
            raise QueryRefusedError(
                f"A query over earlier results names 1 to {RESULTS_JOINED_MAX} of them as tables, "
                f"as in SELECT * FROM r_0123456789ab; this one names {len(ids)}."
            )
        kept = [await self.results.get(result_id) for result_id in ids]
        steps = collect_steps(kept)
        catalogue = _make_catalogue(kept)
        spec = SourceSpec(name=RESULTS_SOURCE, kind="results", location="")
        # A result's own marks, and nothing else: they say where its columns came from.
        marks = {
            (one.result_id, name): kind
            for one in kept
            for name, kind in parse_personal_kinds(one).items()
        }
        checked = await _check_in_thread(sql, catalogue)
        personal = {origin: marks[origin] for origin in checked.reads & marks.keys()}
        checked = _refuse_personal_names(checked, personal)
        files = {one.result_id: await self.results.path(one.result_id) for one in kept}
        return PreparedQuery(
            RESULTS_SOURCE,
            spec,
            self._open_results(spec, files),
            checked,
            personal,
            touches=tuple(
                dict.fromkeys(touch for one in kept for touch in list_touched_sources(one))
            ),
            steps=steps,
            notes=collect_notes(kept),
            once=True,
        )


def _make_personal_marks(prepared: PreparedQuery, ran: EngineResult) -> tuple[str, ...]:
    columns = (
        (column.name, prepared.checked.columns_of(position, len(ran.columns)))
        for position, column in enumerate(ran.columns)
    )
    return write_personal_marks(find_personal_outputs(prepared.personal, columns))


def _format_path_beneath(folder: str, path: str) -> str:
    return f"/{os.path.relpath(path, os.path.realpath(folder))}"


async def _check_in_thread(
    sql: str, catalogue: Catalogue, hidden: Sequence[str] = ()
) -> CheckedSql:
    """Check in a thread: over very many columns it takes seconds."""
    return await asyncio.to_thread(check, sql, catalogue, hidden=hidden)


async def _ask_engine(prepared: PreparedQuery, work: Awaitable[_T]) -> _T:
    """Ask an engine; personal values are hidden in its failure."""
    return await _run_redacted(work, prepared.checked.sql, personal=bool(prepared.personal))


async def _run_redacted(work: Awaitable[_T], sql: str = "", *, personal: bool = False) -> _T:
    try:
        return await work
    except QueryFailedError as error:
        raise redact_failure(error, sql, personal=personal) from error


def _refuse_personal_names(checked: CheckedSql, personal: Mapping[ColumnOrigin, str]) -> CheckedSql:
    """Refuse a query that would make column names of personal values: names are not masked."""
    for _, column in sorted(checked.names_from & personal.keys()):
        raise QueryRefusedError(
            f"PIVOT ON {column!r:.80} would name columns after personal values. List the values "
            "with ON ... IN (...), or group by it instead."
        )
    return checked


def check_limits(limits: QueryLimits) -> QueryLimits:
    """Return limits that are allowed, or say which is not."""
    if not 0 < limits.timeout_s <= QUERY_TIMEOUT_S_MAX:
        raise ValidationError(
            f"timeout_s is {limits.timeout_s:g}: use more than 0, at most {QUERY_TIMEOUT_S_MAX:g}."
        )
    if not 0 < limits.rows_max <= QUERY_ROWS_MAX:
        raise ValidationError(f"max_rows is {limits.rows_max}: use 1 to {QUERY_ROWS_MAX}.")
    return limits


def explain_cost(estimate: CostEstimate) -> str | None:
    """Say why a person should be asked before a query of this cost; None when it is cheap."""
    if estimate.rows is not None and estimate.rows > QUERY_ROWS_ASK:
        return f"the engine expects this query to go through about {estimate.rows:,} rows"
    if estimate.cost is not None and estimate.cost > QUERY_COST_ASK:
        return f"the engine expects this query to cost {estimate.cost:,.0f} of its units"
    return None


def _make_catalogue(kept: Sequence[StoredResult]) -> Catalogue:
    tables = tuple(
        Table(
            name=one.result_id,
            columns=tuple(
                Column(name=column.name, type=column.type, kind=column.kind)
                for column in one.columns
            ),
            rows=one.row_count,
            rows_exact=True,
        )
        for one in kept
    )
    fingerprint = ",".join(one.sha256 for one in kept)
    return Catalogue(dialect="duckdb", tables=tables, fingerprint=fingerprint)
