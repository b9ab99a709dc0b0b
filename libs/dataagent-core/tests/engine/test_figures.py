"""The final text of a run says where its figures come from."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, resumed, scripted, settings
from kept_results import kept
from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.config.limits import MESSAGES_PAGE_DEFAULT
from dataagent_core.config.limits.data import RECEIPT_MESSAGES_MAX
from dataagent_core.engine import AgentConfig, AgentExecutor, AgentFactory
from dataagent_core.engine.assembly.data_tools import StoredConversations
from dataagent_core.engine.attachments.attachments import RESOURCE_ATTACHED
from dataagent_core.errors import StorageError
from dataagent_core.events import TextEvent, WarningEvent
from dataagent_core.session import Message
from dataagent_core.session.prompt import OWN_WORDS_KEY
from dataagent_core.session.store import newest_messages
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.session.stores.memory import MemoryEventLog, MemoryMessageStore
from dataagent_core.tools.data.agent_tools.result_receipt import RESULT_KEY, make_result_receipt
from dataagent_core.tools.data.data_access import DataAccess
from dataagent_core.tools.data.results.result_store import FolderResultStore
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.data.sources.source_store import EmptySourceStore, SourceStore

ASK = {"text": "I will look at all 4711 rows.", "tool_calls": [{"name": "ask_shop", "args": {}}]}
ANSWER = {"text": "East had 120 orders, West 81."}


def ask_shop(results: FolderResultStore) -> BaseTool:
    async def ask() -> tuple[str, dict[str, Any]]:
        made = await kept(results, {"region": ["East", "West"], "orders": [120, 80]})
        return "region,orders", {RESULT_KEY: make_result_receipt(made)}

    return StructuredTool.from_function(
        coroutine=ask,
        name="ask_shop",
        description="Ask the shop.",
        response_format="content_and_artifact",
    )


def agent(
    model: Any, folder: Path, stores: Stores, results: FolderResultStore | None = None
) -> AgentExecutor:
    (folder / "files").mkdir(exist_ok=True)
    results = results or FolderResultStore(folder / "results")
    config = AgentConfig(
        assistant_id="tester",
        model=model,
        workspace_path=folder / "files",
        extra_tools=[ask_shop(results)],
        data=DataAccess(sources=EmptySourceStore(), results=results),
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
    class Broken(FolderResultStore):
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


class OneSource(EmptySourceStore):
    """A store with one source that nobody asks."""

    async def listed(self) -> list[SourceSpec]:
        return [SourceSpec(name="shop", kind="files", location="shop.csv")]


def unasked(text: str, folder: Path, stores: Stores, sources: SourceStore) -> AgentExecutor:
    (folder / "files").mkdir(exist_ok=True)
    config = AgentConfig(
        assistant_id="tester",
        model=scripted({"text": text}),
        workspace_path=folder / "files",
        data=DataAccess(sources=sources, results=FolderResultStore(folder / "results")),
        auto_approve=True,
    )
    return AgentFactory(settings(), stores=stores).create_executor(config)


async def test_a_figure_about_data_is_marked_when_no_query_ran(tmp_path: Path):
    made = unasked("Revenue in March was 45,300.", tmp_path, Stores.in_memory(), OneSource())
    (answer,) = finals(await events_of(made, "What was revenue in March?"))
    assert answer.figures == []
    (marked,) = answer.unsourced
    assert marked == {"text": "45,300", "start": 21, "end": 27, "reason": "no_query"}


async def test_the_persons_own_figures_of_an_earlier_turn_are_not_marked(tmp_path: Path):
    stores = Stores.in_memory()
    first = unasked("Noted.", tmp_path, stores, OneSource())
    await events_of(first, "Revenue was 45,300 in March and 51,200 in April.")
    later = unasked("Revenue grew by 5,900, or 13.0%.", tmp_path, stores, OneSource())
    (answer,) = finals(await events_of(later, "How much did revenue grow?"))
    assert (answer.figures, answer.unsourced) == ([], [])


async def test_plain_talk_is_not_marked_when_no_query_ran(tmp_path: Path):
    talk = "The server listens on port 8000; Everest is 8,849 metres high."
    made = unasked(talk, tmp_path, Stores.in_memory(), EmptySourceStore())
    (answer,) = finals(await events_of(made, "Which port? And how high is Everest?"))
    assert (answer.figures, answer.unsourced) == ([], [])


async def test_figures_are_not_marked_where_the_person_attached_a_file(tmp_path: Path):
    made = unasked("Revenue in March was 45,300.", tmp_path, Stores.in_memory(), OneSource())
    (tmp_path / "files" / "notes.md").write_text("March: 45,300")
    (answer,) = finals(await events_of(made, "What was revenue in March, see @notes.md"))
    assert (answer.figures, answer.unsourced) == ([], [])


@pytest.mark.parametrize(
    "said", ["Tell @bob that we begin.", "See @missing.csv", "See @folder/", "See @data.bin"]
)
async def test_a_mention_that_brought_no_content_leaves_figures_marked(tmp_path: Path, said: str):
    stores = Stores.in_memory()
    first = unasked("Noted.", tmp_path, stores, OneSource())
    (tmp_path / "files" / "folder").mkdir()
    (tmp_path / "files" / "data.bin").write_bytes(b"\0\1\2")
    await events_of(first, said)
    later = unasked("Revenue in March was 45,300.", tmp_path, stores, OneSource())
    (answer,) = finals(await events_of(later, "What was revenue in March?"))
    assert texts(answer.unsourced) == ["45,300"]


async def test_a_file_that_only_piped_words_name_leaves_figures_marked(tmp_path: Path):
    made = unasked("Revenue in March was 45,300.", tmp_path, Stores.in_memory(), OneSource())
    (tmp_path / "files" / "notes.md").write_text("March: 45,300")
    asked = "What was revenue in March?"
    context = {OWN_WORDS_KEY: len(asked)}
    events = [event async for event in made.execute(f"{asked}\n\n@notes.md", "s", context)]
    assert texts(finals(events)[0].unsourced) == ["45,300"]


async def test_an_attached_resource_of_a_server_leaves_figures_unmarked(tmp_path: Path):
    stores = Stores.in_memory()
    warning = WarningEvent(code=RESOURCE_ATTACHED, message="read")
    first = unasked("Noted.", tmp_path, stores, OneSource())
    run_id = (await events_of(first, "See @queries:doc:///a"))[0].run_id
    await stores.log.append("s", run_id, [warning])
    later = unasked("Revenue in March was 45,300.", tmp_path, stores, OneSource())
    (answer,) = finals(await events_of(later, "What was revenue in March?"))
    assert answer.unsourced == []


class CountedMessages(MemoryMessageStore):
    """Counts the messages that are read."""

    read = 0

    async def get_messages(
        self, session_id: str, limit: int = MESSAGES_PAGE_DEFAULT, offset: int = 0
    ) -> list[Message]:
        page = await super().get_messages(session_id, limit, offset)
        self.read += len(page)
        return page


@pytest.mark.parametrize("count", [0, 1, 7, 8, 9, 16, 17, 500])
async def test_the_newest_messages_are_read_without_the_others(count: int):
    store = CountedMessages()
    for number in range(count):
        await store.save_message("s", "user", str(number))
    found = await newest_messages(store, "s", 8)
    assert [message.content for message in found] == [str(n) for n in range(count)][-8:]
    assert store.read <= 8 + 8 + 2 * count.bit_length()


async def test_only_the_newest_messages_of_a_long_session_are_read():
    store = CountedMessages()
    for number in range(3_000):
        await store.save_message("s", "user", f"Revenue was {number}")
    spoken = await StoredConversations(store, EmptySourceStore(), MemoryEventLog()).of("s")
    assert spoken.said[-1] == "Revenue was 2999"
    assert len(spoken.said) == RECEIPT_MESSAGES_MAX
    assert store.read < 1_000
