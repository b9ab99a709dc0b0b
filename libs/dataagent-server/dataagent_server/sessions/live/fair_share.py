"""The fair share of connections between tenants.

A tenant may hold up to three times as many connections as are free. So one active tenant leaves a
quarter, two leave a seventh, and a newcomer always gets some. A single tenant may take all.
"""

from dataagent_server.settings.limits import TIMES_FREE_PLACES_MAX


class FairShare:
    """The rule for this process; `alone` is updated periodically (`composition/chores.py`)."""

    def __init__(self) -> None:
        self.alone = True

    def leaves_room(self, held: int, free: int) -> bool:
        """Return whether a holder of this many connections may take a free one."""
        if self.alone:
            return free > 0
        return held < TIMES_FREE_PLACES_MAX * free
