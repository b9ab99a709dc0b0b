"""Runs the members of a composition and their alternatives, in rounds.

In each round every open member is admitted, one after the other; then the admitted ones run in
parallel. So a user is asked about one call at a time, in a fixed order, and never while a member
runs: an interrupt ends a round before it has an effect, and a repeated composition meets the same
requests. In `run_together` a cancellation cancels all; an error is raised after all have ended.
"""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

from langgraph.errors import GraphBubbleUp

from dataagent_core.errors import LimitReachedError, StorageError
from dataagent_core.tools.composition.member_calls import (
    Admit,
    CompositionMember,
    MemberCall,
    MemberResult,
    MemberStatus,
    RunTool,
)
from dataagent_core.tools.composition.member_outputs import parse_output
from dataagent_core.tools.pipeline.hooks import Refusal

T = TypeVar("T")


async def run_together(coroutines: Sequence[Coroutine[Any, Any, T]]) -> list[T | None]:
    """Return what each came to, in order; `None` for one that was cancelled."""
    tasks = [asyncio.create_task(coroutine) for coroutine in coroutines]

    def cancel_the_rest(ended: asyncio.Task[T]) -> None:
        if ended.cancelled():
            for task in tasks:
                # A second cancel would break off the clean-up that the first one began.
                if not task.cancelling():
                    task.cancel()

    for task in tasks:
        task.add_done_callback(cancel_the_rest)
    # When we are cancelled ourselves, `gather` cancels all of them and waits for their end.
    ended = await asyncio.gather(*tasks, return_exceptions=True)
    results: list[T | None] = []
    for one in ended:
        if isinstance(one, asyncio.CancelledError):
            results.append(None)
        elif isinstance(one, BaseException):
            raise one
        else:
            results.append(one)
    return results


async def run_members(
    members: Sequence[CompositionMember], call_id: str, run_tool: RunTool, admit: Admit
) -> list[MemberResult]:
    """Run members side by side until each has worked or has nothing left to try."""
    results: dict[int, MemberResult] = {}
    open_members = list(members)
    for attempt in range(max((len(m.names) for m in members), default=0)):
        admitted: list[tuple[CompositionMember, MemberCall]] = []
        for member in open_members:
            call = _call(member, attempt, call_id)
            answer = await admit(call)
            if isinstance(answer, Refusal):
                results[member.step] = _result(member, attempt, "refused", answer.reason)
            else:
                admitted.append((member, answer))
        ended = await run_together([_attempt(call, run_tool) for _, call in admitted])
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


def _call(member: CompositionMember, attempt: int, call_id: str) -> MemberCall:
    # From the place in the composition, not from a counter: the journal knows it by this id.
    suffix = f"/{member.step}" + (f".{attempt}" if attempt else "")
    return MemberCall(name=member.names[attempt], args=member.args, call_id=f"{call_id}{suffix}")


def _result(
    member: CompositionMember, attempt: int, status: MemberStatus, output: Any
) -> MemberResult:
    tried = member.names[: attempt + 1]
    return MemberResult(step=member.step, tried=tried, status=status, output=output)


async def _attempt(call: MemberCall, run_tool: RunTool) -> tuple[MemberStatus, Any]:
    try:
        answer = await run_tool(call)
    except (GraphBubbleUp, LimitReachedError, StorageError):
        raise  # not the member's own: see `tools/pipeline/tool_pipeline.py`
    except Exception as error:  # noqa: BLE001 (third-party tools raise anything)
        return "failed", f"{type(error).__name__}: {error}"
    if isinstance(answer, Refusal):
        return "refused", answer.reason
    if answer.status == "error":
        return "failed", answer.text
    return "ok", parse_output(answer)
