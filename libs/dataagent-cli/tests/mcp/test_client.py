"""`dataagent mcp test|tools|call` against a real server, started for real in its sandbox."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., subprocess.CompletedProcess[bytes]]
Command = Callable[..., tuple[int, str, str]]
DATAAGENT = Path(sys.executable).with_name("dataagent")
LIBS = Path(__file__).parents[3]
SMALL = str(LIBS / "dataagent-core" / "tests" / "support" / "mcp_small_server.py")


@pytest.fixture
def small(command: Command, environment: dict[str, str], tmp_path: Path) -> Command:
    """Return the command, with the small server added."""
    environment["HOME"] = str(tmp_path / "person")
    environment["GIVEN"] = "from the environment"
    words = ["--env", "A=${GIVEN} $x", "--", sys.executable, SMALL]
    assert command("mcp", "add", "small", *words, "--name", environment["DATAAGENT_HOME"])[0] == 0
    return command


def processes_of(environment: dict[str, str]) -> list[str]:
    """List the running small servers of this test, found by the test's home."""
    home = environment["DATAAGENT_HOME"].encode()
    found: list[str] = []
    for entry in Path("/proc").iterdir():
        try:
            words = (entry / "cmdline").read_bytes()
        except OSError:
            continue
        if home in words:
            found.append(words.decode(errors="replace"))
    return found


def test_a_server_is_tested_its_tools_listed_and_one_called(
    small: Command, environment: dict[str, str]
):
    code, out, told = small("mcp", "test", "small")
    assert code == 0, told
    assert re.search(r"small works: \d+ tools · 2025-11-25 · \d+ ms", out)
    tested = json.loads(small("mcp", "test", "small", "--json")[1])
    assert (tested["name"], tested["protocol_version"]) == ("small", "2025-11-25")
    assert re.search(r"^echo +The tool echo\.$", small("mcp", "tools", "small")[1], re.MULTILINE)
    tools = json.loads(small("mcp", "tools", "small", "--json")[1])
    assert len(tools) == tested["tools"]
    echo = next(tool for tool in tools if tool["name"] == "echo")
    assert echo["inputSchema"]["properties"] == {"text": {"type": "string"}}
    assert processes_of(environment) == []


def test_the_answer_goes_to_stdout_without_what_could_steer_a_terminal(
    small: Command, dataagent: Run, environment: dict[str, str]
):
    del small
    done = dataagent("mcp", "call", "small", "echo", '{"text": "h\\u00e9 \\u001b[2Jllo"}')
    assert (done.returncode, done.stdout.decode()) == (0, "hé llo\n")
    done = dataagent("mcp", "call", "small", "echo", "-", stdin=b'{"text": "piped"}')
    assert done.stdout == b"piped\n"
    assert processes_of(environment) == []


def test_variables_are_filled_in_from_the_persons_environment_and_nothing_else_is_passed(
    small: Command, environment: dict[str, str]
):
    environment["PRIVATE_TOKEN"] = "x"
    given = json.loads(small("mcp", "call", "small", "env")[1])
    assert given["A"] == "from the environment $x"
    assert "PRIVATE_TOKEN" not in given
    assert "GIVEN" not in given
    del environment["GIVEN"]
    code, _, told = small("mcp", "call", "small", "env")
    assert code == 1
    assert "needs the variable GIVEN in 'env.A'" in told


@pytest.mark.parametrize(
    ("wrong", "says"),
    [("{oops", "not JSON"), ("[1]", "not a JSON object"), ("[" * 99_999, "nested too deeply")],
)
def test_arguments_must_be_a_json_object(small: Command, wrong: str, says: str):
    code, _, told = small("mcp", "call", "small", "echo", wrong)
    assert code == 2
    assert says in told


