"""The browser, the installations and their visitors."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, Unpack

import pytest
from playwright.sync_api import Browser

from tests.console.browser import running_browser
from tests.console.furnished import furnish
from tests.console.installation import Installation, open_installation
from tests.console.script import SCRIPT
from tests.console.visitor import Manner, Visitor, visiting
from tests.services.chromium import chromium
from tests.services.process import ServiceMissingError

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "libs/dataagent-server/dataagent_server/api/console/static/index.html"

Visit = Callable[..., Visitor]
OpenInstallation = Callable[..., Installation]


# Playwright's loop counts as running in this thread as long as it is open, which tests of other
# folders that start loops of their own could not stand: it ends with this folder.
@pytest.fixture(scope="package")
def browser() -> Generator[Browser]:
    try:
        chromium()
    except ServiceMissingError as missing:
        pytest.skip(str(missing))
    with running_browser() as launched:
        yield launched


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Generator[Installation]:
    """A server with the sample data and the scripted model, for all tests of a file."""
    with open_installation(tmp_path_factory.mktemp("installation"), SCRIPT, "--sample") as opened:
        yield opened


@pytest.fixture(scope="module")
def furnished(installation: Installation) -> Installation:
    """The file's own installation, after somebody has worked in it."""
    furnish(installation)
    return installation


@pytest.fixture
def build_installation(tmp_path: Path) -> Generator[OpenInstallation]:
    """Make a server of one's own, to kill, or with other settings."""
    with ExitStack() as stack:

        def build(
            *options: str, script: dict[str, Any] | None = SCRIPT, **settings: str
        ) -> Installation:
            return stack.enter_context(
                open_installation(tmp_path / "own", script, *options, **settings)
            )

        yield build


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest) -> Generator[Visit]:
    """Let somebody come in, to the file's own installation unless another is named."""
    assert BUILT.is_file(), "the console is not built: run make web"
    with ExitStack() as stack:

        def enter(installation: Installation | None = None, **manner: Unpack[Manner]) -> Visitor:
            there = installation or request.getfixturevalue("installation")
            entered: AbstractContextManager[Visitor] = visiting(browser, there, **manner)
            return stack.enter_context(entered)

        yield enter
