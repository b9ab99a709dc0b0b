"""From the first start to the first answer over the sample data; and an answer with all it can hold."""

import re

import pytest
from playwright.sync_api import expect

from tests.console.chat import Chat
from tests.console.conftest import OpenInstallation, Visit
from tests.console.installation import Installation
from tests.console.looking import check, wait_until_drawn
from tests.console.script import QUESTION
from tests.console.visitor import PHONE


@pytest.mark.requirement("S2-15.2-AgentChat")
@pytest.mark.requirement("F9-first-answer")
def test_the_first_click_asks_the_sample_question_and_the_demo_answers_it(
    build_installation: OpenInstallation, visit: Visit
):
    installation = build_installation("--sample", script=None)
    newcomer = visit(installation, user_id="")
    page = newcomer.context.new_page()
    page.goto(installation.server.sign_in_url)
    chat = Chat(page)
    page.get_by_role("button", name="Try it with the sample shop").click()
    # The demo writes a note, and asks first.
    expect(chat.request).to_contain_text("note.md")
    chat.answer("Approve once")
    expect(chat.request).to_contain_text("wants to change")
    chat.answer("Approve once")
    chat.ended()
    chat.says("Grocery")
    chat.says("28,793,332.28")
    chat.says(re.compile(r"\d+ figures have a receipt"))
    check(page, "first-answer")


@pytest.mark.requirement("S2-15.3-MessageBubble")
@pytest.mark.requirement("F9-2")
def test_an_answer_has_tables_a_chart_sql_with_its_rows_and_receipts(visit: Visit):
    chat = Chat(visit().open("/chat"))
    chat.ask(QUESTION)
    chat.ended()
    expect(chat.log.get_by_role("table").last).to_contain_text("Grocery")
    wait_until_drawn(chat.log.get_by_role("img", name=re.compile("revenue", re.IGNORECASE)).first)
    check(chat.page, "answer")
    # A receipt leads to the rows that the figure comes from.
    chat.log.get_by_role("button", name=re.compile(r"28,793,332\.28")).first.click()
    receipt = chat.page.get_by_role("dialog")
    rows = chat.page.get_by_role("button", name="Show the rows")
    if rows.count():
        rows.first.click()
    expect(receipt.last).to_contain_text("SUM")
    check(chat.page, "receipt")


@pytest.mark.requirement("F9-7-languages")
def test_the_same_in_chinese_in_the_dark_on_a_phone(visit: Visit):
    page = visit(language="zh", theme="dark", viewport=PHONE).open("/chat")
    composer = page.get_by_label("你的消息")
    composer.fill(QUESTION)
    composer.press("Enter")
    log = page.get_by_role("log", name="对话")
    expect(log.get_by_role("button", name="重新提问", exact=True)).to_have_count(1)
    expect(log.get_by_role("table").last).to_contain_text("Grocery")
    check(page, "answer-phone-zh-dark")


@pytest.mark.requirement("F9-2-sessions")
def test_sessions_are_found_renamed_and_deleted(installation: Installation, visit: Visit):
    visitor = visit(user_id=installation.add_person("tidy"))
    # A line that was just left asks why it is cut when its session goes.
    visitor.watch.expect(r"status of 404 .*/sessions/\w+\)")
    chat = Chat(visitor.open("/chat"))
    page = chat.page
    chat.ask("Hello there, violet harbour")
    chat.ended()
    page.get_by_role("button", name="New chat").click()
    expect(page).to_have_url(re.compile("/chat$"))
    chat.ask("Hello again")
    chat.ended()
    sessions = page.get_by_role("navigation", name="Sessions")
    sessions.get_by_label("Search titles and messages").fill("violet")
    expect(sessions.get_by_role("listitem")).to_have_count(1)
    sessions.get_by_role("button", name=re.compile("What to do with")).click()
    page.get_by_role("menuitem", name="Rename").click()
    page.get_by_role("dialog").get_by_label("Title").fill("Harbour")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(sessions.get_by_role("link", name="Harbour")).to_be_visible()
    sessions.get_by_role("button", name=re.compile("What to do with")).click()
    page.get_by_role("menuitem", name="Delete").click()
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    expect(sessions).to_contain_text("Nothing found")
