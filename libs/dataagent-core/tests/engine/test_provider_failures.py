"""What a person sees when a provider fails, in the shapes OpenAI and Anthropic really send."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, scripted, settings, types
from provider_failures import agent_over

from dataagent_core.config import ModelOverride
from dataagent_core.config.limits import BREAKER_FAILURES
from dataagent_core.engine import AgentConfig, AgentExecutor, AgentFactory
from dataagent_core.events import (
    Event,
    RetryEvent,
    RunResumedEvent,
    TextEvent,
    ThoughtEvent,
    ToolResultEvent,
    WarningEvent,
)
from dataagent_core.models import Script
from dataagent_core.models.retry.circuit_breaker import EndpointBreakers
from dataagent_core.testing import ScriptedEndpoint

BOTH = pytest.mark.parametrize("wire", ["openai", "anthropic"])


async def told(wire: str, workspace: Path, *steps: dict[str, Any], **chosen: Any) -> list[Any]:
    script = Script.model_validate({"steps": list(steps)})
    with ScriptedEndpoint(script) as server:
        async with agent_over(wire, server, workspace, **chosen) as agent:
            return await events_of(agent)


def failing(*failures: dict[str, Any], text: str = "at last") -> dict[str, Any]:
    return {"text": text, "chunk_chars": 4, "failures": list(failures)}


def of(kind: type[Any], events: Sequence[Event]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def still_valid(events: Sequence[Event]) -> str:
    """Read the answer as a client does: pieces that `resumed` voids are dropped."""
    pieces: list[Event] = []
    for event in events:
        if isinstance(event, RunResumedEvent):
            pieces = [piece for piece in pieces if (piece.seq or 0) <= event.discard_after]
        elif isinstance(event, TextEvent) and not event.is_final:
            pieces.append(event)
    return "".join(piece.content for piece in pieces if isinstance(piece, TextEvent))


@BOTH
@pytest.mark.requirement("F7-failures")
async def test_a_rate_limit_is_waited_for_as_the_provider_asks(wire: str, tmp_path: Path) -> None:
    events = await told(wire, tmp_path, failing({"shape": "rate_limit", "retry_after_s": 0.7}))
    (retry,) = of(RetryEvent, events)
    assert 0.7 <= retry.delay_s <= 0.77
    assert "rate limit" in retry.reason.lower()
    assert "HTTP 429" in retry.reason
    assert events[-1].content == "at last"


@BOTH
@pytest.mark.requirement("F7-failures")
async def test_a_rate_limit_until_a_moment_is_waited_for_too(wire: str, tmp_path: Path) -> None:
    until = {"shape": "rate_limit", "retry_after_s": 1.5, "retry_after_as_date": True}
    events = await told(wire, tmp_path, failing(until))
    (retry,) = of(RetryEvent, events)
    # A date has whole seconds, so it may ask for up to one more; a little of it has passed.
    assert 1.2 <= retry.delay_s <= 2.5 * 1.1
    assert events[-1].content == "at last"


@BOTH
@pytest.mark.requirement("F7-failures")
async def test_what_stays_rate_limited_ends_in_one_clear_error(wire: str, tmp_path: Path) -> None:
    busy = {"shape": "rate_limit", "retry_after_s": 0.1}
    events = await told(wire, tmp_path, failing(*[busy] * 9), model_retries=1)
    assert types(events) == ["start", "retry", "error", "done"]
    error = events[-2]
    assert (error.code, error.recoverable) == ("MODEL_UNAVAILABLE", True)
    assert error.error.endswith(
        "Ask again in 1 s, or name models to fall back to in DATAAGENT_FALLBACK_MODEL."
    )
    assert "Ask again" not in of(RetryEvent, events)[0].reason


@BOTH
@pytest.mark.requirement("F7-failures")
async def test_nobody_is_asked_again_before_they_want_to_be(wire: str, tmp_path: Path) -> None:
    busy = {"shape": "rate_limit", "retry_after_s": 600}
    events = await told(wire, tmp_path, failing(*[busy] * 9))
    assert types(events) == ["start", "error", "done"]
    assert "Ask again in 600 s" in events[-2].error


@pytest.mark.requirement("S2-C.2.5")
@BOTH
@pytest.mark.requirement("F7-failures")
async def test_an_overloaded_provider_is_tried_again(wire: str, tmp_path: Path) -> None:
    events = await told(wire, tmp_path, failing({"shape": "overloaded"}))
    (retry,) = of(RetryEvent, events)
    assert "overloaded" in retry.reason.lower()
    assert "is not available just now" in retry.reason
    assert events[-1].reason == "completed"


@BOTH
@pytest.mark.requirement("F7-failures")
async def test_what_stays_overloaded_ends_in_one_clear_error(wire: str, tmp_path: Path) -> None:
    events = await told(wire, tmp_path, failing(*[{"shape": "overloaded"}] * 9), model_retries=1)
    assert types(events) == ["start", "retry", "error", "done"]
    assert events[-2].code == "MODEL_UNAVAILABLE"
    assert events[-2].recoverable
    assert f"{wire}:scripted" in events[-2].error
    assert events[-2].error.endswith(
        "Ask again in a moment, or name models to fall back to in DATAAGENT_FALLBACK_MODEL."
    )


@BOTH
@pytest.mark.requirement("F7-failures")
async def test_an_overflow_is_not_tried_again_as_it_is(wire: str, tmp_path: Path) -> None:
    events = await told(wire, tmp_path, failing(*[{"shape": "overflow"}] * 9))
    assert of(RetryEvent, events) == []
    assert events[-2].code == "CONTEXT_OVERFLOW"
    assert "Ask in a new session" in events[-2].error
    assert events[-1].reason == "error"


@BOTH
@pytest.mark.requirement("F7-failures")
async def test_a_stream_that_breaks_is_asked_again_and_what_it_said_is_void(
    wire: str, tmp_path: Path
) -> None:
    text = "one two three four five six"
    events = await told(wire, tmp_path, failing({"disconnect": True}, text=text))
    (resumed,) = of(RunResumedEvent, events)
    cut = [
        event
        for event in of(TextEvent, events)
        if not event.is_final and resumed.discard_after < (event.seq or 0) < resumed.seq
    ]
    assert "".join(piece.content for piece in cut) == text[: len("".join(p.content for p in cut))]
    assert cut
    assert resumed.attempt == 2
    assert still_valid(events) == text
    assert [e.content for e in of(TextEvent, events) if e.is_final] == [text]
    assert types(events).index("retry") < types(events).index("resumed")


@BOTH
@pytest.mark.requirement("F7-failures")
async def test_a_stream_that_keeps_breaking_ends_with_what_it_said_and_why(
    wire: str, tmp_path: Path
) -> None:
    text = "one two three four five six"
    broken = failing(*[{"disconnect": True}] * 9, text=text)
    events = await told(wire, tmp_path, broken, model_retries=1)
    error = events[-2]
    assert (error.code, error.recoverable) == ("MODEL_UNAVAILABLE", True)
    assert "broke off" in error.error
    assert error.error.endswith("look at the network between here and there.")
    # The last words stay: they are all there is.
    assert still_valid(events)
    assert text.startswith(still_valid(events))
    assert len(of(RunResumedEvent, events)) == 1


async def test_each_broken_stream_voids_only_its_own_words(tmp_path: Path) -> None:
    call = {"name": "echo", "args": {"text": "x"}}
    first = {"text": "I look.", "tool_calls": [call]}
    last = failing({"disconnect": True}, {"disconnect": True}, text="one two three four")
    events = await told("openai", tmp_path, first, last)
    assert [e.attempt for e in of(RunResumedEvent, events)] == [2, 3]
    assert still_valid(events) == "I look.one two three four"
    assert events[-1].content == "one two three four"


async def test_a_thought_that_breaks_off_is_void_too(tmp_path: Path) -> None:
    step = {"thought": "let me think about it", **failing({"disconnect": True})}
    events = await events_of(executor(scripted(step), tmp_path, chosen=settings(model_retries=1)))
    (resumed,) = of(RunResumedEvent, events)
    before = [e for e in of(ThoughtEvent, events) if (e.seq or 0) < resumed.seq]
    assert before
    assert all((e.seq or 0) > resumed.discard_after for e in before)


async def test_a_failure_before_the_first_word_voids_nothing(tmp_path: Path) -> None:
    events = await told("openai", tmp_path, failing({"status": 500}))
    assert of(RunResumedEvent, events) == []


@BOTH
@pytest.mark.requirement("F7-failures")
async def test_an_empty_answer_is_asked_for_again(wire: str, tmp_path: Path) -> None:
    events = await told(wire, tmp_path, failing({"empty": True}))
    (retry,) = of(RetryEvent, events)
    assert "answered nothing" in retry.reason
    assert events[-1].content == "at last"


@BOTH
@pytest.mark.requirement("F7-failures")
async def test_what_stays_empty_is_said_and_ends_the_run_well(wire: str, tmp_path: Path) -> None:
    events = await told(wire, tmp_path, failing(*[{"empty": True}] * 9))
    (warning,) = of(WarningEvent, events)
    assert warning.code == "EMPTY_ANSWER"
    assert warning.message.endswith("Ask again, or choose another model.")
    assert (events[-1].reason, events[-1].content) == ("completed", "")


@BOTH
@pytest.mark.requirement("F7-failures")
async def test_a_malformed_call_goes_back_to_the_model(wire: str, tmp_path: Path) -> None:
    broken = {"name": "echo", "raw_args": '{"text": oops}'}
    events = await told(wire, tmp_path, {"tool_calls": [broken]}, {"text": "sorry"})
    (result,) = of(ToolResultEvent, events)
    assert result.status == "error"
    assert "not valid JSON" in str(result.result)
    assert events[-1].content == "sorry"


@pytest.mark.requirement("F7-7")
async def test_with_another_model_at_hand_nobody_waits_long(tmp_path: Path) -> None:
    busy = {"shape": "rate_limit", "retry_after_s": 600}
    events = await told(
        "openai", tmp_path, failing(*[busy] * 9), fallback_model="demo:demo", model_retries=4
    )
    assert of(RetryEvent, events) == []
    (warning,) = of(WarningEvent, events)
    assert warning.code == "FALLBACK_MODEL"
    assert events[-1].reason == "completed"


@pytest.mark.requirement("F7-7")
async def test_words_of_the_failed_model_are_void_when_another_takes_over(tmp_path: Path) -> None:
    first = failing({"disconnect": True}, text="one two three four")
    events = await told("openai", tmp_path, first, fallback_model="demo:demo", model_retries=0)
    assert len(of(RunResumedEvent, events)) == 1
    assert still_valid(events) == events[-1].content
    assert "No model is configured" in events[-1].content


@pytest.mark.requirement("F7-7")
async def test_a_fallback_that_is_too_small_is_passed_over_with_a_word(tmp_path: Path) -> None:
    small = ModelOverride(context_length=500, max_output_tokens=100)
    model = scripted(failing(*[{"status": 401}] * 9))
    chosen = settings(fallback_model="demo:small, demo:demo", models={"small": small})
    events = await events_of(executor(model, tmp_path, chosen=chosen))
    codes = [warning.code for warning in of(WarningEvent, events)]
    assert codes == ["FALLBACK_TOO_SMALL", "FALLBACK_MODEL"]
    assert "demo:small" in of(WarningEvent, events)[0].message
    assert "it takes 400" in of(WarningEvent, events)[0].message
    assert events[-1].reason == "completed"


@pytest.mark.requirement("F7-7")
async def test_when_no_fallback_fits_the_first_failure_is_what_a_person_is_told(
    tmp_path: Path,
) -> None:
    small = ModelOverride(context_length=500, max_output_tokens=100)
    model = scripted(failing(*[{"status": 401}] * 9))
    chosen = settings(fallback_model="demo:small", models={"small": small})
    events = await events_of(executor(model, tmp_path, chosen=chosen))
    assert types(events) == ["start", "warning", "error", "done"]
    assert events[-2].code == "MODEL_ERROR"


@pytest.mark.requirement("F7-7")
async def test_an_endpoint_that_keeps_failing_is_left_alone_by_other_runs_too(
    tmp_path: Path,
) -> None:
    breakers = EndpointBreakers()
    script = Script.model_validate({"steps": [failing(*[{"status": 500}] * 99)]})
    with ScriptedEndpoint(script) as server:
        chosen = settings(openai_base_url=server.base_url, openai_api_key="x")
        for number in range(BREAKER_FAILURES):
            agent = _sharing(breakers, chosen, tmp_path)
            assert (await events_of(agent, session=f"s{number}"))[-1].reason == "error"
            await agent.aclose()
        asked = len(server.requests)
        assert asked == BREAKER_FAILURES
        agent = _sharing(breakers, chosen, tmp_path)
        events = await events_of(agent, session="late")
        await agent.aclose()
        assert len(server.requests) == asked
    assert "left alone" in events[-2].error
    assert events[-2].code == "MODEL_UNAVAILABLE"


def _sharing(breakers: EndpointBreakers, chosen: Any, workspace: Path) -> AgentExecutor:
    factory = AgentFactory(chosen, breakers=breakers)
    config = AgentConfig(assistant_id="t", model="openai:scripted", workspace_path=workspace)
    return factory.create_executor(config)