def test_structured_answers_progress_and_failures_are_shown(small: Command):
    told = json.loads(small("mcp", "call", "small", "structured", '{"value": 7}', "--json")[1])
    assert told["structured"] == {"value": 7}
    assert told["is_error"] is False
    _, out, err = small("mcp", "call", "small", "progress", '{"steps": 2}')
    assert out == "made 2 steps\n"
    assert "[##########----------] 1/2 step 1\n" in err
    code, out, err = small("mcp", "call", "small", "fail", '{"text": "no luck"}')
    assert (code, out) == (1, "no luck\n")
    assert "fail failed" in err


def test_a_picture_is_saved_and_its_path_told(small: Command, workspace: Path):
    _, _, told = small("mcp", "call", "small", "image")
    (saved,) = workspace.glob("mcp/*.png")
    assert str(saved) in told
    assert saved.read_bytes().startswith(b"\x89PNG")
    shown = json.loads(small("mcp", "call", "small", "image", "--json")[1])
    assert shown["content"] == [{"type": "image", "mime_type": "image/png", "path": str(saved)}]


def test_a_tool_that_is_not_there_is_answered_with_one_that_is(small: Command):
    code, _, told = small("mcp", "call", "small", "ecko")
    assert code == 1
    assert "Did you mean 'echo'?" in told


@pytest.mark.parametrize(
    ("words", "says", "step"),
    [
        (["--", sys.executable, SMALL, "--refuse-start"], "refuses to start", "run its command"),
        (["--timeout", "1", "--", sys.executable, SMALL, "--hang-start"], "1 s", "run its command"),
        (["--", "no-such-program"], "no program 'no-such-program'", "Install it"),
        (["--url", "http://127.0.0.1:9/mcp"], "nothing listens", "check that http://127.0.0.1:9"),
    ],
)
def test_a_server_that_fails_is_told_with_the_next_step(
    small: Command, environment: dict[str, str], words: list[str], says: str, step: str
):
    named = ["--name", environment["DATAAGENT_HOME"]] if SMALL in words else []
    small("mcp", "add", "bad", *words, *named)
    for order in (["test", "bad"], ["call", "bad", "echo"]):
        code, _, told = small("mcp", *order)
        assert code == 1
        assert says in told
        assert step in told
    event = json.loads(small("mcp", "test", "bad", "--json")[1])
    assert event["code"] == "MCP_SERVER_ERROR"
    assert step in event["error"]
    assert processes_of(environment) == []


def test_a_program_takes_no_sign_in(small: Command):
    code, _, told = small("mcp", "login", "small")
    assert code == 2
    assert "--env" in told


def test_a_server_may_ask_the_person_at_the_terminal(small: Command, start: Any):
    del small
    with start("mcp", "call", "small", "elicit", '{"message": "Who\\u202e?"}') as screen:
        shown = screen.until("name: ").string
        assert "the MCP server small asks you, not DataAgent" in shown
        assert "\u202e" not in shown
        screen.type("\n")
        screen.until("name: ")
        screen.type("Ann\n")
        screen.until(r'"action": "accept", "content": \{"name": "Ann"\}')
        assert screen.exit_code() == 0


def test_ctrl_c_ends_a_call_and_the_program(
    small: Command, start: Any, environment: dict[str, str]
):
    del small
    with start("mcp", "call", "small", "sleep", '{"seconds": 1000}') as screen:
        deadline = time.monotonic() + 40
        while not processes_of(environment):
            assert time.monotonic() < deadline
        screen.press_ctrl_c()
        assert screen.exit_code() == 130
    assert processes_of(environment) == []


def test_nobody_is_asked_where_nobody_is(small: Command):
    assert '"action": "decline"' in small("mcp", "call", "small", "elicit")[1]


def test_our_own_server_is_served_to_whoever_starts_it(command: Command):
    # Our packages are outside the environment's own folder here, so they are mounted too.
    words = ["--timeout", "100", "--read", str(LIBS), "--", str(DATAAGENT), "mcp", "serve"]
    command("mcp", "add", "us", *words, "--read-only")
    tools = json.loads(command("mcp", "tools", "us", "--json")[1])
    names = {tool["name"] for tool in tools}
    assert {"sql_query", "read_file"} <= names
    assert not {"write_file", "ask_agent", "sql_write"} & names
