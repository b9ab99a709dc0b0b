"""Sessions, results and files as resources (`resource_addresses.py`).

A result is a page of rows, as JSON or as CSV; personal columns are masked, because the reader is a
model. Files are those that data tools made. Callers see only their own.
"""

import asyncio
import io
import json
from typing import Any, Literal

from fastmcp import FastMCP
from fastmcp.exceptions import ResourceError
from fastmcp.resources import ResourceContent, ResourceResult
from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS

from dataagent_core.config.limits.data import RESULT_PAGE_ROWS_DEFAULT, RESULT_PAGE_ROWS_MAX
from dataagent_core.config.limits.mcp import MCP_SERVED_OUTPUT_BYTES_MAX, MCP_SERVED_SESSIONS_MAX
from dataagent_core.errors import DataAgentError, DeniedError, NotFoundError
from dataagent_core.language.unicode_text import storable
from dataagent_core.mcp.server.file_content import read_made_file
from dataagent_core.mcp.server.ports import MCPCaller, MCPServices
from dataagent_core.mcp.server.resource_addresses import FILE, RESULT_PAGE, SESSION, SESSIONS
from dataagent_core.mcp.server.tool_table import Scope
from dataagent_core.tools.data.privacy.cell_masks import make_cell_mask
from dataagent_core.tools.data.privacy.failure_text import remove_values
from dataagent_core.tools.data.results.result_preview import (
    make_json_value,
    render_cell_text,
    render_csv_line,
)
from dataagent_core.tools.data.results.result_reader import read_page
from dataagent_core.tools.data.results.stored_result import ResultPage

_JSON = "application/json"
Form = Literal["json", "csv"]


def add_resources(server: "FastMCP[Any]", services: MCPServices) -> None:
    """Register the resources."""

    @server.resource(SESSIONS, name="sessions", mime_type=_JSON)
    async def sessions() -> ResourceResult:
        """Your conversations with the agent, the last used first."""
        with ResourceErrors():
            caller = await _require_scope(services, "sessions:read")
            return _make_json_result(await services.sessions(caller, MCP_SERVED_SESSIONS_MAX))

    @server.resource(SESSION, name="session", mime_type=_JSON)
    async def session(session_id: str) -> ResourceResult:
        """One conversation: its messages, and whether it waits for a person."""
        with ResourceErrors():
            caller = await _require_scope(services, "sessions:read")
            return _make_json_result(await services.session(caller, session_id))

    @server.resource(RESULT_PAGE, name="result", mime_type=_JSON)
    async def result(
        result_id: str,
        offset: int = 0,
        limit: int = RESULT_PAGE_ROWS_DEFAULT,
        format: Form = "json",  # noqa: A002 (the name in the address)
    ) -> ResourceResult:
        """Rows of a kept result, as JSON or CSV; `next_offset` says where it goes on."""
        with ResourceErrors():
            caller = await _require_scope(services, "data:read")
            results = await services.results(caller)
            rows_max = max(1, min(limit, RESULT_PAGE_ROWS_MAX))
            page = await read_page(results, result_id, offset, rows_max)
            return _render_csv(page) if format == "csv" else _make_json_result(_render_rows(page))

    @server.resource(FILE, name="file", mime_type="application/octet-stream")
    async def file(path: str) -> ResourceResult:
        """Read a chart, an export or a report by the link in the answer that made it."""
        with ResourceErrors():
            caller = await _require_scope(services, "data:read")
            async with services.open_toolset(caller) as toolset:
                if toolset.workspace is None:
                    raise NotFoundError("There is no workspace to read files from.")
                data, kind = await asyncio.to_thread(read_made_file, toolset.workspace, path)
            return ResourceResult(contents=[_make_content(data, kind)])

    for function in (sessions, session, result, file):
        assert function


class ResourceErrors:
    """Raises our errors as the library's errors, with their messages."""

    def __enter__(self) -> None: ...

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, NotFoundError):
            raise MCPError(INVALID_PARAMS, f"Resource not found: {error}") from error
        if isinstance(error, DataAgentError):
            raise ResourceError(f"{error.code}: {error}") from error


async def _require_scope(services: MCPServices, scope: Scope) -> MCPCaller:
    caller = await services.caller()
    if scope not in caller.scopes:
        raise DeniedError(f"{caller.name} may not read this: it needs the scope {scope!r}.")
    return caller


def _render_rows(page: ResultPage) -> dict[str, Any]:
    kept = page.kept
    mask = make_cell_mask(kept)
    names = [column.name for column in kept.columns]
    rows: list[list[Any]] = []
    size_bytes = 0
    for row in page.rows:
        cells = [make_json_value(mask(name, value)) for name, value in zip(names, row, strict=True)]
        size_bytes += len(json.dumps(cells))
        if rows and size_bytes > MCP_SERVED_OUTPUT_BYTES_MAX:
            break
        rows.append(cells)
    after = page.offset + len(rows)
    return {
        "result_id": kept.result_id,
        "source": kept.source,
        "sql": kept.sql,
        "sha256": kept.sha256,
        "columns": [{"name": c.name, "type": c.type, "kind": c.kind} for c in kept.columns],
        "rows": rows,
        "offset": page.offset,
        "next_offset": after if after < kept.row_count else None,
        "row_count": kept.row_count,
        "truncated": kept.truncated,
        "notes": [remove_values(note) for note in kept.lineage.notes],
    }


def _render_csv(page: ResultPage) -> ResourceResult:
    mask = make_cell_mask(page.kept)
    names = [column.name for column in page.kept.columns]
    text = io.StringIO()
    text.write(render_csv_line(names))
    for row in page.rows:
        if text.tell() > MCP_SERVED_OUTPUT_BYTES_MAX:
            break
        cells = zip(names, row, strict=True)
        text.write(render_csv_line([render_cell_text(mask(name, value)) for name, value in cells]))
    content = ResourceContent(storable(text.getvalue()), mime_type="text/csv")
    return ResourceResult(contents=[content])


def _make_content(data: bytes, kind: str) -> ResourceContent:
    if kind.startswith("text/") or kind == _JSON:
        return ResourceContent(storable(data.decode("utf-8", "replace")), mime_type=kind)
    return ResourceContent(data, mime_type=kind)


def _make_json_result(value: Any) -> ResourceResult:
    text = json.dumps(storable(value), ensure_ascii=False, default=str)
    return ResourceResult(contents=[ResourceContent(text, mime_type=_JSON)])
