"""The outcome of a run, computed from its events. Pure."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataagent_cli.output import exit_codes
from dataagent_core.events import DoneEvent, ErrorEvent

if TYPE_CHECKING:
    from dataagent_core.events import Event
    from dataagent_core.events.system import DoneReason


@dataclass(slots=True)
class RunOutcome:
    """The reason of `done`, if it came, and the code of the last error."""

    reason: "DoneReason | None" = None
    error_code: str | None = None

    def see(self, event: "Event") -> None:
        """Take one event into account."""
        match event:
            case DoneEvent():
                self.reason = event.reason
            case ErrorEvent():
                self.error_code = event.code
            case _:
                pass

    @property
    def exit_code(self) -> int:
        return exit_codes.of_run(self.reason, self.error_code)
