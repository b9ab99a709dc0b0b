"""What is on a page can be reached: nothing scrolls into the void, nothing that waits is cut off."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.console.chat import Chat
from tests.console.conftest import Visit
from tests.console.installation import Installation
from tests.console.looking import shot
from tests.console.visitor import PHONE

pytestmark = pytest.mark.slow

NARROW: ViewportSize = {"width": 1024, "height": 600}
GAPS = b"city,people\n" + b"".join(b"City %d,\n" % number for number in range(120))


def _blank_px(page: Page) -> int:
    """Say how far somebody can scroll beyond what is on the page."""
    return page.evaluate(
        """() => {
          const content = document.querySelector("#content");
          const shown = [...content.children].map((part) => part.getBoundingClientRect().bottom);
          const end = Math.max(...shown) - content.getBoundingClientRect().top + content.scrollTop;
          const { scrollHeight, clientHeight } = document.documentElement;
          return Math.max(
            content.scrollHeight - Math.max(Math.ceil(end), content.clientHeight),
            scrollHeight - clientHeight,
          );
        }"""
    )


@pytest.mark.requirement("F9-5-files")
def test_a_table_with_empty_cells_does_not_make_the_page_scroll(
    installation: Installation, visit: Visit
):
    installation.put_file("/uploads/gaps.csv", GAPS)
    page = visit().open("/data/table?source=/uploads/gaps.csv&table=gaps")
    expect(page.get_by_role("tabpanel", name="Rows").get_by_role("table")).to_contain_text("City 9")
    assert _blank_px(page) == 0


@pytest.mark.requirement("F9-3")
@pytest.mark.parametrize("viewport", [NARROW, PHONE], ids=["narrow", "phone"])
def test_an_approval_is_seen_from_its_title_to_its_buttons(
    installation: Installation, visit: Visit, viewport: ViewportSize
):
    chat = Chat(visit(user_id=installation.add_person("asked"), viewport=viewport).open("/chat"))
    chat.ask("Write a long note")
    title = chat.request.get_by_role("heading")
    expect(title).to_be_visible()
    shot(chat.page, f"approval-{viewport['width']}")
    buttons = [chat.request.get_by_role("button", name=name, exact=True) for name in _CHOICES]
    for part in (title, *buttons):
        expect(part).to_be_in_viewport(ratio=1)
    chat.answer("Edit")
    expect(title).to_be_in_viewport(ratio=1)
    expect(chat.request.get_by_role("button", name="Run it like this")).to_be_in_viewport(ratio=1)
    shot(chat.page, f"approval-edit-{viewport['width']}")


_CHOICES = ("Approve once", "Always", "Edit", "Not this, because…", "Stop the run")
