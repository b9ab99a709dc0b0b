"""The workbench of a conversation with a server: the server's files and sources, no shell."""

import sys
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import quote

from dataagent_cli.approval.keyboard import Keyboard
from dataagent_cli.conversation.remote import RemoteConversation
from dataagent_cli.conversation.workbench import LineOutput, OfferKind, QuestionServices, SkillOffer
from dataagent_cli.remote.agent_offers import list_skills, list_subagents
from dataagent_cli.remote.client import ServerClient
from dataagent_cli.remote.files import RemoteFiles
from dataagent_cli.wiring import App
from dataagent_core.errors import DataAgentError, NoOneToAskError, ValidationError
from dataagent_core.session.prompt import sure_mentions_of

if TYPE_CHECKING:
    from dataagent_core.mcp.tools import OfferedPrompt, OfferedResource
    from dataagent_core.subagents import SubAgent
    from dataagent_core.tools.registry import ToolRegistry


class BorrowableTerminal(Protocol):
    """A terminal that can be used plain for a while."""

    def borrow(self) -> AbstractAsyncContextManager[None]: ...


class RemoteWorkbench:
    """What the server's API offers a person besides messages."""

    def __init__(
        self,
        app: App,
        client: ServerClient,
        conversation: RemoteConversation,
        files: RemoteFiles,
        terminal: BorrowableTerminal,
    ) -> None:
        self._app = app
        self._client = client
        self._conversation = conversation
        self._files = files
        self._terminal = terminal

    @property
    def here(self) -> Path:
        return Path.cwd()

    def read(self, path: str, bytes_max: int) -> bytes | None:
        return self._files.read(path, bytes_max)

    async def ready(self) -> None:
        await self._conversation.wait_open()

    async def for_questions(self) -> QuestionServices:
        return QuestionServices(self._files, None, self._sign_in)

    async def file_names(self) -> Sequence[str]:
        try:
            return await self._files.names()
        except DataAgentError:
            return []  # nobody waits for an error while they type

    async def source_names(self) -> Sequence[str]:
        page = await self._client.ask("GET", "/data/sources")
        return [str(one["name"]) for one in page["items"]]

    async def server_names(self) -> Sequence[str]:
        page = await self._client.ask("GET", "/mcp/servers")
        return [str(one["name"]) for one in page["items"] if not one["disabled"]]

    async def missing_mentions(self, text: str) -> Sequence[str]:
        if not sure_mentions_of(text):
            return ()
        try:
            found = await self._client.ask("POST", "/mentions/missing", body={"text": text})
        except DataAgentError:
            return ()  # an older server has no such request, and nobody waits for an error here
        return [str(name) for name in found["names"]]

    async def resources(self, server: str) -> "Sequence[OfferedResource]":
        del server
        raise ValidationError(self._app.say("remote_not_told", url=self._client.url))

    async def prompts(self, server: str) -> "Sequence[OfferedPrompt]":
        del server
        raise ValidationError(self._app.say("remote_not_told", url=self._client.url))

    async def prompt(self, server: str, name: str, arguments: Mapping[str, str]) -> str:
        del server, name, arguments
        raise ValidationError(self._app.say("remote_not_told", url=self._client.url))

    async def tools(self) -> "ToolRegistry":
        raise ValidationError(self._app.say("remote_not_told", url=self._client.url))

    async def skills(self) -> Sequence[SkillOffer]:
        await self.ready()
        return await list_skills(self._client, self._conversation.project_id)

    async def subagents(self) -> "Sequence[SubAgent]":
        await self.ready()
        return await list_subagents(self._client, self._conversation.project_id)

    async def count_broken(self, kind: OfferKind) -> int:
        del kind
        return 0  # a server stores none that cannot be used

    async def run_line(self, command: str) -> LineOutput:
        del command
        raise ValidationError(self._app.say("remote_no_line", url=self._client.url))

    async def context_share(self) -> float | None:
        session_id = self._conversation.facts.session_id
        if not session_id:
            return None
        try:
            report = (await self._client.ask("GET", f"/sessions/{session_id}/context"))["report"]
        except DataAgentError:
            return None  # the line is drawn without it
        if not report or not report["window_tokens"]:
            return None
        return report["estimated_tokens"] / report["window_tokens"]

    async def attach_picture(self, path: str) -> str:
        return await self._files.put(self.here, path)

    async def store_picture(self, name: str, data: bytes) -> str:
        return await self._files.store_picture(name, data)

    async def aclose(self) -> None:
        """Leave the client open: the conversation owns it."""

    async def _sign_in(self, name: str, scopes: str, browser: bool) -> None:
        """Let the person sign in on the server's own page."""
        del scopes
        say, run_id = self._app.say, quote(self._conversation.run_id, safe="")
        url = f"{self._client.url}/api/v1/mcp/runs/{run_id}/servers/{quote(name, safe='')}/sign-in"
        async with self._terminal.borrow():
            self._app.output.note(say("remote_sign_in_at", url=url))
            if browser:
                webbrowser.open(url)
            self._app.output.prompt(say("remote_sign_in_done"))
            if await Keyboard(sys.stdin.fileno()).line() is None:
                raise NoOneToAskError(say("nobody_answers"))
