"""Memory: told in one chat, used in another, corrected, asked as of a week ago, forgotten with a receipt."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.console.chat import Chat
from tests.console.conftest import OpenServer, Visit
from tests.console.memory_script import (
    AFTER,
    ASKED,
    ASKED_ANSWER,
    BEFORE,
    CORRECTED,
    MEMORY_SCRIPT,
    TEAM,
    TEAM_ANSWER,
    TOLD,
    TOLD_ANSWER,
)
from tests.console.page_checks import check
from tests.console.visitor import PHONE

pytestmark = pytest.mark.slow


def _without_stop(text: str) -> re.Pattern[str]:
    """Match a statement, with or without the stop at its end."""
    return re.compile(re.escape(text.rstrip(".")))


def _tell(chat: Chat, url: str) -> None:
    chat.page.goto(f"{url}/chat")
    chat.ask(TOLD)
    chat.says(TOLD_ANSWER)
    chat.says(re.compile("Remembered: .*teal"))
    chat.ended()


def _ask(chat: Chat, url: str) -> Locator:
    """Ask in another chat; give the memory that is shown under the answer."""
    chat.page.goto(f"{url}/chat")
    chat.ask(ASKED)
    chat.says(ASKED_ANSWER)
    chat.ended()
    chat.log.get_by_role("button", name="Used a memory").click()
    used = chat.log.get_by_role("list", name="Memories this answer used")
    expect(used).to_contain_text(_without_stop(TOLD))
    return used


def _correct(page: Page, used: Locator) -> None:
    used.get_by_role("button", name=re.compile("This is wrong")).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("What is right instead?").fill(CORRECTED)
    check(page, "memory-wrong")
    dialog.get_by_role("button", name="Send it").click()
    expect(used).to_contain_text("wrong")


@pytest.mark.requirement("F22-walk-console")
@pytest.mark.requirement("S2-15.2-MemorySearch")
@pytest.mark.timeout(240)
def test_what_is_told_is_used_corrected_asked_of_the_past_and_forgotten(
    build_server: OpenServer, visit: Visit
):
    server = build_server(script=MEMORY_SCRIPT)
    visitor = visit(server)
    # What was forgotten is asked for once more, and is not there.
    visitor.page_errors.expect("status of 404")
    chat = Chat(visitor.open("/memory"))
    page = chat.page
    expect(page.get_by_role("link", name="Tell me something")).to_be_visible()
    check(page, "memory-empty")
    _tell(chat, server.url)
    used = _ask(chat, server.url)
    check(page, "memory-used")
    used.get_by_role("link", name=re.compile("Show in the chat")).click()
    expect(chat.message(TOLD)).to_be_in_viewport()
    expect(page.locator(".row-asked")).to_contain_text(TOLD)
    page.go_back()
    chat.log.get_by_role("button", name="Used a memory").click()
    _correct(page, used)

    page.goto(f"{server.url}/memory")
    main = page.get_by_role("main")
    expect(main).to_contain_text(_without_stop(CORRECTED))
    expect(main).not_to_contain_text("teal")
    check(page, "memory-profile")
    for days, content in ((30, BEFORE), (2, AFTER)):
        since = (datetime.now(UTC) - timedelta(days=days)).isoformat()
        server.ask("POST", "/memories", {"content": content, "valid_from": since})
    _search_the_past(page, server.url)
    _forget(page, server.url)


def _search_the_past(page: Page, url: str) -> None:
    page.goto(f"{url}/memory/search")
    page.get_by_role("searchbox", name="Search the memories").fill("Where is my home town?")
    page.get_by_role("searchbox", name="Search the memories").press("Enter")
    results = page.get_by_role("region", name="Results")
    expect(results).to_contain_text(_without_stop(AFTER))
    expect(results).not_to_contain_text(_without_stop(BEFORE))
    expect(results.get_by_role("list", name="What the score is made of").first).to_contain_text(
        re.compile("meaning|words")
    )
    colour = results.locator(".leg-bar").first.evaluate("e => getComputedStyle(e).backgroundColor")
    assert colour != "rgba(0, 0, 0, 0)", "a leg has no colour"
    page.get_by_role("button", name="a week ago").click()
    expect(results).to_contain_text(_without_stop(BEFORE))
    expect(results).not_to_contain_text(_without_stop(AFTER))
    results.get_by_role("button", name=re.compile("Source of")).first.click()
    expect(results).to_contain_text("Written by you")
    check(page, "memory-search-past")
    handle = page.get_by_role("slider")
    handle.press("End")
    expect(results).to_contain_text(_without_stop(AFTER))
    results.get_by_role("link", name=_without_stop(AFTER)).click()
    history = page.get_by_role("region", name="What was true when")
    expect(history).to_contain_text(_without_stop(BEFORE))
    expect(history).to_contain_text("no longer true")
    check(page, "memory-history")


def _forget(page: Page, url: str) -> None:
    page.goto(f"{url}/memory/all?past=1")
    entry = page.get_by_role("main").get_by_role("listitem").filter(has_text="teal").first
    expect(entry).to_contain_text("wrong")
    check(page, "memory-all")
    entry.get_by_role("button", name=re.compile("Forget: ")).click()
    page.get_by_role("tooltip").get_by_role("button", name="Forget").click()
    receipt = page.get_by_role("dialog")
    expect(receipt).to_contain_text("It is gone")
    expect(receipt).to_contain_text("These conversations still say it")
    check(page, "memory-receipt")
    receipt.get_by_role("button", name="Close", exact=True).last.click()
    expect(receipt).to_have_count(0)
    expect(page.get_by_role("main").get_by_role("listitem").filter(has_text="teal")).to_have_count(
        0
    )


@pytest.mark.requirement("S2-15.2-MemoryGraph")
@pytest.mark.timeout(180)
def test_who_was_named_is_in_the_graph_and_has_a_timeline(build_server: OpenServer, visit: Visit):
    server = build_server(script=MEMORY_SCRIPT)
    chat = Chat(visit(server).open("/chat"))
    page = chat.page
    chat.ask(TEAM)
    chat.says(TEAM_ANSWER)
    chat.ended()
    page.goto(f"{server.url}/memory/graph")
    table = page.get_by_role("group", name="The graph as a table")
    member = table.get_by_role("button", name="Ann Miller")
    expect(member).to_be_visible()
    picture = page.get_by_role("application", name="Graph")
    expect(picture).to_have_attribute("data-drawn", re.compile(r"^[1-9]\d* [1-9]"))
    check(page, "memory-graph")
    picture.focus()
    picture.press("ArrowUp")
    expect(page.get_by_role("link", name="Timeline and relations")).to_be_visible()
    page.get_by_role("searchbox", name="Find a name").fill("Ann")
    found = page.get_by_role("list", name="Found")
    found.get_by_role("button", name="Ann Miller").click()
    picture.press("Enter")
    expect(page.get_by_role("heading", name="Ann Miller")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("Acme")
    check(page, "memory-entity")


@pytest.mark.requirement("F22-6-profile")
def test_a_person_writes_a_memory_changes_it_and_finds_it_on_a_phone(
    build_server: OpenServer, visit: Visit
):
    server = build_server(script=MEMORY_SCRIPT)
    page = visit(server, language="zh", theme="dark", viewport=PHONE).open("/memory/new")
    page.get_by_label("要记住的内容").fill("我住在柏林")
    check(page, "memory-new-zh")
    page.get_by_role("button", name=re.compile("记 ?住")).click()
    expect(page.get_by_role("heading", name="我住在柏林")).to_be_visible()
    page.get_by_label("要记住的内容").fill("我住在柏林米特区")
    page.get_by_role("button", name=re.compile("保 ?存")).click()
    expect(page.get_by_role("heading", name="我住在柏林米特区")).to_be_visible()
    check(page, "memory-one-zh")
    page.goto(f"{server.url}/memory/search?q=柏林")
    expect(page.get_by_role("region", name="结果")).to_contain_text("我住在柏林米特区")
    check(page, "memory-search-zh")
