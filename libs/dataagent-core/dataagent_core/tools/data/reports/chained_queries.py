"""Replaces results in a report's queries by the queries that made them.

A result expires after some days, a report does not. So a stored report names no result: the query
that made it becomes a named query of the report, and a query over it uses that name as a table. In
each run the name stands for the fresh result.
"""

import re
from collections.abc import Mapping

from dataagent_core.config.limits.data import RESULT_DAYS_MAX
from dataagent_core.errors import DataAgentError, NotFoundError, ValidationError
from dataagent_core.tools.data.guard import list_named_tables
from dataagent_core.tools.data.reports.report_definition import QueryDefinition, ReportDefinition
from dataagent_core.tools.data.reports.yaml_model import check_model
from dataagent_core.tools.data.results.result_lineage import LineageStep, collect_steps
from dataagent_core.tools.data.results.result_store import ResultStore
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.data.sources.source_spec import RESULTS_SOURCE

_RESULT_ID = re.compile(r"\br_[0-9a-f]{12}\b", re.IGNORECASE)


async def make_self_contained(
    definition: ReportDefinition,
    results: ResultStore,
    made: Mapping[str, StoredResult] | None = None,
) -> ReportDefinition:
    """Return a definition that names no result; raise if the query of a result is unknown.

    `made` holds the existing results of its queries, by name.
    """
    known = made or {}
    named = {kept.result_id: name for name, kept in known.items()}
    added: dict[str, QueryDefinition] = {}
    for name, query in definition.queries.items():
        if not _names_results(query):
            continue
        steps = known[name].lineage.steps if name in known else ()
        for step in steps or await _load_steps(name, query, results):
            if step.result_id in named:
                continue
            new_name = _make_free_name(step, {*definition.queries, *added})
            added[new_name] = QueryDefinition(source=step.source, sql=step.sql)
            named[step.result_id] = new_name
    if not any(map(_names_results, definition.queries.values())):
        return definition
    queries = {
        name: _replace_results(name, query, named)
        for name, query in {**added, **definition.queries}.items()
    }
    whole = {**definition.model_dump(), "queries": {n: q.model_dump() for n, q in queries.items()}}
    return check_model(ReportDefinition, whole, "The report")


def list_named_queries(sql: str, definition: ReportDefinition) -> list[str]:
    """List the report's queries that a SQL statement uses as tables."""
    tables = {table.lower() for table in list_named_tables(sql, "duckdb")}
    return [name for name in definition.queries if name.lower() in tables]


def substitute_results(sql: str, fresh: Mapping[str, str]) -> str:
    """Replace the names of queries by the ids of their results, with the names as aliases."""
    # The parser is large: it is imported on first use.
    from sqlglot import exp

    from dataagent_core.tools.data.guard.parse.sql_dialects import get_sql_dialect, write_sql
    from dataagent_core.tools.data.guard.parse.statement_parser import list_nodes, parse_statement

    ids = {name.lower(): result_id for name, result_id in fresh.items()}
    tree = parse_statement(sql, get_sql_dialect("duckdb"))
    nodes = list_nodes(tree)
    own = {node.alias.lower() for node in nodes if isinstance(node, exp.CTE)}
    for node in nodes:
        if not isinstance(node, exp.Table) or node.name.lower() not in ids.keys() - own:
            continue
        name = node.name
        node.set("this", exp.to_identifier(ids[name.lower()]))
        if not node.alias:
            node.set("alias", exp.TableAlias(this=exp.to_identifier(name)))
    return write_sql(tree, get_sql_dialect("duckdb"))


def make_result_gone_error(name: str, error: DataAgentError) -> ValidationError:
    """Make the error of a query whose result is gone, with what to do."""
    return ValidationError(
        f"Query {name!r} of the report is over an earlier result that is not there: results are "
        f"kept for {RESULT_DAYS_MAX} days. Add the query that made it to the report's queries and "
        f"name that query as the table, or create the report anew. ({error})"
    )


async def _load_steps(
    name: str, query: QueryDefinition, results: ResultStore
) -> tuple[LineageStep, ...]:
    ids = dict.fromkeys(found.lower() for found in _RESULT_ID.findall(query.sql or ""))
    try:
        return collect_steps([await results.get(result_id) for result_id in ids])
    except NotFoundError as error:
        raise make_result_gone_error(name, error) from error


def _names_results(query: QueryDefinition) -> bool:
    over = query.source == RESULTS_SOURCE and query.sql is not None
    return over and _RESULT_ID.search(query.sql or "") is not None


def _replace_results(
    name: str, query: QueryDefinition, named: Mapping[str, str]
) -> QueryDefinition:
    if not _names_results(query):
        return query

    def name_of_result(found: re.Match[str]) -> str:
        if found[0].lower() not in named:
            raise make_result_gone_error(
                name, NotFoundError(f"Nobody knows how {found[0]} was made.")
            )
        return named[found[0].lower()]

    return query.model_copy(update={"sql": _RESULT_ID.sub(name_of_result, query.sql or "")})


def _make_free_name(step: LineageStep, taken: set[str]) -> str:
    source = re.sub(r"\W+", "_", step.source, flags=re.ASCII).strip("_") or "query"
    number = 1
    while (name := f"from{number}_{source}"[:64]) in taken:
        number += 1
    return name
