"""The documented way is the whole way: what `create_agent` returns holds to the configuration.

Each case is run three ways: with `create_executor`, with S1's `AgentExecutor` over the graph, and by
calling the graph itself. The log must tell the same of all of them.
"""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from agents import Answering, echo, scripted, settings
from kept_results import kept
from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.tools import StructuredTool, tool
from langgraph.errors import GraphRecursionError
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import Command

from dataagent_core.engine import AgentConfig, AgentExecutor, AgentFactory
from dataagent_core.errors import (
    BudgetExceededError,
    ConfigurationError,
    LimitReachedError,
    NoOneToAskError,
    RejectedError,
    RunTimeoutError,
    SessionBusyError,
    ValidationError,
)
from dataagent_core.events import Event
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.session import read_all
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.tools.data.agent_tools.result_receipt import RESULT_KEY, make_result_receipt
from dataagent_core.tools.data.data_access import DataAccess
from dataagent_core.tools.data.results.result_store import FolderResultStore
from dataagent_core.tools.data.sources.source_store import EmptySourceStore

GO = {"messages": [{"role": "user", "content": "go"}]}
THREAD: Any = {"configurable": {"thread_id": "s"}}
ECHO = {"tool_calls": [{"name": "echo", "args": {"text": "x"}}]}
WRITE = {
    "tool_calls": [{"name": "write_file", "args": {"file_path": "/a.txt", "content": "hello"}}]
}


async def by_create_executor(factory: AgentFactory, config: AgentConfig) -> None:
    async for _ in factory.create_executor(config).execute("go", "s"):
        pass


async def by_an_executor_over_the_graph(factory: AgentFactory, config: AgentConfig) -> None:
    agent, backend = factory.create_agent(config)
    executor = AgentExecutor(agent=agent, backend=backend, hitl_handler=None, assistant_id="tester")
    async for _ in executor.execute("go", "s"):
        pass


async def by_the_graph(factory: AgentFactory, config: AgentConfig) -> None:
    graph, _ = factory.create_agent(config)
    await graph.ainvoke(GO, THREAD)


WAYS = [by_create_executor, by_an_executor_over_the_graph, by_the_graph]
in_every_way = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)


class Place:
    """One factory and its log."""

    def __init__(self, folder: Path, handler: Any = None, **chosen: Any) -> None:
        self.stores = Stores.in_memory()
        self.workspace = folder / "work"
        self.workspace.mkdir(exist_ok=True)
        self.settings = settings(home=folder / "home", **chosen)
        self.factory = AgentFactory(self.settings, handler, stores=self.stores)

    def config(self, *steps: dict[str, Any], **more: Any) -> AgentConfig:
        return AgentConfig(
            assistant_id="tester",
            model=more.pop("model", None) or scripted(*steps),
            workspace_path=self.workspace,
            extra_tools=[echo, *more.pop("tools", [])],
            **more,
        )

    def graph(self, *steps: dict[str, Any], **more: Any) -> Any:
        return self.factory.create_agent(self.config(*steps, **more))[0]

    async def ran(
        self, way: Callable[..., Any], config: AgentConfig, raised: type[Exception] | None = None
    ) -> list[Any]:
        """Run one way and give what the log says of it."""
        if raised is not None and way is by_the_graph:
            with pytest.raises(raised):
                await way(self.factory, config)
        else:
            await way(self.factory, config)
        return await self.events()

    async def events(self, session: str = "s") -> list[Any]:
        return [*await read_all(self.stores.log, session)]


def reason(events: list[Event]) -> str:
    assert [e.event_type for e in events].count("done") == 1
    return str(getattr(events[-1], "reason", None))


def answers(state: Any) -> list[str]:
    return [message.text for message in state["messages"] if isinstance(message, AIMessage)]


@in_every_way
async def test_a_run_answers_and_is_on_record(tmp_path: Path, way: Any) -> None:
    place = Place(tmp_path)
    events = await place.ran(way, place.config(ECHO, {"text": "ok"}))
    assert [e.event_type for e in events if e.event_type in {"start", "tool_call", "done"}] == [
        "start",
        "tool_call",
        "done",
    ]
    assert (events[-1].reason, events[-1].content) == ("completed", "ok")
    assert events[0].assistant_id == "tester"
    said = await place.stores.messages.get_messages("s")
    assert [(m.role, m.content) for m in said] == [("user", "go"), ("assistant", "ok")]


