"""SIGKILL of a server in the middle of plans, on each database; then the same server again.

One run is being planned, one is in two steps side by side, one waits for a person's yes to its
plan, and one is being reviewed. Whatever the moment: each step is done once, has one beginning and
one end, and the plan's row says what the log says.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.server.process import ServerProcess
from tests.server_kill.clients import all_read, clients_of, saw_done, say
from tests.server_kill.plan_script import write_plan_script
from tests.server_kill.shared_home import (
    NEVER_TAKEN_FOR_DEAD,
    SharedHome,
    answer,
    ask,
    log_of,
    new_session,
    open_requests,
    open_shared_home,
    run_of,
)
from tests.server_kill.story import check_story
from tests.server_kill.waiting import eventually

pytestmark = pytest.mark.every_database
# How each run is started, and what its plan looks like when the server is killed.
PLANNING: dict[str, dict[str, Any]] = {
    "planning": {"mode": "always", "ask": False, "planning_timeout_ms": 60_000},
    "wave": {"mode": "always", "ask": False},
    "asked": {"mode": "always", "ask": True},
    "review": {"loop": "staged", "ask": False, "planning_timeout_ms": 60_000},
}
STOOD = {
    "planning": ("planning", None, {}),
    "wave": ("in_progress", None, {1: "in_progress", 2: "completed", 3: "pending"}),
    "asked": ("planning", None, {1: "pending", 2: "pending", 3: "pending"}),
    "review": ("in_progress", "review", {1: "completed", 2: "completed", 3: "completed"}),
}


@pytest.mark.requirement("F21-kill-server")
@pytest.mark.slow
@pytest.mark.requirement("F4-kill")
@pytest.mark.requirement("F2-kill-resume")
@pytest.mark.requirement("F21-kill")
async def test_plans_of_a_killed_server_are_carried_out_once(
    tmp_path: Path, database_url: str
) -> None:
    script = write_plan_script()
    # A plan of three steps is put to a person all the same.
    settings = NEVER_TAKEN_FOR_DEAD | {"plan_ask_steps": "2"}
    with open_shared_home(tmp_path, database_url, script) as shared_home:
        with shared_home.server(**settings) as server:
            sessions = {word: new_session(server) for word in PLANNING}
            # The slowest beginnings first, so that all are under way at one moment.
            for word in ("asked", "review", "wave", "planning"):
                await say(server, sessions[word], f"{word} work", planning=PLANNING[word])
            for word, session_id in sessions.items():
                await eventually(lambda w=word, s=session_id: stands(server, s) == STOOD[w])
            server.kill_all()
        with shared_home.server(**settings) as server:
            await eventually(lambda: bool(open_requests(server, sessions["asked"])))
            [request] = open_requests(server, sessions["asked"])
            answer(server, request["interrupt_id"], type="answer", answer="Go ahead")
            for word, session_id in sessions.items():
                clients = clients_of(session_id)
                await all_read(server, clients, saw_done)
                check_plan(server, shared_home, word, check_story(server, clients))


def stands(server: ServerProcess, session_id: str) -> tuple[str, str | None, dict[int, str]] | None:
    """Give the status, the stage and the steps of a session's plan; None: it has none yet."""
    if not any(event["event_type"] == "work_plan" for event in log_of(server, session_id)):
        return None
    plan = ask(server, "GET", f"/api/v1/sessions/{session_id}/plan")
    steps = {step["step_number"]: step["status"] for step in plan["steps"]}
    return plan["status"], plan.get("stage"), steps


def check_plan(
    server: ServerProcess, shared_home: SharedHome, word: str, log: list[dict[str, Any]]
) -> None:
    session_id = log[0]["session_id"]
    assert (log[-1]["reason"], log[-1]["content"]) == ("completed", f"All of {word} [step 1].")
    for name in ("north", "south", "own"):
        assert shared_home.file(f"done-{word}-{name}.txt") == "done\n", (word, name)
    counted = Counter(
        (event["event_type"], event["step_number"])
        for event in log
        if event["event_type"] in {"step_start", "step_end"}
    )
    assert counted == {(t, n): 1 for t in ("step_start", "step_end") for n in (1, 2, 3)}
    versions = [event["version"] for event in log if event["event_type"] == "work_plan"]
    assert versions == list(range(1, len(versions) + 1))
    status, stage, steps = stands(server, session_id) or ("none", None, {})
    assert (status, steps) == ("completed", dict.fromkeys((1, 2, 3), "completed"))
    assert stage == ("review" if word == "review" else None)
    assert run_of(server, session_id)["status"] == "completed"
    assert sum(event["event_type"] == "resumed" for event in log) <= 1
