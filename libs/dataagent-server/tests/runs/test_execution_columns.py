"""What a run's row says of it (S3's `agent_executions`): trace, state, agent and result."""

import pytest
from eventually import eventually
from scripted_runs import PERSON, TENANT, open_scripted_runs, send_message, wait_for_status

from dataagent_server.db.database import Database
from dataagent_server.runs.history.markers import last_marker
from dataagent_server.runs.run_row import RunRow
from dataagent_server.runs.run_rows import find_run
from dataagent_server.runs.run_services import RunServices

WRITE = {"tool_calls": [{"name": "write_file", "args": {"file_path": "/a.txt", "content": "hi"}}]}


async def row_of(database: Database, run: RunRow) -> RunRow:
    found = await database.read(lambda c: find_run(c, TENANT, run.run_id))
    assert found is not None
    return found


async def answer(runs: RunServices, decision: str) -> None:
    (request,) = await runs.service.open_requests(PERSON, "s")
    await runs.service.answer(PERSON, request.interrupt_id, {"type": decision})


@pytest.mark.requirement("S2-13-agent_executions-result")
@pytest.mark.every_database
async def test_a_run_that_waits_and_one_that_ends_say_where_they_stand(database: Database):
    async with open_scripted_runs(database, WRITE, {"text": "all *done*"}) as runs:
        run = await send_message(runs)
        await wait_for_status(runs, run, "waiting_approval")
        await eventually(lambda: runs.runner.active == 0)
        waiting = await row_of(database, run)
        marker = await database.read(lambda c: last_marker(c, TENANT, run.run_id))
        await answer(runs, "approve")
        await wait_for_status(runs, run, "completed")
        ended = await row_of(database, run)
        newest = await runs.stores_of(TENANT).checkpoints.aget_tuple(
            {"configurable": {"thread_id": run.run_id, "checkpoint_ns": ""}}
        )
    assert marker is not None
    assert waiting.checkpoint_id == marker.checkpoint_id is not None
    assert (waiting.trace_id, waiting.agent_type, waiting.result) == (run.run_id, "assistant", None)
    assert newest is not None
    assert ended.checkpoint_id == newest.checkpoint["id"] != waiting.checkpoint_id
    assert (ended.trace_id, ended.agent_type) == (run.run_id, "assistant")
    assert ended.result == {"reason": "completed", "content": "all *done*", "format": "markdown"}


async def test_a_rejected_run_and_one_cancelled_in_the_queue_have_a_result(database: Database):
    async with open_scripted_runs(database, WRITE) as runs:
        first = await send_message(runs)
        await wait_for_status(runs, first, "waiting_approval")
        queued = await send_message(runs)
        await runs.service.cancel(PERSON, queued.run_id)
        await answer(runs, "reject")
        await wait_for_status(runs, first, "cancelled")
        rejected, cancelled = [await row_of(database, run) for run in (first, queued)]
    assert rejected.result is not None
    assert cancelled.result is not None
    assert rejected.result["reason"] == "rejected"
    assert cancelled.result["reason"] == "user_cancelled"
    assert cancelled.checkpoint_id is None
