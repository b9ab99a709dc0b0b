"""Several middleware as one: order, changes of the state, and what is refused."""

import inspect
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, scripted, types
from langchain.agents.middleware.types import (
    AgentMiddleware,
    ExtendedModelResponse,
    ModelResponse,
)
from langchain_core.messages import AIMessage
from langgraph.types import Command

from dataagent_core.engine.middleware.middleware_chain import MiddlewareChain

REQUEST: Any = "request"
RUNTIME: Any = None
CONFIG: Any = {}


class Layer(AgentMiddleware[Any, Any, Any]):
    """Writes down when it is passed, and changes the state beside the answer."""

    def __init__(self, label: str, passed: list[str], tries: int = 1) -> None:
        super().__init__()
        self.label, self.passed, self.tries = label, passed, tries

    async def awrap_model_call(self, request: Any, handler: Any) -> Any:
        self.passed.append(f"{self.label} in")
        answer: Any = None
        for _ in range(self.tries):
            answer = await handler(request)
        self.passed.append(f"{self.label} out")
        return ExtendedModelResponse(answer, Command(update={"label": self.label}))

    async def awrap_tool_call(self, request: Any, handler: Any) -> Any:
        return f"{self.label}({await handler(request)})"


class Beginning(AgentMiddleware[Any, Any, Any]):
    """Says what it sees when a run begins."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key

    async def abefore_agent(self, state: Any, runtime: Any) -> dict[str, Any]:
        return {self.key: sorted(state)}


class AfterModel(AgentMiddleware[Any, Any, Any]):
    async def aafter_model(self, state: Any, runtime: Any) -> None: ...


class OnlySync(AgentMiddleware[Any, Any, Any]):
    def before_agent(self, state: Any, runtime: Any) -> None: ...


class Promising(AgentMiddleware[Any, Any, Any]):
    """Promises a response, so nobody looks at what it answers."""

    async def awrap_model_call(self, request: Any, handler: Any) -> ModelResponse[Any]:
        return await handler(request)


class Message(AgentMiddleware[Any, Any, Any]):
    async def awrap_model_call(self, request: Any, handler: Any) -> AIMessage:
        return AIMessage(content="hi")


async def answering(request: Any) -> ModelResponse[Any]:
    return ModelResponse(result=[AIMessage(content="hi")])


async def test_the_first_part_is_the_outermost_and_every_change_is_kept() -> None:
    passed: list[str] = []
    joined = MiddlewareChain([Layer("a", passed), Layer("b", passed)])
    answer = await joined.awrap_model_call(REQUEST, answering)
    assert passed == ["a in", "b in", "b out", "a out"]
    assert isinstance(answer, ExtendedModelResponse)
    assert isinstance(answer.model_response, ModelResponse)
    assert answer.command is not None
    assert answer.command.update == [("label", "b"), ("label", "a")]
    assert await joined.awrap_tool_call(REQUEST, answering_tool) == "a(b(done))"


async def test_a_part_that_promises_a_response_hides_no_change_of_those_further_in() -> None:
    inner = MiddlewareChain([Layer("b", []), Promising()])
    joined = MiddlewareChain([Promising(), Layer("a", []), inner])
    answer = await joined.awrap_model_call(REQUEST, answering)
    assert answer.command.update == [("label", "b"), ("label", "a")]


async def test_parts_that_promise_a_response_call_each_other_with_nothing_in_between() -> None:
    between: list[str] = []

    async def seeing(request: Any) -> ModelResponse[Any]:
        frames = inspect.stack()
        between.extend(frame.function for frame in frames if frame.filename == chain_file)
        return await answering(request)

    chain_file = inspect.getfile(MiddlewareChain)
    await MiddlewareChain([Promising() for _ in range(5)]).awrap_model_call(REQUEST, seeing)
    assert between == ["awrap_model_call"]


async def test_a_part_may_answer_with_a_message_alone() -> None:
    answer = await MiddlewareChain([Promising(), Message()]).awrap_model_call(REQUEST, answering)
    assert isinstance(answer, ModelResponse)


async def answering_tool(request: Any) -> str:
    return "done"


async def test_what_came_with_an_answer_that_was_tried_again_does_not_count() -> None:
    joined = MiddlewareChain([Layer("a", [], tries=3), Layer("b", [])])
    answer = await joined.awrap_model_call(REQUEST, answering)
    assert answer.command.update == [("label", "b"), ("label", "a")]


async def test_each_part_sees_what_those_before_it_changed_when_a_run_begins() -> None:
    changes = await MiddlewareChain([Beginning("x"), Beginning("y")]).abefore_agent(
        {}, RUNTIME, CONFIG
    )
    assert changes == {"x": [], "y": ["x"]}


async def test_two_parts_may_not_change_the_same_when_a_run_begins() -> None:
    with pytest.raises(TypeError, match="two middleware change 'x'"):
        await MiddlewareChain([Beginning("x"), Beginning("x")]).abefore_agent({}, RUNTIME, CONFIG)


@pytest.mark.parametrize("part", [AfterModel(), OnlySync()], ids=lambda part: part.name)
def test_what_needs_a_step_of_its_own_is_refused(part: Any) -> None:
    with pytest.raises(TypeError, match="needs a step of its own"):
        MiddlewareChain([part])


async def test_a_turn_with_a_tool_costs_two_steps_of_the_graph(tmp_path: Path) -> None:
    agent = executor(scripted({"text": "ok"}), tmp_path)
    assert set(agent.agent.nodes) == {"__start__", "stack.before_agent", "model", "tools"}


async def test_two_plans_in_one_answer_are_refused_and_the_run_goes_on(tmp_path: Path) -> None:
    plan: dict[str, Any] = {
        "name": "write_todos",
        "args": {"todos": [{"content": "a", "status": "pending"}]},
    }
    model = scripted({"tool_calls": [plan, plan]}, {"tool_calls": [plan]}, {"text": "done"})
    agent = executor(model, tmp_path)
    events = await events_of(agent)
    assert types(events).count("tool_result") == 1
    assert events[-1].reason == "completed"
    state = await agent.agent.aget_state({"configurable": {"thread_id": events[-1].run_id}})
    refused = [m for m in state.values["messages"] if getattr(m, "status", "") == "error"]
    assert len(refused) == 2
    assert state.values["todos"] == plan["args"]["todos"]
