"""Gives the model what a message names with `@`: files, folders, pictures, data sources, resources.

The stored conversation stays as it was written: what is attached goes with the message to the model
only, under a limit, read as the agent's own file tools would read it. It is material and not the
person's words, so it stands between marks that it cannot forge. Of a picture or a PDF the message
holds a reference; `media/` reads it when a model is called. A resource of an MCP server
(`@server:uri`) is a stranger's words as well: it taints the conversation like the result of a tool
of that server, for good, since the log says that it was attached.
"""

import asyncio
import json
from collections import deque
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from langchain_core.messages import HumanMessage

from dataagent_core.config.limits import (
    ATTACHED_CHARS_MAX,
    ATTACHED_FILE_CHARS_MAX,
    ATTACHED_TREE_ENTRIES_MAX,
    ATTACHMENTS_MAX,
)
from dataagent_core.engine.attachments.attached_sources import AttachedSources
from dataagent_core.engine.attachments.content_marks import quoted_name, wrap_in_marks
from dataagent_core.engine.attachments.server_content import ServerContentReader
from dataagent_core.engine.middleware.server_tools import MCP_UNAVAILABLE
from dataagent_core.errors import DataAgentError, NotFoundError, ValidationError
from dataagent_core.events import WarningEvent
from dataagent_core.language.unicode_text import storable
from dataagent_core.runs import RunContext
from dataagent_core.sandbox.paths.workspace_location import WorkspaceLocation
from dataagent_core.session.prompt import mentions_of, sure_mentions_of
from dataagent_core.tools.files import FileAccess
from dataagent_core.tools.files.mounts import MountedPath
from dataagent_core.tools.files.text_codec import decode
from dataagent_core.tools.media.media_reference import MediaReference, is_media_name

# The code of the event that says that a resource was attached.
RESOURCE_ATTACHED = "mcp_resource_attached"
# The same of a data source: names of tables and columns are somebody else's words.
SOURCE_ATTACHED = "data_source_attached"
# Whose words each of them brought.
ATTACHED = {RESOURCE_ATTACHED: "a resource of an MCP server", SOURCE_ATTACHED: "a data source"}


