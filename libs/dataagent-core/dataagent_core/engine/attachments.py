"""Gives the model what a message names with `@`: a file's content, a folder's tree, a picture.

The stored conversation stays as it was written: what is attached goes with the message to the model
only, under a limit, read as the agent's own file tools would read it. It is material and not the
person's words, so it stands between marks that it cannot forge. Of a picture or a PDF the message
holds a reference; `media/` reads it when a model is called.
"""

import asyncio
import json
from collections import deque
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import HumanMessage

from dataagent_core.config.limits import (
    ATTACHED_CHARS_MAX,
    ATTACHED_FILE_CHARS_MAX,
    ATTACHED_TREE_ENTRIES_MAX,
    ATTACHMENTS_MAX,
)
from dataagent_core.errors import DataAgentError, NotFoundError, ValidationError
from dataagent_core.sandbox.workspace_place import WorkspacePlace
from dataagent_core.session.mentions import mentions_of
from dataagent_core.tools.files import Desk
from dataagent_core.tools.files.encoding import decode
from dataagent_core.tools.files.mounts import Place
from dataagent_core.tools.media.reference import MediaReference, is_media_name
from dataagent_core.unicode import storable


@dataclass(frozen=True, slots=True)
class Attachments:
    """Reads what messages name, in the files an agent sees."""

    desk: Desk
    place: WorkspacePlace

    async def added_to(self, message: HumanMessage, text: str) -> HumanMessage:
        """Add to a message what its text names and what is there."""
        mentions = mentions_of(text)
        if not mentions:
            return message
        found = await asyncio.to_thread(self._found, mentions[:ATTACHMENTS_MAX])
        if not found:
            return message
        texts = [one for one in found if isinstance(one, str)]
        told = storable("\n\n".join([message.text, *texts]))
        media = [block for one in found if isinstance(one, _Media) for block in one.blocks()]
        content = [{"type": "text", "text": told}, *media] if media else told
        return message.model_copy(update={"content": content})

    def _found(self, mentions: list[tuple[str, ...]]) -> "list[str | _Media]":
        room = ATTACHED_CHARS_MAX
        found: list[str | _Media] = []
        for spellings in mentions:
            one = self._first_found(spellings, room)
            if one:
                found.append(one)
                room = max(room - len(one), 0) if isinstance(one, str) else room
        return found

    def _first_found(self, spellings: tuple[str, ...], room: int) -> "str | _Media | None":
        for name in spellings:
            try:
                place = self.desk.mounts.locate(self.place.of_tool(name))
                kind = place.root.stat(place.path).kind
            except (DataAgentError, OSError, ValueError):
                continue
            if kind == "dir":
                return _marked("folder", name, _tree(place), "")
            if kind == "file":
                return self._file(name, place, min(room, ATTACHED_FILE_CHARS_MAX))
        return None

    def _file(self, name: str, place: Place, chars_max: int) -> "str | _Media | None":
        try:
            data = place.root.read_bytes(place.path)
            reference = MediaReference.of(place.shown, data)
            if reference is not None:
                self.desk.ledger.saw(place.shown, data)
                return _Media(name, reference)
            text = decode(data, place.shown).text
        except (DataAgentError, OSError) as error:
            if is_media_name(name):
                return f"[{name} is not shown to you: {error}]"
            # No text, or too long to be read at once: the name is enough to open it with.
            return None
        if len(text) <= chars_max:
            # The agent has seen all of it, so it may change it.
            self.desk.ledger.saw(place.shown, data)
            return _marked("file", name, text, "")
        cut = f"Only the first {chars_max:,} of {len(text):,} characters; read_file shows the rest."
        return _marked("file", name, text[:chars_max], cut)


@dataclass(frozen=True, slots=True)
class _Media:
    name: str
    reference: MediaReference

    def blocks(self) -> list[dict[str, Any]]:
        """Write it down under the name that the person used."""
        kind = "pdf" if self.reference.is_pdf else "picture"
        label = f"\n\n<attached-{kind} name={_quoted(self.name)}>"
        return [{"type": "text", "text": storable(label)}, self.reference.block()]


def _tree(place: Place) -> str:
    """List what is beneath a folder, what is near first, as far as the limit goes."""
    lines: list[str] = []
    folders = deque([place.path.rstrip("/")])
    while folders:
        here = folders.popleft()
        try:
            entries = place.root.list_dir(here or "/")
        except (NotFoundError, ValidationError, OSError):
            continue
        for entry in sorted(entries, key=lambda one: one.name):
            if len(lines) == ATTACHED_TREE_ENTRIES_MAX:
                return "\n".join([*lines, "and more; ls and glob show the rest"])
            path = f"{here}/{entry.name}"
            shown = path.removeprefix(place.path.rstrip("/")).lstrip("/")
            lines.append(json.dumps(f"{shown}/" if entry.kind == "dir" else shown)[1:-1])
            if entry.kind == "dir" and not entry.name.startswith("."):
                folders.append(path)
    return "\n".join(lines)


def _marked(kind: str, name: str, content: str, note: str) -> str:
    mark, number = f"attached-{kind}", 1
    while f"</{mark}>" in content:
        number += 1
        mark = f"attached-{kind}-{number}"
    lines = [f"<{mark} name={_quoted(name)}>", note, content.rstrip("\n"), f"</{mark}>"]
    return "\n".join(line for line in lines if line)


def _quoted(name: str) -> str:
    return json.dumps(name, ensure_ascii=False).replace("<", r"\u003c")
