"""What stands in the chat beside the answers: plan, thought, cards, rows, reports, meter, mode."""

import re

import pytest
from playwright.sync_api import expect

from tests.console.chat import Chat
from tests.console.conftest import Visit
from tests.console.controls import choose, downloaded
from tests.console.installation import Installation
from tests.console.looking import check
from tests.console.script import LISTED, NOWHERE

pytestmark = pytest.mark.slow


def _rows(first: int, last: int) -> str:
    return f"{first}\N{EN DASH}{last} of {LISTED} rows"


@pytest.mark.requirement("F9-2-plan")
def test_the_plan_is_docked_while_the_agent_works_by_it(visit: Visit):
    chat = Chat(visit().open("/chat"))
    chat.ask("Make a plan first")
    plan = chat.page.get_by_role("region", name="Plan", exact=True)
    expect(plan).to_contain_text("0 of 2")
    expect(plan).to_contain_text("Look at the tables")
    plan.get_by_role("button", name="Show the plan").click()
    steps = plan.get_by_role("listitem")
    expect(steps).to_have_count(2)
    expect(steps.first.get_by_role("img", name="in progress")).to_be_visible()
    expect(steps.last.get_by_role("img", name="to do")).to_be_visible()
    check(chat.page, "plan")
    chat.stop.click()
    chat.ended()


@pytest.mark.requirement("S2-5.2.8-console")
@pytest.mark.requirement("F9-2-meter")
def test_the_meter_says_how_full_the_context_is_and_what_was_used(visit: Visit):
    chat = Chat(visit().open("/chat"))
    chat.ask("Hello")
    chat.ended()
    meter = chat.page.get_by_role("button", name=re.compile(r"^Context \S+ full, \S+ tokens used"))
    meter.click()
    details = chat.page.get_by_role("tooltip")
    expect(details).to_contain_text(
        re.compile(r"Context of the last call\s*[\d,]+ of [\d,]{6,} tokens")
    )
    expect(details).to_contain_text(re.compile(r"This session: Tokens\s*[1-9]"))
    check(chat.page, "meter")


@pytest.mark.requirement("F9-2-grid")
def test_the_rows_of_a_query_are_paged_and_exported(visit: Visit):
    chat = Chat(visit().open("/chat"))
    chat.ask("List them")
    chat.ended()
    chat.log.get_by_role("button", name=re.compile("Query")).click()
    chat.says(_rows(1, 100))
    chat.log.get_by_role("button", name="Next rows").click()
    chat.says(_rows(101, 200))
    chat.log.get_by_role("button", name="Next rows").click()
    chat.says(_rows(201, LISTED))
    expect(chat.log.get_by_role("button", name="Next rows")).to_be_disabled()
    check(chat.page, "grid")
    export = chat.log.get_by_role("link", name="Download CSV")
    lines = downloaded(chat.page, export).decode().splitlines()
    assert len(lines) == 1 + LISTED


@pytest.mark.requirement("F9-2-report")
def test_a_report_is_previewed_in_the_chat_and_downloaded(visit: Visit):
    chat = Chat(visit().open("/chat"))
    chat.ask("Make a report")
    chat.says("The report is written.")
    chat.ended()
    chat.log.get_by_role("button", name="Show the report").click()
    preview = chat.log.frame_locator("iframe[title^='Report: ']")
    expect(preview.get_by_role("heading", name="By category", exact=True)).to_be_visible()
    expect(preview.get_by_role("table")).to_contain_text("Grocery")
    check(chat.page, "report-in-chat")
    made = chat.log.get_by_role("group", name="Made by this call").get_by_role("link").first
    assert downloaded(chat.page, made)


@pytest.mark.requirement("S2-15.3-ToolCallCard")
@pytest.mark.requirement("F9-2-mode")
@pytest.mark.requirement("F9-2-cards")
def test_in_another_mode_it_asks_no_more_and_each_call_has_its_card(
    installation: Installation, visit: Visit
):
    # Somebody who has no such file yet.
    chat = Chat(visit(user_id=installation.add_person("swift")).open("/chat"))
    chat.ask("Write it")
    expect(chat.request).to_be_visible()
    chat.answer("Approve once")
    chat.ended()
    choose(chat.page, "Mode", "Auto")
    chat.says("Mode: automatic")
    chat.ask("Use everything")
    chat.says("All of it was used.")
    chat.ended(2)
    expect(chat.request).to_have_count(0)
    chat.unfold_groups()
    for line, card in (
        ("Write /made.txt", "+made by the agent"),
        ("Run echo", "exit code"),
        (f"Fetch {NOWHERE}", "is not reached"),
        ("Find files", "No file under / matches"),
        ("general-purpose", "Hello."),
    ):
        unfold = chat.log.get_by_role("button", name=line)
        # What failed is open already.
        if unfold.get_attribute("aria-expanded") == "false":
            unfold.click()
        chat.says(card)
    check(chat.page, "cards")


@pytest.mark.requirement("F9-2-mode")
def test_in_the_mode_that_only_plans_nothing_is_written(installation: Installation, visit: Visit):
    chat = Chat(visit(user_id=installation.add_person("thoughtful")).open("/chat"))
    choose(chat.page, "Mode", "Plan only")
    chat.ask("Write it")
    chat.ended()
    expect(chat.request).to_have_count(0)
    assert not installation.ask("GET", f"/sessions/{chat.session_id}/changes")["files"]


@pytest.mark.requirement("F9-2-mode")
def test_a_proposed_plan_is_read_in_ones_language_accepted_and_carried_out(
    installation: Installation, visit: Visit
):
    page = visit(user_id=installation.add_person("careful"), language="zh").open("/chat")
    choose(page, "模式", "仅规划")
    composer = page.get_by_label("你的消息")
    composer.fill("Propose it")
    composer.press("Enter")
    card = page.get_by_role("region", name="智能体的提问")
    expect(card.get_by_role("heading", name="智能体提出了计划")).to_be_visible()
    expect(card.get_by_role("listitem")).to_have_text(["Read orders", "Write the summary"])
    check(page, "plan-proposed")
    card.get_by_role("radio", name=re.compile("接受,直接执行")).check()
    card.get_by_role("button", name=re.compile(r"回\s*答")).click()
    log = page.get_by_role("log")
    expect(log).to_contain_text("It is carried out.")
    expect(log).to_contain_text("模式:自动")
