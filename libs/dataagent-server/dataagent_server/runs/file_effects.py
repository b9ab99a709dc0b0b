"""The effect of a waiting call on a file in the workspace of its run.

A user who may answer sees it, even without access to that workspace: it shows only the file the
call names, while the call waits. It says so if the file cannot be compared.
"""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from dataagent_core.config.limits import DIFF_CHARS_MAX, DIFF_FILE_BYTES_MAX
from dataagent_core.engine.assembly.agent_folders import is_beside_workspace
from dataagent_core.errors import DataAgentError, NotFoundError
from dataagent_core.hitl import ActionRequest
from dataagent_core.tools.files.content_forecast import FILE_CHANGING, forecast_content
from dataagent_core.tools.output.file_diff import compare_file
from dataagent_server.runs.run_row import RunRow
from dataagent_server.workspaces.files.workspace_files import OpenedFile, WorkspaceFiles

# elsewhere: the path is not in the workspace; fails: the tool would refuse the call as it is.
NotCompared = Literal["elsewhere", "unreadable", "too_large", "not_text", "fails"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FileEffect:
    """A file before and after; `diff` is unset where the two cannot be compared."""

    path: str
    # Unknown where the file could not be read.
    exists: bool | None = None
    removes: bool = False
    bytes_before: int | None = None
    bytes_after: int | None = None
    diff: str | None = None
    diff_cut: bool = False
    not_compared: NotCompared | None = None
    detail: str | None = None


async def file_effect(
    files: WorkspaceFiles, run: RunRow, action: ActionRequest
) -> FileEffect | None:
    """Compute the effect; `None` for a call that is not one of our file tools."""
    tool, args = action["name"], action["args"]
    path = args.get("file_path")
    if tool not in FILE_CHANGING or not isinstance(path, str):
        return None
    removes = tool == "delete_file"
    try:
        if is_beside_workspace(path):
            return FileEffect(path=path, removes=removes, not_compared="elsewhere")
        file = await files.open_made(run.tenant_id, run.user_id, path)
    except NotFoundError:
        return await asyncio.to_thread(_compare, tool, args, path, None)
    except DataAgentError as error:
        return FileEffect(path=path, removes=removes, not_compared="unreadable", detail=str(error))
    try:
        size = file.node.size_bytes
        if size > DIFF_FILE_BYTES_MAX:
            return FileEffect(
                path=path,
                exists=True,
                removes=removes,
                bytes_before=size,
                not_compared="too_large",
            )
        before = await _read_file(file)
    finally:
        file.close()
    return await asyncio.to_thread(_compare, tool, args, path, before)


async def _read_file(file: OpenedFile) -> bytes:
    read = b""
    while len(read) <= DIFF_FILE_BYTES_MAX and (more := await file.piece(len(read), 1 << 20)):
        read += more
    return read


def _compare(tool: str, args: Mapping[str, Any], path: str, before: bytes | None) -> FileEffect:
    exists, removes = before is not None, tool == "delete_file"
    size = None if before is None else len(before)
    try:
        after = forecast_content(tool, args, before)
    except DataAgentError as error:
        return FileEffect(
            path=path,
            exists=exists,
            removes=removes,
            bytes_before=size,
            not_compared="fails",
            detail=str(error),
        )
    _, diff = compare_file(path, before or b"", after or b"")
    large = max(size or 0, len(after or b"")) > DIFF_FILE_BYTES_MAX
    return FileEffect(
        path=path,
        exists=exists,
        removes=removes,
        bytes_before=size,
        bytes_after=None if after is None else len(after),
        diff=diff,
        diff_cut=diff is not None and len(diff) > DIFF_CHARS_MAX,
        not_compared=None if diff is not None else "too_large" if large else "not_text",
    )
