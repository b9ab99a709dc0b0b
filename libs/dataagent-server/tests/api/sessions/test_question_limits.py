"""How long a server's runs wait for people, and when they are in a loop, is set by its operator."""

from typing import Any

import pytest
from live_server import Caller, LiveServer, open_live_server

from tests.server.fixtures import MakeSettings


async def events_after(
    live: LiveServer, caller: Caller, told: dict[str, Any]
) -> list[dict[str, Any]]:
    """Wait until nobody's answer has ended or continued the run, and give all its events."""
    await live.reached(caller, told["session_id"], "completed", "cancelled")
    path = f"/api/v1/sessions/{told['session_id']}/events"
    return (await live.http.get(path, headers=caller.headers)).json()["events"]


@pytest.mark.requirement("F16-B6-settings")
@pytest.mark.requirement("F16-B6-step-number")
async def test_a_decision_takes_its_recommended_option_after_the_set_time(
    make_settings: MakeSettings,
):
    async with open_live_server(make_settings(decision_timeout="1")) as live:
        ann = await live.person()
        told = await live.chat(ann, "choose")
        asked = told["events"][-1]
        assert (asked["kind"], asked["timeout_s"], asked["step_number"]) == ("decision", 1.0, 1)
        events = await events_after(live, ann, told)
    (answer,) = [event for event in events if event["event_type"] == "hitl_answer"]
    assert (answer["by"], answer["decision"]["answer"]) == ("timeout", "exact")
    assert events[-1]["reason"] == "completed"


@pytest.mark.requirement("F16-B6-settings")
async def test_the_set_number_of_equal_calls_is_a_loop(make_settings: MakeSettings):
    async with open_live_server(make_settings(doom_loop_threshold="2")) as live:
        events = (await live.chat(await live.person(), "again"))["events"]
    assert events[-1]["kind"] == "doom_loop"
    assert [event["event_type"] for event in events].count("tool_result") == 1


@pytest.mark.requirement("F16-B6-approval-timeout")
async def test_an_approval_nobody_gave_in_time_is_told_by_its_code(make_settings: MakeSettings):
    async with open_live_server(make_settings(approval_timeout="1")) as live:
        ann = await live.person()
        told = await live.chat(ann, "write")
        error, done = (await events_after(live, ann, told))[-2:]
        run = await live.run_of(ann, told["session_id"])
    assert (error["event_type"], error["code"]) == ("error", "APPROVAL_TIMEOUT")
    assert (error["recoverable"], done["reason"]) == (False, "rejected")
    assert run.error_code == "APPROVAL_TIMEOUT"
