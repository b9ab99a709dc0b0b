"""The server is killed in the middle and started again: the page goes on by itself, and is honest."""

import pytest
from playwright.sync_api import expect

from tests.console.chat import Chat, words_of
from tests.console.conftest import OpenInstallation, Visit
from tests.console.installation import Installation
from tests.console.looking import check
from tests.console.script import NOTE, WORDS
from tests.counts import rounds

pytestmark = pytest.mark.slow

# What the browser itself says while nobody answers.
GONE = r"ERR_CONNECTION_REFUSED|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE|WebSocket connection|status of 50[34]"


@pytest.fixture
def installation(build_installation: OpenInstallation) -> Installation:
    return build_installation(lease_timeout="3")


@pytest.mark.requirement("F9-4-restart")
def test_a_stream_goes_on_after_the_server_was_killed(installation: Installation, visit: Visit):
    visitor = visit()
    visitor.watch.expect(GONE)
    chat = Chat(visitor.open("/chat"))
    chat.ask("Tell me")
    chat.told(20)
    installation.kill()
    expect(chat.page.get_by_role("status").filter(has_text="Reconnecting")).to_be_visible()
    check(chat.page, "server-away")
    installation.start()
    chat.says("Went on after an interruption")
    chat.ended()
    expect(chat.page.get_by_text("Reconnecting")).to_have_count(0)
    log = installation.log_of(chat.session_id)
    assert chat.words == words_of(log)
    assert chat.words[-1] == WORDS.split()[-1]


@pytest.mark.requirement("F9-4-restart")
def test_a_request_is_still_open_after_the_server_was_killed(
    installation: Installation, visit: Visit
):
    visitor = visit()
    visitor.watch.expect(GONE)
    chat = Chat(visitor.open("/chat"))
    chat.ask("Write it")
    expect(chat.request).to_be_visible()
    installation.kill()
    expect(chat.page.get_by_role("status").filter(has_text="Reconnecting")).to_be_visible()
    expect(chat.request).to_be_visible()
    installation.start()
    expect(chat.page.get_by_text("Reconnecting")).to_have_count(0)
    chat.answer("Approve once")
    chat.ended()
    assert [path.read_text() for path in (installation.home / "workspaces").rglob("note.txt")] == [
        NOTE
    ]


@pytest.mark.requirement("F9-4-restart")
def test_what_is_sent_while_the_server_is_away_is_not_lost(
    installation: Installation, visit: Visit
):
    visitor = visit()
    visitor.watch.expect(GONE)
    chat = Chat(visitor.open("/chat"))
    chat.ask("Hello")
    chat.ended()
    installation.kill()
    expect(chat.page.get_by_role("status").filter(has_text="Reconnecting")).to_be_visible()
    chat.ask("Hello again")
    expect(chat.composer).to_have_value("Hello again")
    installation.start()
    expect(chat.page.get_by_text("Reconnecting")).to_have_count(0)
    chat.composer.press("Enter")
    chat.ended(2)


@pytest.mark.slow
@pytest.mark.timeout(3_600)
@pytest.mark.requirement("F9-4-restart")
def test_kills_one_after_another_lose_and_double_nothing(installation: Installation, visit: Visit):
    visitor = visit()
    visitor.watch.expect(GONE)
    page = visitor.open()
    for number in range(1, 1 + rounds(4, soak=50)):
        page.goto(f"{installation.url}/chat")
        chat = Chat(page)
        chat.ask("Tell me")
        chat.told(number % 12 * 12)
        installation.kill()
        installation.start()
        chat.ended()
        assert chat.words == words_of(installation.log_of(chat.session_id))
