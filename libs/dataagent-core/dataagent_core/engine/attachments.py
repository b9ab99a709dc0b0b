"""Gives the model what a message names with `@`: a file's content, a folder's tree, a data source.

The stored conversation stays as it was written: what is attached goes with the message to the model
only, under a limit, read as the agent's own file tools would read it. It is material and not the
person's words, so it stands between marks that it cannot forge.
"""

import asyncio
import json
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from langchain_core.messages import HumanMessage

from dataagent_core.config.limits import (
    ATTACHED_CHARS_MAX,
    ATTACHED_FILE_CHARS_MAX,
    ATTACHED_TREE_ENTRIES_MAX,
    ATTACHMENTS_MAX,
)
from dataagent_core.engine.attached_sources import AttachedSources
from dataagent_core.errors import DataAgentError, NotFoundError, ValidationError
from dataagent_core.permissions import Rule
from dataagent_core.sandbox.workspace_place import WorkspacePlace
from dataagent_core.session.mentions import mentions_of
from dataagent_core.tools.files import Desk
from dataagent_core.tools.files.encoding import decode
from dataagent_core.tools.files.mounts import Place
from dataagent_core.unicode import storable


@dataclass(frozen=True, slots=True)
class Attachments:
    """Reads what messages name, in the files an agent sees."""

    desk: Desk
    place: WorkspacePlace
    # Without them a message names files only.
    sources: AttachedSources | None = None

    async def added_to(
        self, message: HumanMessage, text: str, kept: Sequence[Rule] = ()
    ) -> HumanMessage:
        """Add to a message what its text names and what is there, within the person's rules."""
        mentions = mentions_of(text)
        if not mentions:
            return message
        blocks = await self._blocks(mentions[:ATTACHMENTS_MAX], kept)
        if not blocks:
            return message
        told = "\n\n".join([message.text, *blocks])
        return message.model_copy(update={"content": storable(told)})

    async def _blocks(self, mentions: list[tuple[str, ...]], kept: Sequence[Rule]) -> list[str]:
        room = ATTACHED_CHARS_MAX
        blocks: list[str] = []
        for spellings in mentions:
            block = await asyncio.to_thread(self._first_found, spellings, room)
            block = block or await self._source(spellings, room, kept)
            if block:
                blocks.append(block)
                room = max(room - len(block), 0)
        return blocks

    async def _source(
        self, spellings: tuple[str, ...], room: int, kept: Sequence[Rule]
    ) -> str | None:
        if self.sources is None:
            return None
        for name in spellings:
            text = await self.sources.description(name, kept)
            if text is not None:
                chars_max = min(room, ATTACHED_FILE_CHARS_MAX)
                cut = (
                    f"Only the first {chars_max:,} characters; data_search_catalog shows the rest."
                )
                note = cut if len(text) > chars_max else ""
                return _marked("source", name, text[:chars_max], note)
        return None

    def _first_found(self, spellings: tuple[str, ...], room: int) -> str | None:
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

    def _file(self, name: str, place: Place, chars_max: int) -> str | None:
        try:
            data = place.root.read_bytes(place.path)
            text = decode(data, place.shown).text
        except (DataAgentError, OSError):
            # No text, or too long to be read at once: the name is enough to open it with.
            return None
        if len(text) <= chars_max:
            # The agent has seen all of it, so it may change it.
            self.desk.ledger.saw(place.shown, data)
            return _marked("file", name, text, "")
        cut = f"Only the first {chars_max:,} of {len(text):,} characters; read_file shows the rest."
        return _marked("file", name, text[:chars_max], cut)


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
    shown = json.dumps(name, ensure_ascii=False).replace("<", r"\u003c")
    lines = [f"<{mark} name={shown}>", note, content.rstrip("\n"), f"</{mark}>"]
    return "\n".join(line for line in lines if line)
