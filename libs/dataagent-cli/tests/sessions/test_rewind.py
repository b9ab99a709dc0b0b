"""`dataagent sessions rewind` and `changes`: the files of a session, and taking them back."""

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., tuple[int, str, str]]


@pytest.fixture
def two_questions(command: Command, endpoint: Callable[..., Any], workspace: Path) -> None:
    """Send two messages: the first makes a.txt, the second b.txt."""
    (workspace / "notes.txt").write_text("mine\n")
    for name in ("a", "b"):
        write = {
            "name": "write_file",
            "args": {"file_path": f"/{name}.txt", "content": f"{name}\n"},
        }
        with endpoint({"tool_calls": [write]}, {"text": "done"}):
            code, _, err = command("run", f"make {name}", "--yes", "--session", "s1")
            assert code == 0, err


@pytest.mark.requirement("F8-5-rewind-cli")
@pytest.mark.usefixtures("two_questions")
def test_a_session_goes_back_question_by_question(command: Command, workspace: Path):
    code, out, _ = command("sessions", "changes", "s1")
    assert code == 0
    assert "made /a.txt" in out
    assert "+b" in out
    since = json.loads(command("sessions", "changes", "s1", "--since", "2", "--json")[1])
    assert [change["path"] for change in since["files"]] == ["/b.txt"]

    done = json.loads(command("sessions", "rewind", "s1", "--json")[1])
    assert (done["removed"], done["restored"], done["kept"]) == (["/b.txt"], [], [])
    (workspace / "a.txt").write_text("person\n")
    code, out, err = command("sessions", "rewind", "s1", "1")
    assert code == 0
    assert "left as it is: /a.txt (somebody else changed it since)" in out
    assert "0 restored, 0 removed, 1 left as is" in err
    assert sorted(path.name for path in workspace.iterdir()) == ["a.txt", "notes.txt"]


@pytest.mark.usefixtures("two_questions")
def test_a_deleted_session_leaves_no_snapshots_behind(command: Command, tmp_path: Path):
    [store] = (tmp_path / "home" / "shadows").glob("*/*.db")

    def changes() -> int:
        with sqlite3.connect(store) as database:
            found = database.execute("SELECT count(*) FROM history_changes").fetchone()[0]
        database.close()
        return found

    assert changes() == 2
    assert command("sessions", "delete", "s1", "--yes")[0] == 0
    assert changes() == 0


@pytest.mark.usefixtures("two_questions")
def test_what_is_not_there_is_said(command: Command):
    assert "there is no session" in command("sessions", "rewind", "nowhere")[2]
    assert "there is no number 3" in command("sessions", "rewind", "s1", "3")[2]
    assert "no message 'x'" in command("sessions", "rewind", "s1", "x")[2]
