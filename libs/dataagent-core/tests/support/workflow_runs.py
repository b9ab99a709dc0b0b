"""Runs of one task of eight calls, for tests of workflows: tools, scripts, and the runs."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from agents import executor, settings
from langchain_core.tools import tool
from subagent_scripts import RememberingModel, called

from dataagent_core.config.paths import LOCAL_TENANT
from dataagent_core.models import Script
from dataagent_core.patterns import InteractionPattern, PatternLibrary, open_pattern_store
from dataagent_core.patterns.workflow.compile_pattern import compile_pattern
from dataagent_core.patterns.workflow.workflow_record import read_record, with_text
from dataagent_core.session.stores.bundle import Stores

GOAL = "Make the stock report of {region} for {month}"
REGIONS = ("North", "South", "East", "West", "Centre")


@tool
async def open_stock(region: str) -> str:
    """Open the stock of a region."""
    return json.dumps({"stock_id": f"stock-{sum(map(ord, region))}", "region": region})


@tool
async def count_stock(stock_id: str, month: str) -> str:
    """Count a stock."""
    return f"Counted {stock_id} in {month}: kept as count {abs(hash((stock_id, month))) % 997}."


@tool
async def note(text: str) -> str:
    """Write something down."""
    return f"noted {len(text)} characters"


TOOLS = (open_stock, count_stock, note)


def list_calls(region: str, month: str, remark: str = "") -> list[dict[str, Any]]:
    """List the eight calls of one run."""
    stock_id = f"stock-{sum(map(ord, region))}"
    path = f"/{region}-{month}.md"
    return [
        called("open_stock", region=region),
        called("count_stock", stock_id=stock_id, month=month),
        called("note", text=f"stock of {region}"),
        called("write_file", file_path=path, content=f"# Stock of {region}\n\n{month}\n"),
        called("read_file", file_path=path),
        called("note", text=remark or "checked"),
        called("edit_file", file_path=path, old_string=month, new_string=f"Month: {month}"),
        called("note", text="done"),
    ]


def make_model(*steps: dict[str, Any], beside: Sequence[dict[str, Any]] = ()) -> RememberingModel:
    """Make a model; `beside` are the answers to side calls, in order."""
    scripts = [
        *([{"match": r'^\{"request"', "steps": list(beside)}] if beside else []),
        {"steps": list(steps)},
    ]
    return RememberingModel(script=Script.model_validate({"scripts": scripts}))


class Worker:
    """A person's agent with one home, over several runs."""

    def __init__(self, tmp_path: Path, *, tools: Sequence[Any] = TOOLS, **config: Any) -> None:
        self.home = tmp_path / "home"
        self.files = tmp_path / "files"
        self.files.mkdir(exist_ok=True)
        self.stores = Stores.in_memory()
        self.tools = tools
        self.config: dict[str, Any] = {"auto_approve": True, **config}
        self.library = PatternLibrary(
            open_pattern_store(self.home / "patterns.db", LOCAL_TENANT), LOCAL_TENANT
        )

    def agent(self, model: RememberingModel, **config: Any) -> Any:
        chosen = settings(home=self.home, pattern_learning=True, workflow_timeout_ms=30_000)
        values: dict[str, Any] = {"tools": self.tools, **self.config, **config}
        return executor(model, self.files, chosen=chosen, stores=self.stores, **values)

    async def do(
        self, model: RememberingModel, text: str, session: str, **context: Any
    ) -> list[Any]:
        events = self.agent(model).execute(text, session, context or None)
        return [event async for event in events]

    async def teach(self, times: int = 3, remarks: Sequence[str] = ()) -> list[list[Any]]:
        """Let the model do the task call by call."""
        runs: list[list[Any]] = []
        for number in range(times):
            region, month = REGIONS[number], f"2026-0{number + 1}"
            remark = remarks[number] if remarks else ""
            turns = [{"tool_calls": [one]} for one in list_calls(region, month, remark)]
            played = make_model(*turns, {"text": f"The report of {region} is written."})
            text = GOAL.format(region=region, month=month)
            runs.append(await self.do(played, text, f"taught-{number}"))
            assert runs[-1][-1].reason == "completed", runs[-1]
        return runs

    async def find_pattern(self) -> InteractionPattern:
        store = open_pattern_store(self.home / "patterns.db", LOCAL_TENANT)
        (pattern,) = await store.list_page()
        return pattern

    async def compile(self) -> InteractionPattern:
        """Compile the workflow of the only pattern, and store it."""
        pattern = await self.find_pattern()
        compiled = await compile_pattern(pattern, self.stores)
        changed = await self.library.update(pattern.id, lambda one: with_text(one, compiled.text))
        assert changed is not None
        return changed

    async def replace_file(self, pattern_id: str, text: str) -> None:
        """Store another file of the workflow, as a person who edited it."""
        await self.library.update(pattern_id, lambda one: with_text(one, text))

    async def run_workflow(
        self, model: RememberingModel, region: str = "Harbour", month: str = "2026-09", **more: Any
    ) -> list[Any]:
        """Run the workflow for a region that no run had before."""
        pattern = await self.find_pattern()
        inputs = more.pop("inputs", {"region": region, "month": month})
        planning = {"workflow": pattern.id, "inputs": inputs, **more}
        text = GOAL.format(region=region, month=month)
        session = "run-" + "".join(filter(str.isalnum, region))
        return await self.do(model, text, session, planning=planning)

    async def record(self) -> Any:
        return read_record(await self.find_pattern())
