"""An event of somebody else's log: what was said and done, not what only its harness knew. Pure.

A receipt here means that this installation saw the call; a mode, that its person chose it.
"""

from dataclasses import replace
from typing import Any

from dataagent_core.events import (
    ContextCompressedEvent,
    Event,
    ModeChangedEvent,
    RunResumedEvent,
    RunStartedEvent,
    TextEvent,
    ToolResultEvent,
)

# One event stands before those of the file: that they are from a file.
SHIFT = 1


def without_claims(event: Event) -> Event:
    """Give the event as it may stand in a log here, one number later."""
    match event:
        case RunStartedEvent() | ModeChangedEvent():
            return replace(event, mode="ask")
        case RunResumedEvent():
            return replace(event, discard_after=event.discard_after + SHIFT)
        case ToolResultEvent():
            return replace(event, receipt=None, artifacts=[])
        case TextEvent():
            return replace(event, figures=[], unsourced=[])
        case ContextCompressedEvent():
            return replace(
                event,
                from_seq=_shifted(event.from_seq),
                to_seq=_shifted(event.to_seq),
                pins=[{**pin, "seq": _shifted(pin.get("seq"))} for pin in event.pins],
            )
        case _:
            return event


def _shifted(seq: Any) -> Any:
    return seq + SHIFT if isinstance(seq, int) else seq
