"""The answer of `dataagent run` and of the demo in a real terminal: rendered, and streamed."""

import re
from collections.abc import Callable
from typing import Any

import pytest

OpenTerminal = Callable[..., Any]

ANSWER = (
    "# Result\n\nAll **done** in `a.py`.\n\n| city | sales |\n|---|--:|\n| Bern | 12 |\n\n"
    "- one\n- two\n"
)


def test_run_renders_markdown_on_a_terminal(open_terminal: OpenTerminal, endpoint: Any):
    with endpoint({"text": ANSWER, "chunk_chars": 7}), open_terminal("run", "go") as terminal:
        # tmux scrolls a line when the program ends.
        shown = terminal.until("tokens", everywhere=True)
        assert terminal.exit_code() == 0
    assert "All done in a.py." in shown
    assert re.search(r"Bern +│ +12", shown), shown
    assert " • one" in shown
    assert "**" not in shown
    # The temporary drawing is gone.
    assert shown.count("Result") == 1
    assert shown.count("Bern") == 1


# If a window is resized between reading its size and drawing, a line stays behind, whatever a
# program does. So there are few drawings, and more than one attempt.
@pytest.mark.flaky(reruns=3)
def test_run_shows_a_paragraph_while_it_is_written_and_keeps_it_once_after_a_resize(
    open_terminal: OpenTerminal, endpoint: Any
):
    words = " ".join(f"word{number:03d}" for number in range(60))
    text = f"Before it.\n\n{words}\n\nThe **end**."
    slow = {"text": text, "chunk_chars": 36, "chunk_delay_s": 0.3}
    with endpoint(slow), open_terminal("run", "go", columns=100, rows=24) as terminal:
        shown = terminal.until("word015")
        assert "word059" not in shown
        terminal.resize(41, 20)
        terminal.until("word030", everywhere=True)
        terminal.resize(90, 24)
        terminal.until("The end.[\\s\\S]*(tokens|done)", everywhere=True)
        everything = terminal.everything()
    found = re.findall(r"word\d{3}", everything)
    assert found == [f"word{number:03d}" for number in range(60)], everything
    assert everything.count("Before it.") == 1


def test_the_rest_of_an_answer_that_is_stopped_stays_on_the_screen(
    open_terminal: OpenTerminal, endpoint: Any
):
    slow = {"text": "word " * 400, "chunk_chars": 5, "chunk_delay_s": 0.1}
    with endpoint(slow), open_terminal("run", "go") as terminal:
        terminal.until("word word word")
        terminal.keys("C-c")
        shown = terminal.until("dataagent run --session")
        assert terminal.exit_code() == 130
    assert "word word word" in shown


def test_the_demo_renders_its_answer_on_a_terminal(open_terminal: OpenTerminal):
    with open_terminal("demo", columns=100, rows=60) as terminal:
        for tool in ("write_file", "edit_file"):
            terminal.until(rf"{tool} asks for your approval[\s\S]*your choice: *$")
            terminal.enter("y")
        terminal.until("Next: set ANTHROPIC_API_KEY", everywhere=True)
        everything = terminal.everything()
    assert re.search(r"Grocery +│ +28,793,332\.28", everything), everything
    assert "| Grocery |" not in everything
