"""The slash commands in a real terminal, with real parts."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

OpenTerminal = Callable[..., Any]

SMALL = Path(__file__).parents[3] / "dataagent-core" / "tests" / "support" / "mcp_small_server.py"
READY = r"openai:scripted"
ASKED = r"your choice: *$"
# The program's command has ended and the prompt is drawn again.
PROMPT_AFTER = r"{}[\s\S]*ask anything"
HELLO = [{"text": "Hello there."}]


def writing(content: str, path: str = "/a.txt") -> list[dict[str, Any]]:
    call = {"name": "write_file", "args": {"file_path": path, "content": content}}
    return [{"text": "I write.", "tool_calls": [call]}, {"text": f"Wrote {content}."}]


def approved(terminal: Any, message: str, done: str) -> None:
    """Send a message, and approve the agent's request."""
    terminal.enter(message)
    terminal.until(ASKED)
    terminal.enter("y")
    terminal.until(rf"{done}[\s\S]*done ·")


@pytest.mark.requirement("F8-6")
def test_what_the_agent_has_is_listed_with_the_rule_that_applies(
    open_terminal: OpenTerminal, scripts: Any, environment: dict[str, str], workspace: Path
):
    (workspace / "AGENTS.md").write_text("Always use metric units.\n")
    skill = workspace / ".dataagent" / "skills" / "tidy-up"
    skill.mkdir(parents=True)
    (skill / "SKILL.md").write_text("---\nname: tidy-up\ndescription: Tidies rooms.\n---\nDo it.\n")
    (workspace / "sales.csv").write_text("a\n1\n")
    with scripts(hello=HELLO), open_terminal(columns=100, rows=50) as terminal:
        terminal.until(READY)
        terminal.enter("/tools")
        shown = terminal.until("permissions explain", everywhere=True)
        assert re.search(r"^built-in \(\d+\)", shown, re.MULTILINE)
        assert re.search(r"^  read_file +allow ", shown, re.MULTILINE)
        assert re.search(r"^  write_file +ask ", shown, re.MULTILINE)
        (workspace / ".dataagent" / "agents").mkdir()
        (workspace / ".dataagent" / "agents" / "broken.md").write_text("---\ntools: [a\n---\np")
        terminal.enter("/agents")
        terminal.until("broken sub-agents: 1")
        assert "@code-reviewer" in terminal.until("agents new")
        terminal.enter("/agents code-reviewer")
        terminal.until("^max_iterations: 30")
        terminal.enter("/skills")
        terminal.until("Use a skill")
        terminal.enter("tidy")
        terminal.until("Use the skill tidy-up: ")
        terminal.enter("")
        terminal.enter("/memory")
        assert "Always use metric units." in terminal.until("Edit the files")
        terminal.enter("/mcp")
        terminal.until("/mcp add NAME")
        terminal.enter("/sources")
        terminal.until("/sources add NAME")
        # With arguments, a command runs the program's own, in the same terminal.
        terminal.enter("/sources add sales sales.csv")
        terminal.until(PROMPT_AFTER.format("added sales: 1 table"))
        terminal.enter("/sources")
        # How much of its path is shown depends on the workspace.
        terminal.until(r"^sales +files +/")
        # A new rule applies at once.
        terminal.enter("/permissions add deny write_file")
        terminal.until(PROMPT_AFTER.format("deny write_file"))
        terminal.enter("/permissions")
        terminal.until(r"person +1 +deny +write_file")
        terminal.enter("/tools")
        terminal.until(r"write_file +deny")


