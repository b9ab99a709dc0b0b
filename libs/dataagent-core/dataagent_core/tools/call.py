"""One tool call as the pipeline sees it: who asked for what, and under which key it is journalled.

Some models reuse call ids ("call_0") in every message, so the key holds the message's id too.
"""

from dataclasses import dataclass
from typing import Any

from langchain_core.messages import AIMessage
from langgraph.prebuilt.tool_node import ToolCallRequest

from dataagent_core.hitl import ActionRequest, hash_of_args

# What a model's unreadable arguments are kept under, so that the call can be answered.
MALFORMED_KEY = "malformed_arguments"
# Between a message's id, which has none, and a call's, which may.
_WITHIN = ":"


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call the model made."""

    name: str
    args: dict[str, Any]
    call_id: str
    message_id: str
    subagent: str | None

    @property
    def key(self) -> str:
        """Name this call uniquely within its run."""
        return f"{self.message_id}{_WITHIN}{self.call_id}"

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


def message_of_key(key: str) -> str:
    """Name the model's message that a call's key tells."""
    return key.partition(_WITHIN)[0]


def call_from(request: ToolCallRequest, subagent: str | None) -> Call:
    """Read the call from the engine's request."""
    call_id = request.tool_call["id"] or ""
    return Call(
        name=request.tool_call["name"],
        args=dict(request.tool_call["args"]),
        call_id=call_id,
        message_id=_message_of(request.state["messages"], call_id),
        subagent=subagent,
    )


def _message_of(messages: list[Any], call_id: str) -> str:
    for message in reversed(messages):
        if isinstance(message, AIMessage) and any(c["id"] == call_id for c in message.tool_calls):
            return message.id or ""
    return ""


def _brief(args: dict[str, Any]) -> str:
    shown = ", ".join(f"{name}={str(value)!r:.60}" for name, value in args.items())
    return shown if len(shown) <= 200 else shown[:200] + "..."  # noqa: PLR2004 (one line of text)
