"""The process to kill: makes one call of an effect class with a trap set.

usage: effects_worker.py SESSION WORKSPACE WITNESS POINT EFFECT COUNTER (settings from the
environment)
"""

import asyncio
import sys
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path
from typing import cast

from dataagent_core.config import Settings
from dataagent_core.engine import AgentConfig, AgentFactory
from dataagent_core.session.stores.bundle import open_sqlite
from dataagent_core.tools.effects import Effect
from tests.kill.effects import agent_config
from tests.kill.points import Trap, TrappedLog


async def main(session: str, config: AgentConfig, trap: Trap) -> None:
    settings = Settings()
    async with open_sqlite(settings.database_path, "local") as stores:
        await stores.sessions.create("local", config.assistant_id, session_id=session)
        trapped = replace(stores, log=TrappedLog(stores.log, trap))
        factory = AgentFactory(settings, stores=trapped)
        async with aclosing(factory.create_executor(config)) as executor:
            async for _ in executor.execute("go", session):
                pass


if __name__ == "__main__":
    name, folder, witness, point, effect, counter = sys.argv[1:]
    made = agent_config(Path(folder), cast("Effect", effect), Path(counter))
    asyncio.run(main(name, made, Trap(point, 1, Path(witness))))
