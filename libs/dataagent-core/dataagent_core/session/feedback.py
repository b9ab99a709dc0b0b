"""Thumbs and corrections of people on finished runs, which the log alone stores.

An event of feedback belongs to the session and to no run: the run it is about is over. The last
one of each person counts. `patterns/` learns from it; routes and commands decide who may give it.
"""

from collections.abc import Iterable

from dataagent_core.config.limits import FEEDBACK_CHARS_MAX
from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_core.events import DoneEvent, Event, FeedbackEvent, RunStartedEvent
from dataagent_core.events.feedback import Rating
from dataagent_core.session.log import NO_RUN, EventLog


async def give_feedback(
    log: EventLog,
    session_id: str,
    run_id: str,
    *,
    rating: Rating = "",
    correction: str = "",
    by: str | None,
) -> Event:
    """Append what a person says of a run, and return the event."""
    if len(correction) > FEEDBACK_CHARS_MAX:
        raise ValidationError(
            f"A correction may have {FEEDBACK_CHARS_MAX:,} characters, and this one has "
            f"{len(correction):,}: say in short what should have been different."
        )
    ends = await log.read(session_id, run_id=run_id, types=("start", "done")) if run_id else []
    if not any(isinstance(event, RunStartedEvent) for event in ends):
        raise NotFoundError(f"The session {session_id} has no run {run_id!r} to say something of.")
    if not any(isinstance(event, DoneEvent) for event in ends):
        raise ConflictError(f"The run {run_id} is not finished: wait for its end, or stop it.")
    given = FeedbackEvent(rating=rating, correction=correction, target_run_id=run_id, by=by)
    (stored,) = await log.append(session_id, NO_RUN, [given])
    return stored


def last_feedback(events: Iterable[Event], run_id: str) -> list[FeedbackEvent]:
    """Return what counts of a run's feedback: the last of each person, in order."""
    last: dict[str | None, FeedbackEvent] = {}
    for event in events:
        if isinstance(event, FeedbackEvent) and event.target_run_id == run_id:
            last.pop(event.by, None)
            last[event.by] = event
    return list(last.values())
