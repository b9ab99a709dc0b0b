"""What was shown in short and can be asked for in full, by the number beside it."""

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from dataagent_cli.transcript.limits import FOLDED_MAX
from dataagent_cli.transcript.terminal.terminal_style import TerminalStyle

if TYPE_CHECKING:
    from dataagent_core.events import FileOperationEvent, ToolCallEvent, ToolResultEvent


@dataclass(slots=True)
class FoldedCall:
    """A call with all that came of it; a sub-agent's with the calls it made itself."""

    call: "ToolCallEvent"
    result: "ToolResultEvent"
    files: "list[FileOperationEvent]" = field(default_factory=list["FileOperationEvent"])
    inner: list[str] = field(default_factory=list[str])


@dataclass(frozen=True, slots=True)
class FoldedThought:
    """What the model thought."""

    text: str


@dataclass(frozen=True, slots=True)
class FoldedMessage:
    """What the person said, where it is long."""

    text: str


Folded = FoldedCall | FoldedThought | FoldedMessage


def number_tag(number: int, look: TerminalStyle) -> str:
    """Write the number that something can be unfolded by, behind its line."""
    return f" #{number}" if look.unfolds else ""


class FoldedItems:
    """Numbers them from 1 and keeps the latest ones."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, Folded] = OrderedDict()
        self._last = 0

    @property
    def last(self) -> int:
        """The number of the latest one; 0 before there is any."""
        return self._last

    def keep(self, item: Folded) -> int:
        """Take something in; give its number."""
        self._last += 1
        self._kept[self._last] = item
        if len(self._kept) > FOLDED_MAX:
            self._kept.popitem(last=False)
        return self._last

    def get(self, number: int) -> Folded | None:
        return self._kept.get(number)
