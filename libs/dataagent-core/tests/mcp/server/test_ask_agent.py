"""`ask_agent`: what is told of a run, and who answers what it asks."""

from typing import Any

import pytest
from mcp_services import FakeServices, ScriptedAgent, connect_client
from mcp_types import ElicitResult

ASKS = {
    "event_type": "hitl_request",
    "interrupt_id": "q",
    "kind": "approval",
    "seq": 2,
    "action_requests": [{"name": "shell", "args": {"command": "rm x"}}],
    "context": "default: shell asks",
}
FIGURE = {"text": "7", "value": 7, "result_id": "r_1"}
ANSWER = {"event_type": "text", "is_final": True, "content": "It is 7.", "figures": [FIGURE]}
DONE = {"event_type": "done", "reason": "completed", "seq": 9}
YES = ElicitResult(action="accept", content={"decision": "approve"})


async def told(agent: ScriptedAgent, **more: Any) -> Any:
    async with connect_client(FakeServices(worker=agent), {}, **more) as client:
        return await client.call_tool("ask_agent", {"message": "how many?"})


async def test_the_answer_comes_with_its_figures():
    result = await told(ScriptedAgent([[ANSWER, DONE]]))
    assert result.content[0].text == "It is 7."
    assert result.structured_content["figures"] == [FIGURE]
    assert (result.structured_content["status"], result.structured_content["run_id"]) == (
        "done",
        "r",
    )


async def test_what_a_person_must_answer_is_told_where_nobody_can_be_asked():
    agent = ScriptedAgent([[ASKS]])
    result = await told(agent)
    assert result.structured_content["status"] == "waiting"
    (request,) = result.structured_content["requests"]
    assert request["action_requests"] == ASKS["action_requests"]
    assert agent.answers == []


@pytest.mark.parametrize("mode", ["legacy", "auto"])
@pytest.mark.parametrize(
    ("said", "decided"),
    [
        (YES, "approve"),
        (ElicitResult(action="decline"), "respond"),
        (ElicitResult(action="accept", content={"decision": "decline"}), "respond"),
    ],
)
async def test_the_person_at_the_client_answers(mode: str, said: ElicitResult, decided: str):
    agent = ScriptedAgent([[ASKS], [{**ASKS, "event_type": "hitl_answer", "seq": 3}, ANSWER, DONE]])

    async def elicited(context: Any, params: Any) -> ElicitResult:
        del context
        assert "rm x" in params.message
        return said

    result = await told(agent, mode=mode, elicitation_callback=elicited)
    assert [(one, decision["type"]) for one, decision in agent.answers] == [("q", decided)]
    assert result.structured_content["status"] == "done"
    assert agent.asked == ["how many?"]


async def test_a_form_that_is_closed_leaves_the_run_waiting():
    async def closed(context: Any, params: Any) -> ElicitResult:
        del context, params
        return ElicitResult(action="cancel")

    agent = ScriptedAgent([[ASKS]])
    result = await told(agent, elicitation_callback=closed)
    assert result.structured_content["status"] == "waiting"
    assert agent.answers == []


async def test_a_message_that_is_empty_starts_nothing():
    agent = ScriptedAgent([[DONE]])
    async with connect_client(FakeServices(worker=agent), {}) as client:
        result: Any = await client.call_tool("ask_agent", {"message": ""})
    assert result.structured_content["error_code"] == "VALIDATION_ERROR"
    assert agent.asked == []


async def test_progress_only_ever_grows():
    agent = ScriptedAgent([[{"event_type": "tool_call", "tool_name": "ls", "seq": 1}, ASKS],
                       [{**ASKS, "event_type": "hitl_answer", "seq": 3},
                        {"event_type": "tool_call", "tool_name": "shell", "seq": 4}, DONE]])  # fmt: skip
    heard: list[tuple[float, str | None]] = []

    async def heard_of(progress: float, total: float | None, message: str | None) -> None:
        del total
        heard.append((progress, message))

    async def elicited(context: Any, params: Any) -> ElicitResult:
        del context, params
        return YES

    async with connect_client(
        FakeServices(worker=agent), {}, mode="legacy", elicitation_callback=elicited
    ) as client:
        await client.call_tool("ask_agent", {"message": "go"}, progress_callback=heard_of)
    numbers = [number for number, _ in heard]
    assert numbers == sorted(set(numbers))
    assert [text for _, text in heard] == ["calls ls", "waits for a person", "calls shell"]
