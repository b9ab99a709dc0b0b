"""The Tab key: its offers in a real bash, and that it never prints an error."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_cli.help.completion_scripts import after_last_break
from dataagent_cli.main import main
from tests.warm.popen import launcher_folder

DATAAGENT = Path(sys.executable).with_name("dataagent")

Command = Callable[..., tuple[int, str, str]]
Tab = Callable[[str], list[str]]


@pytest.fixture
def tab(environment: dict[str, str], workspace: Path, tmp_path: Path) -> Tab:
    """Press Tab at the end of a line in a real bash that has read our script."""
    asking = """
    source <(dataagent completion bash)
    COMP_LINE=$1 COMP_POINT=${#1}
    COMP_WORDBREAKS=$' \\t\\n"\\'><=;|&(:'
    _dataagent_completion dataagent
    printf '%s\\n' "${COMPREPLY[@]}"
    """
    found = launcher_folder(DATAAGENT, tmp_path / "bin")
    environment["PATH"] = f"{found}:{environment['PATH']}"

    def press(line: str) -> list[str]:
        done = subprocess.run(
            ["bash", "--norc", "-c", asking, "bash", line],
            env=environment,
            cwd=workspace,
            capture_output=True,
            text=True,
            timeout=180,
            check=True,
        )
        assert done.stderr == ""
        return [line for line in done.stdout.split("\n") if line]

    return press


@pytest.mark.requirement("F8-8-completion")
def test_commands_and_options_are_offered_those_of_other_packages_too(tab: Tab):
    assert {"sessions", "setup", "sources", "serve"} <= set(tab("dataagent s"))
    assert "--schema" in tab("dataagent run --")


@pytest.mark.requirement("F8-8-completion")
def test_models_are_offered_also_behind_the_colon_where_bash_cuts_words(tab: Tab):
    assert any(name.startswith("anthropic:claude") for name in tab("dataagent run --model anth"))
    behind = tab("dataagent run --model anthropic:cl")
    assert behind
    assert all(name.startswith("claude") for name in behind)
    assert tab("dataagent run --model=anthropic:cl") == behind


@pytest.mark.requirement("F8-8-completion")
def test_sessions_and_sources_of_this_person_are_offered(
    tab: Tab, command: Command, workspace: Path
):
    assert command("run", "hello", "--model", "demo:demo", "--session", "tidy-one")[0] == 0
    (workspace / "a.csv").write_text("x\n1\n")
    assert command("sources", "add", "shop", str(workspace / "a.csv"))[0] == 0
    assert tab("dataagent run --resume ti") == ["tidy-one"]
    assert tab("dataagent sessions show ") == ["tidy-one"]
    assert tab("dataagent sources remove ") == ["shop"]
    assert tab("dataagent data describe sh") == ["shop"]


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("config.toml", b"not toml ["),
        ("dataagent.db", b"not a database" * 100),
        ("sources.json", b'["a"'),
        ("nothing-of-ours", b""),
    ],
)
def test_whatever_is_wrong_with_the_files_nothing_is_offered_and_nothing_said(
    tab: Tab, tmp_path: Path, name: str, data: bytes
):
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / name).write_bytes(data)
    assert tab("dataagent run --resume ") == []
    assert tab("dataagent sources remove ") == []


@pytest.mark.parametrize(
    "line", ["dataagent", "dataagent nonsense ", 'dataagent run "', "dataagent run --model '"]
)
def test_lines_that_are_odd_are_answered_quietly(tab: Tab, line: str):
    assert isinstance(tab(line), list)


def test_commands_are_described_in_the_persons_language(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("DATAAGENT_LANGUAGE", "zh")
    monkeypatch.setenv("_DATAAGENT_COMPLETE", "zsh_complete")
    monkeypatch.setenv("COMP_WORDS", "dataagent s")
    monkeypatch.setenv("COMP_CWORD", "1")
    with pytest.raises(SystemExit):
        main()
    _, name, described, *_ = capsys.readouterr().out.splitlines()
    assert name == "sessions"
    assert re.search("[\u4e00-\u9fff]", described)


def test_the_key_is_answered_without_loading_the_engine(environment: dict[str, str]):
    environment |= {"_DATAAGENT_COMPLETE": "bash_complete", "COMP_LINE": "dataagent run --model "}
    environment["PYTHONPROFILEIMPORTTIME"] = "1"
    run = subprocess.run([DATAAGENT], env=environment, capture_output=True, check=True, timeout=60)
    loaded = run.stderr.decode()
    assert "dataagent_cli.help.completion_scripts" in loaded
    assert "langchain" not in loaded


@pytest.mark.requirement("F8-8-completion")
@pytest.mark.parametrize(
    ("shell", "told"),
    [("bash", "complete -o"), ("zsh", "#compdef"), ("fish", "complete --no-files")],
)
def test_each_shell_has_its_script(command: Command, shell: str, told: str):
    code, out, _ = command("completion", shell)
    assert code == 0
    assert told in out
    assert "_DATAAGENT_COMPLETE" in out


@given(st.text(alphabet="ab:=-/"), st.text(alphabet="ab:=-/"))
def test_what_bash_keeps_of_a_word_and_what_is_offered_make_the_value(typed: str, rest: str):
    value = typed + rest
    if typed.startswith("--") and "=" in typed:
        value = typed.partition("=")[2] + rest
    offered = after_last_break(typed, value, ":=")
    kept = typed[: max(typed.rfind(":"), typed.rfind("=")) + 1]
    assert (kept + offered).endswith(value)
