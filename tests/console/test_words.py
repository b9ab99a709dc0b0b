"""No word is broken that fits a line, on a phone or a narrow screen."""

import pytest
from playwright.sync_api import ViewportSize

from tests.console.conftest import Visit
from tests.console.every_page import settle
from tests.console.installation import Installation
from tests.console.looking import broken_words, shot, sideways
from tests.console.visitor import PHONE

pytestmark = [pytest.mark.slow, pytest.mark.timeout(300)]

NARROW: ViewportSize = {"width": 1024, "height": 768}
# Where there are rows of words beside others, which make them narrow.
_PATHS = (
    "/overview",
    "/activity",
    "/reports",
    "/data",
    "/data/questions",
    "/projects",
    "/mcp-servers",
)
# A word longer than any line, among others that are not.
_TITLE = f"Quarterly comparison of internationalization expenditures {'unbroken' * 12}"


@pytest.mark.requirement("F9-7-phone")
@pytest.mark.parametrize("viewport", [PHONE, NARROW], ids=["phone", "narrow"])
def test_no_word_is_broken_that_fits_its_line(
    furnished: Installation, visit: Visit, viewport: ViewportSize
):
    session = furnished.ask("GET", "/sessions?limit=1")["items"][0]["session_id"]
    furnished.ask("PATCH", f"/sessions/{session}", {"title": _TITLE})
    visitor = visit(furnished, viewport=viewport)
    page = visitor.open()
    settle(page)
    faults: list[str] = []
    for path in (*_PATHS, f"/chat/{session}"):
        page.goto(furnished.url + path)
        settle(page)
        faults += [f"{path}: {word}" for word in broken_words(page)]
        if (wide := sideways(page)) > 0:
            faults.append(f"{path} is {wide} px too wide")
            shot(page, f"words-{viewport['width']}-wide")
    assert not faults, "\n".join(faults)