@pytest.mark.requirement("F8-6")
def test_a_rule_and_a_model_chosen_in_the_conversation_count_for_the_next_message(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path, environment: dict[str, str]
):
    with scripts(write=writing("one"), hello=HELLO) as served, open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("/permissions add deny write_file")
        terminal.until(PROMPT_AFTER.format("deny write_file"))
        terminal.enter("write it")
        terminal.until(r"Wrote one[\s\S]*done ·")
        assert not (workspace / "a.txt").exists()
        terminal.enter("/model")
        shown = terminal.until("/model NAME switches", everywhere=True)
        assert re.search(r"^> +openai:scripted ", shown, re.MULTILINE)
        assert re.search(r"gpt-4o +128,000 +16,384 +2\.5 / 10", shown)
        terminal.enter("/model nobody:knows")
        terminal.until(r"error: .*nobody[\s\S]*openai:scripted  ·")
        terminal.enter("/model openai:gpt-4o")
        terminal.until("the next message goes to openai:gpt-4o: window 128,000 tokens")
        terminal.until("openai:gpt-4o  ·")
        terminal.enter("hello")
        terminal.until("Hello there")
        assert served.requests[-1].body["model"] == "gpt-4o"
        terminal.enter("/cost")
        terminal.until(r"this session: 3 calls, [\d,]+ tokens in")
        terminal.enter("/context")
        shown = terminal.until(r"window: 128,000 tokens")
        assert re.search(r"^ *[ITSNPMR]{2,}\.{20,}", shown, re.MULTILINE), shown
        assert re.search(r"^M messages +[\d,]+ +\d", shown, re.MULTILINE)


@pytest.mark.requirement("F8-walk-rewind")
@pytest.mark.requirement("F8-6")
def test_changes_are_shown_and_go_back_except_what_the_person_changed(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path
):
    two = writing("two", "/b.txt")
    with scripts(first=writing("one"), second=two), open_terminal(rows=40) as terminal:
        terminal.until(READY)
        terminal.enter("/undo")
        terminal.until("error: .*no message to undo")
        approved(terminal, "first", "Wrote one")
        approved(terminal, "second", "Wrote two")
        terminal.enter("/diff 2")
        shown = terminal.until("made .*b.txt").rpartition("/diff 2")[2]
        assert "a.txt" not in shown
        terminal.enter("/diff")
        terminal.until("made .*a.txt")
        assert "\x1b[32m+one" in terminal.screen(colours=True)
        terminal.enter("/diff 9")
        terminal.until("has 2 questions; there is no number 9")
        terminal.enter("/undo")
        terminal.until("removed .*b.txt")
        terminal.until("0 restored, 1 removed, 0 left as is")
        assert not (workspace / "b.txt").exists()
        (workspace / "a.txt").write_text("mine")
        terminal.enter("/rewind")
        terminal.until("before which question")
        assert "#2  second" in terminal.until("#1  first")
        terminal.keys("Down", "Enter")
        terminal.until("what goes back")
        terminal.keys("Down", "Down", "Enter")
        terminal.until("left as it is: .*a.txt .somebody else changed it")
        terminal.enter("/diff")
        terminal.until("cannot go back: somebody else changed it")
    assert (workspace / "a.txt").read_text() == "mine"


def test_files_and_conversation_go_back_together_and_the_question_can_be_asked_again(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path
):
    two = writing("two", "/b.txt")
    with scripts(first=writing("one"), second=two) as served, open_terminal(rows=40) as terminal:
        terminal.until(READY)
        approved(terminal, "first", "Wrote one")
        approved(terminal, "second", "Wrote two")
        terminal.enter("/rewind 2 all")
        terminal.until("'all' is neither both, conversation nor files")
        terminal.enter("/rewind 2")
        terminal.until("what goes back")
        terminal.keys("Enter")
        # A new session, with the text in its input.
        terminal.until(r"before question 2[\s\S]*^› second *$", everywhere=True)  # noqa: RUF001
        assert sorted(path.name for path in workspace.iterdir()) == ["a.txt"]
        asked = len(served.requests)
        terminal.keys("Enter")
        terminal.until(rf"before question 2[\s\S]*{ASKED}", everywhere=True)
        # The model does not learn what was taken back.
        told = str(served.requests[asked].body["messages"])
        assert "first" in told
        assert "Wrote two" not in told
        assert told.count("second") == 1


def test_a_conversation_goes_back_alone(open_terminal: OpenTerminal, scripts: Any, workspace: Path):
    with scripts(first=writing("one")), open_terminal(rows=40) as terminal:
        terminal.until(READY)
        approved(terminal, "first", "Wrote one")
        terminal.enter("/rewind 1 conversation")
        terminal.until(r"before question 1[\s\S]*^› first *$", everywhere=True)  # noqa: RUF001
    assert (workspace / "a.txt").read_text().strip() == "one"


