"""Core knows no web and no terminal, and inside it upper folders import lower ones only."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

ROOT = Path(__file__).parents[1]
CORE = ROOT / "libs/dataagent-core/dataagent_core"
CORE_MODULES = sorted(CORE.rglob("*.py"))
OUTSIDERS = (
    "dataagent_cli",
    "dataagent_server",
    "dataagent_ops",
    "fastapi",
    "temporalio",
    "click",
    "rich",
)


def imported_packages(source: str) -> set[str]:
    """List the top-level packages a module imports, at any place."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                names |= {alias.name for alias in node.names}
            case ast.ImportFrom(module=str(module), level=0):
                names.add(module)
            case _:
                pass
    return {name.partition(".")[0] for name in names}


@pytest.mark.requirement("S2-2-layers")
def test_the_import_contracts_hold():
    command = [Path(sys.executable).parent / "lint-imports", "--no-cache"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.mark.requirement("S0-22")
@given(module=st.sampled_from(CORE_MODULES), outsider=st.sampled_from(OUTSIDERS))
def test_s0_22_no_module_of_core_imports_a_face_or_its_framework(module: Path, outsider: str):
    assert outsider not in imported_packages(module.read_text("utf-8"))


@pytest.mark.parametrize(
    "source",
    [
        "import fastapi.routing as r",
        "from fastapi import FastAPI",
        "def f():\n    from fastapi.routing import APIRoute",
        "if TYPE_CHECKING:\n    import os, fastapi",
    ],
)
def test_an_import_is_seen_wherever_it_stands(source: str):
    assert "fastapi" in imported_packages(source)


def test_a_relative_import_is_not_another_package():
    assert imported_packages("from .fastapi import x\nfrom . import rich") == set()
