"""`dataagent sessions plan`: the words it takes, what it prints, and its exit codes."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from stored_plans import store_plan

from dataagent_cli.messages import Messages
from dataagent_cli.sessions.plan_words import parse_plan_words
from dataagent_cli.wiring import TENANT, local_user
from dataagent_core.errors import ValidationError
from dataagent_core.planning import read_edits
from dataagent_core.session.stores.bundle import open_sqlite

Command = Callable[..., tuple[int, str, str]]
SAY = Messages("en")


@pytest.fixture
def planned(tmp_path: Path) -> None:
    async def make() -> None:
        (tmp_path / "home").mkdir()
        async with open_sqlite(tmp_path / "home" / "dataagent.db", tenant_id=TENANT) as stores:
            await stores.sessions.create(local_user(), "default", session_id="s1")
            await store_plan(stores, "s1")

    asyncio.run(make())


@pytest.mark.parametrize(
    ("typed", "change"),
    [
        ("", None),
        ("show", None),
        ("edit 3 look again", {"op": "edit", "step_number": 3, "description": "look again"}),
        ("skip #3", {"op": "skip", "step_number": 3}),
        ("move 3", {"op": "move", "step_number": 3, "before": None}),
        ("MOVE 3 before 1", {"op": "move", "step_number": 3, "before": 1}),
        ("add look again", {"op": "add", "description": "look again", "before": None}),
        ("add before 2 look", {"op": "add", "description": "look", "before": 2}),
        ("add before noon", {"op": "add", "description": "before noon", "before": None}),
        ("assign 3 @a-b", {"op": "edit", "step_number": 3, "assigned_agent": "a-b"}),
        ("assign 3", {"op": "edit", "step_number": 3, "assigned_agent": ""}),
    ],
)
def test_the_words_of_a_change(typed: str, change: dict[str, Any] | None):
    assert parse_plan_words(typed, SAY) == change
    if change is not None:
        read_edits([change])


@pytest.mark.parametrize(
    "typed",
    ["burn it", "show 3", "edit 3", "edit", "edit x y", "skip", "skip 3 4", "skip 9999999999",
     "move 3 4", "move 3 before", "move 3 before 1 2", "add", "add before 3", "assign 3 a b",
     "skip ²"],
)  # fmt: skip
def test_other_words_are_refused(typed: str):
    with pytest.raises(ValidationError):
        parse_plan_words(typed, SAY)


@pytest.mark.usefixtures("planned")
def test_a_plan_is_shown_and_changed_without_a_conversation(command: Command):
    assert command("sessions", "plan", "s1") == (
        0,
        "plan 0/3\n  1 [ ] dig\n  2 [ ] fill\n  3 [ ] pour\n",
        "",
    )
    code, out, _ = command("sessions", "plan", "s1", "move", "3", "before", "1")
    assert (code, out) == (0, "plan 0/3\n  3 [ ] pour\n  1 [ ] dig\n  2 [ ] fill\n")
    code, out, _ = command("sessions", "plan", "s1", "skip", "3", "--json")
    plan = json.loads(out)
    assert (code, plan["version"], plan["status"]) == (0, 3, "in_progress")
    assert [(step["step_number"], step["status"]) for step in plan["steps"]] == [
        (3, "skipped"),
        (1, "pending"),
        (2, "pending"),
    ]
    kinds = [
        json.loads(line) for line in command("sessions", "events", "s1", "--json")[1].splitlines()
    ]
    assert [event["change"] for event in kinds] == ["made", "edited", "edited"]


@pytest.mark.usefixtures("planned")
def test_a_change_of_an_older_version_shows_what_the_plan_is_now(command: Command):
    assert command("sessions", "plan", "s1", "skip", "3", "--version", "1")[0] == 0
    code, out, err = command("sessions", "plan", "s1", "skip", "2", "--version", "1")
    assert (code, out) == (1, "plan 0/3\n  1 [ ] dig\n  2 [ ] fill\n  3 [-] pour\n")
    assert "the plan was changed meanwhile: it is at version 2 now" in err
    code, out, _ = command("sessions", "plan", "s1", "skip", "2", "--version", "1", "--json")
    assert (code, json.loads(out)["code"]) == (1, "CONFLICT")


@pytest.mark.usefixtures("planned")
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("skip", "9"), 1, "the plan has no step 9"),
        (("assign", "2", "nobody"), 1, "There is no sub-agent 'nobody'"),
        (("burn",), 2, "edit N TEXT"),
        (("edit", "two", "x"), 2, "'two' is no number of a step"),
    ],
)
def test_a_wrong_change_is_refused(command: Command, words: tuple[str, ...], code: int, said: str):
    done = command("sessions", "plan", "s1", *words)
    assert done[:2] == (code, "")
    assert said in done[2]


def test_a_session_without_a_plan_says_so(command: Command):
    assert command("run", "hello", "--model", "demo:demo", "--session", "s2")[0] == 0
    code, _, err = command("sessions", "plan", "s2")
    assert code == 1
    assert "this session has no work plan" in err
    assert command("sessions", "plan", "nowhere")[0] == 1
