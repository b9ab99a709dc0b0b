"""`data_list_sources`, `data_search_catalog` and `data_describe`: what there is to query."""

from typing import Annotated, Any

from pydantic import Field

from dataagent_core.config.limits.data import (
    CATALOGUE_FOUND_DEFAULT,
    CATALOGUE_FOUND_MAX,
    CATALOGUE_WAIT_S,
    DESCRIBE_SAMPLE_ROWS,
    PROFILE_SAMPLE_ROWS,
)
from dataagent_core.errors import DataAgentError, DeniedError, NotFoundError
from dataagent_core.permissions.taint import make_external_metadata
from dataagent_core.tools.data.agent_tools.data_tool_services import DataToolServices
from dataagent_core.tools.data.agent_tools.shared_arguments import SourceArg
from dataagent_core.tools.data.agent_tools.source_rules import (
    explain_source_question,
    explain_source_questions,
)
from dataagent_core.tools.data.catalog import (
    CatalogueEntry,
    filter_visible,
    make_table_entries,
    render_table,
    search_entries,
)
from dataagent_core.tools.data.data_model import Catalogue, Table
from dataagent_core.tools.data.privacy import find_personal_columns, scrub_text
from dataagent_core.tools.data.privacy.failure_text import remove_values
from dataagent_core.tools.data.privacy.sampled_kinds import detect_profile_kinds
from dataagent_core.tools.data.results.result_lineage import SourceTouch
from dataagent_core.tools.data.time_left import TimeLeft
from dataagent_core.tools.definition.name_suggestions import describe_unknown_name
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.pipeline.call_forecast import CallForecast, JudgeSource


@define_tool("pure")
async def data_list_sources(services: DataToolServices) -> str:
    """List the data sources you can query: name, kind, SQL dialect, description.

    Data files in the workspace (CSV, Excel, Parquet, JSON, SQLite, DuckDB) are sources too:
    give their path as the source.
    """
    lines = [
        f"{spec.name} ({spec.kind}, {spec.dialect} SQL)"
        + (f": {spec.description}" if spec.description else "")
        for spec in await services.access.sources.listed()
    ]
    files = await services.files.listed()
    if files:
        lines.append(f"Files: {', '.join(files)}")
    if not lines:
        return (
            "There are no sources yet. Ask the person to put a data file into the workspace, "
            "or to add a database: dataagent sources add NAME URL"
        )
    return "\n".join(lines)


@define_tool("pure", make_external_metadata())
async def data_search_catalog(
    services: DataToolServices,
    query: Annotated[str, Field(description="Words, English or Chinese; empty lists all.")],
    source: Annotated[str | None, Field(description="Only this source.")] = None,
    limit: Annotated[int, Field(ge=1, le=CATALOGUE_FOUND_MAX)] = CATALOGUE_FOUND_DEFAULT,
    leave_out: Annotated[
        dict[str, list[str]] | None, Field(description="Leave out: found for you.")
    ] = None,
) -> str:
    """Find tables, columns, metrics and verified questions by words, in all sources at once."""
    names = [source] if source else await _list_source_names(services)
    denied = {tool: frozenset(sources) for tool, sources in (leave_out or {}).items()}
    found = [
        entry
        for entry in await services.list_semantic_entries()
        if source in (None, "", entry.source)
        and entry.source not in denied.get(_get_querying_tool(entry), ())
    ]
    tables_denied = denied.get("sql_query", frozenset())
    notes = [f"({n} is left out: a rule denies it)" for n in names if n in tables_denied]
    left = TimeLeft(CATALOGUE_WAIT_S)
    for name in names:
        if name in tables_denied:
            continue
        try:
            catalogue = await services.queries.load_catalogue(name, left.s())
        except DataAgentError as error:
            if source:
                raise
            notes.append(f"({name} cannot be read: {scrub_text(str(error))})")
            continue
        found += make_table_entries(name, catalogue)
        notes += [f"({name}: {remove_values(note)})" for note in catalogue.notes]
    best = search_entries(query, found, limit)
    lines = [f"[{entry.source}] {entry.line}" for entry in best.entries]
    if not lines:
        lines = [f"Nothing fits {query!r:.100}. Other words, or an empty query, show more."]
    if best.more:
        lines.append(f"({best.more} more fit; use more exact words)")
    return "\n".join([*lines, *notes])


