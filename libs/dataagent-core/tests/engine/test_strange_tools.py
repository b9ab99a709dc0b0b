"""Tools that attach, raise, return or ask what nobody expects: the run goes on."""

import asyncio
import os
from pathlib import Path
from typing import Annotated, Any

import pytest
from agents import events_of, executor, scripted
from langchain_core.messages import ToolMessage
from langchain_core.tools import InjectedToolCallId, tool
from langgraph.types import Command, interrupt

from dataagent_core.events import HITLRequestEvent


@tool(response_format="content_and_artifact")
async def attach() -> tuple[str, object]:
    """Attach something nobody can store."""
    return "done it", object()


@tool
async def lose_connection() -> str:
    """Fail the way some clients do."""
    raise asyncio.CancelledError


@tool
async def odd_plan(tool_call_id: Annotated[str, InjectedToolCallId]) -> Command[Any]:
    """Write a plan that is none."""
    return Command(
        update={"todos": ["x", 3], "messages": [ToolMessage("ok", tool_call_id=tool_call_id)]}
    )


@pytest.mark.parametrize(
    ("used", "status"),
    [(attach, "success"), (lose_connection, "error"), (odd_plan, "success")],
    ids=lambda value: getattr(value, "name", value),
)
async def test_a_strange_tool_does_not_end_the_run(tmp_path: Path, used: Any, status: str) -> None:
    call = {"tool_calls": [{"name": used.name, "args": {}}]}
    events = await events_of(executor(scripted(call, {"text": "ok"}), tmp_path, tools=[used]))
    result = next(e for e in events if e.event_type == "tool_result")
    assert result.status == status
    assert events[-1].reason == "completed"


@pytest.mark.parametrize("path", ["/" + "n" * 300, "/pipe", "/folder", "/a\0b"])
async def test_a_path_that_cannot_be_tracked_is_for_the_tool_to_judge(
    tmp_path: Path, path: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "folder").mkdir()
    call = {"name": "edit_file", "args": {"file_path": path, "old_string": "a", "new_string": "b"}}
    events = await events_of(
        executor(scripted({"tool_calls": [call]}, {"text": "ok"}), tmp_path, timeout=10)
    )
    assert events[-1].reason == "completed"


async def test_a_tool_of_others_may_ask_anything_and_waits_for_a_person(tmp_path: Path) -> None:
    @tool
    async def wonder() -> str:
        """Ask."""
        return str(interrupt("what now?"))

    agent = executor(
        scripted({"tool_calls": [{"name": "wonder", "args": {}}]}), tmp_path, tools=[wonder]
    )
    events = await events_of(agent)
    assert isinstance(events[-1], HITLRequestEvent)
    assert (events[-1].kind, events[-1].question) == ("clarification", "what now?")
