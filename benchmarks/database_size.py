"""How large the database is after 200 steps in one session, in one run and in ten."""

import asyncio
import json
import tempfile
from pathlib import Path
from typing import Any

from folders import new_folder

STEPS = 200


async def measure(folder: Path, runs: int) -> float:
    """Take 200 steps, spread over a number of runs; return the database's size in megabytes."""
    from langchain_core.tools import tool

    from dataagent_core.config import Settings
    from dataagent_core.engine import AgentConfig, AgentFactory
    from dataagent_core.models import Script, ScriptedChatModel
    from dataagent_core.session.stores.bundle import open_sqlite

    @tool
    async def probe(text: str) -> str:
        """Return 200 bytes."""
        return (text * 5)[:200]

    calls: list[Any] = [{"name": "probe", "args": {"text": f"{n:040}"}} for n in range(STEPS)]
    steps = [{"text": "The next step.", "tool_calls": [call]} for call in calls[: STEPS // runs]]
    script = Script.model_validate({"steps": [*steps, {"text": "Done."}]})
    config = AgentConfig(
        assistant_id="bench",
        model=ScriptedChatModel(script=script),
        extra_tools=[probe],
        workspace_path=new_folder(folder, "work"),
    )
    async with open_sqlite(folder / "size.db", "local") as stores:
        executor = AgentFactory(
            Settings(home=new_folder(folder, "home")), stores=stores
        ).create_executor(config)
        for number in range(runs):
            async for _ in executor.execute(f"go {number}", "s"):
                pass
        return sum(path.stat().st_size for path in folder.glob("size.db*")) / 1e6


def main() -> dict[str, float]:
    sizes: dict[str, float] = {}
    for runs in (1, 10):
        with tempfile.TemporaryDirectory() as name:
            sizes[f"mb_in_{runs}_runs"] = asyncio.run(measure(Path(name), runs))
    return sizes


if __name__ == "__main__":
    print(json.dumps(main(), indent=2))
