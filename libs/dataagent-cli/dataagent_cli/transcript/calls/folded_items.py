"""Items that were shown shortened and can be unfolded by their number."""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dataagent_cli.transcript.limits import FOLDED_MAX
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

if TYPE_CHECKING:
    from dataagent_core.events import FileOperationEvent, ToolCallEvent, ToolResultEvent


@dataclass(slots=True)
class FoldedCall:
    """A call with its result and files."""

    call: "ToolCallEvent"
    result: "ToolResultEvent"
    files: "list[FileOperationEvent]" = field(default_factory=list["FileOperationEvent"])


@dataclass(slots=True)
class FoldedStep:
    """A call of a sub-agent, and once it is over its shortened result."""

    call: "ToolCallEvent"
    result: "ToolResultEvent | None" = None


@dataclass(slots=True)
class FoldedTask:
    """A task of a sub-agent, its calls, and its report once that is there."""

    # The id of the task; an old log has none.
    id: str | None
    name: str
    task: str
    steps: list[FoldedStep] = field(default_factory=list[FoldedStep])
    report: str = ""


@dataclass(frozen=True, slots=True)
class FoldedThought:
    """A thought of the model."""

    text: str


@dataclass(frozen=True, slots=True)
class FoldedMessage:
    """A long user message."""

    text: str


Folded = FoldedCall | FoldedTask | FoldedThought | FoldedMessage


def number_tag(number: int, look: TerminalStyle) -> str:
    """Write the number to unfold an item, behind its line."""
    return f" #{number}" if look.unfolds else ""


class FoldedItems:
    """Numbers items from 1 and keeps the latest ones."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, Folded] = OrderedDict()
        self._last = 0

    @property
    def last(self) -> int:
        """The number of the latest item; 0 if there is none."""
        return self._last

    def keep(self, item: Folded) -> int:
        """Store an item and return its number."""
        self._last += 1
        self._kept[self._last] = item
        if len(self._kept) > FOLDED_MAX:
            self._kept.popitem(last=False)
        return self._last

    def get(self, number: int) -> Folded | None:
        return self._kept.get(number)
