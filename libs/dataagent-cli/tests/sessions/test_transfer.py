"""`dataagent sessions fork|search|rename|export|import`: commands on whole sessions."""

import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., tuple[int, str, str]]
WRITE = {"name": "write_file", "args": {"file_path": "/notes.txt", "content": "kept"}}


def asked(served: Any, number: int = -1) -> list[str]:
    """List the user messages in a request to the model."""
    messages = served.requests[number].body["messages"]
    return [_text(m["content"]) for m in messages if m["role"] == "user"]


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part["text"] for part in content)


def ran(command: Command, *arguments: str) -> str:
    code, out, err = command(*arguments)
    assert code == 0, err
    return out


@pytest.fixture
def served(endpoint: Callable[..., Any], command: Command) -> Any:
    with endpoint({"tool_calls": [WRITE]}, {"text": "done 完成"}) as opened:
        for prompt in ("sales of May", "五月的销售额", "third"):
            ran(command, "run", prompt, "--session", "s1", "--yes")
        yield opened


@pytest.mark.requirement("F8-fork")
def test_a_fork_goes_on_from_before_the_question(command: Command, served: Any):
    made = json.loads(ran(command, "sessions", "fork", "s1", "3", "--session", "f1", "--json"))
    assert made == {"session_id": "f1", "runs": 2, "left_unfinished": False}
    ran(command, "run", "another way", "--session", "f1", "--yes")
    assert asked(served) == ["sales of May", "五月的销售额", "another way"]
    ran(command, "run", "on", "--session", "s1", "--yes")
    assert asked(served) == ["sales of May", "五月的销售额", "third", "on"]
    usage = json.loads(ran(command, "usage", "--session", "f1", "--json"))
    whole = json.loads(ran(command, "usage", "--session", "s1", "--json"))
    assert (calls_of(usage), calls_of(whole)) == (2, 8)


def calls_of(usage: Any) -> int:
    return usage["total"]["calls"]


@pytest.mark.usefixtures("served")
def test_a_fork_of_what_is_not_there_is_an_error(command: Command):
    for arguments, said in (
        (("nowhere",), "there is no session 'nowhere'"),
        (("s1", "9"), "there is no number 9"),
        (("s1", "x:m0"), "no message 'x:m0'"),
        (("s1", "--session", "s1"), "already exists"),
        (("s1", "--session", "../up"), "cannot be a session id"),
    ):
        code, _, err = command("sessions", "fork", *arguments)
        assert (code != 0, said in err) == (True, True), err


@pytest.mark.requirement("F8-search")
@pytest.mark.usefixtures("served")
def test_sessions_are_found_by_words_and_by_the_name_they_were_given(command: Command):
    ran(command, "run", "something else", "--session", "s2", "--yes")
    ran(command, "sessions", "rename", "s2", "  Quarterly\n 报表 ")

    def found(*words: str) -> list[str]:
        page = json.loads(ran(command, "sessions", "search", *words, "--json"))
        return [one["session_id"] for one in page["items"]]

    assert found("MAY", "sales") == ["s1"]
    assert found("销售") == ["s1"]
    assert found("报表", "quarterly") == ["s2"]
    assert found("完成") == ["s2", "s1"]
    assert found("nothing-of-that") == []
    shown = ran(command, "sessions", "search", "may")
    assert "s1" in shown
    assert "sales of May" in shown
    listed = json.loads(ran(command, "sessions", "list", "--json"))
    assert {one["session_id"]: one["title"] for one in listed} == {
        "s1": "sales of May",
        "s2": "Quarterly 报表",
    }
    first = json.loads(ran(command, "sessions", "search", "完成", "--limit", "1", "--json"))
    page = ("--after", first["next"], "--json")
    rest = json.loads(ran(command, "sessions", "search", "完成", *page))
    assert [one["session_id"] for one in (*first["items"], *rest["items"])] == ["s2", "s1"]
    assert command("sessions", "rename", "s1", " \n")[0] == 2


