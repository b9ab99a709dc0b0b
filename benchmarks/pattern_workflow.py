"""A task of eight calls, done by a model and as the workflow compiled from three such runs.

The model is a script behind an HTTP endpoint. What it reads is counted from the requests that were
really sent: messages, calls and the schemas of the tools. Two places differ each month and are
still written by the model: a sentence about the data, and the answer.
"""

import asyncio
import json
import os
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from folders import new_folder
from token_estimate import tokenizer

CALLS = 8
MONTHS = ("2026-01", "2026-02", "2026-03")
REGIONS = ("North", "South", "East")
MONTH, REGION = "2026-04", "Harbour"
ROWS = 60
# A remote model takes a while before it answers.
MODEL_S = 0.2

TEMPLATE = """\
## A pattern as a workflow
A task of {calls} calls of built-in tools, done by a model, and then as the workflow that was
compiled from three such runs (`benchmarks/pattern_workflow.py`). The model still writes
a sentence about the data and the answer. Tokens are those of the requests really sent, with
their tools, {counted}, and of the answers; the model waits {model_s} s before each answer.

| | calls of the model | tokens read | tokens written | seconds |
|---|--:|--:|--:|--:|
| the first run | {first_calls:.0f} | {first_read:,.0f} | {first_written:,.0f} | {first_s:.2f} |
| as a workflow | {later_calls:.0f} | {later_read:,.0f} | {later_written:,.0f} | {later_s:.2f} |
| **ratio** (aim: at most 0.10) | {ratio_calls:.2f} | | **{ratio:.3f}** | {ratio_s:.2f} |

The bold ratio is of all tokens. Of the conversation alone, without the system prompt and the
schemas of the tools, it is {ratio_bare:.2f}.
"""


@dataclass(frozen=True, slots=True)
class Measured:
    """What one run took."""

    calls: int
    read: int
    # Without the system prompt and the schemas of the tools.
    read_bare: int
    written: int
    seconds: float


def make_orders(month: str) -> str:
    """Write the orders of a month, other ones in each."""
    regions = (*REGIONS, REGION)
    seed = int(month[-2:])
    rows = [
        f"{month}-{day % 28 + 1:02},{regions[day % 4]},{(day * 37 * seed) % 900 + 100}"
        for day in range(ROWS)
    ]
    return "\n".join(["date,region,orders", *rows, ""])


def make_remark(region: str, month: str) -> str:
    """Write what a model says of the orders."""
    rows = [line.split(",") for line in make_orders(month).splitlines()[1:]]
    sums = [int(count) for _, where, count in rows if where == region]
    best = max(range(len(sums)), key=sums.__getitem__)
    return f"{sum(sums):,} orders in all; the {best + 1}. day was the best with {sums[best]}."


def make_turns(region: str, month: str) -> list[dict[str, Any]]:
    """Script a model that does the task call by call."""
    report = f"/reports/{region}-{month}.md"
    remark = make_remark(region, month)
    calls = [
        ("read_file", {"file_path": f"/orders-{month}.csv"}),
        ("grep", {"pattern": region, "path": f"/orders-{month}.csv"}),
        ("read_file", {"file_path": "/targets.csv"}),
        ("write_file", {"file_path": report, "content": remark}),
        ("read_file", {"file_path": report}),
        ("write_file", {"file_path": f"/sent/{region}-{month}.md", "content": f"See {report}\n"}),
        ("read_file", {"file_path": f"/sent/{region}-{month}.md"}),
        ("ls", {"path": "/reports"}),
    ]
    assert len(calls) == CALLS
    turns = [{"tool_calls": [{"name": name, "args": args}]} for name, args in calls]
    return [{**turn, "delay_s": MODEL_S} for turn in (*turns, {"text": f"Done: {remark}"})]


def make_places() -> list[dict[str, Any]]:
    """Script a model that writes what is left of it in the workflow."""
    remark = make_remark(REGION, MONTH)
    answers = [json.dumps({"content": remark}), f"Done: {remark} [step 4]"]
    return [{"text": text, "delay_s": MODEL_S} for text in answers]


def count_tokens(texts: Sequence[str]) -> int:
    """Count by a real tokenizer where there is one, else as S2 estimates."""
    from dataagent_core.tools.catalog.core_tools import estimate_tokens

    return sum(map(tokenizer() or estimate_tokens, texts))


