"""A stream is never lost: no word twice, none missing, whatever happens to the page and its network."""

import re

import pytest
from playwright.sync_api import expect

from tests.console.chat import Chat, words_of
from tests.console.conftest import Visit
from tests.console.installation import Installation
from tests.console.looking import check, shot
from tests.console.script import WORDS

pytestmark = pytest.mark.slow

EVERY_WORD = WORDS.split()
# What the browser itself says when it is offline.
OFFLINE = r"ERR_INTERNET_DISCONNECTED|WebSocket connection"


def _same_as_the_log(installation: Installation, chat: Chat) -> None:
    assert chat.words == words_of(installation.log_of(chat.session_id)) == EVERY_WORD


@pytest.mark.requirement("F9-4-reload")
def test_a_reload_in_the_middle_of_a_stream_goes_on_where_it_was(
    installation: Installation, visit: Visit
):
    chat = Chat(visit().open("/chat"))
    chat.ask("Tell me")
    chat.told(20)
    chat.page.reload()
    chat.told(60)
    chat.page.reload()
    shot(chat.page, "reloaded")
    chat.ended()
    _same_as_the_log(installation, chat)


@pytest.mark.requirement("F9-4-device")
def test_another_device_joins_in_the_middle_and_sees_all_of_it(
    installation: Installation, visit: Visit
):
    here = Chat(visit().open("/chat"))
    here.ask("Tell me")
    here.told(20)
    there = Chat(visit().open(f"/chat/{here.session_id}"))
    for chat in (here, there):
        chat.ended()
        _same_as_the_log(installation, chat)


@pytest.mark.requirement("F9-4-network")
def test_a_lost_network_is_said_and_the_stream_goes_on_afterwards(
    installation: Installation, visit: Visit
):
    visitor = visit()
    visitor.watch.expect(OFFLINE)
    chat = Chat(visitor.open("/chat"))
    chat.ask("Tell me")
    chat.told(20)
    visitor.context.set_offline(True)
    expect(chat.page.get_by_role("status").filter(has_text="Reconnecting")).to_be_visible()
    check(chat.page, "offline")
    visitor.context.set_offline(False)
    chat.ended()
    expect(chat.page.get_by_text("Reconnecting")).to_have_count(0)
    _same_as_the_log(installation, chat)


@pytest.mark.requirement("F9-2-stop")
def test_a_run_is_stopped_and_what_it_said_stays(visit: Visit):
    chat = Chat(visit().open("/chat"))
    chat.ask("Tell slowly")
    chat.told(10)
    chat.stop.click()
    chat.says("Stopped; what was done is kept")
    chat.ended()
    # The last word may be cut, as a stop comes between two pieces.
    assert WORDS.startswith(" ".join(chat.words))
    assert chat.words != EVERY_WORD
    chat.ask("Hello")
    chat.says("Hello.")
    chat.ended(2)


@pytest.mark.requirement("F9-2-stop")
def test_escape_stops_too(visit: Visit):
    chat = Chat(visit().open("/chat"))
    chat.ask("Tell slowly")
    chat.told(10)
    chat.composer.press("Escape")
    chat.says("Stopped; what was done is kept")


@pytest.mark.requirement("F9-2-queue")
def test_what_is_sent_while_a_run_is_under_way_waits_for_its_turn(visit: Visit):
    chat = Chat(visit().open("/chat"))
    chat.ask("Tell slowly")
    chat.told(10)
    chat.ask("Hello after that")
    chat.ask("And this not at all")
    queue = chat.page.get_by_role("status").filter(has_text="Waits for its turn")
    expect(queue).to_contain_text("Hello after that")
    expect(queue).to_contain_text("And this not at all")
    check(chat.page, "queue")
    queue.get_by_role("button", name="Withdraw").last.click()
    expect(chat.composer).to_have_value("And this not at all")
    chat.stop.click()
    # The one that was withdrawn leaves nothing behind.
    chat.ended(2)
    expect(chat.log.get_by_text("Hello.", exact=True)).to_have_count(1)


@pytest.mark.requirement("F9-2-scroll")
def test_who_reads_further_up_is_not_pulled_down_and_finds_the_way_back(visit: Visit):
    chat = Chat(visit(viewport={"width": 900, "height": 400}).open("/chat"))
    chat.ask("Tell me")
    chat.told(150)
    chat.log.focus()
    chat.page.keyboard.press("Home")
    latest = chat.page.get_by_role("button", name="Jump to latest")
    expect(latest).to_be_visible()
    chat.ended()
    expect(latest).to_be_visible()
    latest.click()
    expect(latest).to_have_count(0)


@pytest.mark.requirement("F9-2-draft")
def test_what_is_being_written_survives_a_reload_and_a_look_elsewhere(visit: Visit):
    page = visit().open("/chat")
    chat = Chat(page)
    chat.composer.fill("half a thought")
    page.reload()
    expect(chat.composer).to_have_value("half a thought")
    page.get_by_role("navigation", name="Main menu").get_by_role("link").last.click()
    page.go_back()
    expect(chat.composer).to_have_value("half a thought")
    expect(page).to_have_url(re.compile("/chat$"))
