"""A tool result of an MCP server for a person or a program; pictures and files are saved."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataagent_cli.wiring import App

if TYPE_CHECKING:
    from mcp_types import CallToolResult, ContentBlock

    from dataagent_core.mcp.tools.results import ResultFiles


@dataclass(frozen=True, slots=True)
class ResultReport:
    """Text for stdout, notes about it, and all of it as JSON."""

    text: str
    notes: list[str]
    document: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _ResultPart:
    document: dict[str, Any]
    text: str | None = None
    note: str | None = None


def make_result_report(app: App, result: "CallToolResult", folder: Path) -> ResultReport:
    """Split a result into parts; data other than text is saved in the folder. Blocks."""
    files = _ResultFiles(app, folder.absolute())
    parts = [_present_block(app, block, files) for block in result.content]
    texts = [part.text for part in parts if part.text is not None]
    if not texts and result.structured_content is not None:
        texts = [json.dumps(result.structured_content, ensure_ascii=False, indent=2)]
    document = {
        "is_error": bool(result.is_error),
        "content": [part.document for part in parts],
        "structured": result.structured_content,
    }
    notes = [part.note for part in parts if part.note is not None]
    return ResultReport("\n".join(texts), notes, document)


class _ResultFiles:
    """Saves the data of one result."""

    def __init__(self, app: App, folder: Path) -> None:
        self._app = app
        self._folder = folder

    @cached_property
    def _files(self) -> "ResultFiles":
        # Made on first use: most results are text only.
        from dataagent_core.mcp.tools.results import ResultFiles
        from dataagent_core.sandbox.files.safe_root import SafeRoot

        return ResultFiles(SafeRoot(self._folder, links="beneath"))

    def part(self, kind: str, data: str, mime_type: str) -> _ResultPart:
        """Save one piece of data."""
        before = len(self._files.kept)
        message = self._files.keep(data, mime_type)
        document = {"type": kind, "mime_type": mime_type}
        if len(self._files.kept) == before:
            return _ResultPart({**document, "problem": message}, note=message)
        path = self._folder / self._files.kept[-1].lstrip("/")
        note = self._app.say("mcp_saved", kind=mime_type or kind, path=path)
        return _ResultPart({**document, "path": str(path)}, note=note)


def _present_block(app: App, block: "ContentBlock", files: _ResultFiles) -> _ResultPart:
    match block.type:
        case "text":
            return _ResultPart({"type": "text", "text": block.text}, text=block.text)
        case "image" | "audio":
            return files.part(block.type, block.data, block.mime_type)
        case "resource_link":
            document = {"type": "resource_link", "uri": block.uri, "name": block.name}
            return _ResultPart(document, note=app.say("mcp_resource", uri=block.uri))
        case "resource":
            resource = block.resource
            blob = getattr(resource, "blob", None)
            if isinstance(blob, str):
                return files.part("resource", blob, resource.mime_type or "")
            text = str(getattr(resource, "text", ""))
            return _ResultPart({"type": "resource", "uri": resource.uri, "text": text}, text=text)
