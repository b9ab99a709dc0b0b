"""S3's recovery table: a tool that failed for a moment is tried again, if that does no harm."""

from pathlib import Path
from typing import Any

import pytest
from agents import events_of, executor, scripted
from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.errors import ToolExecutionError
from dataagent_core.events import RetryEvent, ToolCallEvent, ToolResultEvent
from dataagent_core.tools.effects import Effect, effect_metadata


def shaky(effect: Effect, failures: int, *, retryable: bool = True) -> tuple[BaseTool, list[int]]:
    tries: list[int] = []

    async def look() -> str:
        """Look."""
        tries.append(len(tries) + 1)
        if len(tries) <= failures:
            raise ToolExecutionError("not now.", retryable=retryable)
        return "seen"

    made = StructuredTool.from_function(coroutine=look, metadata=effect_metadata(effect))
    return made, tries


async def events_with(tool: BaseTool, workspace: Path) -> list[Any]:
    model = scripted({"tool_calls": [{"name": "look", "args": {}}]}, {"text": "done"})
    return await events_of(executor(model, workspace, tools=[tool], auto_approve=True))


def of(kind: type[Any], events: list[Any]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.requirement("F7-7")
async def test_a_tool_that_failed_for_a_moment_is_tried_again(tmp_path: Path) -> None:
    tool, tries = shaky("pure", 2)
    events = await events_with(tool, tmp_path)
    assert tries == [1, 2, 3]
    retries = of(RetryEvent, events)
    assert [(r.attempt, r.reason) for r in retries] == [(1, "not now."), (2, "not now.")]
    assert 0.5 <= retries[0].delay_s <= 0.55
    assert 1.0 <= retries[1].delay_s <= 1.1
    # One call to everybody who reads the log.
    assert len(of(ToolCallEvent, events)) == 1
    (result,) = of(ToolResultEvent, events)
    assert (result.status, result.result) == ("success", "seen")


@pytest.mark.requirement("F7-7")
async def test_what_keeps_failing_is_told_to_the_model_after_three_more_tries(
    tmp_path: Path,
) -> None:
    tool, tries = shaky("idempotent", 99)
    events = await events_with(tool, tmp_path)
    assert tries == [1, 2, 3, 4]
    (result,) = of(ToolResultEvent, events)
    assert result.status == "error"
    assert events[-1].reason == "completed"


@pytest.mark.requirement("F7-7")
@pytest.mark.parametrize(
    ("effect", "retryable"),
    [("irreversible", True), ("compensable", True), ("pure", False)],
)
async def test_what_must_not_run_twice_or_cannot_pass_is_not_tried_again(
    tmp_path: Path, effect: Effect, retryable: bool
) -> None:
    tool, tries = shaky(effect, 1, retryable=retryable)
    events = await events_with(tool, tmp_path)
    assert tries == [1]
    assert of(RetryEvent, events) == []
