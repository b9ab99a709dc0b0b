"""Opens the parts of a conversation in this process: stores, session, lock, servers, agent.

This is slow, because the engine is imported here, so it happens behind a prompt that is already
drawn. Questions to the person on the way need the terminal, which is borrowed for them.
"""

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import AbstractAsyncContextManager, aclosing, asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.conversation.local.agent_files import read_agent_files
from dataagent_cli.conversation.local.agents import Agent, Agents
from dataagent_cli.conversation.local.background_notes import say_task_state, say_whose_task
from dataagent_cli.conversation.stored_session import (
    WORKSPACE_KEY,
    keep_session,
    last_model_and_workspace,
)
from dataagent_cli.setup.model_choice import choose_model
from dataagent_cli.wiring import (
    App,
    build_executor,
    local_user,
    new_session_id,
    open_stores,
    session_lock,
)
from dataagent_core.errors import NotFoundError

if TYPE_CHECKING:
    from dataagent_core.engine import AgentExecutor
    from dataagent_core.engine.delegation.background_state import BackgroundState
    from dataagent_core.engine.delegation.local_background_runs import LocalBackgroundRuns
    from dataagent_core.mcp import MCPConfig
    from dataagent_core.session.stores.bundle import Stores


# How many sessions are searched for the last one of a directory.
SESSIONS_LOOKED_AT_MAX = 50


class Terminal(Protocol):
    """The person's screen, while another part uses it."""

    def borrow(self) -> AbstractAsyncContextManager[None]:
        """Use the plain terminal while this is entered."""
        ...

    def note(self, text: str) -> None:
        """Show a line about the conversation."""
        ...

    async def may_work_in(self, workspace: Path) -> None:
        """Let the person trust a directory once; raises `NoOneToAskError` if they leave."""
        ...

    def workspace_is_gone(self, workspace: Path, here: Path) -> None:
        """Say that the session works `here` instead, or raise if nobody can object."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationParts:
    """The parts of an open conversation."""

    app: App
    agents: Agents
    stores: "Stores"
    executor: "AgentExecutor"
    session_id: str
    title: str
    workspace: Path
    model: str
    servers: "MCPConfig"
    # DATAAGENT_HOME.
    home: Path
    # The unfinished run of the session.
    unfinished_run_id: str | None

    async def with_model(self, model: str) -> "ConversationParts":
        """Build the agent again, with a model and the current settings, rules and servers."""
        agent = await self.agents.make_agent(model)
        return replace(self, executor=agent.executor, servers=agent.servers, model=model)

    async def up_to_date(self) -> "ConversationParts":
        """Build the agent again if its files have changed meanwhile."""
        files = await asyncio.to_thread(read_agent_files, self.app, self.workspace)
        return self if self.agents.is_built_from(files) else await self.with_model(self.model)

    def context(self) -> dict[str, str]:
        """Return the metadata stored with a message; a run is resumed in the same workspace."""
        return {WORKSPACE_KEY: str(self.workspace)}

    async def keep_session(self, message: str | None = None) -> None:
        """Store the session's row, new or updated; the first message gives the title."""
        await keep_session(self.app, self.stores, self.session_id, message)


@asynccontextmanager
async def open_parts(
    app: App, request: ConversationRequest, terminal: Terminal
) -> AsyncGenerator[ConversationParts]:
    """Open all parts, and close them at the end."""
    await _load_engine()
    from dataagent_core.session import runs_of

    async with open_stores(app.settings) as stores:
        session_id = await _choose_session_id(app, stores, request)
        with session_lock(app.settings, session_id):
            session = await stores.sessions.get(session_id)
            if session is None and request.must_exist:
                raise NotFoundError(app.say("no_session", session=session_id))
            model_before, workspace = await _find_model_and_workspace(
                stores, request, session_id, terminal
            )
            await terminal.may_work_in(workspace)
            # Looking for an Ollama blocks for a moment.
            choice = await asyncio.to_thread(choose_model, app, request.model or model_before)
            if choice.notice:
                terminal.note(choice.notice)

            background = _make_background(app, stores, workspace, request, terminal)

            async def make(model: str) -> Agent:
                # Before it is built: what changes from now on is a change.
                files = await asyncio.to_thread(read_agent_files, app, workspace)
                servers = await _choose_servers(app, workspace, terminal, may_ask=request.may_ask)
                executor = await asyncio.to_thread(
                    build_executor,
                    app,
                    stores,
                    model=model,
                    workspace=workspace,
                    approve_all=request.approve_all,
                    timeout_s=request.timeout_s,
                    servers=servers,
                    sandbox_type=request.sandbox_type,
                    sandbox_id=request.sandbox_id,
                    unsafe_host_shell=request.unsafe_host_shell,
                    background=background,
                )
                return Agent(executor, servers, files)

            def note_stopped(count: int) -> None:
                terminal.note(app.say("repl_tasks_stopped", count=count))

            async with aclosing(Agents(make, background, note_stopped)) as agents:
                agent = await agents.make_agent(choice.name)
                if background is not None:
                    if note := say_whose_task(app, session):
                        terminal.note(note)
                    continued = await background.continue_tasks_of(session_id)
                    if continued:
                        terminal.note(app.say("repl_tasks_continued", count=continued))
                runs = await runs_of(stores.log, session_id)
                yield ConversationParts(
                    app=app,
                    agents=agents,
                    stores=stores,
                    executor=agent.executor,
                    session_id=session_id,
                    title=str(session.metadata.get("title") or "") if session else "",
                    workspace=workspace,
                    model=choice.name,
                    servers=agent.servers,
                    home=app.settings.home,
                    unfinished_run_id=runs[-1].run_id if runs and not runs[-1].done else None,
                )


