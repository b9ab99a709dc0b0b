"""Turns a server's result into a message for the model: text, structured value, and saved files.

The text is bounded later like that of every tool (`tools/output/output_keeper.py`). Nothing a
server sends becomes a receipt: the artifact of the message is built here from the saved files.

Pictures, sounds and files are saved in the workspace, so that a person can open them. A server's
media type is a claim; the extension follows from the first bytes. The same data gets the same name,
so that a repeated call writes no second file.
"""

import base64
import binascii
import hashlib
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, assert_never

from langchain_core.messages import ToolMessage
from pydantic import JsonValue

from dataagent_core.config.limits import ARTIFACT_SNIFF_BYTES
from dataagent_core.config.limits.mcp import (
    MCP_BLOCKS_MAX,
    MCP_RESULT_FILE_BYTES_MAX,
    MCP_RESULT_FILES_MAX,
)
from dataagent_core.errors import DataAgentError
from dataagent_core.mcp.tools.clean_text import in_one_line
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.media.media_type import detect_media_type
from dataagent_core.tools.output.artifacts import ARTIFACTS_KEY, describe_files
from dataagent_core.tools.pipeline.arguments import find_schema_problems

if TYPE_CHECKING:
    from mcp_types import (
        BlobResourceContents,
        CallToolResult,
        ContentBlock,
        ResourceLink,
        TextResourceContents,
    )

MCP_FOLDER = "/mcp"
_KIND_CHARS_MAX = 60
_ENDINGS = {
    "image/png": ".png",
    "image/jpeg": ".jpg",
    "image/gif": ".gif",
    "image/webp": ".webp",
    "application/pdf": ".pdf",
    "text/plain": ".txt",
}


@dataclass(frozen=True, slots=True)
class ResultFiles:
    """Saves the files of one result; without a root nothing is saved."""

    root: SafeRoot | None
    kept: list[str] = field(default_factory=list[str])

    def keep(self, data: str, claimed_type: str) -> str:
        """Save the data of a block; return where it is, or why it was not saved. Blocks."""
        kind = in_one_line(claimed_type, _KIND_CHARS_MAX) or "unnamed"
        # Decoding removes a quarter.
        if len(data) * 3 // 4 > MCP_RESULT_FILE_BYTES_MAX:
            return f"({kind} data of about {len(data) * 3 // 4} bytes: too large, left out)"
        try:
            content = base64.b64decode(data, validate=True)
        except (binascii.Error, ValueError):
            return f"({kind} data that is no base64: left out)"
        what = f"{kind} data of {len(content)} bytes"
        if self.root is None:
            return f"({what}: files cannot be kept here, left out)"
        if len(self.kept) >= MCP_RESULT_FILES_MAX:
            return f"({what}: {MCP_RESULT_FILES_MAX} files are kept of one result, left out)"
        found = detect_media_type("", content[:ARTIFACT_SNIFF_BYTES])
        name = hashlib.sha256(content).hexdigest()[:16]
        path = f"{MCP_FOLDER}/{name}{_ENDINGS.get(found, '.bin')}"
        try:
            self.root.write_atomic(path, content)
        except (DataAgentError, OSError) as error:
            # A full workspace must not lose the rest of the result.
            return f"({what}: it could not be kept: {error})"
        self.kept.append(path)
        return f"({what}, kept as {path})"

    def artifacts(self) -> list[dict[str, JsonValue]]:
        """Describe the saved files. Blocks."""
        return [] if self.root is None else describe_files(self.root, self.kept)


_URI_CHARS_MAX = 500
_ABOUT_CHARS_MAX = 200
_NOTHING = "(The tool returned nothing.)"


def message_from(
    result: "CallToolResult",
    *,
    name: str,
    call_id: str,
    output_schema: dict[str, Any] | None,
    root: SafeRoot | None,
) -> ToolMessage:
    """Make the message for the model. Blocks if files are saved."""
    files = ResultFiles(root)
    problem = None if result.is_error else _find_mismatch(result, output_schema)
    text = _render_result(result, files)
    if problem is not None:
        text = f"{problem}\n{text}"
    kept = files.artifacts()
    return ToolMessage(
        content=text or _NOTHING,
        name=name,
        tool_call_id=call_id,
        artifact={ARTIFACTS_KEY: kept} if kept else None,
        status="error" if result.is_error or problem is not None else "success",
    )


def _render_result(result: "CallToolResult", files: ResultFiles) -> str:
    blocks = result.content[:MCP_BLOCKS_MAX]
    parts = [block_text(block, files) for block in blocks]
    if len(result.content) > len(blocks):
        parts.append(f"({len(result.content) - len(blocks)} more parts were left out.)")
    structured = result.structured_content
    if structured is not None and not _repeats_structured(structured, parts):
        parts.append(json.dumps(structured, ensure_ascii=False, indent=1, default=str))
    return "\n".join(part for part in parts if part)


def _repeats_structured(structured: Any, parts: list[str]) -> bool:
    """Return whether a text repeats the structured value, which servers send for old clients."""
    values = [structured]
    if isinstance(structured, dict) and list(structured) == ["result"]:
        values.append(structured["result"])
    for part in parts:
        if part in values:
            return True
        try:
            if json.loads(part) in values:
                return True
        except (ValueError, RecursionError):
            continue
    return False


def block_text(block: "ContentBlock", files: ResultFiles) -> str:
    """Render one part of an answer as text; other data is saved as a file. Blocks."""
    match block.type:
        case "text":
            return block.text
        case "image" | "audio":
            return files.keep(block.data, block.mime_type)
        case "resource_link":
            return _render_link(block)
        case "resource":
            return resource_text(block.resource, files)
        case _:
            assert_never(block)


def _render_link(link: "ResourceLink") -> str:
    about = in_one_line(link.description or "", _ABOUT_CHARS_MAX)
    size = f", {link.size} bytes" if link.size is not None else ""
    name = in_one_line(link.title or link.name, _ABOUT_CHARS_MAX)
    kind = in_one_line(link.mime_type or "", _ABOUT_CHARS_MAX)
    details = f"{f', {kind}' if kind else ''}{size}{f': {about}' if about else ''}"
    return f"(resource {name!r} at {in_one_line(link.uri, _URI_CHARS_MAX)}{details})"


def resource_text(
    resource: "TextResourceContents | BlobResourceContents", files: ResultFiles
) -> str:
    """Render a resource as text; other data is saved as a file. Blocks."""
    uri = in_one_line(resource.uri, _URI_CHARS_MAX)
    text = getattr(resource, "text", None)
    if isinstance(text, str):
        return f"(resource {uri})\n{text}"
    blob = getattr(resource, "blob", "")
    return f"(resource {uri}) {files.keep(blob, resource.mime_type or '')}"


def _find_mismatch(result: "CallToolResult", schema: dict[str, Any] | None) -> str | None:
    if schema is None:
        return None
    if result.structured_content is None:
        return "The server promised a structured result for this tool and sent none:"
    problems = find_schema_problems(schema, result.structured_content)
    if not problems:
        return None
    return f"The server's result is not what it promised for this tool ({problems[0]}):"
