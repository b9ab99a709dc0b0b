"""Every page of the menu on an empty server: it says what to do, and passes the checks."""

from collections.abc import Generator

import pytest

from tests.console.conftest import Visit
from tests.console.console_server import ConsoleServer, open_console_server
from tests.console.every_page import walk_every_page
from tests.console.script import SCRIPT
from tests.console.visitor import PHONE

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def console_server(tmp_path_factory: pytest.TempPathFactory) -> Generator[ConsoleServer]:
    with open_console_server(tmp_path_factory.mktemp("server"), SCRIPT) as opened:
        yield opened


@pytest.mark.timeout(300)
@pytest.mark.requirement("F9-7-empty")
def test_every_page_with_nothing_in_it_stands_a_close_look(visit: Visit):
    faults = walk_every_page(visit(theme="dark"), "empty-wide-en-dark")
    assert not faults, "\n\n".join(faults)


@pytest.mark.timeout(300)
@pytest.mark.requirement("F9-7-empty")
def test_every_page_with_nothing_in_it_stands_a_close_look_on_a_phone(visit: Visit):
    faults = walk_every_page(visit(language="zh", viewport=PHONE), "empty-phone-zh-light")
    assert not faults, "\n\n".join(faults)
