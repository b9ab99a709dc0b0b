"""Runs belong to the server: they begin, wait, are answered, cancelled and taken up, on each database."""

import asyncio
from collections import Counter
from typing import Any

import pytest
from eventually import eventually
from scripted_runs import (
    HOME,
    PERSON,
    TENANT,
    log_of,
    open_scripted_runs,
    send_message,
    types,
    wait_for_status,
)
from sqlalchemy import update

from dataagent_core.errors import ConflictError, DeniedError, NotFoundError, SessionBusyError
from dataagent_core.events import DoneEvent, ErrorEvent, HITLAnswerEvent, HITLRequestEvent
from dataagent_server.common.errors import RateLimitedError
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.tables.people import tenants
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.runs.run_services import RunServices

pytestmark = pytest.mark.every_database

WRITE = {"tool_calls": [{"name": "write_file", "args": {"file_path": "/a.txt", "content": "hi"}}]}
# Long enough that a test can act while it goes on.
SLOW = {"text": "word " * 200, "chunk_delay_s": 0.05}


async def open_request(runs: RunServices, session_id: str = "s") -> str:
    found: list[Any] = []

    async def there() -> bool:
        found[:] = await runs.service.open_requests(PERSON, session_id)
        return bool(found)

    await eventually(there)
    return found[0].interrupt_id


async def test_a_message_is_answered_and_both_are_kept(database: Database) -> None:
    async with open_scripted_runs(database, {"text": "hello"}) as runs:
        run = await send_message(runs, "hi there")
        done = await wait_for_status(runs, run, "completed")
        events = await log_of(runs)
        messages = await runs.stores_of(TENANT).messages.get_messages("s")
    assert types(events)[0] == "start"
    assert types(events)[-1] == "done"
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    assert done.token_usage is not None
    assert done.completed_at is not None
    assert [(m.role, m.content) for m in messages] == [("user", "hi there"), ("assistant", "hello")]


@pytest.mark.requirement("S3-15")
async def test_a_run_that_asks_waits_without_a_worker_and_goes_on_when_answered(
    database: Database,
) -> None:
    async with open_scripted_runs(database, WRITE, {"text": "done"}) as runs:
        run = await send_message(runs)
        waiting = await wait_for_status(runs, run, "waiting_approval")
        await eventually(lambda: runs.runner.active == 0)
        answered = await runs.service.answer(PERSON, await open_request(runs), {"type": "approve"})
        await wait_for_status(runs, run, "completed")
        events = await log_of(runs)
    assert waiting.fence != 0
    assert answered.answered_by == "u"
    (answer,) = [e for e in events if isinstance(e, HITLAnswerEvent)]
    assert answer.by == "u"
    assert (HOME / "workspaces" / "t" / "s" / "a.txt").read_text() == "hi"


async def test_an_answer_that_comes_before_the_run_rests_is_not_lost(database: Database) -> None:
    async with open_scripted_runs(database, WRITE, {"text": "done"}) as runs:
        for number in range(10):
            session = f"s{number}"
            run = await send_message(runs, session_id=session)
            # As early as can be: the row appears in the transaction of the event.
            await runs.service.answer(
                PERSON, await open_request(runs, session), {"type": "approve"}
            )
            await wait_for_status(runs, run, "completed")


async def test_the_first_answer_counts(database: Database) -> None:
    async with open_scripted_runs(database, WRITE, {"text": "done"}) as runs:
        run = await send_message(runs)
        await wait_for_status(runs, run, "waiting_approval")
        request = await open_request(runs)
        decisions = [{"type": "approve"}, {"type": "respond", "message": "no"}] * 5
        answers = await asyncio.gather(
            *(runs.service.answer(PERSON, request, decision) for decision in decisions),
            return_exceptions=True,
        )
        await wait_for_status(runs, run, "completed")
        events = await log_of(runs)
    refused = [a for a in answers if isinstance(a, ConflictError)]
    assert len(refused) == len(decisions) - 1
    assert Counter(types(events))["hitl_answer"] == 1


async def test_a_rejected_call_ends_the_run(database: Database) -> None:
    async with open_scripted_runs(database, WRITE, {"text": "done"}) as runs:
        run = await send_message(runs)
        await wait_for_status(runs, run, "waiting_approval")
        await runs.service.answer(PERSON, await open_request(runs), {"type": "reject"})
        await wait_for_status(runs, run, "cancelled")
        last = (await log_of(runs))[-1]
    assert isinstance(last, DoneEvent)
    assert last.reason == "rejected"


