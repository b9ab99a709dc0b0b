"""A plan of six steps in two waves of three, beside its longest chain of two steps.

The chain is given to the same sub-agents by one `task` call with `then`, without a plan. The model
waits a fixed time before every answer, as a remote one does, and so does the tool.
"""

import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from folders import new_folder

STEPS = 6
CALLS = 5
MODEL_S = 0.2
TOOL_S = 0.05
ROUNDS = 3

TEMPLATE = """\
## Work plan
A plan of {steps:.0f} steps in two waves of three, each step {calls:.0f} tool calls of a sub-agent,
with its planning call and its answer, beside its longest chain: two of these steps one after the
other as one task, without a plan, in SQLite. The model
waits {model_s} s before every answer and the tool
{tool_s} s (`benchmarks/work_plan.py`).

| | seconds |
|---|--:|
| the longest chain, without a plan | {chain_s:.2f} |
| the plan | {plan_s:.2f} |
| **ratio** (aim: at most 2.2) | **{ratio:.2f}** |
"""


def _plan() -> str:
    steps = [
        {
            "step_number": number,
            "description": f"SIDE {number}",
            "dependencies": [] if number <= STEPS // 2 else [number - STEPS // 2],
        }
        for number in range(1, STEPS + 1)
    ]
    return json.dumps({"confidence": 1.0, "steps": steps})


def _script(tasks: list[dict[str, Any]]) -> dict[str, Any]:
    work = [
        {"tool_calls": [{"name": "wait", "args": {"step": step}}], "delay_s": MODEL_S}
        for step in range(CALLS)
    ]
    answer = {"text": "all [step 1]", "delay_s": MODEL_S}
    return {
        "scripts": [
            {"match": "^SIDE", "steps": [*work, {"text": "seen", "delay_s": MODEL_S}]},
            {"match": r'^\{"message"', "steps": [{"text": _plan(), "delay_s": MODEL_S}]},
            # The plan's two waves have turns of their own, which the model does not take.
            {"match": "^plan", "steps": [{}, {}, answer]},
            {"steps": [{"tool_calls": tasks, "delay_s": MODEL_S}, answer]},
        ]
    }


async def _wall_s(home: Path, message: str, mode: str) -> float:
    """Time a run on SQLite; the median of some rounds."""
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

    step = {"description": "SIDE", "subagent_type": "general-purpose"}
    tasks = [{"name": "task", "args": {**step, "then": [step]}}]
    async with open_sqlite(home / f"{mode}.db", "local") as stores:
        config = AgentConfig(
            "bench",
            model=ScriptedChatModel(script=Script.model_validate(_script(tasks))),
            workspace_path=new_folder(home, "work"),
            auto_approve=True,
            enable_patterns=False,
            extra_tools=[wait],
        )
        agent = AgentFactory(
            Settings(home=new_folder(home, "home")), stores=stores
        ).create_executor(config)
        samples: list[float] = []
        # The first run pays for what is made at the first use.
        for number in range(ROUNDS + 1):
            began = time.perf_counter()
            context = {"planning": {"mode": mode, "planning_timeout_ms": 60_000}}
            events = [e async for e in agent.execute(message, f"s{number}", context)]
            samples.append(time.perf_counter() - began)
            ended = [e for e in events if getattr(e, "phase", "") == "finished"]
            if len(ended) != (STEPS if mode == "always" else 2):
                raise RuntimeError(f"{len(ended)} sub-agents finished in {mode!r}")
        await agent.aclose()
    return statistics.median(samples[1:])


async def measured() -> dict[str, float]:
    """Measure the chain, and the plan."""
    with tempfile.TemporaryDirectory() as folder:
        chain_s = await _wall_s(Path(folder), "chain", "never")
        plan_s = await _wall_s(Path(folder), "plan", "always")
    return {
        "steps": STEPS,
        "calls": CALLS,
        "model_s": MODEL_S,
        "tool_s": TOOL_S,
        "chain_s": chain_s,
        "plan_s": plan_s,
        "ratio": plan_s / chain_s,
    }


def section() -> str:
    """Measure, and return the section of RESULTS.md."""
    print("measuring a work plan ...", flush=True)
    return TEMPLATE.format(**asyncio.run(measured()))


if __name__ == "__main__":
    print(section())