@pytest.mark.requirement("F8-walk-fork")
@pytest.mark.requirement("F8-5")
@pytest.mark.requirement("F8-6")
def test_a_session_is_named_found_forked_resumed_and_exported(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path
):
    with scripts(hello=HELLO), open_terminal(rows=30) as terminal:
        terminal.until(READY)
        terminal.enter("/rename")
        terminal.until("/rename TITLE")
        terminal.enter("hello number one")
        terminal.until("Hello there")
        terminal.enter("hello number two")
        terminal.until(r"number two[\s\S]*Hello there")
        terminal.enter("/rename The greeting")
        terminal.until("the session is now called 'The greeting'")
        terminal.enter("/export html page.html")
        terminal.until(r"wrote\s+.*page.html")
        assert "hello number one" in (workspace / "page.html").read_text()
        terminal.enter("/export html page.html")
        terminal.until("page.html' is there already")
        terminal.enter("/export json")
        terminal.until(r"wrote\s+.*session-\w+.json")
        [exported] = workspace.glob("session-*.json")
        first = exported.stem.removeprefix("session-")
        terminal.enter("/export json")
        terminal.until(rf"wrote\s+.*session-{first}-2.json")
        json.loads(exported.read_text())
        # A fork from before the second question, which becomes current.
        terminal.enter("/fork 2")
        terminal.until(
            r"in a copy of the session now[\s\S]*/help lists[\s\S]*number one[\s\S]*ask anything",
            everywhere=True,
        )
        terminal.enter("hello instead")
        terminal.until(r"hello instead[\s\S]*Hello there[\s\S]*done ·")
        terminal.enter("/search greeting number")
        assert (
            len(re.findall(r"^  \w{12}  20", terminal.until("/resume SESSION"), re.MULTILINE)) == 2
        )
        terminal.enter("/clear")
        terminal.until_gone("hello instead")
        terminal.until(r"/help lists commands[\s\S]*ask anything[\s\S]*openai:scripted")
        terminal.enter("/resume nosuch")
        terminal.until("error: .*nosuch")
        terminal.enter("/resume")
        terminal.until("which session")
        terminal.type("greeting")
        terminal.keys("Escape")
        terminal.until("ask anything")
        terminal.enter(f"/resume {first}")
        terminal.until("hello number two")
        terminal.enter(f"/resume {first}")
        terminal.until("you are in that session already")


@pytest.mark.requirement("F8-6-user-commands")
def test_commands_of_a_trusted_project_are_listed_completed_and_sent_as_words(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path
):
    folder = workspace / ".dataagent" / "commands"
    folder.mkdir(parents=True)
    (folder / "greet.md").write_text("---\ndescription: Says hello\n---\nhello $1\n")
    # Its text begins like a shell line, and like one of our commands.
    (folder / "sly.md").write_text("!touch made-by-a-file hello\n")
    (folder / "undo.md").write_text("hello\n")
    with scripts(hello=HELLO) as served, open_terminal(rows=45) as terminal:
        terminal.until(READY)
        terminal.type("/gre")
        terminal.until("/greet +Says hello")
        terminal.type("et Ada")
        terminal.keys("Enter")
        terminal.until("Hello there")
        assert served.requests[-1].body["messages"][-1]["content"].endswith("hello Ada")
        terminal.enter("/sly")
        terminal.until(r"made-by-a-file hello[\s\S]*Hello there")
        assert not (workspace / "made-by-a-file").exists()
        terminal.enter("/help")
        shown = terminal.until("Enter sends")
        assert re.search(r"/greet +Says hello", shown)
        assert re.search(r"/undo +take back", shown)
        assert "/undo is a command of ours" in shown
        terminal.enter("/gret")
        terminal.until("there is no command /gret. Did you mean .greet.")


@pytest.mark.requirement("F8-6-user-commands")
def test_commands_of_a_folder_that_is_not_trusted_are_none(
    open_terminal: OpenTerminal, scripts: Any, workspace: Path
):
    folder = workspace / ".dataagent" / "commands"
    folder.mkdir(parents=True)
    (folder / "greet.md").write_text("hello\n")
    with scripts(hello=HELLO), open_terminal(trusted=False) as terminal:
        terminal.until(ASKED)
        terminal.enter("n")
        terminal.until(READY)
        terminal.enter("/greet")
        terminal.until("there is no command /greet")


