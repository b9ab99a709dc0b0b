"""Completion at the prompt: `@` names sub-agents, files, sources and resources; `/` commands.

An MCP server is asked only once its name and a colon are typed, and only for a short time; a list
that arrives later is used at the next key.
"""

import asyncio
import re
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Sequence
from typing import Final

from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document

from dataagent_cli.conversation.workbench import Workbench
from dataagent_cli.messages import Messages
from dataagent_cli.repl.commands.command import Command
from dataagent_cli.repl.limits import COMPLETIONS_MAX
from dataagent_core.errors import DataAgentError
from dataagent_core.session.prompt import mention

_LISTING_FRESH_S: Final = 5.0
_WAIT_S: Final = 3.0
# A name to complete, and a description.
Named = tuple[str, str]
_List = Callable[[str], Awaitable[Sequence[Named]]]
# With a quotation mark if the name has blanks.
_NAMED: Final = re.compile(r'(?:^|\s)@(?:"([^"\n]*)|([^\s"]*))$')
_COMMAND: Final = re.compile(r"/([\w-]*)$")
# A command and the first word behind it.
_FIRST_WORD: Final = re.compile(r"/([\w-]+) +(\w*)$")
# A server's prompt: the server's name, a colon, and the beginning of the prompt's name.
_PROMPT: Final = re.compile(r"/([\w.-]+:\S*)$")
# Names are cached for this long: the disk is not read at every key.
_FRESH_S: Final = 5.0


class ReplCompleter(Completer):
    """Completes the word before the cursor."""

    def __init__(self, workbench: Workbench, commands: dict[str, Command], say: Messages) -> None:
        self._workbench = workbench
        self._commands = commands
        self._say = say
        self._servers = ServerCompletion(workbench, say)
        self._names: list[tuple[str, str]] = []
        self._read_s = -_FRESH_S

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Complete commands, which need no waiting."""
        del complete_event
        if found := _FIRST_WORD.fullmatch(document.text_before_cursor):
            command, prefix = self._commands.get(found[1]), found[2]
            for word in command.words if command else ():
                if word.startswith(prefix):
                    yield Completion(word, -len(prefix))
        if found := _COMMAND.fullmatch(document.text_before_cursor):
            prefix = found[1]
            for name, command in sorted(self._commands.items()):
                if name.startswith(prefix):
                    about = command.about(self._say)
                    yield Completion(name, -len(prefix), display=f"/{name}", display_meta=about)

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        for completion in self.get_completions(document, complete_event):
            yield completion
        before = document.text_before_cursor
        if found := _COMMAND.fullmatch(before) or _PROMPT.fullmatch(before):
            for name, about in await self._servers.prompts(found[1]):
                if name.startswith(found[1]):
                    yield Completion(name, -len(found[1]), display=f"/{name}", display_meta=about)
        if found := _NAMED.search(document.text_before_cursor):
            typed, prefix = len(found[0].lstrip()) - 1, found[1] or found[2] or ""
            known = [*await self._list_names(), *await self._servers.resources(prefix)]
            for name, kind in match_names(known, prefix):
                # The colon after a server's name is not punctuation: the rest is still to come.
                text = name if name.endswith(":") else mention(name)[1:]
                yield Completion(text, -typed, display=name, display_meta=kind)

    async def _list_names(self) -> list[tuple[str, str]]:
        if time.monotonic() - self._read_s > _FRESH_S:
            source = self._say("repl_source")
            try:
                sources = [(name, source) for name in await self._workbench.source_names()]
            except DataAgentError:
                sources = []  # the error of a broken list is shown where sources are used
            agent = self._say("repl_subagent")
            try:
                agents = [(one.name, agent) for one in await self._workbench.subagents()]
            except DataAgentError:
                agents = []  # nobody waits for an error while they type
            files = [(name, "") for name in await self._workbench.file_names()]
            self._names = [*agents, *sources, *files]
            self._read_s = time.monotonic()
        return self._names


def match_names(names: Sequence[tuple[str, str]], prefix: str) -> list[tuple[str, str]]:
    """Select names: by prefix, then by the prefix of the last part, then by any part."""
    wanted = prefix.lower()
    ranked: tuple[list[tuple[str, str]], ...] = ([], [], [])
    for name, kind in names:
        low = name.lower()
        if low.startswith(wanted):
            ranked[0].append((name, kind))
        elif low.rpartition("/")[2].startswith(wanted):
            ranked[1].append((name, kind))
        elif wanted in low:
            ranked[2].append((name, kind))
    return [pair for rank in ranked for pair in rank][:COMPLETIONS_MAX]


def is_completed(document: Document) -> bool:
    """Say whether to complete at every key here."""
    before = document.text_before_cursor
    patterns = (_COMMAND, _FIRST_WORD, _PROMPT)
    return any(pattern.fullmatch(before) for pattern in patterns) or bool(_NAMED.search(before))


class ServerCompletion:
    """Lists names of servers and of their offers, and caches them for a moment."""

    def __init__(self, workbench: Workbench, say: Messages) -> None:
        self._workbench = workbench
        self._say = say
        self._listed: dict[tuple[str, str], tuple[float, Sequence[Named]]] = {}

    async def resources(self, prefix: str) -> Sequence[Named]:
        """List the resources of the typed server, or the servers."""
        return await self._list_offers(prefix, "@", self._resources)

    async def prompts(self, prefix: str) -> Sequence[Named]:
        """List the prompts of the typed server, or the servers."""
        return await self._list_offers(prefix, "/", self._prompts)

    async def _list_offers(self, prefix: str, kind: str, list_names: _List) -> Sequence[Named]:
        try:
            servers = await self._workbench.server_names()
        except DataAgentError:
            return ()  # nobody waits for an error while they type
        server, colon, _ = prefix.partition(":")
        if not colon:
            return [(f"{name}:", self._say("repl_server")) for name in servers]
        if server not in servers:
            return ()
        listed_s, known = self._listed.get((kind, server), (-_LISTING_FRESH_S, ()))
        if time.monotonic() - listed_s > _LISTING_FRESH_S:
            try:
                async with asyncio.timeout(_WAIT_S):
                    known = await list_names(server)
            except (DataAgentError, TimeoutError):
                known = ()
            self._listed[kind, server] = (time.monotonic(), known)
        return known

    async def _resources(self, server: str) -> Sequence[Named]:
        found = await self._workbench.resources(server)
        return [(f"{server}:{one.uri}", one.about) for one in found]

    async def _prompts(self, server: str) -> Sequence[Named]:
        found = await self._workbench.prompts(server)
        return [
            (f"{server}:{one.name}", " · ".join(filter(None, (one.usage, one.about))))
            for one in found
        ]
