"""`dataagent mcp serve`: this person's data sources, this folder's files and the agent, over stdio.

`--read-only` limits what calls may do. Where a rule says `ask`, the person is asked through the
client that started this process. Every call is written to `mcp-calls.jsonl`.
"""

import asyncio
import json
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from dataagent_cli.mcp.serve.agent import LocalAgent
from dataagent_cli.wiring import TENANT, App, local_user, open_source_store, open_stores
from dataagent_core.config.limits.mcp import MCP_SERVED_OUTPUT_BYTES_MAX
from dataagent_core.config.paths import own_paths
from dataagent_core.engine import AgentConfig
from dataagent_core.engine.assembly.agent_folders import AgentFolders
from dataagent_core.engine.assembly.data_tools import build_data_tools
from dataagent_core.errors import NotFoundError
from dataagent_core.mcp.server.ports import MCPCaller, MCPCallRecord, MCPToolset
from dataagent_core.mcp.server.tool_table import EVERY_SCOPE, READ_SCOPES, SERVED
from dataagent_core.mcp.server.used_answers import UsedAnswers
from dataagent_core.permissions import Policy, RuleSet, load_rules
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.paths.path_masks import ReadDenials
from dataagent_core.session import Session
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.tools.data.agent_tools import DataTools
from dataagent_core.tools.data.data_access import DataAccess
from dataagent_core.tools.data.results import FolderResultStore, ResultStore
from dataagent_core.tools.definition.tool_origin import BUILT_IN
from dataagent_core.tools.files import ReadLedger, make_file_tools
from dataagent_core.tools.registry import ToolRegistry
from dataagent_core.tools.shell.denied_reads import make_denial_finder

_BYTES_MAX: Final = 10_000_000
_MESSAGES_MAX: Final = 1_000
_LOOK_S: Final = 1.0
_HOW_TO_ALLOW: Final = "Allow it in this folder: dataagent permissions add allow TOOL --project"


async def serve_mcp(app: App, workspace: Path, *, read_only: bool = False) -> None:
    """Serve until the client closes our input; active runs end then."""
    from dataagent_core.mcp.server.build_server import serve_stdio

    async with open_services(app, workspace, read_only=read_only) as services:
        await serve_stdio(services)


@asynccontextmanager
async def open_services(
    app: App, workspace: Path, *, read_only: bool
) -> AsyncGenerator["LocalServices"]:
    """Open the services; engines start with the first call."""
    async with open_stores(app.settings) as stores:
        services = LocalServices(app, stores, workspace, read_only=read_only)
        try:
            yield services
        finally:
            await services.aclose()


