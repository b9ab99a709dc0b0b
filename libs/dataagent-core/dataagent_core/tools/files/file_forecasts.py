"""Refuses a change of a file that cannot be made, before anybody is asked about it.

It raises what the tool would raise: no such file, not read yet, changed since it was read, a text
that is not found, a place that may not be written. What is only known by writing is left to the
tool, and so is an edit that damages the file, which the tool makes when it is asked for again.
"""

import asyncio
from collections.abc import Mapping
from functools import partial
from posixpath import basename, dirname
from typing import Any

from dataagent_core.errors import NotFoundError
from dataagent_core.sandbox.paths.protected_paths import refuse_protected
from dataagent_core.tools.files.content_forecast import FILE_CHANGING, forecast_content
from dataagent_core.tools.files.file_access import FileAccess
from dataagent_core.tools.files.mounts import MountedPath
from dataagent_core.tools.pipeline.call_forecast import CallForecast, Forecaster, JudgeSource


def make_file_forecasters(access: FileAccess) -> dict[str, Forecaster]:
    """Give a forecaster for each tool that changes a file."""
    return {tool: partial(_forecast, access, tool) for tool in sorted(FILE_CHANGING)}


async def _forecast(
    access: FileAccess,
    tool: str,
    args: dict[str, Any],
    _judge: JudgeSource,
) -> CallForecast:
    await asyncio.to_thread(refuse_impossible_change, access, tool, args)
    return CallForecast(args)


def refuse_impossible_change(access: FileAccess, tool: str, args: Mapping[str, Any]) -> None:
    """Raise what the call would raise; it blocks and changes nothing."""
    place = access.mounts.locate(str(args.get("file_path", ""))).to_change()
    refuse_protected(place.inside)
    match tool:
        case "delete_file":
            _refuse_missing(place)
        case "write_file":
            before = access.read_current(place)
            after = forecast_content(tool, args, before.data if before else None)
            if before is not None and before.data != after:
                access.ledger.check(place.display_path, before.data)
        case _:
            forecast_content(tool, args, access.read_seen(place).data)


def _refuse_missing(place: MountedPath) -> None:
    try:
        place.root.stat(place.path)
    except NotFoundError:
        # A link to nothing can be deleted.
        beside = place.root.list_dir(dirname(place.path) or "/")
        if basename(place.path) not in {entry.name for entry in beside}:
            raise
