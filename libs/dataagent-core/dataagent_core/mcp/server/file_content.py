"""Turns the files a call made, and the pictures and documents it read, into MCP content.

Files: a client elsewhere cannot open a path of our workspace, so each becomes a resource link, and
a picture is sent as well. Only what data tools write is sent; every other file goes through the
file tools and their rules.

Pictures: a message holds references to them (`tools/media/media_reference.py`). They are scaled as
for a model, within the size of an answer; a PDF is sent as its text. What cannot be shown becomes a
sentence.
"""

import asyncio
import base64
import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final

from langchain_core.messages import ToolMessage
from mcp_types import ContentBlock, ImageContent, ResourceLink, TextContent

from dataagent_core.config.limits.mcp import (
    MCP_SERVED_FILE_BYTES_MAX,
    MCP_SERVED_IMAGE_BYTES_MAX,
    MCP_SERVED_IMAGES_MAX,
)
from dataagent_core.config.limits.media import MEDIA_FILE_BYTES_MAX, PICTURE_SIDE_PIXELS_DEFAULT
from dataagent_core.errors import DataAgentError, NotFoundError, ValidationError
from dataagent_core.mcp.server.resource_addresses import file_address
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.paths.tool_paths import format_path, split_path
from dataagent_core.tools.data.charts.chart_files import CHARTS_FOLDER
from dataagent_core.tools.data.reports.report_files import REPORTS_FOLDER
from dataagent_core.tools.data.workspace_files import OUTPUTS_FOLDER
from dataagent_core.tools.media.media_reference import MediaReference
from dataagent_core.tools.media.media_type import detect_media_type
from dataagent_core.tools.media.pdf_text import read_pdf_text
from dataagent_core.tools.media.picture import fit_picture
from dataagent_core.tools.output.artifacts import ARTIFACTS_KEY

# A picture that takes too many bytes is tried with sides of a half, a quarter and an eighth.
_SIDES_PIXELS: Final = tuple(PICTURE_SIDE_PIXELS_DEFAULT // part for part in (1, 2, 4, 8))


async def pictures_in(message: ToolMessage, root: SafeRoot | None) -> list[ContentBlock]:
    """Return the pictures and PDF texts a message refers to, or why one is not sent."""
    blocks: list[Any] = message.content if isinstance(message.content, list) else []
    references = [reference for block in blocks if (reference := MediaReference.read(block))]
    content: list[ContentBlock] = []
    for number, reference in enumerate(references):
        try:
            if number >= MCP_SERVED_IMAGES_MAX:
                raise ValidationError(f"an answer has at most {MCP_SERVED_IMAGES_MAX} pictures.")
            content.append(await _load_media(reference, root))
        except DataAgentError as error:
            text = f"The content of {reference.path} is not sent over MCP: {error}"
            content.append(TextContent(type="text", text=text))
    return content


async def _load_media(reference: MediaReference, root: SafeRoot | None) -> ContentBlock:
    if root is None:
        raise ValidationError("there is no workspace to read it from.")
    data = await asyncio.to_thread(root.read_bytes, reference.path, MEDIA_FILE_BYTES_MAX)
    if hashlib.sha256(data).hexdigest() != reference.sha256:
        raise ValidationError("it has just been changed. Read it again.")
    if reference.is_pdf:
        found = await read_pdf_text(data)
        missing = f"\n\n[{found.missing}]" if found.missing else ""
        return TextContent(type="text", text=found.text + missing)
    for side_pixels in _SIDES_PIXELS:
        picture = await fit_picture(data, side_pixels)
        if len(picture.data) <= MCP_SERVED_IMAGE_BYTES_MAX:
            encoded = base64.b64encode(picture.data).decode()
            return ImageContent(type="image", data=encoded, mime_type=picture.media_type)
    raise ValidationError(f"it takes more than {MCP_SERVED_IMAGE_BYTES_MAX:,} bytes at any size.")


_FOLDERS: Final = (CHARTS_FOLDER, REPORTS_FOLDER, OUTPUTS_FOLDER)
# The formats models accept.
_PICTURES: Final = frozenset({"image/png", "image/jpeg", "image/webp", "image/gif"})


async def content_of_files(
    made: Sequence[Mapping[str, Any]], root: SafeRoot | None
) -> list[ContentBlock]:
    """Return the content of files that artifacts describe."""
    if root is None or not made:
        return []
    return await asyncio.to_thread(_make_file_content, made, root)


def files_in(message: ToolMessage) -> Sequence[Mapping[str, Any]]:
    """List the artifacts of a message."""
    facts: dict[str, Any] = message.artifact if isinstance(message.artifact, dict) else {}
    return facts.get(ARTIFACTS_KEY) or ()


def _make_file_content(made: Sequence[Mapping[str, Any]], root: SafeRoot) -> list[ContentBlock]:
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
                continue  # too large or deleted: reading the link says so
            pictures.append(
                ImageContent(type="image", data=base64.b64encode(data).decode(), mime_type=kind)
            )
    return [*pictures, *links]


def is_made_by_tools(path: str) -> bool:
    """Return whether a path lies in a folder of the data tools."""
    return format_path(split_path(path)).startswith(tuple(f"{folder}/" for folder in _FOLDERS))


def read_made_file(root: SafeRoot, path: str) -> tuple[bytes, str]:
    """Read a file of a data tool and detect its media type. Blocks."""
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