class LocalServices:
    """Implements core's MCP services for the one person at this machine."""

    def __init__(self, app: App, stores: Stores, workspace: Path, *, read_only: bool) -> None:
        self._app = app
        self._stores = stores
        self._workspace = workspace
        self._agent = LocalAgent(app, stores, workspace)
        self._calls = CallFile(app.settings.home / "mcp-calls.jsonl")
        self._caller = MCPCaller(local_user(), READ_SCOPES if read_only else EVERY_SCOPE)
        # A workspace that contains DATAAGENT_HOME must not give access to it.
        root = SafeRoot(workspace, links="beneath", closed=own_paths(app.settings))
        self._rules = RuleSet()
        self._root = root.with_rules(self._current_denials)
        self._ledger = ReadLedger()
        self._answers = UsedAnswers()
        self._results = FolderResultStore(app.settings.results / TENANT)
        self._data = self._open_data()

    def _current_denials(self) -> ReadDenials | None:
        # The rules that were read for the last call.
        return make_denial_finder(self._rules)()

    def _open_data(self) -> DataTools:
        access = DataAccess(sources=open_source_store(self._app.settings), results=self._results)
        settings = self._app.settings
        config = AgentConfig(assistant_id=settings.assistant_id, data=access)
        places = AgentFolders(self._root, self._root, {}, self._workspace)
        return build_data_tools(settings, config, places, self._workspace, sandboxed=True)

    async def aclose(self) -> None:
        """End runs and engines."""
        await self._agent.aclose()
        await self._data.services.aclose()

    async def caller(self) -> MCPCaller:
        return self._caller

    @asynccontextmanager
    async def open_toolset(self, caller: MCPCaller) -> AsyncGenerator[MCPToolset]:
        del caller
        tools = [*self._data.tools, *make_file_tools(self._root, ledger=self._ledger)]
        served = [tool for tool in tools if tool.name in SERVED]
        self._rules = await asyncio.to_thread(load_rules, self._app.settings, self._workspace)
        yield MCPToolset(
            registry=ToolRegistry().adding(served, BUILT_IN),
            policy=Policy(rules=self._rules),
            forecasters=self._data.forecasts,
            workspace=self._root,
            how_to_allow=_HOW_TO_ALLOW,
        )

    def agent(self, caller: MCPCaller) -> LocalAgent:
        del caller
        return self._agent

    async def results(self, caller: MCPCaller) -> ResultStore:
        del caller
        return self._results

    async def sessions(self, caller: MCPCaller, limit: int) -> list[dict[str, Any]]:
        del caller
        found = await self._stores.sessions.list_by_user(local_user())
        return [
            {
                "session_id": one.session_id,
                "assistant_id": one.assistant_id,
                "last_active": one.last_active.isoformat(),
            }
            for one in found[:limit]
        ]

    async def session(self, caller: MCPCaller, session_id: str) -> dict[str, Any]:
        del caller
        await self._find_session(session_id)
        messages = await self._stores.messages.get_messages(session_id, _MESSAGES_MAX, 0)
        shown: list[dict[str, Any]] = []
        size_bytes = 0
        for message in reversed(messages):
            one = {"role": message.role, "content": message.content}
            size_bytes += len(json.dumps(one, default=str))
            if shown and size_bytes > MCP_SERVED_OUTPUT_BYTES_MAX:
                break
            shown.append(one)
        return {"session_id": session_id, "messages": shown[::-1]}

    async def session_changes(self, caller: MCPCaller, session_id: str) -> AsyncGenerator[None]:
        del caller
        await self._find_session(session_id)
        last = await self._stores.log.last_seq(session_id)
        while True:
            # Another process, such as a terminal, may write it.
            await asyncio.sleep(_LOOK_S)
            now = await self._stores.log.last_seq(session_id)
            if now > last:
                last = now
                yield

    async def use_once(self, caller: MCPCaller, answer_id: str) -> bool:
        del caller
        return self._answers.take(answer_id)

    async def record(self, caller: MCPCaller | None, record: MCPCallRecord) -> None:
        await self._calls.add((caller or self._caller).name, record)

    async def _find_session(self, session_id: str) -> Session:
        found = await self._stores.sessions.get(session_id)
        if found is None or found.user_id != local_user():
            raise NotFoundError(f"There is no session {session_id[:80]!r}.")
        return found


class CallFile:
    """Appends calls to a file; a full file is renamed to `.1`, which replaces the older one."""

    def __init__(self, path: Path) -> None:
        self._path = path

    async def add(self, who: str, record: MCPCallRecord) -> None:
        """Append a call."""
        ended_well = record.outcome in {"ok", "waiting"}
        line = {
            "at": datetime.now(UTC).isoformat(),
            "who": who,
            "tool": record.tool,
            "input": dict(record.arguments),
            "outcome": record.outcome,
            "output" if ended_well else "error": record.answer,
            "duration_ms": record.duration_ms,
        }
        await asyncio.to_thread(self._append, json.dumps(line, default=str) + "\n")

    def _append(self, line: str) -> None:
        self._path.parent.mkdir(parents=True, exist_ok=True)
        if self._path.exists() and self._path.stat().st_size > _BYTES_MAX:
            self._path.replace(self._path.with_suffix(".jsonl.1"))
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        with open(os.open(self._path, flags, 0o600), "a", encoding="utf-8") as file:  # noqa: PTH123 (only the owner may read it)
            file.write(line)
