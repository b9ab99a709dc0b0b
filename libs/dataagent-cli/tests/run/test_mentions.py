"""`dataagent run` notes unknown `@` names before the model is called."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from drawn_pictures import picture

Command = Callable[..., tuple[int, str, str]]

THINKS = {
    "text": "First the file.",
    "tool_calls": [{"name": "ls", "args": {"path": "/"}}],
}
ANSWER = {"text": "Done."}
SAID = "there is no sub-agent, file, folder, data source or MCP server 'missing.csv' here"


def test_a_name_that_nothing_has_is_said_first_and_the_run_goes_on(
    command: Command, endpoint: Any
) -> None:
    with endpoint(THINKS, ANSWER) as served:
        code, out, err = command("run", "sum up @missing.csv, please")
    assert (code, out) == (0, "Done.\n")
    assert err.index(SAID) < err.index("First the file.")
    assert "check the name" in err
    assert "@missing.csv" in str(served.requests[0].body)


def test_with_json_it_is_said_on_stderr_alone(command: Command, endpoint: Any) -> None:
    with endpoint(ANSWER):
        code, out, err = command("run", "sum up @missing.csv", "--json")
    assert code == 0
    assert SAID in err
    events = [json.loads(line) for line in out.splitlines()]
    assert (events[0]["event_type"], events[-1]["event_type"]) == ("start", "done")
    assert SAID not in out


def test_it_is_said_in_chinese_too(
    command: Command, endpoint: Any, environment: dict[str, str]
) -> None:
    environment["LC_ALL"] = "zh_CN.UTF-8"
    with endpoint(ANSWER):
        _, _, err = command("run", "总结 @missing.csv")
    assert "名为 'missing.csv' 的子智能体、文件" in err


@pytest.mark.parametrize(
    "prompt", ["sum up @here.csv and @sales/", "mail me@example.com", "see @~/shot.png"]
)
def test_nothing_is_said_of_what_is_there_or_no_name(  # noqa: PLR0917 (fixtures)
    command: Command,
    endpoint: Any,
    environment: dict[str, str],
    workspace: Path,
    tmp_path: Path,
    prompt: str,
) -> None:
    (workspace / "here.csv").write_text("a\n1\n")
    (workspace / "sales").mkdir()
    (tmp_path / "shot.png").write_bytes(picture(30, 20))
    environment["HOME"] = str(tmp_path)
    with endpoint(ANSWER):
        code, _, err = command("run", prompt)
    assert code == 0
    assert "there is no file" not in err


def test_words_that_were_piped_in_name_nothing(dataagent: Any, endpoint: Any) -> None:
    with endpoint(ANSWER):
        done = dataagent("run", "review this", stdin=b"see @missing.csv")
    assert done.returncode == 0, done.stderr
    assert b"there is no file" not in done.stderr
