"""The workbench of a conversation in this process: this machine's files, sources and sandbox."""

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_cli.conversation.attachments import attach, store_picture
from dataagent_cli.conversation.file_names import names_beneath
from dataagent_cli.conversation.local.conversation import LocalConversation
from dataagent_cli.conversation.local.parts import Terminal
from dataagent_cli.conversation.workbench import LineOutput, OfferKind, QuestionServices, SkillOffer
from dataagent_cli.transcript.calls.plots import reader_of
from dataagent_cli.wiring import App, open_shell, open_source_store
from dataagent_core.session.prompt import sure_mentions_of

if TYPE_CHECKING:
    from dataagent_core.engine.attachments.server_content import ServerContentReader
    from dataagent_core.mcp.tools import OfferedPrompt, OfferedResource
    from dataagent_core.sandbox.port import Sandbox
    from dataagent_core.subagents import SubAgent, SubAgentSet
    from dataagent_core.tools.registry import ToolRegistry


class LocalWorkbench:
    """Works beside a conversation, in the same directory, with its own sandbox."""

    def __init__(
        self,
        app: App,
        conversation: LocalConversation,
        terminal: Terminal,
        *,
        unsafe_host_shell: bool,
    ) -> None:
        self._app = app
        self._conversation = conversation
        self._terminal = terminal
        self._unsafe_host_shell = unsafe_host_shell
        self._shell: Sandbox | None = None

    @property
    def here(self) -> Path:
        return Path(self._conversation.facts.workspace)

    def read(self, path: str, bytes_max: int) -> bytes | None:
        return reader_of(self.here)(path, bytes_max)

    async def ready(self) -> None:
        await self._conversation.wait_open()

    async def for_questions(self) -> QuestionServices:
        parts = await self._conversation.wait_open()
        from dataagent_cli.mcp.client.login import make_sign_in
        from dataagent_core.permissions import ProjectRules

        sign_in = make_sign_in(self._app, parts.servers)

        async def with_the_terminal(name: str, scopes: str, browser: bool) -> None:
            # It shows an address and may read a line, on the plain terminal.
            async with self._terminal.borrow():
                await sign_in(name, scopes, browser)

        project = ProjectRules(self._app.settings.home, parts.workspace)
        return QuestionServices(parts.executor.backend, project, with_the_terminal)

    async def file_names(self) -> Sequence[str]:
        return await asyncio.to_thread(names_beneath, self.here)

    async def source_names(self) -> Sequence[str]:
        if not self._conversation.is_open:
            return ()
        return [source.name for source in await open_source_store(self._app.settings).listed()]

    async def server_names(self) -> Sequence[str]:
        if not self._conversation.is_open:
            return ()
        return (await self._servers()).names

    async def missing_mentions(self, text: str) -> Sequence[str]:
        if not sure_mentions_of(text):
            return ()
        parts = await self._conversation.wait_open()
        missing = await parts.executor.missing_mentions(text)
        # The next run also has the sub-agents that are new since the agent was built.
        known = {one.name for one in (await self._load_subagents()).subagents} if missing else ()
        return [name for name in missing if name not in known]

    async def resources(self, server: str) -> "Sequence[OfferedResource]":
        return await (await self._servers()).resources(server)

    async def prompts(self, server: str) -> "Sequence[OfferedPrompt]":
        return await (await self._servers()).prompts(server)

    async def prompt(self, server: str, name: str, arguments: Mapping[str, str]) -> str:
        return await (await self._servers()).prompt(server, name, arguments)

    async def _servers(self) -> "ServerContentReader":
        return (await self._conversation.wait_open()).executor.server_content

    async def tools(self) -> "ToolRegistry":
        return await (await self._conversation.wait_open()).executor.tools()

    async def skills(self) -> Sequence[SkillOffer]:
        parts = await self._conversation.wait_open()
        from dataagent_core.skills.tiers import rank_tier

        found = (await parts.executor.skills()).skills
        known = sorted(found, key=lambda skill: (rank_tier(skill.scope), skill.name))
        return [SkillOffer(skill.name, skill.description) for skill in known]

    async def subagents(self) -> "Sequence[SubAgent]":
        if not self._conversation.is_open:
            return ()
        found = await self._load_subagents()
        tools = (await self.tools()).entries
        from dataagent_core.subagents.availability import find_unavailable_reason

        return [one for one in found.subagents if find_unavailable_reason(one, tools) is None]

    async def count_broken(self, kind: OfferKind) -> int:
        if kind == "skills":
            parts = await self._conversation.wait_open()
            problems = (await parts.executor.skills()).problems
            wrong = {one.folder for one in problems if not one.is_warning}
            # A problem of a whole tier has no folder, and mostly those of its folders beside it.
            return len(wrong - {None}) or len(wrong)
        return sum(not one.is_warning for one in (await self._load_subagents()).problems)

    async def _load_subagents(self) -> "SubAgentSet":
        from dataagent_cli.commands.agents.subagent_listing import load_all

        return await asyncio.to_thread(load_all, self._app, self.here)

    async def run_line(self, command: str) -> LineOutput:
        await self.ready()
        if self._shell is None:
            self._shell = open_shell(
                self._app, self.here, unsafe_host_shell=self._unsafe_host_shell
            )
        done = await self._shell.run(command)
        written = done.stdout.data + done.stderr.data
        killed = (done.killed_reason,) if done.killed_reason else ()
        return LineOutput(
            written.decode("utf-8", "replace"), done.exit_code, (*done.notes, *killed)
        )

    async def context_share(self) -> float | None:
        parts = await self._conversation.wait_open()
        from dataagent_core.context.report import last_report

        report = await last_report(parts.stores.log, parts.stores.checkpoints, parts.session_id)
        if report is None or not report.window_tokens:
            return None
        return report.estimated_tokens / report.window_tokens

    async def attach_picture(self, path: str) -> str:
        await self.ready()
        return await asyncio.to_thread(attach, path, self.here)

    async def store_picture(self, name: str, data: bytes) -> str:
        await self.ready()
        return await asyncio.to_thread(store_picture, name, data, self.here)

    async def aclose(self) -> None:
        if self._shell is not None:
            await self._shell.aclose()
