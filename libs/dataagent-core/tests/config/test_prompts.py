"""The default system prompt."""

from pathlib import Path

import pytest

from dataagent_core.config import get_default_system_prompt, get_system_prompt


def test_the_prompt_names_the_agent_and_the_workspace() -> None:
    prompt = get_default_system_prompt("analyst", Path("/srv/shop"))
    assert "(analyst)" in prompt
    assert "`/srv/shop` on this computer" in prompt
    assert "write_todos" in prompt


def test_the_prompt_names_the_sandbox_if_there_is_one() -> None:
    assert "inside a bwrap sandbox" in get_default_system_prompt("a", "/workspace", "bwrap")


def test_braces_in_a_path_are_kept() -> None:
    assert "/data/{x}" in get_default_system_prompt("a", "/data/{x}")


def test_without_a_workspace_the_prompt_names_this_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert f"`{tmp_path}` on this computer" in get_system_prompt(assistant_id="a")
