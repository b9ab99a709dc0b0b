"""CPU per step of 50 scripted tool calls: everything of ours on, against bare deepagents.

Baseline: `create_deep_agent` with `AsyncSqliteSaver`, `ainvoke`, nothing else. Ours: events, log,
journal and checkpoints in SQLite, streaming. Same scripted model, same tool. Each measurement is
a process of its own; the two alternate, and the medians are compared.
"""

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from folders import new_folder

STEPS = 50
ROUNDS = 5


def script() -> Any:
    from dataagent_core.models import Script

    # Each call differs from the others: equal ones would be stopped as a loop.
    calls = [{"name": "probe", "args": {"text": f"{n:040}"}} for n in range(STEPS)]
    steps = [{"text": f"Step {n}.", "tool_calls": [call]} for n, call in enumerate(calls)]
    return Script.model_validate({"steps": [*steps, {"text": "Done."}]})


def probe_tool() -> Any:
    from langchain_core.tools import tool

    @tool
    async def probe(text: str) -> str:
        """Return 200 bytes."""
        return (text * 5)[:200]

    return probe


async def baseline(folder: Path) -> float:
    from deepagents import create_deep_agent
    from langchain_core.messages import HumanMessage
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    from dataagent_core.models import ScriptedChatModel

    async with AsyncSqliteSaver.from_conn_string(str(folder / "bare.db")) as saver:
        agent = create_deep_agent(
            ScriptedChatModel(script=script()), [probe_tool()], checkpointer=saver
        )
        feed: Any = {"messages": [HumanMessage("go")]}
        began = time.process_time()
        await agent.ainvoke(feed, {"configurable": {"thread_id": "t"}})
        return time.process_time() - began


async def ours(folder: Path) -> float:
    from dataagent_core.config import Settings
    from dataagent_core.engine import AgentConfig, AgentFactory
    from dataagent_core.models import ScriptedChatModel
    from dataagent_core.session.stores.bundle import open_sqlite

    settings = Settings(home=new_folder(folder, "home"))
    config = AgentConfig(
        assistant_id="bench",
        model=ScriptedChatModel(script=script()),
        extra_tools=[probe_tool()],
        workspace_path=new_folder(folder, "work"),
    )
    async with open_sqlite(folder / "ours.db", "local") as stores:
        executor = AgentFactory(settings, stores=stores).create_executor(config)
        began = time.process_time()
        events = [event async for event in executor.execute("go", "s")]
        spent = time.process_time() - began
    results = sum(e.event_type == "tool_result" and e.status == "success" for e in events)
    if results != STEPS or events[-1].event_type != "done":
        raise SystemExit(f"expected {STEPS} tool results and done, got {results}")
    return spent


def measure(which: str) -> float:
    """Measure one variant in a fresh process, in CPU milliseconds per step."""
    out = subprocess.run(
        [sys.executable, __file__, which], capture_output=True, text=True, check=True
    )
    return json.loads(out.stdout.splitlines()[-1])


def samples(rounds: int) -> tuple[list[float], list[float]]:
    """Measure the baseline and ours by turns."""
    pairs = [(measure("baseline"), measure("ours")) for _ in range(rounds)]
    return [bare for bare, _ in pairs], [full for _, full in pairs]


def main() -> dict[str, float]:
    bare, full = map(statistics.median, samples(ROUNDS))
    return {"bare_ms": bare, "ours_ms": full, "ratio": full / bare}


if __name__ == "__main__":
    if len(sys.argv) > 1:
        variant = {"baseline": baseline, "ours": ours}[sys.argv[1]]
        with tempfile.TemporaryDirectory() as name:
            print(json.dumps(asyncio.run(variant(Path(name))) * 1000 / STEPS))
    else:
        print(json.dumps(main(), indent=2))
