"""A person rates or corrects a run that is over; the last word of each person counts."""

import pytest

from dataagent_core.config.limits import FEEDBACK_CHARS_MAX
from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_core.events import DoneEvent, FeedbackEvent, RunStartedEvent
from dataagent_core.session import NO_RUN, give_feedback, last_feedback
from dataagent_core.session.copies.new_ids import IdMapping
from dataagent_core.session.stores.memory import MemoryEventLog


async def _finished() -> MemoryEventLog:
    log = MemoryEventLog()
    await log.append("s", "run", [RunStartedEvent(message_id="run:m0"), DoneEvent()])
    return log


async def test_feedback_is_an_event_of_the_session_about_a_run() -> None:
    log = await _finished()
    given = await give_feedback(log, "s", "run", rating="down", correction="by region", by="ada")
    assert (await log.read("s"))[-1] == given
    assert isinstance(given, FeedbackEvent)
    assert (given.run_id, given.target_run_id, given.rating) == (NO_RUN, "run", "down")


async def test_the_last_feedback_of_each_person_counts() -> None:
    log = await _finished()
    await give_feedback(log, "s", "run", rating="down", by="ada")
    await give_feedback(log, "s", "run", rating="up", by="bob")
    await give_feedback(log, "s", "run", rating="up", by="ada")
    counting = last_feedback(await log.read("s"), "run")
    assert [(one.by, one.rating) for one in counting] == [("bob", "up"), ("ada", "up")]
    assert last_feedback(await log.read("s"), "another") == []


async def test_a_run_that_is_unknown_or_not_over_takes_no_feedback() -> None:
    log = await _finished()
    for unknown in ("nothing", ""):
        with pytest.raises(NotFoundError):
            await give_feedback(log, "s", unknown, rating="up", by="ada")
    await log.append("s", "later", [RunStartedEvent(message_id="later:m0")])
    with pytest.raises(ConflictError, match="not finished"):
        await give_feedback(log, "s", "later", rating="up", by="ada")


async def test_a_correction_has_a_length() -> None:
    log = await _finished()
    with pytest.raises(ValidationError, match="characters"):
        await give_feedback(log, "s", "run", correction="x" * (FEEDBACK_CHARS_MAX + 1), by="ada")


async def test_in_a_copy_of_the_session_it_is_about_the_copied_run() -> None:
    log = await _finished()
    given = await give_feedback(log, "s", "run", rating="up", by="ada")
    ids = IdMapping.of(await log.read("s"))
    copy = ids.event(given)
    assert isinstance(copy, FeedbackEvent)
    assert copy.target_run_id == ids.run_id("run") != "run"