def _make_background(
    app: App, stores: "Stores", workspace: Path, request: ConversationRequest, terminal: Terminal
) -> "LocalBackgroundRuns | None":
    if not request.background_tasks:
        return None
    from dataagent_core.engine.delegation.local_background_runs import LocalBackgroundRuns

    def note(task_id: str, title: str, state: "BackgroundState") -> None:
        if text := say_task_state(app, task_id, title, state):
            terminal.note(text)

    return LocalBackgroundRuns(
        stores,
        local_user(),
        hold=partial(session_lock, app.settings),
        context={WORKSPACE_KEY: str(workspace)},
        on_rest=note,
    )


async def _load_engine() -> None:
    """Import the engine while the person types; leaving does not wait for it."""
    loop = asyncio.get_running_loop()
    loaded: asyncio.Future[None] = loop.create_future()

    def settle(error: Exception | None) -> None:
        if loaded.cancelled():
            return
        if error is None:
            loaded.set_result(None)
        else:
            loaded.set_exception(error)

    def load() -> None:
        problem = None
        try:
            import dataagent_core.engine as _engine
            import dataagent_core.session.stores.sqlite as _sqlite

            del _engine, _sqlite
        except Exception as error:  # noqa: BLE001 (raised where the engine was waited for)
            problem = error
        if not loop.is_closed():
            loop.call_soon_threadsafe(settle, problem)

    # Not a thread of the loop's pool: closing the loop would wait for it.
    threading.Thread(target=load, name="load-engine", daemon=True).start()
    await loaded


async def _choose_session_id(app: App, stores: "Stores", request: ConversationRequest) -> str:
    if request.session_id is not None:
        return request.session_id
    if not request.last:
        return new_session_id()
    from dataagent_core.runs.background import is_task_id

    sessions = await stores.sessions.list_by_user(local_user())
    # A background task is a part of its conversation, which continues it.
    own = [session for session in sessions if not is_task_id(session.session_id)]
    for session in own[:SESSIONS_LOOKED_AT_MAX]:
        _, workspace = await last_model_and_workspace(stores, session.session_id)
        if workspace is not None and workspace == request.workspace:
            return session.session_id
    raise NotFoundError(app.say("repl_nothing_to_continue", path=str(request.workspace)))


async def _find_model_and_workspace(
    stores: "Stores", request: ConversationRequest, session_id: str, terminal: Terminal
) -> tuple[str | None, Path]:
    """Return the model and the directory of the session's last run."""
    if not request.takes_up:
        return None, request.workspace
    model, workspace = await last_model_and_workspace(stores, session_id)
    model = model if request.keeps_model else None
    if workspace is None or not request.keeps_workspace:
        return model, request.workspace
    if not workspace.is_dir():
        terminal.workspace_is_gone(workspace, request.workspace)
        return model, request.workspace
    return model, workspace


async def _choose_servers(
    app: App, workspace: Path, terminal: Terminal, *, may_ask: bool
) -> "MCPConfig":
    from dataagent_cli.mcp.config.gather import gather
    from dataagent_cli.mcp.config.servers import servers_of

    gathered = await asyncio.to_thread(gather, app, workspace)
    quiet = not gathered.notes and not any(w.must_be_asked for w in gathered.servers)
    async with nullcontext() if quiet else terminal.borrow():
        return await servers_of(app, workspace, may_ask=may_ask)
