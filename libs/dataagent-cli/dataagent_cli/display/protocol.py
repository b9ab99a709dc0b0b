"""What a run asks of whoever shows it."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from dataagent_core.events import Event


class Display(Protocol):
    """Shows events in order; it never waits, so a prompt comes after all that went before."""

    def show(self, event: "Event") -> None: ...
