"""Runs the members of a composition, with their alternatives, through hands given from outside.

It goes in rounds. In each, every member that is still open is admitted, one after the other; then
those admitted run side by side. So a person is asked about one call at a time, always in the same
order and never while another member is at work: an interrupt can end a round before it has done
anything, and the same questions meet the same answers when the composition is entered again.
"""

from collections.abc import Sequence
from typing import Any

from langgraph.errors import GraphBubbleUp

from dataagent_core.errors import LimitReachedError, StorageError
from dataagent_core.tools.composition.calls import (
    Admit,
    Member,
    MemberCall,
    MemberResult,
    RunTool,
    Status,
)
from dataagent_core.tools.composition.outputs import output_of
from dataagent_core.tools.composition.together import together
from dataagent_core.tools.hooks import Refusal


async def run_members(
    members: Sequence[Member], call_id: str, run_tool: RunTool, admit: Admit
) -> list[MemberResult]:
    """Run members side by side until each has worked or has nothing left to try."""
    results: dict[int, MemberResult] = {}
    open_members = list(members)
    for attempt in range(max((len(m.names) for m in members), default=0)):
        admitted: list[tuple[Member, MemberCall]] = []
        for member in open_members:
            call = _call(member, attempt, call_id)
            answer = await admit(call)
            if isinstance(answer, Refusal):
                results[member.step] = _result(member, attempt, "refused", answer.reason)
            else:
                admitted.append((member, answer))
        ended = await together([_attempt(call, run_tool) for _, call in admitted])
        for (member, _), one in zip(admitted, ended, strict=True):
            status, output = one or ("cancelled", "it was cancelled")
            results[member.step] = _result(member, attempt, status, output)
        if None in ended:
            break
        open_members = [
            m
            for m in open_members
            if results[m.step].status == "failed" and attempt + 1 < len(m.names)
        ]
    return [results[member.step] for member in members]


def _call(member: Member, attempt: int, call_id: str) -> MemberCall:
    # From the place in the composition, not from a counter: the journal knows it by this id.
    suffix = f"/{member.step}" + (f".{attempt}" if attempt else "")
    return MemberCall(name=member.names[attempt], args=member.args, call_id=f"{call_id}{suffix}")


def _result(member: Member, attempt: int, status: Status, output: Any) -> MemberResult:
    tried = member.names[: attempt + 1]
    return MemberResult(step=member.step, tried=tried, status=status, output=output)


async def _attempt(call: MemberCall, run_tool: RunTool) -> tuple[Status, Any]:
    try:
        answer = await run_tool(call)
    except (GraphBubbleUp, LimitReachedError, StorageError):
        raise  # not the member's own: see `pipeline.py`
    except Exception as error:  # noqa: BLE001 (third-party tools raise anything)
        return "failed", f"{type(error).__name__}: {error}"
    if isinstance(answer, Refusal):
        return "refused", answer.reason
    if answer.status == "error":
        return "failed", answer.text
    return "ok", output_of(answer)
