"""Fixtures: the browser, console servers and their visitors."""

from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, ExitStack
from pathlib import Path
from typing import Any, Unpack

import pytest
from playwright.sync_api import Browser

from tests.console.browser import running_browser
from tests.console.console_server import ConsoleServer, open_console_server
from tests.console.sample_content import add_sample_content
from tests.console.script import SCRIPT
from tests.console.visitor import Visitor, VisitorOptions, open_visitor
from tests.services.chromium import chromium
from tests.services.process import ServiceMissingError

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "libs/dataagent-server/dataagent_server/api/console/static/index.html"

Visit = Callable[..., Visitor]
OpenServer = Callable[..., ConsoleServer]


# Playwright's loop counts as running in this thread while it is open, which breaks tests of other
# folders that start their own loops: it ends with this folder.
@pytest.fixture(scope="package")
def browser() -> Generator[Browser]:
    try:
        chromium()
    except ServiceMissingError as missing:
        pytest.skip(str(missing))
    with running_browser() as launched:
        yield launched


@pytest.fixture(scope="module")
def console_server(tmp_path_factory: pytest.TempPathFactory) -> Generator[ConsoleServer]:
    """A server with the sample data and the scripted model, for all tests of a file."""
    with open_console_server(tmp_path_factory.mktemp("server"), SCRIPT, "--sample") as opened:
        yield opened


@pytest.fixture(scope="module")
def filled_server(console_server: ConsoleServer) -> ConsoleServer:
    """The file's server, with one of each thing the pages list."""
    add_sample_content(console_server)
    return console_server


@pytest.fixture
def build_server(tmp_path: Path) -> Generator[OpenServer]:
    """Start another server, to kill it, or with other settings."""
    with ExitStack() as stack:

        def build(
            *options: str, script: dict[str, Any] | None = SCRIPT, **settings: str
        ) -> ConsoleServer:
            return stack.enter_context(
                open_console_server(tmp_path / "own", script, *options, **settings)
            )

        yield build


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest) -> Generator[Visit]:
    """Open a visitor, on the file's server unless another is given."""
    assert BUILT.is_file(), "the console is not built: run make web"
    with ExitStack() as stack:

        def enter(
            console_server: ConsoleServer | None = None, **options: Unpack[VisitorOptions]
        ) -> Visitor:
            there = console_server or request.getfixturevalue("console_server")
            entered: AbstractContextManager[Visitor] = open_visitor(browser, there, **options)
            return stack.enter_context(entered)

        yield enter
