"""A workspace with the file tools over it."""

from pathlib import Path

import pytest
from file_tools import Run, runner

from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.tools.files import ReadLedger


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def ledger() -> ReadLedger:
    return ReadLedger()


@pytest.fixture
def run(workspace: Path, ledger: ReadLedger) -> Run:
    return runner(SafeRoot(workspace, links="beneath"), ledger=ledger)
