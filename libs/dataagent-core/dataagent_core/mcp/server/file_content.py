"""The files a call made, as content a client can use: pictures as they are, all as resources.

A path of our workspace means nothing to a client elsewhere. Only what data tools write is given
out here; every other file goes through the file tools and their rules.
"""

import asyncio
import base64
from collections.abc import Mapping, Sequence
from typing import Any, Final

from langchain_core.messages import ToolMessage
from mcp_types import ContentBlock, ImageContent, ResourceLink

from dataagent_core.config.limits.mcp import (
    MCP_SERVED_FILE_BYTES_MAX,
    MCP_SERVED_IMAGE_BYTES_MAX,
    MCP_SERVED_IMAGES_MAX,
)
from dataagent_core.errors import DataAgentError, NotFoundError, ValidationError
from dataagent_core.mcp.server.resource_addresses import file_address
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.paths.tool_paths import format_path, split_path
from dataagent_core.tools.data.charts.chart_files import CHARTS_FOLDER
from dataagent_core.tools.data.reports.report_files import REPORTS_FOLDER
from dataagent_core.tools.data.workspace_files import OUTPUTS_FOLDER
from dataagent_core.tools.media.media_type import detect_media_type
from dataagent_core.tools.output.artifacts import ARTIFACTS_KEY

_FOLDERS: Final = (CHARTS_FOLDER, REPORTS_FOLDER, OUTPUTS_FOLDER)
# What models take.
_PICTURES: Final = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})


async def content_of_files(
    made: Sequence[Mapping[str, Any]], root: SafeRoot | None
) -> list[ContentBlock]:
    """Give the files that were made, described as artifacts."""
    if root is None or not made:
        return []
    return await asyncio.to_thread(_content, made, root)


def files_in(message: ToolMessage) -> Sequence[Mapping[str, Any]]:
    """List the files that a message says its call made."""
    facts: dict[str, Any] = message.artifact if isinstance(message.artifact, dict) else {}
    return facts.get(ARTIFACTS_KEY) or ()


def _content(made: Sequence[Mapping[str, Any]], root: SafeRoot) -> list[ContentBlock]:
    pictures: list[ContentBlock] = []
    links: list[ContentBlock] = []
    for file in made:
        path, kind = str(file["path"]), str(file["media_type"])
        if not is_made_by_tools(path):
            continue
        links.append(
            ResourceLink(
                type="resource_link",
                name=str(file["name"]),
                uri=file_address(path),
                mime_type=kind,
                size=int(file["bytes"]),
            )
        )
        if kind in _PICTURES and len(pictures) < MCP_SERVED_IMAGES_MAX:
            try:
                data = root.read_bytes(path, MCP_SERVED_IMAGE_BYTES_MAX)
            except DataAgentError:
                continue  # too large, or gone by now: the link says so to whoever follows it
            pictures.append(
                ImageContent(type="image", data=base64.b64encode(data).decode(), mime_type=kind)
            )
    return [*pictures, *links]


def is_made_by_tools(path: str) -> bool:
    """Say whether a path lies where data tools write."""
    return format_path(split_path(path)).startswith(tuple(f"{folder}/" for folder in _FOLDERS))


def read_made_file(root: SafeRoot, path: str) -> tuple[bytes, str]:
    """Read such a file, and say what kind it is. It blocks."""
    shown = format_path(split_path(f"/{path}"))
    if not is_made_by_tools(shown):
        raise NotFoundError(
            f"{shown!r} is no file of {', '.join(_FOLDERS)}. Read other files with read_file."
        )
    size_bytes = root.stat(shown).size_bytes
    if size_bytes > MCP_SERVED_FILE_BYTES_MAX:
        raise ValidationError(
            f"{shown!r} has {size_bytes:,} bytes, {MCP_SERVED_FILE_BYTES_MAX:,} can be read at "
            "once. Read the rows of a result page by page: dataagent://results/{result_id}?offset=0"
        )
    data = root.read_bytes(shown, MCP_SERVED_FILE_BYTES_MAX)
    return data, detect_media_type(shown.rpartition("/")[2], data)
