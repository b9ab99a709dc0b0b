"""Hooks: small decisions made before and after every call (S2 §7.5), in the order they were given.

A pre-hook returns the call, with other arguments if it wants, or refuses it. A post-hook returns
the message, changed if it wants. Both are pure; what has to wait or to write is a middleware.

A hook that breaks must not open a door or lose a result: before the call it counts as a refusal,
after the call the result stands and says so.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import ToolMessage
from langgraph.types import Command

from dataagent_core.tools.pipeline.agent_call import AgentCall
from dataagent_core.tools.pipeline.outcome import ToolReturn


@dataclass(frozen=True, slots=True)
class Refusal:
    """The call does not run; the reason goes to the model, and to the person in their words."""

    reason: str
    # Where it says more than a model may be told.
    for_person: str | None = None
    # A person declined the call; the reason holds their words.
    by_person: bool = False


PreHook = Callable[[AgentCall], AgentCall | Refusal]
PostHook = Callable[[AgentCall, ToolMessage], ToolMessage]


def run_pre_hooks(call: AgentCall, hooks: Iterable[PreHook]) -> AgentCall | Refusal:
    """Hand the call from hook to hook until one refuses it."""
    for hook in hooks:
        try:
            answer = hook(call)
        except Exception as error:  # noqa: BLE001 (hooks are anybody's code)
            return Refusal(f"{call.name} did not run: the check {_name(hook)} failed with {error}.")
        if isinstance(answer, Refusal):
            return answer
        if (answer.name, answer.key, answer.subagent) != (call.name, call.key, call.subagent):
            return Refusal(f"{call.name} did not run: {_name(hook)} put another call in its place.")
        call = answer
    return call


def run_post_hooks(call: AgentCall, message: ToolMessage, hooks: Iterable[PostHook]) -> ToolMessage:
    """Hand the message from hook to hook; it always answers the same call."""
    for hook in hooks:
        try:
            answer = hook(call, message)
        except Exception as error:  # noqa: BLE001 (hooks are anybody's code)
            note = f"{message.text}\n({_name(hook)} failed on this result: {error})"
            answer = message.model_copy(update={"content": note})
        if answer.tool_call_id == message.tool_call_id:
            message = answer
    return message


def run_post_hooks_on_return(
    call: AgentCall, result: ToolReturn, hooks: Iterable[PostHook]
) -> ToolReturn:
    """Run the post-hooks on the message inside whatever a tool returned."""
    known = tuple(hooks)
    if not known:
        return result
    if isinstance(result, list):
        return [_apply_to_part(call, part, known) for part in result]
    return _apply_to_part(call, result, known)


def _apply_to_part(
    call: AgentCall, part: ToolMessage | Command[Any], hooks: tuple[PostHook, ...]
) -> ToolMessage | Command[Any]:
    if isinstance(part, ToolMessage):
        return run_post_hooks(call, part, hooks) if part.tool_call_id == call.call_id else part
    if not isinstance(part.update, dict) or "messages" not in part.update:
        return part
    messages = [
        run_post_hooks(call, m, hooks)
        if isinstance(m, ToolMessage) and m.tool_call_id == call.call_id
        else m
        for m in part.update["messages"]
    ]
    return Command(
        graph=part.graph,
        update={**part.update, "messages": messages},
        resume=part.resume,
        goto=part.goto,
    )


def _name(hook: Callable[..., Any]) -> str:
    return getattr(hook, "__name__", type(hook).__name__)
