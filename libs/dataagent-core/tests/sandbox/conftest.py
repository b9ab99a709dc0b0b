"""A workspace beside a secret, and what opens it: safe roots of every kind, and a sandbox."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from dataagent_core.sandbox.bubblewrap.bwrap_sandbox import BwrapSandbox
from dataagent_core.sandbox.files.path_walk import open_by_kernel, open_by_walk
from dataagent_core.sandbox.files.safe_root import LinkPolicy, PathOpener, SafeRoot


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "secret.txt").write_text("SECRET")
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture(params=[open_by_kernel, open_by_walk], ids=["kernel", "walk"])
def opener(request: pytest.FixtureRequest) -> PathOpener:
    return request.param


@pytest.fixture
def server(workspace: Path, opener: PathOpener) -> SafeRoot:
    return SafeRoot(workspace, links="refuse", opener=opener)


@pytest.fixture
def person(workspace: Path, opener: PathOpener) -> SafeRoot:
    return SafeRoot(workspace, links="beneath", opener=opener)


@pytest.fixture(params=["refuse", "beneath"])
def links(request: pytest.FixtureRequest) -> LinkPolicy:
    return request.param


@pytest.fixture
def root(workspace: Path, links: LinkPolicy, opener: PathOpener) -> SafeRoot:
    return SafeRoot(workspace, links=links, opener=opener)


@pytest.fixture
async def sandbox(workspace: Path, tmp_path: Path) -> AsyncIterator[BwrapSandbox]:
    opened = await BwrapSandbox.open(workspace, scratch=tmp_path)
    yield opened
    await opened.aclose()
