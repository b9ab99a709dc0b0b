"""The calls that a composition makes, their results, and the functions that execute them.

What a member returned, as a value that later steps can take parts of.
"""

import json
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal

from langchain_core.messages import ToolMessage

from dataagent_core.tools.pipeline.hooks import Refusal


def parse_output(message: ToolMessage) -> Any:
    """Read a JSON object or array; everything else stays the text it is."""
    text = message.text
    # Only these: "007" and "true" are texts to the tool that wrote them.
    if not text.lstrip().startswith(("{", "[")):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def render_output(output: Any) -> str:
    """Write an output for the model to read."""
    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False)


MemberStatus = Literal["ok", "failed", "refused", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberCall:
    """One call of one member; its id is the same whenever the composition is entered again."""

    name: str
    args: dict[str, Any]
    call_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CompositionMember:
    """What a step wants: the first of the names that works, with these arguments."""

    step: int
    names: tuple[str, ...]
    args: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class MemberResult:
    """What came of one step; `tried` ends with the tool that answered."""

    step: int
    tried: tuple[str, ...]
    status: MemberStatus
    output: Any


# Decide about a call before anything of its round runs: give it back, perhaps changed, or refuse.
Admit = Callable[[MemberCall], Awaitable[MemberCall | Refusal]]
# Run an admitted call; a message with status "error" is a failure.
RunTool = Callable[[MemberCall], Awaitable[ToolMessage | Refusal]]


async def admit_all(call: MemberCall) -> MemberCall:
    """Admit every call: for members that never need a person."""
    return call
