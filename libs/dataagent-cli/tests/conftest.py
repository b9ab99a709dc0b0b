"""The real `dataagent`, in its own process or, if the result is the same, in this one.

Every test has its own home and no provider's key; a model is a script behind a real endpoint.
"""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from local_conversations import SilentTerminal, open_conversation
from tmux_terminal import Terminal, tmux_terminal

from dataagent_core.testing import Script, ScriptedEndpoint
from tests.line_coverage import LineCoverage
from tests.warm.popen import WarmPopen, launcher_words, warm_run

ROOT = Path(__file__).parents[3]
DATAAGENT = Path(sys.executable).with_name("dataagent")
PROCESS_S_MAX = 180
WAIT_S_MAX = 120.0

_FOREIGN = (
    "DATAAGENT_",
    "_API_KEY",
    "_BASE_URL",
    "_PROXY",
    "OLLAMA",
    "NO_COLOR",
    "EDITOR",
    "VISUAL",
)


def _measured() -> dict[str, str]:
    """Let the few cold-started programs count towards the coverage floors too."""
    if LineCoverage.current is None:
        return {}
    settings, data = ROOT / "pyproject.toml", ROOT / ".coverage"
    return {"COVERAGE_PROCESS_START": str(settings), "COVERAGE_FILE": str(data)}


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not any(part in name.upper() for part in _FOREIGN)
    }
    # Nothing listens on port 9, so an Ollama of this machine is not found.
    return (
        kept
        | _measured()
        | {
            "DATAAGENT_HOME": str(tmp_path / "home"),
            "OLLAMA_HOST": "127.0.0.1:9",
            "LC_ALL": "C.UTF-8",
            "TERM": "xterm",
        }
    )


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    path = tmp_path / "workspace"
    path.mkdir()
    return path


@pytest.fixture
def dataagent(
    environment: dict[str, str], workspace: Path
) -> Callable[..., subprocess.CompletedProcess[bytes]]:
    """Run the real command with no terminal."""

    def run(
        *arguments: str | bytes, stdin: bytes = b"", cwd: Path = workspace
    ) -> subprocess.CompletedProcess[bytes]:
        command = [DATAAGENT, *arguments]
        return warm_run(command, env=environment, cwd=cwd, stdin=stdin, timeout=PROCESS_S_MAX)

    return run


@pytest.fixture
def command(
    environment: dict[str, str],
    workspace: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Callable[..., tuple[int, str, str]]:
    """Run the command in this process, for tests that need no separate process."""
    from dataagent_cli.main import exit_code_of

    monkeypatch.chdir(workspace)

    def run(*arguments: str) -> tuple[int, str, str]:
        for name in set(os.environ) - set(environment):
            monkeypatch.delenv(name)
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        code = exit_code_of(list(arguments))
        out, err = capfd.readouterr()
        return code, out, err

    return run


@pytest.fixture
def terminal() -> SilentTerminal:
    return SilentTerminal()


@pytest.fixture
def opens(
    environment: dict[str, str],
    workspace: Path,
    monkeypatch: pytest.MonkeyPatch,
    terminal: SilentTerminal,
) -> Callable[..., Any]:
    """Open a conversation in this process; nobody is at its terminal."""

    def opened(**ordered: Any) -> Any:
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        return open_conversation(workspace, terminal, **ordered)

    return opened


@pytest.fixture
def endpoint(environment: dict[str, str]) -> Callable[..., Any]:
    """Serve a script, and make it the model."""

    @contextmanager
    def serve(*steps: dict[str, Any]) -> Generator[ScriptedEndpoint]:
        script = Script.model_validate({"steps": list(steps)})
        with ScriptedEndpoint(script) as served:
            environment["OPENAI_BASE_URL"] = served.base_url
            environment["DATAAGENT_MODEL"] = "openai:scripted"
            yield served

    return serve


class Screen:
    """The terminal's output so far, and its keyboard."""

    def __init__(self, descriptor: int, process: WarmPopen) -> None:
        self._descriptor = descriptor
        self._process = process
        self.text = ""

    def until(self, pattern: str) -> re.Match[str]:
        """Read until the pattern appears below the last match."""
        deadline = time.monotonic() + WAIT_S_MAX
        while (found := re.search(pattern, self.text)) is None:
            if not self._read(deadline):
                raise AssertionError(f"{pattern!r} never showed in:\n{self.text}")
        return found

    def type(self, text: str) -> None:
        # Each answer is typed below its own question: only new output counts.
        self.text = ""
        os.write(self._descriptor, text.encode())

    def press_ctrl_c(self) -> None:
        os.killpg(self._process.pid, signal.SIGINT)

    def exit_code(self) -> int:
        while self._read(time.monotonic() + WAIT_S_MAX):
            pass
        return self._process.wait(WAIT_S_MAX)

    def _read(self, deadline: float) -> bool:
        ready, _, _ = select.select([self._descriptor], [], [], deadline - time.monotonic())
        try:
            data = os.read(self._descriptor, 65536) if ready else b""
        except OSError:  # Linux's error for a closed other side
            return False
        self.text += data.decode("utf-8", "replace")
        return bool(data)


@pytest.fixture
def start(environment: dict[str, str], workspace: Path) -> Callable[..., Any]:
    @contextmanager
    def started(*arguments: str) -> Generator[Screen]:
        outer, inner = pty.openpty()
        process = WarmPopen(
            [DATAAGENT, *arguments],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env=environment,
            cwd=workspace,
        )
        os.close(inner)
        try:
            yield Screen(outer, process)
        finally:
            process.kill()
            process.wait()
            os.close(outer)

    return started


@pytest.fixture
def scripts(environment: dict[str, str]) -> Callable[..., Any]:
    """Serve several scripts, each for the messages that match its expression."""

    @contextmanager
    def serve(**steps_by_word: list[dict[str, Any]]) -> Generator[ScriptedEndpoint]:
        scripts = [{"match": word, "steps": steps} for word, steps in steps_by_word.items()]
        with ScriptedEndpoint(Script.model_validate({"scripts": scripts})) as served:
            environment["OPENAI_BASE_URL"] = served.base_url
            environment["DATAAGENT_MODEL"] = "openai:scripted"
            yield served

    return serve


@pytest.fixture
def open_terminal(environment: dict[str, str], workspace: Path) -> Callable[..., Any]:
    """Start `dataagent` in a real terminal, in a directory that is trusted by default."""

    @contextmanager
    def started(
        *arguments: str, columns: int = 80, rows: int = 24, trusted: bool = True
    ) -> Generator[Terminal]:
        if trusted:
            from dataagent_core.permissions.rule_files.trust import trust

            trust(Path(environment["DATAAGENT_HOME"]), workspace)
        with tmux_terminal(
            launcher_words([DATAAGENT, *arguments]),
            environment=environment,
            cwd=workspace,
            columns=columns,
            rows=rows,
        ) as terminal:
            yield terminal

    return started
