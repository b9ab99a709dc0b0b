"""One tool call as the pipeline sees it: who asked for what, and under which key it is journalled.

Some models reuse call ids ("call_0") in every message, so the key holds the message's id too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage, BaseMessage
from langgraph.prebuilt.tool_node import ToolCallRequest

from dataagent_core.hitl import ActionRequest, hash_of_args
from dataagent_core.runs import run_context

# What a model's unreadable arguments are kept under, so that the call can be answered.
MALFORMED_KEY = "malformed_arguments"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call the model made."""

    name: str
    args: dict[str, Any]
    call_id: str
    message_id: str
    subagent: str | None
    # Which turn of the model in its run made the call, from 1 on.
    step_number: int | None = None

    @property
    def key(self) -> str:
        """Name this call uniquely within its run; not to be parsed, both ids may hold a colon."""
        return f"{self.message_id}:{self.call_id}"

    @property
    def args_hash(self) -> str:
        """Bind approvals, journal and receipts to the exact arguments."""
        return hash_of_args(self.args)

    def action_request(self) -> ActionRequest:
        """Put the call as a question to a person."""
        return {
            "name": self.name,
            "args": self.args,
            "description": f"{self.name}({_brief(self.args)})",
            "tool_call_id": self.call_id,
            "call_key": self.key,
            "subagent": self.subagent,
        }


def call_from(request: ToolCallRequest, subagent: str | None) -> Call:
    """Read the call from the engine's request."""
    call_id = request.tool_call["id"] or ""
    context = run_context(request.runtime)
    message_id, step_number = _place_of(request.state["messages"], call_id, context.run.message_id)
    return Call(
        name=request.tool_call["name"],
        args=dict(request.tool_call["args"]),
        call_id=call_id,
        message_id=message_id,
        subagent=subagent,
        step_number=step_number,
    )


def _place_of(
    messages: Sequence[BaseMessage], call_id: str, run_message_id: str | None
) -> tuple[str, int | None]:
    """Find the message that made a call, and which of the model's in this run it is.

    A sub-agent does not see the run's message: its turns are counted from its task on.
    """
    found: str | None = None
    turns = 0
    for message in reversed(messages):
        if found is not None and message.id == run_message_id:
            break
        if not isinstance(message, AIMessage):
            continue
        if found is None and any(call["id"] == call_id for call in message.tool_calls):
            found = message.id or ""
        turns += found is not None
    return found or "", turns or None


def _brief(args: dict[str, Any]) -> str:
    shown = ", ".join(f"{name}={str(value)!r:.60}" for name, value in args.items())
    return shown if len(shown) <= 200 else shown[:200] + "..."  # noqa: PLR2004 (one line of text)
