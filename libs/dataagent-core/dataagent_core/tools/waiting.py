"""Calls that stop in the middle to ask a person, and are taken up again with the answer.

Such a call has begun and has no outcome, like one that a crash cut off. Its tool knows better.
"""

from typing import Protocol, runtime_checkable

from dataagent_core.runs import RunContext
from dataagent_core.tools.call import Call


@runtime_checkable
class AsksInside(Protocol):
    """A tool whose calls may wait for a person."""

    def only_waits(self, call: Call, context: RunContext) -> bool:
        """Say whether a call of an earlier attempt did nothing since it asked, and can go on."""
        ...