@in_every_way
async def test_the_recursion_limit_holds(tmp_path: Path, way: Any) -> None:
    place = Place(tmp_path)
    calls = [{"tool_calls": [{"name": "echo", "args": {"text": str(n)}}]} for n in range(9)]
    config = place.config(*calls, recursion_limit=5)
    assert reason(await place.ran(way, config, GraphRecursionError)) == "limit"


@in_every_way
@pytest.mark.parametrize("where", ["config", "settings"])
async def test_the_time_limit_holds(tmp_path: Path, way: Any, where: str) -> None:
    @tool
    async def hang() -> str:
        """Return far too late."""
        with suppress(TimeoutError):
            await asyncio.wait_for(asyncio.Event().wait(), 20)
        return "late"

    place = Place(tmp_path, **({"timeout": 0.3} if where == "settings" else {}))
    own = {"timeout": 0.3} if where == "config" else {}
    config = place.config({"tool_calls": [{"name": "hang", "args": {}}]}, tools=[hang], **own)
    assert reason(await place.ran(way, config, RunTimeoutError)) == "timeout"


@in_every_way
async def test_the_limit_of_model_calls_holds(tmp_path: Path, way: Any) -> None:
    place = Place(tmp_path, run_model_calls_max=1)
    events = await place.ran(way, place.config(ECHO, {"text": "ok"}), LimitReachedError)
    assert reason(events) == "limit"


@in_every_way
@pytest.mark.parametrize("budget", ["run_tokens_max", "day_tokens_max", "month_tokens_max"])
async def test_budgets_hold(tmp_path: Path, way: Any, budget: str) -> None:
    place = Place(tmp_path, **{budget: 100})
    events = await place.ran(way, place.config({"text": "ok"}), BudgetExceededError)
    assert reason(events) == "budget"


@in_every_way
async def test_what_a_run_used_is_in_the_book_of_its_user(tmp_path: Path, way: Any) -> None:
    place = Place(tmp_path)
    events = await place.ran(way, place.config({"text": "ok"}, user_id="ada", tenant_id="one"))
    total = await place.stores.usage.total_of_run(events[-1].run_id)
    assert total.calls == 1
    assert events[-1].token_usage == total.tokens.as_dict()


@in_every_way
async def test_a_deny_rule_holds(tmp_path: Path, way: Any) -> None:
    rules = {"rules": [{"tool": "write_file", "action": "deny"}]}
    place = Place(tmp_path, permissions=rules)
    events = await place.ran(way, place.config(WRITE, {"text": "ok"}))
    assert [e.status for e in events if e.event_type == "tool_result"] == ["error"]
    assert not (place.workspace / "a.txt").exists()


@in_every_way
async def test_the_factorys_handler_is_asked(tmp_path: Path, way: Any) -> None:
    handler = Answering({"type": "respond", "message": "not there"})
    place = Place(tmp_path, handler)
    events = await place.ran(way, place.config(WRITE, {"text": "ok"}))
    assert [action["name"] for action in handler.asked] == ["write_file"]
    assert reason(events) == "completed"
    assert not (place.workspace / "a.txt").exists()


@in_every_way
async def test_without_a_handler_what_is_asked_is_approved(tmp_path: Path, way: Any) -> None:
    place = Place(tmp_path)
    events = await place.ran(way, place.config(WRITE, {"text": "ok"}))
    assert [e.by for e in events if e.event_type == "hitl_answer"] == ["no handler"]
    assert (place.workspace / "a.txt").read_text() == "hello"


@in_every_way
async def test_a_rejected_call_ends_the_run(tmp_path: Path, way: Any) -> None:
    place = Place(tmp_path, Answering({"type": "reject"}))
    events = await place.ran(way, place.config(WRITE, {"text": "never"}), RejectedError)
    assert reason(events) == "rejected"


@in_every_way
async def test_notes_reach_the_model(tmp_path: Path, way: Any) -> None:
    place = Place(tmp_path)
    model = scripted({"text": "ok"})
    (place.settings.ensure_agent_dir("tester") / "agent.md").write_text("Likes short answers.")
    await place.ran(way, place.config(model=model))
    assert "Likes short answers." in model.requests[0][0].text


