"""Attaches what a message names with `@`: files, folders, pictures, data sources, resources.

Attachments go to the model only, not into the stored conversation. They are limited, and read as
the agent's file tools would read them. They are not the user's words, so they stand between marks
that they cannot forge. For a picture or a PDF the message holds a reference; `media/` reads it at a
model call. A resource of an MCP server (`@server:uri`) taints the conversation like a result of
that server's tools, also in later runs, because the log says that it was attached.
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

# Codes of the events that say that a resource or a data source was attached. Names of tables and
# columns are foreign content too.
RESOURCE_ATTACHED = "mcp_resource_attached"
SOURCE_ATTACHED = "data_source_attached"
# The source of the taint, by code.
ATTACHED = {RESOURCE_ATTACHED: "a resource of an MCP server", SOURCE_ATTACHED: "a data source"}


@dataclass(frozen=True, slots=True)
class Attachments:
    """Reads what messages name: the agent's files, its data sources, its MCP servers."""

    file_access: FileAccess
    place: WorkspaceLocation
    servers: ServerContentReader = field(default_factory=ServerContentReader)
    # None if messages cannot name data sources.
    sources: AttachedSources | None = None
    # Whether the files are on a machine that may have to be started first.
    is_remote: bool = False

    async def added_to(
        self, message: HumanMessage, text: str, context: RunContext, *, ask_servers: bool = True
    ) -> HumanMessage:
        """Return the message with attachments for what its text names, within the user's rules.

        Servers are not asked again for a message that the agent already has.
        """
        left_chars = ATTACHED_CHARS_MAX
        attached: list[str | _Media] = []
        for spellings in mentions_of(text)[:ATTACHMENTS_MAX]:
            one = await asyncio.to_thread(self._read_mentioned, spellings, left_chars)
            if one is None:
                one = await self._describe_source(
                    spellings, left_chars, context, is_new=ask_servers
                )
            if one is None and ask_servers:
                one = await self._read_resource(spellings, left_chars, context)
            if one:
                attached.append(one)
                left_chars = max(left_chars - len(one), 0) if isinstance(one, str) else left_chars
        if not attached:
            return message
        texts = [one for one in attached if isinstance(one, str)]
        text_content = storable("\n\n".join([message.text, *texts]))
        media = [block for one in attached if isinstance(one, _Media) for block in one.blocks()]
        content = [{"type": "text", "text": text_content}, *media] if media else text_content
        return message.model_copy(update={"content": content})

    async def missing(self, text: str) -> list[str]:
        """List what a message names that is no file, folder, data source or server's resource.

        It uses the same lookup as `added_to`, but asks no server and reads nothing.
        """
        if self.is_remote:
            return []
        try:
            return [
                spellings[-1]
                for spellings in sure_mentions_of(text)[:ATTACHMENTS_MAX]
                if not await self._exists(spellings)
            ]
        except DataAgentError:
            return []  # a broken list of sources is reported where sources are used

    async def _exists(self, spellings: tuple[str, ...]) -> bool:
        # Only the server itself knows its resources, and it is not asked here.
        if spellings[-1].partition(":")[0] in self.servers.names:
            return True
        if await asyncio.to_thread(self.located, spellings) is not None:
            return True
        return self.sources is not None and any([await self.sources.has(n) for n in spellings])

    async def _describe_source(
        self, spellings: tuple[str, ...], left_chars: int, context: RunContext, *, is_new: bool
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
                chars_max = min(left_chars, ATTACHED_FILE_CHARS_MAX)
                cut = (
                    f"Only the first {chars_max:,} characters; data_search_catalog shows the rest."
                )
                note = cut if len(text) > chars_max else ""
                return wrap_in_marks("source", name, text[:chars_max], note)
        return None

    async def _read_resource(
        self, spellings: tuple[str, ...], left_chars: int, context: RunContext
    ) -> str | None:
        # The last spelling is without the full stop of its sentence.
        name = spellings[-1]
        server, _, uri = name.partition(":")
        if not uri or server not in self.servers.names:
            return None
        chars_max = min(left_chars, ATTACHED_FILE_CHARS_MAX)
        try:
            text = await self.servers.read(
                server, uri, chars_max, kept=context.permissions.session_rules
            )
        except DataAgentError as error:
            warning = WarningEvent(code=MCP_UNAVAILABLE, message=str(error))
            await context.recorder.commit(warning)
            return None
        context.permissions.add_source(f"the MCP server {server!r}")
        # Written before the model sees it: later runs of the session read it in the log.
        message = f"{name:.300} was read from the MCP server {server!r}; it is the server's text."
        await context.recorder.commit(WarningEvent(code=RESOURCE_ATTACHED, message=message))
        return wrap_in_marks("resource", name, text, "")

    def brings_content(self, text: str) -> bool:
        """Return whether a text names a file whose content would be attached now."""
        for spellings in mentions_of(text)[:ATTACHMENTS_MAX]:
            mentioned = self.located(spellings)
            if mentioned is None or mentioned.is_folder:
                continue
            with suppress(DataAgentError, OSError):
                _load_content(mentioned.place)
                return True
        return False

    def _read_mentioned(self, spellings: tuple[str, ...], left_chars: int) -> "str | _Media | None":
        mentioned = self.located(spellings)
        if mentioned is None:
            return None
        if mentioned.is_folder:
            return wrap_in_marks("folder", mentioned.name, _list_tree(mentioned.place), "")
        return self._read_file(
            mentioned.name, mentioned.place, min(left_chars, ATTACHED_FILE_CHARS_MAX)
        )

    def located(self, spellings: tuple[str, ...]) -> "MentionedFile | None":
        """Find the file or folder that a mention names. Blocks."""
        for name in spellings:
            try:
                place = self.file_access.mounts.locate(self.place.from_tool(name))
                kind = place.root.stat(place.path).kind
            except (DataAgentError, OSError, ValueError):
                continue
            if kind in ("dir", "file"):
                return MentionedFile(name, place, is_folder=kind == "dir")
        return None

    def _read_file(self, name: str, place: MountedPath, chars_max: int) -> "str | _Media | None":
        try:
            data, content = _load_content(place)
        except (DataAgentError, OSError) as error:
            if is_media_name(name):
                return f"[{name} is not shown to you: {error}]"
            # Not text, or too long to be read at once: the agent can open it by its name.
            return None
        if isinstance(content, MediaReference):
            self.file_access.ledger.record(place.display_path, data)
            return _Media(name, content)
        if len(content) <= chars_max:
            # The agent has seen all of it, so it may change it.
            self.file_access.ledger.record(place.display_path, data)
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
        """Return the content blocks, under the name that the user wrote."""
        kind = "pdf" if self.reference.is_pdf else "picture"
        label = f"\n\n<attached-{kind} name={quoted_name(self.name)}>"
        return [{"type": "text", "text": storable(label)}, self.reference.block()]


def _load_content(place: MountedPath) -> tuple[bytes, MediaReference | str]:
    """Read a file: its bytes, and the picture, PDF or text that they are."""
    data = place.root.read_bytes(place.path)
    reference = MediaReference.of(place.display_path, data)
    return data, decode(data, place.display_path).text if reference is None else reference


def _list_tree(place: MountedPath) -> str:
    """List the entries of a folder and its sub-folders, upper levels first, up to the limit."""
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
