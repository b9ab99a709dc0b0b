"""The final text of a run says where its figures come from."""

from dataclasses import replace
from pathlib import Path
from typing import Any

from agents import events_of, resumed, scripted, settings
from kept_results import kept
from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.engine import AgentConfig, AgentExecutor, AgentFactory
from dataagent_core.errors import StorageError
from dataagent_core.events import TextEvent
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.session.stores.memory import MemoryEventLog
from dataagent_core.tools.data.access import DataAccess
from dataagent_core.tools.data.offered.receipt import RESULT_KEY, receipt_of_result
from dataagent_core.tools.data.results.store import FolderResults
from dataagent_core.tools.data.sources.book import NoSources

ASK = {"text": "I will look at all 4711 rows.", "tool_calls": [{"name": "ask_shop", "args": {}}]}
ANSWER = {"text": "East had 120 orders, West 81."}


def ask_shop(results: FolderResults) -> BaseTool:
    async def ask() -> tuple[str, dict[str, Any]]:
        made = await kept(results, {"region": ["East", "West"], "orders": [120, 80]})
        return "region,orders", {RESULT_KEY: receipt_of_result(made)}

    return StructuredTool.from_function(
        coroutine=ask,
        name="ask_shop",
        description="Ask the shop.",
        response_format="content_and_artifact",
    )


def agent(
    model: Any, folder: Path, stores: Stores, results: FolderResults | None = None
) -> AgentExecutor:
    (folder / "files").mkdir(exist_ok=True)
    results = results or FolderResults(folder / "results")
    config = AgentConfig(
        assistant_id="tester",
        model=model,
        workspace_path=folder / "files",
        extra_tools=[ask_shop(results)],
        data=DataAccess(book=NoSources(), results=results),
        auto_approve=True,
    )
    return AgentFactory(settings(), stores=stores).create_executor(config)


def finals(events: list[Any]) -> list[TextEvent]:
    return [event for event in events if isinstance(event, TextEvent) and event.is_final]


def texts(items: list[Any]) -> list[str]:
    return [item["text"] for item in items]


async def test_the_answer_carries_its_figures_and_a_remark_does_not(tmp_path: Path):
    events = await events_of(agent(scripted(ASK, ANSWER), tmp_path, Stores.in_memory()))
    remark, answer = finals(events)
    assert (remark.figures, remark.unsourced) == ([], [])
    assert texts(answer.figures) == ["120"]
    assert texts(answer.unsourced) == ["81"]
    assert events[-1].reason == "completed"


async def test_a_later_run_knows_the_results_of_the_earlier(tmp_path: Path):
    stores = Stores.in_memory()
    await events_of(agent(scripted(ASK, ANSWER), tmp_path, stores))
    later = agent(scripted({"text": "As I said: East 120."}), tmp_path, stores)
    (again,) = finals(await events_of(later, "and East?"))
    assert texts(again.figures) == ["120"]


async def test_an_answer_is_not_lost_when_it_cannot_be_traced(tmp_path: Path):
    class Broken(FolderResults):
        async def path(self, result_id: str) -> Path:
            raise RuntimeError("no idea")

    broken = Broken(tmp_path / "results")
    made = agent(scripted(ASK, ANSWER), tmp_path, Stores.in_memory(), broken)
    events = await events_of(made)
    assert finals(events)[-1].content == ANSWER["text"]
    assert (finals(events)[-1].figures, finals(events)[-1].unsourced) == ([], [])
    assert events[-1].reason == "completed"


async def test_an_answer_that_a_crash_kept_from_the_log_is_traced_when_it_is_added(tmp_path: Path):
    class Dies(MemoryEventLog):
        """Dies when it should take the answer."""

        dying = True

        async def append(self, session_id: str, run_id: str, events: Any, journal: Any = ()) -> Any:
            if self.dying and any(texts_of_answer(events)):
                raise StorageError("gone")
            return await super().append(session_id, run_id, events, journal)

    log = Dies()
    stores = replace(Stores.in_memory(), log=log)
    model = scripted(ASK, ANSWER)
    await events_of(agent(model, tmp_path, stores))
    log.dying = False
    (answer,) = finals(await resumed(agent(model, tmp_path, stores)))
    assert answer.content == ANSWER["text"]
    assert texts(answer.figures) == ["120"]


def texts_of_answer(events: Any) -> list[bool]:
    return [e.content == ANSWER["text"] for e in events if isinstance(e, TextEvent) and e.is_final]
