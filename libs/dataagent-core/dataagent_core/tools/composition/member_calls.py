"""The calls of a composition, their results, and the functions that admit and run them."""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.messages import ToolMessage

from dataagent_core.tools.pipeline.hooks import Refusal


def parse_output(message: ToolMessage) -> Any:
    """Parse a JSON object or array; everything else stays text."""
    text = message.text
    # Only these: "007" and "true" are texts of the tool that wrote them.
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def render_output(output: Any) -> str:
    """Render an output for the model."""
    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)


MemberStatus = Literal["ok", "failed", "refused", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberCall:
    """One call of one member; its id is the same if the composition is repeated."""

    name: str
    args: dict[str, Any]
    call_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionMember:
    """A step: the first of these tools that succeeds, with these arguments."""

    step: int
    names: tuple[str, ...]
    args: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberResult:
    """The result of one step; `tried` ends with the tool that answered."""

    step: int
    tried: tuple[str, ...]
    status: MemberStatus
    output: Any


# Decides on a call before its round runs: returns it, perhaps changed, or refuses it.
Admit = Callable[[MemberCall], Awaitable[MemberCall | Refusal]]
# Runs an admitted call; a message with status "error" is a failure.
RunTool = Callable[[MemberCall], Awaitable[ToolMessage | Refusal]]


async def admit_all(call: MemberCall) -> MemberCall:
    """Admit every call: for members that never need a person."""
    return call