@dataclass(frozen=True, slots=True)
class Attachments:
    """Reads what messages name: files an agent sees, its data sources, its MCP servers."""

    desk: FileAccess
    place: WorkspaceLocation
    servers: ServerContentReader = field(default_factory=ServerContentReader)
    # Without them a message names no data source.
    sources: AttachedSources | None = None
    # The files are on a machine that may have to be started before it can be asked.
    elsewhere: bool = False

    async def added_to(
        self, message: HumanMessage, text: str, context: RunContext, *, ask_servers: bool = True
    ) -> HumanMessage:
        """Add to a message what its text names and what is there, within the person's rules.

        Servers are not asked again for a message that the agent has already been given.
        """
        room = ATTACHED_CHARS_MAX
        found: list[str | _Media] = []
        for spellings in mentions_of(text)[:ATTACHMENTS_MAX]:
            one = await asyncio.to_thread(self._first_found, spellings, room)
            if one is None:
                one = await self._source(spellings, room, context, is_new=ask_servers)
            if one is None and ask_servers:
                one = await self._resource(spellings, room, context)
            if one:
                found.append(one)
                room = max(room - len(one), 0) if isinstance(one, str) else room
        if not found:
            return message
        texts = [one for one in found if isinstance(one, str)]
        told = storable("\n\n".join([message.text, *texts]))
        media = [block for one in found if isinstance(one, _Media) for block in one.blocks()]
        content = [{"type": "text", "text": told}, *media] if media else told
        return message.model_copy(update={"content": content})

    async def missing(self, text: str) -> list[str]:
        """List what a message names that is no file, folder, data source or server's resource.

        The same lookup as when the message is sent; no server is asked, nothing is read.
        """
        if self.elsewhere:
            return []
        try:
            return [
                spellings[-1]
                for spellings in sure_mentions_of(text)[:ATTACHMENTS_MAX]
                if not await self._is_there(spellings)
            ]
        except DataAgentError:
            return []  # a broken list of sources is told where sources are used

    async def _is_there(self, spellings: tuple[str, ...]) -> bool:
        # Whether a server has what is named, it says when it is asked.
        if spellings[-1].partition(":")[0] in self.servers.names:
            return True
        if await asyncio.to_thread(self.located, spellings) is not None:
            return True
        return self.sources is not None and any([await self.sources.has(n) for n in spellings])

    async def _source(
        self, spellings: tuple[str, ...], room: int, context: RunContext, *, is_new: bool
    ) -> str | None:
        if self.sources is None:
            return None
        for name in spellings:
            text = await self.sources.description(name, context.permissions.session_rules)
            if text is not None:
                context.permissions.add_source(f"the data source {name!r}")
                if is_new:
                    message = f"The tables of {name:.300} were added to the message."
                    await context.recorder.commit(
                        WarningEvent(code=SOURCE_ATTACHED, message=message)
                    )
                chars_max = min(room, ATTACHED_FILE_CHARS_MAX)
                cut = (
                    f"Only the first {chars_max:,} characters; data_search_catalog shows the rest."
                )
                note = cut if len(text) > chars_max else ""
                return wrap_in_marks("source", name, text[:chars_max], note)
        return None

    async def _resource(
        self, spellings: tuple[str, ...], room: int, context: RunContext
    ) -> str | None:
        # The last spelling is without the full stop of its sentence.
        name = spellings[-1]
        server, _, uri = name.partition(":")
        if not uri or server not in self.servers.names:
            return None
        chars_max = min(room, ATTACHED_FILE_CHARS_MAX)
        try:
            text = await self.servers.read(
                server, uri, chars_max, kept=context.permissions.session_rules
            )
        except DataAgentError as error:
            warning = WarningEvent(code=MCP_UNAVAILABLE, message=str(error))
            await context.recorder.commit(warning)
            return None
        context.permissions.add_source(f"the MCP server {server!r}")
        # Written before the model sees it: later runs of the session read it there.
        message = f"{name:.300} was read from the MCP server {server!r}; it is the server's text."
        await context.recorder.commit(WarningEvent(code=RESOURCE_ATTACHED, message=message))
        return wrap_in_marks("resource", name, text, "")

    def brings_content(self, text: str) -> bool:
        """Say whether a text names a file whose content is attached to it, as files are now."""
        for spellings in mentions_of(text)[:ATTACHMENTS_MAX]:
            found = self.located(spellings)
            if found is None or found.is_folder:
                continue
            with suppress(DataAgentError, OSError):
                _content(found.place)
                return True
        return False

    def _first_found(self, spellings: tuple[str, ...], room: int) -> "str | _Media | None":
        found = self.located(spellings)
        if found is None:
            return None
        if found.is_folder:
            return wrap_in_marks("folder", found.name, _tree(found.place), "")
        return self._file(found.name, found.place, min(room, ATTACHED_FILE_CHARS_MAX))

    def located(self, spellings: tuple[str, ...]) -> "MentionedFile | None":
        """Find the file or folder that a mention names, as the agent sees it. Blocks."""
        for name in spellings:
            try:
                place = self.desk.mounts.locate(self.place.from_tool(name))
                kind = place.root.stat(place.path).kind
            except (DataAgentError, OSError, ValueError):
                continue
            if kind in ("dir", "file"):
                return MentionedFile(name, place, is_folder=kind == "dir")
        return None

    def _file(self, name: str, place: MountedPath, chars_max: int) -> "str | _Media | None":
        try:
            data, content = _content(place)
        except (DataAgentError, OSError) as error:
            if is_media_name(name):
                return f"[{name} is not shown to you: {error}]"
            # No text, or too long to be read at once: the name is enough to open it with.
            return None
        if isinstance(content, MediaReference):
            self.desk.ledger.record(place.display_path, data)
            return _Media(name, content)
        if len(content) <= chars_max:
            # The agent has seen all of it, so it may change it.
            self.desk.ledger.record(place.display_path, data)
            return wrap_in_marks("file", name, content, "")
        cut = (
            f"Only the first {chars_max:,} of {len(content):,} characters; "
            "read_file shows the rest."
        )
        return wrap_in_marks("file", name, content[:chars_max], cut)


@dataclass(frozen=True, slots=True)
class MentionedFile:
    """A file or folder that a message names."""

    name: str
    place: MountedPath
    is_folder: bool


@dataclass(frozen=True, slots=True)
class _Media:
    name: str
    reference: MediaReference

    def blocks(self) -> list[dict[str, Any]]:
        """Write it down under the name that the person used."""
        kind = "pdf" if self.reference.is_pdf else "picture"
        label = f"\n\n<attached-{kind} name={quoted_name(self.name)}>"
        return [{"type": "text", "text": storable(label)}, self.reference.block()]


def _content(place: MountedPath) -> tuple[bytes, MediaReference | str]:
    """Read a file: its bytes, and the picture, PDF or text that they are."""
    data = place.root.read_bytes(place.path)
    reference = MediaReference.of(place.display_path, data)
    return data, decode(data, place.display_path).text if reference is None else reference


def _tree(place: MountedPath) -> str:
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
