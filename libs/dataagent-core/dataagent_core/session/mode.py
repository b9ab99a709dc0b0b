"""The mode of a session: ask, plan or auto. `permissions/mode.py` decides what a mode allows.

It is stored in the log only: the last `mode_changed` counts, and without one the mode is ask. Any
process may append a change. An active run reads the log before it decides about a call
(`FollowedMode`), so a change counts from its next call on.
"""

from dataclasses import dataclass, field

from dataagent_core.events import Event, ModeChangedEvent
from dataagent_core.events.system import Mode
from dataagent_core.session.log import NO_RUN, EventLog

DEFAULT_MODE: Mode = "ask"


async def mode_of(log: EventLog, session_id: str) -> Mode:
    """Return the mode of a session."""
    return await FollowedMode(log, session_id).look()


async def change_mode(log: EventLog, session_id: str, mode: Mode, by: str | None) -> Event:
    """Change a session's mode, also during a run, and return the event."""
    changed = ModeChangedEvent(mode=mode, by=by)
    (stored,) = await log.append(session_id, NO_RUN, [changed])
    return stored


@dataclass(slots=True, eq=False)
class FollowedMode:
    """The mode of one session, for a caller that reads it again and again.

    It reads only events that are new in the log, which costs one index lookup most of the time.
    """

    log: EventLog
    session_id: str
    _upto: int = field(default=0, init=False)
    _mode: Mode = field(default=DEFAULT_MODE, init=False)

    async def look(self) -> Mode:
        """Return the current mode."""
        while True:
            page = await self.log.read(self.session_id, after=self._upto, types=("mode_changed",))
            for event in page:
                if isinstance(event, ModeChangedEvent):
                    self._mode = event.mode
                    self._upto = event.seq or self._upto
            if not page:
                return self._mode
