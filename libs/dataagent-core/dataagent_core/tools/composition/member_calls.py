"""The calls of a composition, their results, and the functions that admit and run them.

A tool that declares `RUNS_MEMBERS` may run other tools itself: `running_members` gives it the gate
that every call of a composition passes (`tools/pipeline/tool_pipeline.py`).
"""

import json
from collections.abc import Awaitable, Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal

from langchain_core.messages import ToolMessage

from dataagent_core.errors import ConfigurationError
from dataagent_core.tools.pipeline.hooks import Refusal

if TYPE_CHECKING:
    from dataagent_core.tools.composition.composition_result import CompositionResult


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

    @property
    def text(self) -> str:
        """The output for the model."""
        return render_output(self.output)


# Decides on a call before its round runs: returns it, perhaps changed, or refuses it.
Admit = Callable[[MemberCall], Awaitable[MemberCall | Refusal]]
# Runs an admitted call; a message with status "error" is a failure.
RunTool = Callable[[MemberCall], Awaitable[ToolMessage | Refusal]]


# In the metadata of a tool: it runs other tools through the gate.
RUNS_MEMBERS: Final = "runs_members"


@dataclass(frozen=True, slots=True)
class MemberGate:
    """Admits and runs the members of one call, each journalled and recorded like any other."""

    admit: Admit
    run: Callable[[MemberCall], Awaitable[ToolMessage]]
    # Counts an execution whose members have run, and gives the composition with its new counts.
    count: "Callable[[CompositionResult], Awaitable[CompositionResult]]"


_GATE: ContextVar[MemberGate | None] = ContextVar("member_gate", default=None)


@contextmanager
def open_gate(gate: MemberGate) -> Generator[None]:
    """Let the tool that is run inside run members."""
    token = _GATE.set(gate)
    try:
        yield
    finally:
        _GATE.reset(token)


def running_members() -> MemberGate:
    """Return the gate of the call this code runs for."""
    gate = _GATE.get()
    if gate is None:
        raise ConfigurationError("steps run only inside an agent, which asks for and records each.")
    return gate


async def admit_all(call: MemberCall) -> MemberCall:
    """Admit every call: for members that never need a person."""
    return call
