"""What waits for somebody is said where they look: how long there is, and outside the page too."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.console.chat import Chat
from tests.console.conftest import Visit
from tests.console.installation import Installation
from tests.console.looking import check

pytestmark = pytest.mark.slow

# A headless browser tells nobody anything, and no page of it is ever hidden.
_STAND_IN = """
window.told = [];
window.Notification = class {
  static permission = "default";
  static requestPermission() { this.permission = "granted"; return Promise.resolve("granted"); }
  constructor(title, options) { window.told.push(`${title}: ${options?.body ?? ""}`); }
  close() {}
};
Object.defineProperty(document, "hidden", { get: () => window.away === true });
Object.defineProperty(document, "visibilityState", {
  get: () => (window.away ? "hidden" : "visible"),
});
"""


def _look_away(page: Page) -> None:
    page.evaluate(
        "() => { window.away = true; document.dispatchEvent(new Event('visibilitychange')); }"
    )


@pytest.mark.requirement("F9-3-notification")
def test_a_page_that_is_hidden_tells_that_something_waits(installation: Installation, visit: Visit):
    visitor = visit()
    visitor.context.add_init_script(_STAND_IN)
    chat = Chat(visitor.open("/chat"))
    chat.ask("Clarify what I mean")
    expect(chat.request).to_be_visible()
    chat.page.get_by_role("button", name=re.compile("Tell me when something waits")).click()
    _look_away(chat.page)
    installation.ask("POST", "/chat", {"message": "Decide with me"})
    # It is looked for now and then only.
    chat.page.wait_for_function("() => window.told.length > 0", timeout=60_000)
    assert "The agent waits for you" in chat.page.evaluate("() => window.told.join()")


@pytest.mark.requirement("F9-3-countdown")
def test_a_question_with_a_time_says_how_much_is_left_and_what_then(visit: Visit):
    chat = Chat(visit().open("/chat"))
    chat.ask("Ask me, if you like")
    left = chat.request.get_by_text(re.compile(r"\d:\d\d left, then the recommended answer"))
    expect(left).to_be_visible()
    check(chat.page, "countdown")
    before = left.inner_text()
    expect(left).not_to_have_text(before)
    chat.request.get_by_role("radio", name=re.compile("By month")).check()
    chat.answer("Answer")
    chat.says("As you wish.")
    chat.ended()
