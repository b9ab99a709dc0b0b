"""The real `dataagent`, in a process of its own or, where that shows the same, in this one.

Every test has a home of its own and no provider's key; a model is a script behind a real endpoint.
"""

import os
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from dataagent_core.testing import Script, ScriptedEndpoint

DATAAGENT = Path(sys.executable).with_name("dataagent")
PROCESS_S_MAX = 60

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


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    kept = {
        name: value
        for name, value in os.environ.items()
        if not any(part in name.upper() for part in _FOREIGN)
    }
    # Nothing listens on port 9, so no Ollama of this machine can slip in.
    return kept | {
        "DATAAGENT_HOME": str(tmp_path / "home"),
        "OLLAMA_HOST": "127.0.0.1:9",
        "LC_ALL": "C.UTF-8",
        "TERM": "xterm",
    }


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
        return subprocess.run(
            [DATAAGENT, *arguments],
            input=stdin,
            capture_output=True,
            check=False,
            env=environment,
            cwd=cwd,
            timeout=PROCESS_S_MAX,
        )

    return run


@pytest.fixture
def command(
    environment: dict[str, str],
    workspace: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Callable[..., tuple[int, str, str]]:
    """Run the command in this process: for what needs no process of its own."""
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
