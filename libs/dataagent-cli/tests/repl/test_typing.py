"""The input of the conversation in a real terminal: lines, completion, history, pastes, sizes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

OpenTerminal = Callable[..., Any]

READY = r"Shift-Tab"
HELLO = [{"text": "Hello there."}]
ANY = [{"text": "Taken."}]


def last_prompt(served: Any) -> str:
    """Return the last message that the model received."""
    return str(served.requests[-1].body["messages"][-1]["content"])


@pytest.mark.requirement("F8-2")
def test_a_message_of_many_lines_is_written_with_three_keys(
    open_terminal: OpenTerminal, scripts: Any
):
    with scripts(**{".": ANY}) as served, open_terminal() as terminal:
        terminal.until(READY)
        terminal.type("one")
        terminal.keys("M-Enter")
        terminal.type("two")
        terminal.keys("C-j")
        terminal.type("three\\")
        terminal.keys("Enter")
        terminal.type("four 中文")
        terminal.until("^  four 中文")
        # Two cells for each Chinese character, after two cells of indent.
        assert terminal.cursor()[0] == len("  four ") + 4
        terminal.keys("Enter")
        terminal.until("Taken")
        assert last_prompt(served).endswith("one\ntwo\nthree\nfour 中文")


@pytest.mark.requirement("F8-2")
def test_a_long_paste_is_folded_and_sent_whole(open_terminal: OpenTerminal, scripts: Any):
    pasted = "\n".join(f"row {number}" for number in range(120))
    with scripts(**{".": ANY}) as served, open_terminal() as terminal:
        terminal.until(READY)
        terminal.type("look: ")
        terminal.paste(pasted)
        shown = terminal.until(r"look: \[pasted 120 lines\]")
        assert "row 3" not in shown
        terminal.keys("Enter")
        terminal.until("Taken")
        assert last_prompt(served).endswith(f"look: {pasted}")


@pytest.mark.requirement("F8-2")
def test_files_sources_and_commands_are_completed(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path
):
    (workspace / "sales.csv").write_text("a\n1\n")
    (workspace / "node_modules").mkdir()
    (workspace / "node_modules" / "saltmine.js").write_text("")
    with scripts(**{".": ANY}) as served, open_terminal() as terminal:
        terminal.until(READY)
        terminal.type("sum @sal")
        assert "saltmine" not in terminal.until("sales.csv")
        terminal.keys("Tab")
        terminal.until("sum @sales.csv")
        terminal.keys("Enter", "Enter")
        terminal.until("Taken")
        assert "sum @sales.csv\n\n<attached-file" in last_prompt(served)
        terminal.type("/he")
        terminal.until("list the commands and the keys")
        terminal.keys("Tab", "Enter", "Enter")
        terminal.until("/quit +leave")
        terminal.enter("/hepl")
        terminal.until("there is no command /hepl")


@pytest.mark.requirement("F8-2")
def test_what_was_typed_comes_back_in_the_next_process_and_is_searched(
    open_terminal: OpenTerminal, scripts: Any, environment: dict[str, str]
):
    with scripts(**{".": ANY}):
        with open_terminal() as terminal:
            terminal.until(READY)
            terminal.enter("the first question")
            terminal.until("of context")
            terminal.enter("the second one")
            terminal.until(r"second one[\s\S]*done")
            terminal.keys("C-d")
            assert terminal.exit_code() == 0
        kept = Path(environment["DATAAGENT_HOME"]) / "history.jsonl"
        assert kept.stat().st_mode & 0o777 == 0o600
        with open_terminal() as terminal:
            terminal.until(READY)
            terminal.keys("Up")
            terminal.until("^› the second one")  # noqa: RUF001 (the prompt's sign)
            terminal.keys("C-c")
            terminal.keys("C-r")
            terminal.type("first")
            # The match stands in the input during the search.
            terminal.until(r"^› the first question *\n+search: first")  # noqa: RUF001
            terminal.type("zz")
            terminal.until(r"search \(nothing found\): firstzz")
            terminal.keys("BSpace", "BSpace", "Enter")
            terminal.until("^› the first question")  # noqa: RUF001 (the prompt's sign)
            shown = terminal.until_gone("search")
            assert "sent:" not in shown
            terminal.keys("C-c", "C-r")
            terminal.until(r"^search: *$")


def test_a_second_shell_line_waits_for_the_first(open_terminal: OpenTerminal, scripts: Any):
    with scripts(**{".": ANY}), open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("!sleep 2; echo slow-is-over")
        terminal.until(r"^\$ sleep 2")
        terminal.enter("!echo quick-$((40 + 2))")
        shown = terminal.until(r"^quick-42", everywhere=True)
        request = ("$ sleep 2", "\nslow-is-over", "$ echo quick", "\nquick-42")
        places = [shown.index(words) for words in request]
        assert places == sorted(places)
        # Stopping includes queued messages.
        terminal.enter("!sleep 100")
        terminal.until(r"^\$ sleep 100")
        terminal.enter("!echo never-$((40 + 2))")
        terminal.until("waits: echo never")
        terminal.keys("Escape")
        terminal.until("cancelled")
        terminal.enter("!echo after-$((40 + 2))")
        assert "never-42" not in terminal.until("^after-42", everywhere=True)


@pytest.mark.requirement("F8-2")
def test_a_shell_line_runs_in_the_sandbox_and_shows_its_output(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path
):
    (workspace / "seen.txt").write_text("")
    with scripts(**{".": ANY}) as served, open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("!ls | grep seen; printf '\\033[31mred'; exit 3")
        shown = terminal.until("exit code 3")
        assert "seen.txt" in shown
        assert "red" in shown
        assert "\x1b[31mred" not in terminal.screen(colours=True)
        assert not served.requests


def test_the_output_of_a_shell_line_goes_to_the_model_with_the_next_message_and_once(
    open_terminal: OpenTerminal, scripts: Any
):
    with scripts(**{".": ANY * 2}) as served, open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("!echo seen-$((40 + 2)); exit 3")
        terminal.until("exit code 3")
        terminal.enter("!!echo private-$((40 + 2))")
        terminal.until("^private-42")
        terminal.enter("why?")
        shown = terminal.until("of context")
        # It is on the screen once, as the line printed it.
        assert shown.count("seen-42") == 1
        terminal.enter("and now?")
        terminal.until("and now[\\s\\S]*Taken")
        first, second = (str(one.body["messages"][-1]["content"]) for one in served.requests[:2])
    assert first.startswith("why?")
    assert "exit_code=3>\nseen-42\n</shell-output>" in first
    assert "private" not in first
    assert "seen-42" not in second


def test_a_mention_of_nothing_is_said_before_the_message_goes(
    open_terminal: OpenTerminal, scripts: Any
):
    with scripts(**{".": ANY}) as served, open_terminal(columns=100) as terminal:
        terminal.until(READY)
        terminal.enter("look at @nosuch.csv please")
        shown = terminal.until("Taken")
        said = shown.index(
            "there is no sub-agent, file, folder, data source or MCP server 'nosuch.csv' here"
        )
        assert said < shown.index("Taken")
        assert "nosuch.csv" in last_prompt(served)


@pytest.mark.requirement("F8-2")
def test_a_picture_is_named_so_that_the_agent_can_open_it(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path, tmp_path: Path
):
    Image.new("RGB", (2, 2)).save(tmp_path / "my shot.png")
    Image.new("RGB", (2, 2)).save(workspace / "here.png")
    with scripts(**{".": ANY}) as served, open_terminal() as terminal:
        terminal.until(READY)
        path = str(tmp_path / "my shot.png").replace(" ", "\\ ")
        terminal.enter(f"compare {path} with here.png")
        terminal.until("Taken")
        said = last_prompt(served)
    (kept,) = (workspace / "uploads").iterdir()
    assert f'compare @"uploads/{kept.name}" with @here.png' in said
    assert kept.read_bytes() == (tmp_path / "my shot.png").read_bytes()


@pytest.mark.requirement("F8-walk-resize")
def test_the_prompt_follows_the_size_of_the_terminal(open_terminal: OpenTerminal, scripts: Any):
    with scripts(**{".": HELLO}), open_terminal(columns=100, rows=30) as terminal:
        terminal.until(READY)
        terminal.enter("hello")
        terminal.until("of context")
        for columns, rows in ((44, 16), (120, 40), (80, 24)):
            terminal.resize(columns, rows)
            terminal.type("x")
            shown = terminal.until("^› x")  # noqa: RUF001 (the prompt's sign)
            terminal.keys("BSpace")
            shown = terminal.until("^› ask anything")  # noqa: RUF001 (the prompt's sign)
            assert shown.count("ask mode") == 1, shown
            assert shown.count("ask anything") == 1, shown
        assert "Hello there." in terminal.everything()


@pytest.mark.requirement("F8-walk-no-color")
@pytest.mark.parametrize("setting", ["NO_COLOR", "colours"])
def test_colours_are_left_out_on_demand(
    open_terminal: OpenTerminal, scripts: Any, environment: dict[str, str], setting: str
):
    environment[setting] = "1"
    with scripts(**{".": [{"text": "`code` **bold**"}]}), open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("hello")
        terminal.until("of context")
        shown = terminal.screen(colours=True)
    coloured = any(f"\x1b[{code}m" in shown for code in (31, 32, 33, 34, 35, 36))
    assert coloured is (setting == "colours")


@pytest.mark.requirement("F8-walk-dumb")
def test_a_dumb_terminal_has_lines_in_and_lines_out(
    open_terminal: OpenTerminal, scripts: Any, environment: dict[str, str], workspace: Path
):
    environment["TEST_TERM"] = "dumb"
    call = {"name": "write_file", "args": {"file_path": "/a.txt", "content": "x\n"}}
    writing = [{"tool_calls": [call]}, {"text": "Finished."}]
    with scripts(write=writing, hello=HELLO), open_terminal() as terminal:
        terminal.until(r"\[ask\] > *$")
        terminal.enter("hello")
        terminal.until("Hello there")
        terminal.until(r"\[ask\] > *$")
        terminal.enter("write it")
        terminal.until("your choice: *$")
        terminal.enter("y")
        terminal.until(r"Finished[\s\S]*\[ask\] > *$")
        terminal.keys("C-c")
        terminal.until("Ctrl-D or /quit leaves")
        terminal.keys("C-d")
        assert terminal.exit_code() == 0
        assert "\x1b" not in terminal.everything(colours=True)
    assert (workspace / "a.txt").exists()


@pytest.mark.requirement("F8-walk-chinese")
def test_chinese_words_for_who_speaks_chinese(
    open_terminal: OpenTerminal, scripts: Any, environment: dict[str, str]
):
    environment["DATAAGENT_LANGUAGE"] = "zh"
    with scripts(**{".": [{"text": "你好,世界。"}]}), open_terminal() as terminal:
        terminal.until("询问模式")
        terminal.enter("你好")
        shown = terminal.until("你好,世界")
        assert "› 你好" in shown  # noqa: RUF001 (the prompt's sign)