@in_every_way
async def test_an_answer_says_where_its_figures_are_from(tmp_path: Path, way: Any) -> None:
    results = FolderResultStore(tmp_path / "results")

    async def ask() -> tuple[str, dict[str, Any]]:
        made = await kept(results, {"region": ["East"], "orders": [120]})
        return "region,orders", {RESULT_KEY: make_result_receipt(made)}

    shop = StructuredTool.from_function(
        coroutine=ask,
        name="ask_shop",
        description="Ask the shop.",
        response_format="content_and_artifact",
    )
    place = Place(tmp_path)
    steps = [{"tool_calls": [{"name": "ask_shop", "args": {}}]}, {"text": "East had 120 orders."}]
    access = DataAccess(sources=EmptySourceStore(), results=results)
    events = await place.ran(way, place.config(*steps, tools=[shop], data=access))
    final = [e for e in events if e.event_type == "text" and e.is_final][-1]
    assert [figure["text"] for figure in final.figures] == ["120"]


@in_every_way
async def test_a_failing_model_ends_the_run(tmp_path: Path, way: Any) -> None:
    place = Place(tmp_path)
    config = place.config({"failures": [{"status": 400}], "text": "never"})
    assert reason(await place.ran(way, config, Exception)) == "error"


class TestCallingTheGraph:
    async def test_without_a_thread_each_call_is_a_session_of_its_own(self, tmp_path: Path) -> None:
        graph = Place(tmp_path).graph({"text": "ok"})
        for _ in range(2):
            assert len((await graph.ainvoke(GO))["messages"]) == 2

    async def test_a_thread_is_a_session_that_executors_share(self, tmp_path: Path) -> None:
        place = Place(tmp_path)
        words = ["one", "two", "three"]
        graph = place.graph({"text": "ok"})
        executor = AgentExecutor(graph, graph.backend)
        for number, text in enumerate(words):
            if number % 2:
                assert [e async for e in executor.execute(text, "s")]
            else:
                await graph.ainvoke({"messages": [("user", text)]}, THREAD)
        state = (await graph.aget_state(THREAD)).values
        assert [m.text for m in state["messages"] if m.type == "human"] == words
        assert answers(state) == ["ok"] * len(words)
        history = [s async for s in graph.aget_state_history(THREAD)]
        assert history[0].values["messages"] == state["messages"]

    async def test_the_state_of_a_session_that_never_ran_is_empty(self, tmp_path: Path) -> None:
        assert (await Place(tmp_path).graph({"text": "ok"}).aget_state(THREAD)).values == {}

    @pytest.mark.parametrize(
        "given_",
        [
            {"messages": "go"},
            {"messages": ["go"]},
            {"messages": [("user", "go")]},
            {"messages": [{"role": "user", "content": [{"type": "text", "text": "go"}]}]},
        ],
    )
    async def test_a_message_may_be_written_as_langgraph_takes_it(
        self, tmp_path: Path, given_: Any
    ) -> None:
        place = Place(tmp_path)
        await place.graph({"text": "ok"}).ainvoke(given_, THREAD)
        said = await place.stores.messages.get_messages("s")
        assert said[0].content == "go"

    @pytest.mark.parametrize(
        "given_",
        [
            {},
            {"messages": []},
            {"messages": [("user", "a"), ("user", "b")]},
            {"messages": [("assistant", "a")]},
            {"messages": [("user", "a")], "todos": []},
            {"messages": [{"role": "user", "content": [{"type": "image", "url": "http://x"}]}]},
            Command(resume="yes"),
        ],
    )
    async def test_what_is_no_message_of_a_person_is_refused(
        self, tmp_path: Path, given_: Any
    ) -> None:
        place = Place(tmp_path)
        with pytest.raises(ValidationError, match="one message with text"):
            await place.graph({"text": "ok"}).ainvoke(given_, THREAD)
        assert await place.events() == []

    @pytest.mark.parametrize(
        "options",
        [
            {"interrupt_before": ["tools"]},
            {"interrupt_after": ["model"]},
            {"output_keys": ["todos"]},
            {"print_mode": "values"},
            {"config": {"configurable": {"thread_id": "s", "checkpoint_id": "1"}}},
        ],
    )
    async def test_an_option_that_cannot_be_honoured_is_refused(
        self, tmp_path: Path, options: dict[str, Any]
    ) -> None:
        place = Place(tmp_path)
        with pytest.raises(ValidationError):
            await place.graph({"text": "ok"}).ainvoke(GO, **{"config": THREAD, **options})
        assert await place.events() == []

    async def test_what_needs_no_waiting_is_refused(self, tmp_path: Path) -> None:
        graph = Place(tmp_path).graph({"text": "ok"})
        with pytest.raises(ValidationError, match="ainvoke"):
            graph.invoke(GO, THREAD)
        with pytest.raises(ValidationError, match="astream"):
            list(graph.stream(GO, THREAD))
        with pytest.raises(ValidationError, match="aget_state"):
            graph.get_state(THREAD)
        with pytest.raises(ValidationError, match="aget_state_history"):
            list(graph.get_state_history(THREAD))
        with pytest.raises(ValidationError, match="send it a message"):
            graph.update_state(THREAD, {"messages": []})
        with pytest.raises(ValidationError, match="send it a message"):
            await graph.aupdate_state(THREAD, {"messages": []})

    async def test_the_limit_of_a_call_counts_before_that_of_the_agent(
        self, tmp_path: Path
    ) -> None:
        place = Place(tmp_path)
        steps = [ECHO, {"text": "ok"}]
        tight: Any = {"recursion_limit": 2}
        with pytest.raises(GraphRecursionError):
            await place.graph(*steps).ainvoke(GO, tight)
        with pytest.raises(GraphRecursionError):
            await place.graph(*steps).with_config(tight).ainvoke(GO)
        narrow = place.graph(*steps, recursion_limit=2)
        with pytest.raises(GraphRecursionError):
            await narrow.with_config({"tags": ["mine"]}).ainvoke(GO)
        assert answers(await narrow.ainvoke(GO, {"recursion_limit": 25}))[-1] == "ok"
        executor = AgentExecutor(place.graph(*steps).with_config(tight), None)
        assert reason([e async for e in executor.execute("go", "t")]) == "limit"

    async def test_the_stream_has_the_shapes_of_langgraph(self, tmp_path: Path) -> None:
        graph = Place(tmp_path).graph(ECHO, {"text": "ok"})
        plain = [part async for part in graph.astream(GO)]
        assert [next(iter(part)) for part in plain] == [
            "stack.before_agent",
            "model",
            "tools",
            "model",
        ]
        modes = ["messages", "updates"]
        # As S1's executor reads it.
        named = [
            part
            async for part in graph.astream(
                GO, stream_mode=modes, subgraphs=True, durability="exit"
            )
        ]
        assert {(len(part), part[0], part[1]) for part in named} == {
            (3, (), "messages"),
            (3, (), "updates"),
        }
        values = [part async for part in graph.astream(GO, stream_mode=["values"])]
        assert {part[0] for part in values} == {"values"}
        assert answers(values[-1][1])[-1] == "ok"
        typed = [p async for p in graph.astream(GO, stream_mode="values", version="v2")]
        assert answers(typed[-1]["data"])[-1] == "ok"
        assert not any(part["interrupts"] for part in typed)

    async def test_questions_that_were_answered_are_not_in_the_stream(self, tmp_path: Path) -> None:
        graph = Place(tmp_path, Answering({"type": "approve"})).graph(WRITE, {"text": "ok"})
        updates = [part async for part in graph.astream(GO, stream_mode="updates")]
        assert "__interrupt__" not in str(updates)
        assert [next(iter(part)) for part in updates][-1] == "model"

    async def test_a_run_that_waits_says_for_what_and_goes_on_with_none(
        self, tmp_path: Path
    ) -> None:
        class Away:
            away = True

            async def request_approval(self, action: ActionRequest, session_id: str) -> Decision:
                if self.away:
                    raise NoOneToAskError("nobody here")
                return {"type": "approve"}

        handler = Away()
        place = Place(tmp_path, handler)
        graph = place.graph(WRITE, {"text": "ok"})
        waiting = await graph.ainvoke(GO, THREAD)
        (asked,) = waiting["__interrupt__"]
        assert asked.value["action_requests"][0]["name"] == "write_file"
        assert not (place.workspace / "a.txt").exists()
        with pytest.raises(SessionBusyError):
            await graph.ainvoke(GO, THREAD)
        assert await graph.ainvoke(None, THREAD) == waiting
        handler.away = False
        done = await graph.ainvoke(None, THREAD)
        assert answers(done)[-1] == "ok"
        assert "__interrupt__" not in done
        assert (place.workspace / "a.txt").read_text() == "hello"
        assert reason(await place.events()) == "completed"

    @pytest.mark.parametrize("version", ["v1", "v2"])
    @pytest.mark.parametrize("wanted", ["values", "updates", ["updates", "values"], "messages"])
    async def test_a_run_that_still_waits_streams_its_questions_again(
        self, tmp_path: Path, wanted: Any, version: str
    ) -> None:
        class Away:
            async def request_approval(self, action: ActionRequest, session_id: str) -> Decision:
                raise NoOneToAskError("nobody here")

        graph = Place(tmp_path, Away()).graph(WRITE, {"text": "ok"})
        shown: Any = {"stream_mode": wanted, "version": version}
        parts = [part async for part in graph.astream(GO, THREAD, **shown)]
        questions = [part for part in parts if "Interrupt(" in str(part)]
        assert (wanted == "messages") == (questions == [])
        assert [part async for part in graph.astream(None, THREAD, **shown)] == questions
        again = await graph.ainvoke(None, THREAD, **shown)
        assert wanted == "messages" or "Interrupt(" in str(again)

    async def test_who_stops_reading_stops_the_run(self, tmp_path: Path) -> None:
        place = Place(tmp_path)
        stream = place.graph(ECHO, {"text": "ok"}).astream(GO, THREAD)
        async for _ in stream:
            break
        await stream.aclose()
        assert reason(await place.events()) == "user_cancelled"

    async def test_the_context_is_kept_with_the_message(self, tmp_path: Path) -> None:
        place = Place(tmp_path)
        await place.graph({"text": "ok"}).ainvoke(GO, THREAD, context={"page": 3})
        assert (await place.stores.messages.get_messages("s"))[0].metadata["page"] == 3

    async def test_callbacks_and_values_for_tools_reach_the_run(self, tmp_path: Path) -> None:
        @tool
        async def colour(config: RunnableConfig) -> str:
            """Name the colour."""
            return config["configurable"]["colour"]  # pyright: ignore[reportTypedDictNotRequiredAccess] (it was given)

        graph = Place(tmp_path).graph(
            {"tool_calls": [{"name": "colour", "args": {}}]}, {"text": "ok"}, tools=[colour]
        )
        config: Any = {"tags": ["mine"], "configurable": {"thread_id": "s", "colour": "red"}}
        events = [e async for e in graph.astream_events(GO, config, version="v2")]
        tags = [e["tags"] for e in events if e["event"] == "on_chat_model_end"]
        assert [("mine" in one) for one in tags] == [True, True]
        messages = (await graph.aget_state(THREAD)).values["messages"]
        assert [m.text for m in messages if m.type == "tool"] == ["red"]

    async def test_an_agent_can_be_a_step_of_another_graph(self, tmp_path: Path) -> None:
        place = Place(tmp_path)
        agent = place.graph(ECHO, {"text": "from inside"})

        async def step(state: Any) -> dict[str, Any]:
            answered = await agent.ainvoke({"messages": [state["messages"][-1]]})
            return {"messages": [answered["messages"][-1]]}

        outer: Any = StateGraph(MessagesState)
        outer.add_node("own", step)
        outer.add_node("agent", agent)
        outer.add_edge(START, "own")
        done = await outer.compile().ainvoke(GO, THREAD)
        assert answers(done) == ["from inside"]
        # Its own session, not the one around it.
        assert await place.events() == []


def test_a_graph_from_elsewhere_is_refused_rather_than_run_without_limits() -> None:
    def nothing(_: Any) -> dict[str, Any]:
        return {}

    builder: Any = StateGraph(MessagesState)
    builder.add_node("nothing", nothing)
    builder.add_edge(START, "nothing")
    with pytest.raises(ConfigurationError, match="create_agent"):
        AgentExecutor(builder.compile(), None)