async def run_task(home: Path, script: dict[str, Any], message: str, **planning: Any) -> Measured:
    """Do the task in a session of its own."""
    from dataagent_core.config import Settings
    from dataagent_core.engine import AgentConfig, AgentFactory
    from dataagent_core.models import Script
    from dataagent_core.session.stores.bundle import open_sqlite
    from dataagent_core.testing import ScriptedEndpoint

    with ScriptedEndpoint(Script.model_validate(script)) as endpoint:
        os.environ["OPENAI_BASE_URL"] = endpoint.base_url
        async with open_sqlite(home / "bench.db", "local") as stores:
            config = AgentConfig(
                "bench",
                model="openai:scripted",
                home=new_folder(home, "home"),
                workspace_path=new_folder(home, "work"),
                auto_approve=True,
            )
            agent = AgentFactory(Settings(home=home / "home"), stores=stores).create_executor(
                config
            )
            context = {"planning": {"mode": "never", **planning}}
            began = time.perf_counter()
            session = message.replace(" ", "-")[:40] + str(bool(planning))
            events = [event async for event in agent.execute(message, session, context)]
            seconds = time.perf_counter() - began
            await agent.aclose()
        done = events[-1]
        results = [event for event in events if event.event_type == "tool_result"]
        surprises = [event for event in events if event.event_type == "warning"]
        if getattr(done, "reason", "") != "completed" or len(results) != CALLS or surprises:
            raise RuntimeError(f"{done}: {len(results)} calls, {surprises}")
        sent = [request.body for request in endpoint.requests]
    bare = [one for body in sent for one in body["messages"] if one["role"] != "system"]
    read = [json.dumps([one["messages"], one.get("tools", [])], ensure_ascii=False) for one in sent]
    written = int(getattr(done, "token_usage", {})["output_tokens"])
    read_bare = count_tokens([json.dumps(one, ensure_ascii=False) for one in bare])
    return Measured(len(sent), count_tokens(read), read_bare, written, seconds)


async def compile_only(home: Path) -> dict[str, Any]:
    """Compile the workflow of the only pattern, store it, and return what runs it."""
    from dataagent_core.config import Settings
    from dataagent_core.config.paths import LOCAL_TENANT
    from dataagent_core.engine.assembly.agent_patterns import open_pattern_library
    from dataagent_core.patterns.workflow.compile_pattern import compile_pattern
    from dataagent_core.patterns.workflow.workflow_record import with_text
    from dataagent_core.session.stores.bundle import open_sqlite

    library = open_pattern_library(Settings(home=home / "home"), LOCAL_TENANT, home / "home")
    (pattern,) = await library.list_page()
    async with open_sqlite(home / "bench.db", "local") as stores:
        compiled = await compile_pattern(pattern, stores)
    await library.update(pattern.id, lambda one: with_text(one, compiled.text))
    # An input has the name of the first argument that it stands in.
    inputs = {name: MONTH if name == "date" else REGION for name in compiled.workflow.inputs}
    return {"workflow": pattern.id, "inputs": inputs}


async def measured() -> dict[str, float]:
    """Teach the task, compile it, and run it."""
    goal = "Write the report of {region} for {month}"
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        files = new_folder(home, "work")
        for month in (*MONTHS, MONTH):
            (files / f"orders-{month}.csv").write_text(make_orders(month))
        targets = "region,orders\n" + "".join(f"{one},4000\n" for one in (*REGIONS, REGION))
        (files / "targets.csv").write_text(targets)
        taught = [
            await run_task(
                home,
                {"steps": make_turns(region, month)},
                goal.format(region=region, month=month),
            )
            for region, month in zip(REGIONS, MONTHS, strict=True)
        ]
        planning = await compile_only(home)
        later = await run_task(
            home,
            {"steps": make_places()},
            goal.format(region=REGION, month=MONTH),
            **planning,
        )
    first = taught[0]
    return {
        "calls": CALLS,
        "model_s": MODEL_S,
        **{f"first_{key}": value for key, value in vars_of(first).items()},
        **{f"later_{key}": value for key, value in vars_of(later).items()},
        "ratio": (later.read + later.written) / (first.read + first.written),
        "ratio_bare": (later.read_bare + later.written) / (first.read_bare + first.written),
        "ratio_calls": later.calls / first.calls,
        "ratio_s": later.seconds / statistics.median(one.seconds for one in taught),
    }


def vars_of(one: Measured) -> dict[str, float]:
    """Name the figures of a run."""
    return {"calls": one.calls, "read": one.read, "written": one.written, "s": one.seconds}


def section() -> str:
    """Measure, and return the section of RESULTS.md."""
    print("measuring a workflow ...", flush=True)
    counted = "by a real tokenizer" if tokenizer() else "as S2 estimates them"
    return TEMPLATE.format(counted=counted, **asyncio.run(measured()))


if __name__ == "__main__":
    print(section())
