"""`dataagent sessions`: stored sessions can be listed and removed."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def two_runs(command: Command) -> None:
    for prompt in ("first question", "second \x1b[31mquestion"):
        assert command("run", prompt, "--model", "demo:demo", "--session", "s1")[0] == 0


@pytest.mark.usefixtures("two_runs")
def test_a_session_can_be_listed_shown_and_deleted_with_everything_of_it(
    command: Command, tmp_path: Path
):
    (listed,) = json.loads(command("sessions", "list", "--json")[1])
    assert (listed["session_id"], listed["runs"], listed["state"]) == ("s1", 2, "done")
    assert "second question" in command("sessions", "list")[1]

    code, shown, _ = command("sessions", "show", "s1")
    assert (code, "first question" in shown, "\x1b" in shown) == (0, True, False)
    messages = json.loads(command("sessions", "show", "s1", "--json")[1])["messages"]
    assert [m["role"] for m in messages] == ["user", "assistant"] * 2

    lines = command("sessions", "events", "s1", "--json", "--after", "2")[1].splitlines()
    assert json.loads(lines[0])["seq"] == 3
    assert len(command("sessions", "events", "s1")[1].splitlines()) == len(lines) + 2

    assert command("sessions", "delete", "s1", "--yes")[0] == 0
    with sqlite3.connect(tmp_path / "home" / "dataagent.db") as database:
        tables = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        left = {
            name: database.execute(f"SELECT COUNT(*) FROM {name}").fetchone()[0]
            for (name,) in tables
            if not name.startswith("sqlite_")
        }
    database.close()
    # The usage stays counted: deleting a session gives no budget back.
    counted = {"usage", "budget_counters"}
    assert {name for name, rows in left.items() if rows} == counted, left


@pytest.mark.parametrize("what", ["show", "events", "delete"])
def test_an_unknown_session_ends_with_1(command: Command, what: str):
    code, out, err = command("sessions", what, "nowhere")
    assert (code, out) == (1, "")
    assert "there is no session 'nowhere'" in err


@pytest.mark.requirement("F2-newer-database")
def test_a_newer_database_is_refused_and_left_as_it_is(command: Command, tmp_path: Path):
    path = tmp_path / "home" / "dataagent.db"
    path.parent.mkdir()
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 999")
    database.close()
    before = path.read_bytes()
    code, _, err = command("run", "x", "--model", "demo:demo")
    assert (code, "written by a newer DataAgent" in err) == (1, True)
    assert command("doctor")[0] == 1
    assert path.read_bytes() == before


@pytest.mark.requirement("F2-corrupt-database")
def test_a_corrupt_database_is_refused_and_left_as_it_is(command: Command, tmp_path: Path):
    path = tmp_path / "home" / "dataagent.db"
    path.parent.mkdir()
    path.write_bytes(b"this is not a database " * 500)
    before = path.read_bytes()
    code, _, err = command("run", "x", "--model", "demo:demo")
    assert (code, "The file is damaged" in err) == (1, True)
    code, out, _ = command("doctor")
    assert (code, "is damaged" in out) == (1, True)
    assert path.read_bytes() == before