@pytest.mark.requirement("S0-29")
@pytest.mark.requirement("F16-B6-approval-timeout")
async def test_an_approval_nobody_gives_in_time_is_a_no(database: Database) -> None:
    async with open_scripted_runs(database, WRITE, {"text": "done"}, approval_timeout_s=0) as runs:
        run = await send_message(runs)
        await wait_for_status(runs, run, "cancelled")
        events = await log_of(runs)
    (answer,) = [e for e in events if isinstance(e, HITLAnswerEvent)]
    assert answer.by == "timeout"
    assert answer.decision["type"] == "reject"
    error, done = events[-2:]
    assert isinstance(error, ErrorEvent)
    assert (error.code, error.recoverable) == ("APPROVAL_TIMEOUT", False)
    assert isinstance(done, DoneEvent)
    assert done.reason == "rejected"


@pytest.mark.requirement("S0-41")
async def test_a_run_is_cancelled_while_it_speaks_waits_or_stands_in_the_queue(
    database: Database,
) -> None:
    async with open_scripted_runs(database, SLOW) as runs:
        speaking = await send_message(runs)
        queued = await send_message(runs, "and then?")
        await wait_for_status(runs, speaking, "running")
        await runs.service.cancel(PERSON, queued.run_id)
        await wait_for_status(runs, queued, "cancelled")
        await runs.service.cancel_session(PERSON, "s")
        await wait_for_status(runs, speaking, "cancelled")
        await eventually(lambda: runs.runner.active == 0)
        ends = [e for e in await log_of(runs) if isinstance(e, DoneEvent)]
        with pytest.raises(NotFoundError):
            await runs.service.cancel(PERSON, speaking.run_id)
    assert [(e.cancelled, e.reason) for e in ends] == [(True, "user_cancelled")] * 2
    async with open_scripted_runs(database, WRITE, {"text": "done"}) as runs:
        waiting = await send_message(runs, session_id="w")
        await wait_for_status(runs, waiting, "waiting_approval")
        await runs.service.cancel(PERSON, waiting.run_id)
        await wait_for_status(runs, waiting, "cancelled")
        assert await runs.service.open_requests(PERSON, "w") == []


async def test_messages_of_a_session_are_answered_in_their_order(database: Database) -> None:
    async with open_scripted_runs(database, {"text": "an answer"}) as runs:
        asking = [await send_message(runs, f"question {n}") for n in range(3)]
        for run in asking:
            await wait_for_status(runs, run, "completed")
        messages = await runs.stores_of(TENANT).messages.get_messages("s")
    said = [m.content for m in messages]
    assert said[::2] == ["question 0", "question 1", "question 2"]
    assert said[1::2] == ["an answer"] * 3


async def test_limits_are_kept_when_many_ask_at_once(database: Database) -> None:
    async with open_scripted_runs(database, SLOW, per_user=3) as runs:
        asking = [send_message(runs, session_id=f"s{n}") for n in range(8)]
        found = await asyncio.gather(*asking, return_exceptions=True)
        refused = [f for f in found if isinstance(f, RateLimitedError)]
        assert len(refused) == 5
        begun = [f for f in found if not isinstance(f, BaseException)]
        for run in begun:
            await runs.service.cancel(PERSON, run.run_id)
        for run in begun:
            await wait_for_status(runs, run, "cancelled")
        await send_message(runs, session_id="again")
        await runs.service.cancel_session(PERSON, "again")


async def test_a_queue_has_an_end(database: Database) -> None:
    async with open_scripted_runs(database, SLOW, queued_per_session=1) as runs:
        under_way = [await send_message(runs), await send_message(runs)]
        with pytest.raises(SessionBusyError):
            await send_message(runs)
        for run in reversed(under_way):
            await runs.service.cancel(PERSON, run.run_id)
            await wait_for_status(runs, run, "cancelled")