@pytest.mark.requirement("F8-6")
def test_commands_work_in_a_dumb_terminal_and_in_chinese(
    open_terminal: OpenTerminal, scripts: Any, environment: dict[str, str], workspace: Path
):
    environment["TEST_TERM"] = "dumb"
    environment["DATAAGENT_LANGUAGE"] = "zh"
    with scripts(first=writing("one")), open_terminal(rows=40) as terminal:
        terminal.until("> $")
        terminal.enter("/cost")
        terminal.until("尚未使用任何模型")
        terminal.enter("first")
        terminal.until("选择.*$|[:] *$")
        terminal.enter("y")
        terminal.until("Wrote one")
        terminal.until("> $")
        terminal.enter("/rewind")
        terminal.until(r"\[1\] #1  first")
        terminal.enter("1")
        terminal.until(r"\[3\] 仅文件")
        terminal.enter("3")
        terminal.until("移除 1 个")
        assert not (workspace / "a.txt").exists()
        terminal.enter("/doctor")
        terminal.until("sandbox +")
        terminal.until(r"✓ model|✗ model|· model")
        terminal.enter("/clear")
        terminal.until(r"/help[\s\S]*/help", everywhere=True)
        terminal.enter("/quit")
        assert terminal.exit_code() == 0


@pytest.mark.requirement("F8-6")
def test_nothing_that_needs_a_pause_is_done_while_the_agent_works(
    open_terminal: OpenTerminal, scripts: Any
):
    slow = [{"text": "word " * 400, "chunk_chars": 5, "chunk_delay_s": 0.1}]
    with scripts(slow=slow), open_terminal() as terminal:
        terminal.until(READY)
        terminal.enter("slow")
        terminal.until("word word")
        for command in ("/undo", "/clear", "/model openai:other", "/fork", "/resume"):
            terminal.enter(command)
            terminal.until(rf"{command}\s+error: the agent is at work", everywhere=True)
        terminal.keys("Escape")
        terminal.until("stopped; what was done is kept")


@pytest.mark.requirement("F8-6")
def test_a_server_added_in_the_conversation_is_used_by_the_next_message(
    open_terminal: OpenTerminal, scripts: Any, environment: dict[str, str], tmp_path: Path
):
    environment["HOME"] = str(tmp_path / "person")
    call = {"name": "mcp__local_small__echo", "args": {"text": "back again"}}
    with (
        scripts(echo=[{"tool_calls": [call]}, {"text": "It echoed."}]) as served,
        open_terminal(columns=100, rows=40) as terminal,
    ):
        terminal.until(READY)
        terminal.enter(f"/mcp add small -- {sys.executable} {SMALL}")
        terminal.until(PROMPT_AFTER.format("mcp test small"))
        terminal.enter("/mcp")
        terminal.until(r"^small +\w+ +stdio")
        terminal.enter("/tools")
        terminal.until(r"mcp:small \(\d+\)[\s\S]*mcp__local_small__echo +ask")
        approved(terminal, "echo please", "It echoed")
        assert "back again" in str(served.requests[-1].body["messages"][-1]["content"])


@pytest.mark.requirement("F8-6")
def test_the_history_is_made_shorter_on_demand_and_the_session_goes_on_in_its_place(
    open_terminal: OpenTerminal, scripts: Any
):
    long = [{"text": "word " * 3000}]
    with scripts(**{"Summar|summar": [{"text": "They greeted."}], "hello": long}):
        with open_terminal() as terminal:
            terminal.until(READY)
            for number in range(4):
                terminal.enter(f"hello {number}")
                terminal.until(
                    rf"^. hello {number}\b[\s\S]*done ·[\s\S]*ask anything", everywhere=True
                )
            terminal.enter("/compact the names")
            terminal.until(PROMPT_AFTER.format("the history was shortened for the model"))
            assert "› the names" not in terminal.everything()  # noqa: RUF001 (the prompt's sign)
            terminal.enter("/rewind")
            assert not re.search(r"#\d+  the names", terminal.until("#1  hello 0"))
            terminal.keys("Escape")
            terminal.until("ask anything")
            terminal.keys("C-d")
            assert terminal.exit_code() == 0
        with open_terminal("--continue") as terminal:
            terminal.until("hello 3", everywhere=True)
