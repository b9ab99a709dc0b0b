"""The read-only commands: models, config, doctor, help."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Command = Callable[..., tuple[int, str, str]]


def test_models_says_what_is_used_and_which_variable_to_set(
    command: Command, environment: dict[str, str]
):
    shown = command("models")[1]
    assert "set ANTHROPIC_API_KEY" in shown
    assert "model used now: demo:demo" in shown
    assert "unknown" in shown
    environment["DEEPSEEK_API_KEY"] = "sk-secret"
    found = json.loads(command("models", "--json")[1])
    assert found["model"].startswith("deepseek:")
    assert "DEEPSEEK_API_KEY" in found["why"]


def test_models_says_of_a_provider_with_a_usual_address_that_it_needs_a_key(
    command: Command, environment: dict[str, str]
):
    def dashscope() -> dict[str, Any]:
        rows = json.loads(command("models", "--json")[1])["providers"]
        return next(row for row in rows if row["provider"] == "dashscope")

    assert dashscope()["available"] is False
    assert "DASHSCOPE_API_KEY" in dashscope()["to_use_it"]
    # A server at the person's own address may need no key.
    environment["DASHSCOPE_BASE_URL"] = "http://127.0.0.1:9/v1"
    assert dashscope()["available"] is True


def test_models_does_not_make_up_the_longest_answer_of_a_model(
    command: Command, environment: dict[str, str], tmp_path: Path
):
    def longest() -> dict[str, int | None]:
        rows = json.loads(command("models", "--json")[1])["models"]
        return {row["name"]: row["max_output_tokens"] for row in rows}

    assert longest()["gpt-4o"] == 16_384
    assert longest()["claude-sonnet-5-5"] is None
    assert re.search(r"^claude-sonnet-5-5 +1,000,000 +unknown ", command("models")[1], re.MULTILINE)
    (tmp_path / "home").mkdir(exist_ok=True)
    table = '[models."claude-sonnet-5-5"]\nmax_output_tokens = 64000\n'
    (tmp_path / "home" / "config.toml").write_text(table)
    assert longest()["claude-sonnet-5-5"] == 64_000


@pytest.mark.requirement("F2-settings-provenance")
def test_config_show_prints_values_with_their_source_and_no_secret(
    command: Command, environment: dict[str, str], tmp_path: Path
):
    environment["OPENAI_API_KEY"] = "sk-secret"
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "config.toml").write_text('model = "openai:from-file"\n')
    code, shown, _ = command("config", "show")
    assert code == 0
    assert "sk-secret" not in shown
    assert "environment OPENAI_API_KEY" in shown
    lines = {line["name"]: line for line in json.loads(command("config", "show", "--json")[1])}
    assert (lines["model"]["shown"], lines["model"]["source"]) == (
        "openai:from-file",
        "config.toml",
    )


@pytest.mark.requirement("F3-doctor")
def test_doctor_is_content_with_a_reachable_model_and_names_the_fix_for_another(
    command: Command, endpoint: Any, environment: dict[str, str]
):
    with endpoint({"text": "hi"}):
        code, shown, _ = command("doctor")
        assert (code, "answers" in shown) == (0, True), shown
    environment["OPENAI_BASE_URL"] = "http://127.0.0.1:9/v1"
    code, shown, _ = command("doctor", "--json")
    findings = {finding["check"]: finding for finding in json.loads(shown)["checks"]}
    assert (code, findings["endpoint"]["status"]) == (1, "problem")
    assert findings["endpoint"]["fix"]
    assert findings["sandbox"]["status"] == "ok"


def test_messages_come_in_chinese_where_the_locale_asks_for_it(
    command: Command, environment: dict[str, str]
):
    environment["LC_ALL"] = "zh_CN.UTF-8"
    assert "当前使用的模型" in command("models")[1]
    assert command("run")[2].startswith("错误")


def test_an_unexpected_error_is_one_line_and_the_trace_is_for_those_who_ask(
    command: Command, environment: dict[str, str], monkeypatch: pytest.MonkeyPatch
):
    def broken() -> None:
        raise RuntimeError("boom")

    monkeypatch.setattr("dataagent_cli.wiring.start", broken)
    code, _, err = command("doctor")
    assert (code, err.count("\n")) == (1, 1)
    assert "RuntimeError: boom" in err
    environment["DATAAGENT_DEBUG"] = "1"
    assert "Traceback" in command("doctor")[2]


def loaded_by(module: str, heavy: set[str]) -> list[str]:
    program = f"import sys, {module}; print(*sorted({heavy!r} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    return done.stdout.decode().split()


@pytest.mark.requirement("F8-numbers")
def test_help_loads_nothing_heavy():
    heavy = {"langchain_core", "langgraph", "pydantic", "rich", "prompt_toolkit", "asyncio"}
    assert loaded_by("dataagent_cli.main", heavy) == []


@pytest.mark.requirement("F8-numbers")
def test_the_prompt_is_drawn_before_the_engine_is_loaded():
    engine = {"langchain_core", "langgraph", "deepagents", "openai", "anthropic", "sqlalchemy"}
    assert loaded_by("dataagent_cli.repl.inline", engine) == []
