"""Every page of the menu where nobody has made anything yet: it says what to do, and stands a look."""

from collections.abc import Generator

import pytest

from tests.console.conftest import Visit
from tests.console.every_page import walk_every_page
from tests.console.installation import Installation, open_installation
from tests.console.script import SCRIPT
from tests.console.visitor import PHONE

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Generator[Installation]:
    with open_installation(tmp_path_factory.mktemp("installation"), SCRIPT) as opened:
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
