"""How places are shared between tenants: whoever comes with nothing finds one.

A tenant may hold up to three times as many places as are free. One tenant at work so leaves a
quarter, two leave a seventh, and a newcomer always gets in and on, up to what the others have. Only
where there is no other tenant may one take all.
"""

from dataagent_server.settings.limits import TIMES_FREE_PLACES_MAX


class FairShare:
    """The rule for this process; `alone` is looked up periodically (`composition/chores.py`)."""

    def __init__(self) -> None:
        self.alone = True

    def leaves_room(self, held: int, free: int) -> bool:
        """Return whether somebody who holds so many places may take one of those free."""
        if self.alone:
            return free > 0
        return held < TIMES_FREE_PLACES_MAX * free
