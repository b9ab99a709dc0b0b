"""A server's answer as a person or a program reads it; pictures and files become files."""

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
class ShownResult:
    """Text for stdout, sentences about it, and all of it as JSON."""

    text: str
    notes: list[str]
    document: dict[str, Any]


@dataclass(frozen=True, slots=True)
class _ResultPart:
    document: dict[str, Any]
    text: str | None = None
    note: str | None = None


def shown_result(app: App, result: "CallToolResult", folder: Path) -> ShownResult:
    """Take an answer apart; what is no text is written into the folder. It blocks."""
    keeper = _ResultFiles(app, folder.absolute())
    parts = [_part(app, block, keeper) for block in result.content]
    texts = [part.text for part in parts if part.text is not None]
    if not texts and result.structured_content is not None:
        texts = [json.dumps(result.structured_content, ensure_ascii=False, indent=2)]
    document = {
        "is_error": bool(result.is_error),
        "content": [part.document for part in parts],
        "structured": result.structured_content,
    }
    notes = [part.note for part in parts if part.note is not None]
    return ShownResult("\n".join(texts), notes, document)


class _ResultFiles:
    """Writes the data of one answer down."""

    def __init__(self, app: App, folder: Path) -> None:
        self._app = app
        self._folder = folder

    @cached_property
    def _files(self) -> "ResultFiles":
        # Most answers are text, which need nothing of this.
        from dataagent_core.mcp.tools.results import ResultFiles
        from dataagent_core.sandbox.files.safe_root import SafeRoot

        return ResultFiles(SafeRoot(self._folder, links="beneath"))

    def part(self, kind: str, data: str, mime_type: str) -> _ResultPart:
        """Keep one piece of data."""
        before = len(self._files.kept)
        said = self._files.keep(data, mime_type)
        document = {"type": kind, "mime_type": mime_type}
        if len(self._files.kept) == before:
            return _ResultPart({**document, "problem": said}, note=said)
        path = self._folder / self._files.kept[-1].lstrip("/")
        note = self._app.say("mcp_saved", kind=mime_type or kind, path=path)
        return _ResultPart({**document, "path": str(path)}, note=note)


def _part(app: App, block: "ContentBlock", keeper: _ResultFiles) -> _ResultPart:
    match block.type:
        case "text":
            return _ResultPart({"type": "text", "text": block.text}, text=block.text)
        case "image" | "audio":
            return keeper.part(block.type, block.data, block.mime_type)
        case "resource_link":
            document = {"type": "resource_link", "uri": block.uri, "name": block.name}
            return _ResultPart(document, note=app.say("mcp_resource", uri=block.uri))
        case "resource":
            resource = block.resource
            blob = getattr(resource, "blob", None)
            if isinstance(blob, str):
                return keeper.part("resource", blob, resource.mime_type or "")
            text = str(getattr(resource, "text", ""))
            return _ResultPart({"type": "resource", "uri": resource.uri, "text": text}, text=text)