@pytest.mark.requirement("S0-51")
async def test_nobody_else_may_look_cancel_or_answer(database: Database) -> None:
    other = Principal(TENANT, "other", "member")
    foreign = Principal(TenantId("elsewhere"), "u", "owner")
    async with open_scripted_runs(database, WRITE, {"text": "done"}) as runs:
        run = await send_message(runs)
        await wait_for_status(runs, run, "waiting_approval")
        request = await open_request(runs)
        for who, error in ((other, DeniedError), (foreign, NotFoundError)):
            with pytest.raises(error):
                await runs.service.run(who, run.run_id)
            with pytest.raises(error):
                await runs.service.cancel(who, run.run_id)
            with pytest.raises(error):
                await runs.service.answer(who, request, {"type": "approve"})
        assert await runs.service.open_requests(foreign, "s") == []
        admin = Principal(TENANT, "boss", "admin")
        await runs.service.answer(admin, request, {"type": "approve"})
        await wait_for_status(runs, run, "completed")


async def test_a_stopping_server_hands_its_runs_over(database: Database) -> None:
    async with open_scripted_runs(database, WRITE, SLOW, {"text": "end"}) as second:
        async with open_scripted_runs(database, SLOW, {"text": "end"}) as first:
            run = await send_message(first)
            await wait_for_status(first, run, "running")
            await first.runner.aclose()
        await wait_for_status(second, run, "running", "waiting_approval", "completed")
        events = await log_of(second)
    assert Counter(types(events))["start"] == 1
    assert [e.seq for e in events] == list(range(1, len(events) + 1))


async def test_an_agent_that_cannot_be_built_ends_the_run(database: Database) -> None:
    async with open_scripted_runs(database, {"nonsense": 1}) as runs:
        run = await send_message(runs)
        failed = await wait_for_status(runs, run, "failed")
        events = await log_of(runs)
    assert types(events) == ["start", "error", "done"]
    assert failed.error_code == "INTERNAL"


async def test_what_was_asked_is_on_record_in_one_transaction(database: Database) -> None:
    async with open_scripted_runs(database, WRITE, {"text": "done"}) as runs:
        run = await send_message(runs)
        await wait_for_status(runs, run, "waiting_approval")
        (event,) = [e for e in await log_of(runs) if isinstance(e, HITLRequestEvent)]
        (request,) = await runs.service.open_requests(PERSON, "s")
        await runs.service.cancel(PERSON, run.run_id)
    assert request.event == event
    assert request.deadline_at is not None


async def test_cancelling_a_waiting_message_leaves_the_run_before_it_alone(
    database: Database,
) -> None:
    async with open_scripted_runs(database, WRITE, {"text": "done"}) as runs:
        first = await send_message(runs, "first")
        await wait_for_status(runs, first, "waiting_approval")
        second = await send_message(runs, "second")
        await runs.service.cancel(PERSON, second.run_id)
        await wait_for_status(runs, second, "cancelled")
        await runs.service.answer(PERSON, await open_request(runs), {"type": "approve"})
        await wait_for_status(runs, first, "completed")
        third = await send_message(runs, "third")
        await wait_for_status(runs, third, "waiting_approval")
        await runs.service.cancel(PERSON, third.run_id)
        await wait_for_status(runs, third, "cancelled")
        messages = await runs.stores_of(TENANT).messages.get_messages("s")
    # What was said is kept, also of a message whose run never began.
    assert {m.content for m in messages if m.role == "user"} == {"first", "second", "third"}


async def test_nothing_follows_done_not_even_an_answer(database: Database) -> None:
    async with open_scripted_runs(database, WRITE, {"text": "done"}) as runs:
        run = await send_message(runs)
        await wait_for_status(runs, run, "waiting_approval")
        request = await open_request(runs)
        await runs.service.cancel(PERSON, run.run_id)
        await wait_for_status(runs, run, "cancelled")
        with pytest.raises(ConflictError):
            await runs.service.answer(PERSON, request, {"type": "approve"})
        assert types(await log_of(runs))[-1] == "done"
        assert await runs.service.open_requests(PERSON, "s") == []


async def test_a_tenant_that_is_switched_off_does_no_work(database: Database) -> None:
    async with open_scripted_runs(database, {"text": "hello"}) as runs:
        await database.write(lambda c: c.execute(update(tenants).values(is_active=False)))
        run = await send_message(runs)
        await asyncio.sleep(0.3)
        assert (await runs.service.run(PERSON, run.run_id)).status == "queued"
        await database.write(lambda c: c.execute(update(tenants).values(is_active=True)))
        runs.runner.wake()
        await wait_for_status(runs, run, "completed")
