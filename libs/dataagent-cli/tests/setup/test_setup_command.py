"""`dataagent setup` as a person at a terminal sees it, and as a program does."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from model_servers import OLLAMA_TAGS, Reply, serving

Process = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.mark.requirement("F8-9-local")
def test_without_a_terminal_it_asks_nothing_and_says_what_to_set(dataagent: Process):
    done = dataagent("setup")
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"DATAAGENT_MODEL" in done.stderr


def test_json_says_what_is_found_here(dataagent: Process, environment: dict[str, str]):
    with serving({"/api/tags": Reply.of(OLLAMA_TAGS)}) as url:
        environment["OLLAMA_HOST"] = url
        done = dataagent("setup", "--json")
    told = json.loads(done.stdout)
    assert done.returncode == 0
    assert not told["configured"]
    assert {"server": "Ollama", "address": url, "models": ["qwen3:8b"]} in told["found"]


@pytest.mark.requirement("F8-9-key")
def test_a_key_typed_at_the_terminal_does_not_show(
    start: Callable[..., Any], tmp_path: Path, environment: dict[str, str]
):
    environment["OPENAI_BASE_URL"] = "http://127.0.0.1:9/v1"
    with start("setup") as screen:
        menu = screen.until(r"your choice: ").string
        assert "No model is configured yet" in menu
        number = next(line for line in menu.splitlines() if "key" in line).strip()[0]
        screen.type(f"{number}\n")
        screen.until("does not show")
        screen.type("sk-proj-s3cret\n")
        shown = screen.until(r"Keep it anyway[\s\S]*your choice: ").string
        assert "s3cret" not in shown
        screen.type("2\n")
        screen.until("saved in")
        assert screen.exit_code() == 0
    assert "s3cret" in (tmp_path / "home" / "config.toml").read_text()


def test_ctrl_c_in_the_middle_of_a_key_leaves_a_terminal_that_shows_what_is_typed(
    start: Callable[..., Any], tmp_path: Path
):
    import os
    import termios

    with start("setup") as screen:
        menu = screen.until(r"your choice: ").string
        number = next(line for line in menu.splitlines() if "key" in line).strip()[0]
        screen.type(f"{number}\n")
        screen.until("does not show")
        terminal = screen._descriptor
        screen.press_ctrl_c()
        assert screen.exit_code() == 130
        assert os.isatty(terminal)
        assert termios.tcgetattr(terminal)[3] & termios.ECHO
    assert not (tmp_path / "home" / "config.toml").exists()