@pytest.mark.requirement("F8-export")
@pytest.mark.usefixtures("served")
def test_a_session_is_exported_as_markdown_html_and_json(command: Command, tmp_path: Path):
    text = ran(command, "sessions", "export", "s1")
    assert text.startswith("# sales of May\n")
    assert "> 五月的销售额" in text
    file = tmp_path / "s.html"
    ran(command, "sessions", "export", "s1", "--format", "html", "-o", str(file))
    assert "done 完成" in file.read_text()
    named = tmp_path / "named.html"
    ran(command, "sessions", "export", "s1", "-o", str(named))
    assert named.read_text() == file.read_text()
    code, _, told = command("sessions", "export", "s1", "-o", str(tmp_path / "named.pdf"))
    assert code == 2
    assert "md, html or json" in told
    assert not (tmp_path / "named.pdf").exists()
    document = json.loads(ran(command, "sessions", "export", "s1", "--format", "json"))
    assert (document["format"], len(document["messages"])) == ("dataagent.session", 6)
    assert str(tmp_path) not in json.dumps(document["messages"])
    assert command("sessions", "export", "nowhere")[0] == 1
    nowhere = tmp_path / "no such folder" / "a.md"
    code, _, told = command("sessions", "export", "s1", "-o", str(nowhere))
    assert code != 0
    assert told.startswith("error: ")
    assert "no such folder" in told
    assert "unexpected" not in told
    assert command("sessions", "export", "s1", "--workspace")[0] == 2


@pytest.mark.requirement("F8-bundle")
def test_a_session_goes_on_in_another_home_with_its_workspace(
    command: Command,
    served: Any,
    *,
    environment: dict[str, str],
    workspace: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
):
    (workspace / ".env").write_text("KEY=hunter2")
    (workspace / "passwd").symlink_to("/etc/passwd")
    bundle = str(tmp_path / "s.zip")
    wrote = json.loads(
        ran(command, "sessions", "export", "s1", "--bundle", bundle, "--workspace", "--json")
    )
    assert (wrote["files"], sorted(wrote["left_out"])) == (1, [".env", "passwd"])
    assert b"hunter2" not in Path(bundle).read_bytes()
    environment["DATAAGENT_HOME"] = str(tmp_path / "other")
    place = tmp_path / "elsewhere"
    arguments = ("--workspace", str(place), "--session", "i1", "--json")
    taken = json.loads(ran(command, "sessions", "import", bundle, *arguments))
    assert taken == {"session_id": "i1", "files": 1, "left_out": []}
    assert [p.name for p in place.iterdir()] == ["notes.txt"]
    monkeypatch.chdir(place)
    ran(command, "run", "go on", "--session", "i1", "--yes")
    assert asked(served) == ["sales of May", "五月的销售额", "third", "go on"]
    assert json.loads(ran(command, "sessions", "list", "--json"))[0]["title"] == "sales of May"
    # Imported again: it is another session, and nothing is overwritten.
    assert command("sessions", "import", bundle, "--workspace", str(place))[0] != 0
    assert json.loads(ran(command, "sessions", "import", bundle, "--json"))["session_id"] != "i1"
    assert command("sessions", "import", bundle, "--session", "i1")[0] == 1


@pytest.mark.usefixtures("served")
def test_a_bundle_that_is_wrong_leaves_nothing(command: Command, tmp_path: Path):
    bundle = tmp_path / "s.zip"
    ran(command, "sessions", "export", "s1", "--bundle", str(bundle), "--workspace")
    with zipfile.ZipFile(bundle, "a") as archive:
        archive.writestr("workspace/../../../escaped", "x")
    place = tmp_path / "elsewhere"
    code, _, err = command("sessions", "import", str(bundle), "--workspace", str(place))
    assert (code, "refused" in err, place.exists()) == (2, True, False)
    assert len(json.loads(ran(command, "sessions", "list", "--json"))) == 1
    assert command("sessions", "import", str(tmp_path / "none.zip"))[0] == 1
