"""The mode of a session: ask, plan or auto. What a mode allows is `permissions/mode.py`'s to say.

The log is the one place that has it: the last `mode_changed` counts, and a session without one
asks. Whoever switches it appends to the log, from any process; a run that is under way looks there
before it judges a call (`FollowedMode`), so a switch counts from its next call on.
"""

from dataclasses import dataclass, field

from dataagent_core.events import Event, ModeChangedEvent
from dataagent_core.events.system import Mode
from dataagent_core.session.log import NO_RUN, EventLog

DEFAULT_MODE: Mode = "ask"


async def mode_of(log: EventLog, session_id: str) -> Mode:
    """Say which mode a session is in."""
    return await FollowedMode(log, session_id).look()


async def change_mode(log: EventLog, session_id: str, mode: Mode, by: str | None) -> Event:
    """Switch a session's mode, whether or not a run is under way, and return the event."""
    changed = ModeChangedEvent(mode=mode, by=by)
    (stored,) = await log.append(session_id, NO_RUN, [changed])
    return stored


@dataclass(slots=True, eq=False)
class FollowedMode:
    """The mode of one session, for somebody who asks again and again.

    Only what the log has taken since is read, which is nothing almost every time: one look into an
    index.
    """

    log: EventLog
    session_id: str
    _upto: int = field(default=0, init=False)
    _mode: Mode = field(default=DEFAULT_MODE, init=False)

    async def look(self) -> Mode:
        """Say which mode the session is in now."""
        while True:
            page = await self.log.read(self.session_id, after=self._upto, types=("mode_changed",))
            for event in page:
                if isinstance(event, ModeChangedEvent):
                    self._mode = event.mode
                    self._upto = event.seq or self._upto
            if not page:
                return self._mode
