"""The first start in a real terminal: the directory, the model, the first answer."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from model_servers import OLLAMA_TAGS, Reply, serving

OpenTerminal = Callable[..., Any]

ASKED = r"your choice: *$"


def ollama(asked: dict[str, Any]) -> Reply:
    """Answer as Ollama does: with the first tool when it is probed, else with text."""
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    if "hello" in str(asked["messages"][-1]["content"]):
        message["content"] = "Hello from **here**."
    else:
        name = asked["tools"][0]["function"]["name"]
        message["tool_calls"] = [{"function": {"name": name, "arguments": {"color": "blue"}}}]
    about = {"model": asked["model"], "created_at": "2026-01-05T10:11:12Z", "message": message}
    line = about | {"done": True, "done_reason": "stop", "prompt_eval_count": 5, "eval_count": 5}
    return Reply(json.dumps(line).encode() + b"\n", content_type="application/x-ndjson")


@pytest.mark.requirement("F8-walk-first-start")
@pytest.mark.requirement("F8-9-local")
def test_the_first_start_asks_for_trust_finds_a_local_model_and_answers(
    open_terminal: OpenTerminal, environment: dict[str, str], workspace: Path
):
    with serving({"/api/tags": Reply.of(OLLAMA_TAGS)}, ollama) as url:
        environment["OLLAMA_HOST"] = url
        with open_terminal(trusted=False) as terminal:
            shown = terminal.until(ASKED)
            assert "do you trust this directory?" in shown
            terminal.enter("y")
            shown = terminal.until(r"the demo[\s\S]*your choice: *$")
            assert len(re.findall("No model is configured", shown)) == 1
            assert re.search(r"1\. qwen3:8b +\(Ollama at ", shown)
            assert "paste a provider's key" in shown
            terminal.enter("7")
            terminal.until("type a number from 1 to")
            terminal.enter("1")
            terminal.until("can call tools")
            terminal.until("ollama:qwen3:8b  ·")
            terminal.enter("hello you")
            # During a run, Ctrl-D only says how to leave.
            terminal.until(r"Hello from here[\s\S]*done")
            terminal.keys("C-d")
            assert terminal.exit_code() == 0
        # Nothing is asked the second time.
        with open_terminal(trusted=False) as terminal:
            shown = terminal.until("ollama:qwen3:8b  ·")
            assert "your choice" not in shown
    assert not list(workspace.iterdir())


@pytest.mark.requirement("F8-walk-first-start")
@pytest.mark.requirement("F8-walk-sample-data")
@pytest.mark.requirement("F8-1-receipts")
def test_the_demo_is_one_enter_away_and_its_figures_have_receipts(
    open_terminal: OpenTerminal, workspace: Path, environment: dict[str, str]
):
    with open_terminal(rows=40) as terminal:
        terminal.until(ASKED)
        terminal.enter("3")
        shown = terminal.until(r"^› Which product categories[\s\S]*demo:demo")  # noqa: RUF001
        made = re.search(r"· (/\S+/dataagent-demo-\w+) ·", shown)
        assert made
        place = Path(made[1])
        try:
            terminal.keys("Enter")
            terminal.until(r"write_file asks[\s\S]*your choice: *$")
            # The note is edited before it is written, and the agent uses the edited one.
            terminal.enter("e")
            terminal.until(r'See the report\.\\n"\}')
            terminal.keys("BSpace", "BSpace")
            terminal.type('Signed.\\n"}')
            terminal.keys("Enter")
            terminal.until(r"edit_file asks[\s\S]*your choice: *$")
            terminal.enter("y")
            shown = terminal.until("figures traced: 9[\\s\\S]*of context", everywhere=True)
            assert re.search(r"^Grocery +│ 28,793,332\.28", shown, re.MULTILINE)
            assert "Signed." in (place / "note.md").read_text()
            assert "28,793,332.28" in (place / "note.md").read_text()
            below = shown.partition("28,793,332.28\n")[2]
            # The receipt is below the answer, and names the source of each figure.
            assert re.search(r"^figures traced: 9 \(r_\w{12}", below, re.MULTILINE)
        finally:
            shutil.rmtree(place)
    assert not list(workspace.iterdir())
