"""The process to kill: runs one message like `dataagent run`, with a trap set.

usage: worker.py SESSION WORKSPACE WITNESS POINT NTH [CONTEXT] (settings from the environment)

CONTEXT is JSON: what is sent beside the message.
"""

import asyncio
import json
import sys
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import Any

from dataagent_core.config import Settings
from dataagent_core.engine import AgentConfig, AgentFactory
from dataagent_core.hitl import AutoApproveHandler
from dataagent_core.session import SessionLock
from dataagent_core.session.stores.bundle import open_sqlite
from tests.kill.points import Trap, TrappedCheckpoints, TrappedLog


async def main(session: str, workspace: Path, trap: Trap, context: dict[str, Any] | None) -> None:
    settings = Settings()
    with SessionLock(settings.home / "locks", session):
        async with open_sqlite(settings.database_path, "local") as stores:
            await stores.sessions.create("local", settings.assistant_id, session_id=session)
            config = AgentConfig(assistant_id=settings.assistant_id, workspace_path=workspace)
            # An earlier run, so that there is a history to keep.
            await play(AgentFactory(settings, stores=stores), config, "hello", session)
            checkpoints = stores.checkpoints
            # The same object with another class: the real store with a trap around it.
            checkpoints.__class__ = TrappedCheckpoints
            checkpoints.trap = trap  # type: ignore[attr-defined]
            trapped = replace(stores, log=TrappedLog(stores.log, trap))
            factory = AgentFactory(settings, AutoApproveHandler(), stores=trapped)
            await play(factory, config, "go", session, context)


async def play(
    factory: AgentFactory,
    config: AgentConfig,
    prompt: str,
    session: str,
    context: dict[str, Any] | None = None,
) -> None:
    async with aclosing(factory.create_executor(config)) as executor:
        async for _ in executor.execute(prompt, session, context):
            pass


if __name__ == "__main__":
    name, folder, witness, point, nth, *more = sys.argv[1:]
    beside = json.loads(more[0]) if more else None
    asyncio.run(main(name, Path(folder), Trap(point, int(nth), Path(witness)), beside))
