"""A run for programs: one event per line on stdout, as `to_dict()` returns it, in UTF-8."""

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dataagent_core.events import Event


def write_event(event: "Event") -> None:
    """Write one line immediately, in UTF-8 whatever the locale is."""
    from dataagent_core.events import to_json

    sys.stdout.buffer.write(to_json(event).encode() + b"\n")
    sys.stdout.buffer.flush()
