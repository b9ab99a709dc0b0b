"""The documents are true: commands and code in the README run, the reference matches the code."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
LINK = re.compile(r"\]\((?!https?:)([^)#]+)\)")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def environment(home: Path) -> dict[str, str]:
    keys = ("ANTHROPIC", "OPENAI", "GOOGLE", "GEMINI", "DEEPSEEK", "DASHSCOPE")
    clean = {k: v for k, v in os.environ.items() if not k.startswith((*keys, "DATAAGENT"))}
    return clean | {"DATAAGENT_HOME": str(home), "MAKEFLAGS": ""}


@pytest.mark.parametrize("commands", blocks("bash"))
def test_the_commands_of_the_readme_run(commands: str, tmp_path: Path) -> None:
    finished = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", commands],
        cwd=ROOT,
        env=environment(tmp_path),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr


@pytest.mark.parametrize("code", blocks("python"))
def test_the_code_of_the_readme_runs(code: str, tmp_path: Path) -> None:
    finished = subprocess.run(
        [sys.executable, "-c", code],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    assert "'event_type': 'done'" in finished.stdout


def test_the_reference_is_what_the_code_says() -> None:
    sys.path.insert(0, str(ROOT / "docs"))
    try:
        import generate
    finally:
        sys.path.remove(str(ROOT / "docs"))
    for name, page in generate.PAGES.items():
        assert (ROOT / "docs" / name).read_text() == page(), (
            f"run: python docs/generate.py ({name})"
        )


@pytest.mark.parametrize("page", sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").glob("*.md")))
def test_every_link_leads_somewhere(page: Path) -> None:
    for target in LINK.findall(page.read_text()):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