async def forecast_search(
    services: DataToolServices, args: dict[str, Any], judge: JudgeSource
) -> CallForecast:
    """Ask the rules about each source: a denied one is left out, unless it is the one meant."""
    tool, source = "data_search_catalog", args.get("source")
    if source:
        touches = [SourceTouch(tool, str(source))]
        ask = await explain_source_questions(services.queries, tool, str(source), touches, judge)
        return CallForecast({**args, "leave_out": None}, ask)
    named = await _list_source_names(services)
    named += [entry.source for entry in await services.list_semantic_entries()]
    denied: dict[str, list[str]] = {}
    ask: str | None = None
    # A source that may not be queried is not found; rules may allow its metrics and not SQL.
    for asking in ("sql_query", "metric_query"):
        for name in dict.fromkeys(named):
            try:
                ask = explain_source_question(tool, SourceTouch(asking, name), judge) or ask
            except DeniedError:
                denied.setdefault(asking, []).append(name)
    asked_anyway = judge(tool, "").action == "ask"
    return CallForecast({**args, "leave_out": denied or None}, None if asked_anyway else ask)


def _get_querying_tool(entry: CatalogueEntry) -> str:
    return "metric_query" if entry.kind in {"metric", "dimension"} else "sql_query"


async def forecast_describe(
    services: DataToolServices, args: dict[str, Any], judge: JudgeSource
) -> CallForecast:
    """Ask the rules about the source, however its path is spelled."""
    tool, source = "data_describe", str(args["source"])
    touches = [SourceTouch(tool, source)]
    ask = await explain_source_questions(services.queries, tool, source, touches, judge)
    return CallForecast(args, ask)


@define_tool("pure", make_external_metadata())
async def data_describe(
    services: DataToolServices,
    source: SourceArg,
    table: Annotated[str, Field(description="Table name, as the catalogue gives it.")],
    profile: Annotated[  # noqa: FBT002 - a model names its arguments
        bool, Field(description="Also nulls, distinct values and ranges, on a sample.")
    ] = False,
) -> str:
    """Describe a table before you query it: columns, types, keys, comments, samples."""
    opened = await services.queries.open_source(source)
    catalogue = filter_visible(await opened.catalogue.get(), opened.spec)
    found = find_table(catalogue, table)
    rows = PROFILE_SAMPLE_ROWS if profile else DESCRIBE_SAMPLE_ROWS
    profiles = await services.queries.profile(opened, found, rows)
    personal = find_personal_columns(opened.spec, found, detect_profile_kinds(profiles))
    return render_table(found, profiles, personal, profile=profile)


async def _list_source_names(services: DataToolServices) -> list[str]:
    return [spec.name for spec in await services.access.sources.listed()]


def find_table(catalogue: Catalogue, name: str, whole: Catalogue | None = None) -> Table:
    """Find a table by its name, with or without its schema.

    `whole` has the hidden tables too: a person is told that a table is hidden, not missing.
    """
    fitting = _find_fitting_tables(catalogue, name)
    # A table of the default schema comes first.
    fitting.sort(key=lambda table: table.schema != catalogue.default_schema)
    if not fitting:
        known = [table.qualified for table in catalogue.tables]
        problem = f"There is no table {name!r:.100}."
        hint = "data_search_catalog finds tables by words."
        told, shown = describe_unknown_name(problem, name, known, hint)
        hidden_one = (
            f"The table {name!r:.100} is hidden: the source's owner took it out of reach. Ask them "
            "to show it if it is needed."
        )
        hidden = whole is not None and bool(_find_fitting_tables(whole, name))
        raise NotFoundError(told, hidden_one if hidden else shown)
    return fitting[0]


def _find_fitting_tables(catalogue: Catalogue, name: str) -> list[Table]:
    wanted = name.strip().strip('"`').lower()
    return [t for t in catalogue.tables if wanted in (t.qualified.lower(), t.name.lower())]
