"""Sub-agents side by side: the time of ten with five calls each, beside that of one.

The model waits a fixed time before every answer, as a remote one does, and so does the tool. Then
ten at once should take about as long as one: what is more is ours.
"""

import asyncio
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from folders import new_folder

SUBAGENTS = 10
CALLS = 5
MODEL_S = 0.2
TOOL_S = 0.05
ROUNDS = 3

TEMPLATE = """\
## Sub-agents side by side
{subagents:.0f} sub-agents of {subagent_calls:.0f} calls in one run beside a single one, in SQLite.
The model waits {model_s} s before every answer and the tool {tool_s} s
(`benchmarks/parallel_subagents.py`).

| | seconds |
|---|--:|
| one sub-agent | {one_subagent_s:.2f} |
| ten at once | {ten_subagents_s:.2f} |
| **ratio** (aim: at most 1.5) | **{subagents_ratio:.2f}** |
"""


def script(count: int) -> dict[str, Any]:
    """Play an agent that starts so many sub-agents at once."""
    tasks = [
        {"name": "task", "args": {"description": f"SIDE {n}", "subagent_type": "general-purpose"}}
        for n in range(count)
    ]
    work = [
        {"tool_calls": [{"name": "wait", "args": {"step": step}}], "delay_s": MODEL_S}
        for step in range(CALLS)
    ]
    return {
        "scripts": [
            {"match": "^SIDE", "steps": [*work, {"text": "seen", "delay_s": MODEL_S}]},
            {"steps": [{"tool_calls": tasks}, {"text": "all"}]},
        ]
    }


async def wall_s(home: Path, count: int) -> float:
    """Time a run with so many sub-agents, on SQLite."""
    from langchain_core.tools import tool

    from dataagent_core.config import Settings
    from dataagent_core.engine import AgentConfig, AgentFactory
    from dataagent_core.models import Script, ScriptedChatModel
    from dataagent_core.session.stores.bundle import open_sqlite

    @tool
    async def wait(step: int) -> str:
        """Wait."""
        await asyncio.sleep(TOOL_S)
        return f"step {step}"

    async with open_sqlite(home / f"{count}.db", "local") as stores:
        model = ScriptedChatModel(script=Script.model_validate(script(count)))
        config = AgentConfig(
            "bench",
            model=model,
            workspace_path=new_folder(home, "work"),
            auto_approve=True,
            extra_tools=[wait],
        )
        agent = AgentFactory(
            Settings(home=new_folder(home, "home")), stores=stores
        ).create_executor(config)
        samples: list[float] = []
        # The first run pays for what is made at the first use.
        for number in range(ROUNDS + 1):
            began = time.perf_counter()
            events = [event async for event in agent.execute("go", f"s{number}")]
            samples.append(time.perf_counter() - began)
            ended = [e for e in events if getattr(e, "phase", "") == "finished"]
            if len(ended) != count:
                raise RuntimeError(f"{len(ended)} of {count} sub-agents finished")
        await agent.aclose()
    return statistics.median(samples[1:])


async def measured() -> dict[str, float]:
    """Measure one, and ten."""
    with tempfile.TemporaryDirectory() as folder:
        one_s = await wall_s(Path(folder), 1)
        ten_s = await wall_s(Path(folder), SUBAGENTS)
    return {
        "model_s": MODEL_S,
        "tool_s": TOOL_S,
        "subagents": SUBAGENTS,
        "subagent_calls": CALLS,
        "one_subagent_s": one_s,
        "ten_subagents_s": ten_s,
        "subagents_ratio": ten_s / one_s,
    }


def section() -> str:
    """Measure, and return the section of RESULTS.md."""
    print("measuring sub-agents side by side ...", flush=True)
    return TEMPLATE.format(**asyncio.run(measured()))


if __name__ == "__main__":
    print(section())
