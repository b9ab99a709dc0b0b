"""`data check` and `data query`."""

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from dataagent_cli.data.access import open_query_service
from dataagent_cli.output import exit_codes
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.table import print_table
from dataagent_cli.wiring import App

if TYPE_CHECKING:
    from dataagent_core.tools.data.data_model import QueryLimits
    from dataagent_core.tools.data.query_service import QueryService
    from dataagent_core.tools.data.results import ResultPage
    from dataagent_core.tools.data.time_left import TimeLeft

_ROWS_SHOWN_MAX = 50


async def check_sql(app: App, source: str, sql: str, as_json: bool) -> None:
    """Print how SQL would run, and what it would cost."""
    async with open_query_service(app) as queries:
        prepared = await queries.check(source, sql)
        estimate = await queries.estimate(prepared)
        await prepared.aclose()
    checked = prepared.checked
    if as_json:
        write_document(
            {
                "ok": True,
                "normalized_sql": checked.sql,
                "tables": list(checked.tables),
                "est_rows": estimate.rows,
            }
        )
        return
    app.output.line(checked.sql)
    tables = ", ".join(checked.tables) or "-"
    app.output.note(app.say("sql_may_run", tables=tables, rows=estimate.rows or "?"), dim=True)


async def query_sql(
    app: App, source: str, sql: str, limits: "QueryLimits", *, yes: bool, as_json: bool
) -> int:
    """Run SQL and print its rows; an expensive one needs a confirmation."""
    from dataagent_core.tools.data.results.result_reader import read_page
    from dataagent_core.tools.data.time_left import TimeLeft

    async with open_query_service(app) as queries:
        if not yes:
            # A plan takes its time out of the query's; what a person takes is their own.
            left = TimeLeft(limits.timeout_s)
            reason = await _find_cost_warning(queries, source, sql, left)
            limits = replace(limits, timeout_s=left.s())
            if reason is not None and not _confirm(app, reason):
                return exit_codes.CANCELLED
        kept = await queries.query(source, sql, limits)
        shown = limits.rows_max if as_json else _ROWS_SHOWN_MAX
        page = await read_page(queries.results, kept.result_id, 0, shown)
    if as_json:
        write_document(document_of(page))
        return exit_codes.DONE
    _print_page(app, page)
    return exit_codes.DONE


async def _find_cost_warning(
    queries: "QueryService", source: str, sql: str, left: "TimeLeft"
) -> str | None:
    from dataagent_core.tools.data.query_service import explain_cost

    prepared = await queries.check(source, sql, left.s())
    try:
        return explain_cost(await queries.estimate(prepared, left.s()))
    finally:
        await prepared.aclose()


def _confirm(app: App, reason: str) -> bool:
    from dataagent_core.errors import NoOneToAskError

    if not sys.stdin.isatty():
        raise NoOneToAskError(app.say("expensive", reason=reason))
    return click.confirm(app.say("expensive_confirm", reason=reason), err=True)


def document_of(page: "ResultPage") -> dict[str, Any]:
    """Return a page as JSON; values that JSON lacks become text."""
    from dataagent_core.tools.data.results.result_preview import make_json_value

    stored = page.kept
    return {
        "result_id": stored.result_id,
        "columns": [{"name": c.name, "type": c.type, "kind": c.kind} for c in stored.columns],
        "rows": [[make_json_value(value) for value in row] for row in page.rows],
        "row_count": stored.row_count,
        "truncated": stored.truncated,
        "normalized_sql": stored.sql,
        "sha256": stored.sha256,
        "elapsed_ms": stored.elapsed_ms,
        "notes": list(stored.lineage.notes),
    }


def _print_page(app: App, page: "ResultPage") -> None:
    from dataagent_core.tools.data.results.result_preview import render_cell_text

    stored = page.kept
    rows = [[render_cell_text(value) for value in row] for row in page.rows]
    print_table(app.output, [column.name for column in stored.columns], rows)
    key = "query_truncated" if stored.truncated else "query_done"
    text = app.say(key, rows=stored.row_count, ms=stored.elapsed_ms, result=stored.result_id)
    app.output.note(text, dim=True)
    if stored.row_count > len(rows):
        app.output.note(app.say("query_more", shown=len(rows), result=stored.result_id), dim=True)
    app.output.note(one_line(stored.sql), dim=True)
    for note in stored.lineage.notes:
        app.output.note(app.say("query_note", note=one_line(note)))
