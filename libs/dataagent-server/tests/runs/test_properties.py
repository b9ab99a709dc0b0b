"""What S0 and S3 promise of runs, for any message, any request and any time-out."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
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
from sqlalchemy import delete

from dataagent_core.config.limits import PROMPT_CHARS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import timeout_answer
from dataagent_core.ids import new_id
from dataagent_core.session import check_prompt
from dataagent_server.db.database import Database
from dataagent_server.db.tables.runs import human_requests
from dataagent_server.hitl.requests import RequestTimeouts, list_overdue, open_request

pytestmark = pytest.mark.every_database

REJECTED = ("approval", "budget", "elicitation", "oauth")
SCRIPT = {"tool_calls": [{"name": "write_file", "args": {"file_path": "/a.txt", "content": "hi"}}]}


def is_prompt(text: str) -> bool:
    try:
        check_prompt(text)
    except ValidationError:
        return False
    return len(text) <= PROMPT_CHARS_MAX


prompts = st.text(min_size=1, max_size=200).filter(is_prompt)
timeouts = st.sampled_from([None, -3_600.0, -1.0, 3_600.0])


@pytest.mark.requirement("S0-29")
@given(
    asking=st.lists(st.tuples(st.sampled_from(REJECTED), timeouts), min_size=1, max_size=6),
    usual=st.sampled_from([-60.0, 86_400.0]),
)
async def test_s0_29_whatever_waits_too_long_is_rejected_and_nothing_else(
    database: Database, asking: list[tuple[Any, float | None]], usual: float
):
    await database.write(lambda c: c.execute(delete(human_requests)))
    late: set[str] = set()
    timeouts = RequestTimeouts(approval_s=usual, clarification_s=60, decision_s=300)
    for kind, timeout_s in asking:
        event = HITLRequestEvent(
            interrupt_id=new_id(), kind=kind, timeout_s=timeout_s, run_id="r", session_id="s"
        )
        await database.write(lambda c, e=event: open_request(c, TENANT, e, timeouts))
        if (usual if timeout_s is None else timeout_s) < 0:
            late.add(event.interrupt_id)
    found = await database.read(list_overdue)
    assert {request.interrupt_id for request in found} == late
    assert {(timeout_answer(request.event) or {})["type"] for request in found} <= {"reject"}


@pytest.mark.requirement("S0-45")
@pytest.mark.timeout(300)
@given(text=prompts)
async def test_s0_45_the_message_and_the_answer_of_a_finished_run_are_kept(
    database: Database, text: str
):
    async with open_scripted_runs(database, {"text": "an answer: 回答"}) as runs:
        session = new_id()
        await wait_for_status(runs, await send_message(runs, text, session), "completed")
        kept = await runs.stores_of(TENANT).messages.get_messages(session)
    assert [(one.role, one.content) for one in kept] == [
        ("user", text),
        ("assistant", "an answer: 回答"),
    ]


@pytest.mark.requirement("S3-15")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("database_kind", ["sqlite"])
@given(text=prompts)
async def test_s3_15_what_needs_approval_waits_for_it_and_goes_no_further(
    database: Database, text: str
):
    async with open_scripted_runs(database, SCRIPT, {"text": "done"}) as runs:
        session = new_id()
        run = await send_message(runs, text, session)
        waiting = await wait_for_status(runs, run, "waiting_approval", "completed", "failed")
        assert waiting.status == "waiting_approval"
        assert types(await log_of(runs, session))[-1] == "hitl_request"
        assert not (HOME / "workspaces" / TENANT / session / "a.txt").exists()
        await runs.service.cancel(PERSON, run.run_id)
        await wait_for_status(runs, run, "cancelled")
