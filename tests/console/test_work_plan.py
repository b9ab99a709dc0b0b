"""A work plan in the chat: read while it is carried out, changed by a person, kept in its turn."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.console.chat import Chat
from tests.console.conftest import Visit
from tests.console.console_server import ConsoleServer
from tests.console.controls import choose
from tests.console.long_logs import written
from tests.console.page_checks import check
from tests.console.plan_logs import AGAIN, FIRST, REASON, SECOND, THIRD, over, under_way
from tests.console.plan_script import BOTH, EAST, WEST, YARDS, YARDS_ANSWER
from tests.console.script import DOORS, HALLS, HALLS_ANSWER, JOIN, LETTER, NORTH, SOUTH
from tests.console.visitor import PHONE, WIDE

pytestmark = pytest.mark.slow

TABLET: ViewportSize = {"width": 768, "height": 1024}


def _dock(page: Page) -> Locator:
    return page.get_by_role("region", name="Plan", exact=True)


@pytest.mark.requirement("S2-15.3-WorkPlanCard")
@pytest.mark.parametrize("viewport", [WIDE, TABLET, PHONE], ids=["wide", "tablet", "phone"])
def test_the_steps_of_a_plan_say_how_they_go_and_which_run_side_by_side(
    console_server: ConsoleServer, visit: Visit, viewport: ViewportSize
):
    session_id = written(console_server, under_way(replanned=True))
    page = visit(viewport=viewport).open(f"/chat/{session_id}")
    dock = _dock(page)
    expect(dock).to_contain_text("1 of 5")
    expect(dock).to_contain_text(AGAIN)
    dock.get_by_role("button", name="Show the plan").click()
    side = dock.get_by_role("list", name="Side by side")
    expect(side).to_contain_text(FIRST)
    expect(side).to_contain_text(SECOND)
    expect(dock).to_contain_text(f"Planned again: {REASON}")
    expect(dock).to_contain_text("Why: there is no file /returns.csv")
    expect(dock).to_contain_text("after 1, 5")
    expect(dock.get_by_role("list", name="Stages").locator("[aria-current]")).to_have_text(
        "Execute"
    )
    step = dock.get_by_role("listitem").filter(has_text=FIRST).last
    expect(step).to_contain_text("data-analyst")
    expect(step).to_contain_text(re.compile(r"4\.2 s.*5\.3k tokens.*0\.01"))
    step.get_by_role("button", name="Result of step 1").click()
    expect(step.get_by_role("table")).to_contain_text("2,377")
    check(page, f"work-plan-{viewport['width']}")


@pytest.mark.requirement("S2-15.3-WorkPlanCard")
def test_a_plan_stays_in_its_turn_and_a_run_without_one_says_why(
    console_server: ConsoleServer, visit: Visit
):
    session_id = written(console_server, over())
    page = visit(language="zh", theme="dark").open(f"/chat/{session_id}")
    log = page.get_by_role("log")
    expect(log).to_contain_text("未能及时制定计划,不使用计划工作:no plan came within 5 s")
    card = log.get_by_role("group", name="计划")
    card.get_by_role("button", name=re.compile("计划")).click()
    expect(card.get_by_role("list", name="步骤")).to_contain_text(THIRD)
    expect(card.get_by_role("img", name="已跳过").first).to_be_visible()
    check(page, "work-plan-over-zh")


def _events(console_server: ConsoleServer, session_id: str, kind: str) -> list[dict[str, Any]]:
    log = console_server.log_of(session_id)
    return [event for event in log if event["event_type"] == kind]


def _ask_with_plan(page: Page, message: str = HALLS) -> Chat:
    chat = Chat(page)
    page.get_by_role("button", name="How to go about it").click()
    page.get_by_role("radiogroup", name="Plan").get_by_text("Always").click()
    check(page, "work-plan-composer")
    page.keyboard.press("Escape")
    chat.ask(message)
    return chat


@pytest.mark.requirement("F21-walk-plan")
@pytest.mark.requirement("F21-7-dock")
@pytest.mark.requirement("S2-15.3-WorkPlanCard")
def test_a_person_changes_a_plan_before_and_while_it_is_carried_out(
    console_server: ConsoleServer, visit: Visit
):
    chat = _ask_with_plan(visit().open("/chat"))
    page = chat.page
    dock = _dock(page)
    expect(page.get_by_role("region", name="The agent asks")).to_contain_text(
        "Shall the agent work by this plan?"
    )
    expect(dock.get_by_role("list", name="Steps")).to_contain_text(LETTER)
    check(page, "work-plan-asks")

    dock.get_by_role("button", name="Change the plan").click()
    dialog = page.get_by_role("dialog", name="Change the plan")
    dialog.get_by_role("button", name="Add a step").click()
    dialog.get_by_label("What the new step does").fill(DOORS)
    for _ in range(2):
        dialog.get_by_role("button", name="Move the new step up").press("Enter")
    expect(dialog.get_by_role("status").filter(has_text="place 3 of 5")).to_be_attached()
    check(page, "work-plan-change")
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_have_count(0)
    expect(dock).to_contain_text("changed the plan")
    dock.get_by_role("button", name="Go ahead").click()

    # The first step asks, so the plan is under way for as long as it takes.
    expect(chat.request).to_contain_text("wants to write /north.txt")
    dock.get_by_role("button", name="Change the plan").click()
    expect(dialog).to_contain_text("Step 1 is being worked on, so it stays as it is.")
    dialog.get_by_label("What step 3 does").fill(f"{JOIN}, and say which is larger")
    dialog.get_by_role("button", name="Leave out step 4").click()
    # What was typed outlives the page.
    page.reload()
    dock.get_by_role("button", name="Change the plan").click()
    expect(dialog.get_by_label("What step 3 does")).to_have_value(
        f"{JOIN}, and say which is larger"
    )
    # Somebody else is faster.
    plan = console_server.ask("GET", f"/sessions/{chat.session_id}/plan")
    theirs = [{"op": "edit", "step_number": 3, "description": "Theirs"}]
    changed = {"version": plan["version"], "edits": theirs}
    console_server.ask("PATCH", f"/sessions/{chat.session_id}/plan", changed)
    expect(dialog).to_contain_text("It says now: Theirs")
    check(page, "work-plan-conflict")
    dialog.get_by_role("button", name=f"Apply to version {plan['version'] + 1}").click()
    expect(dialog).to_have_count(0)

    chat.answer("Approve once")
    chat.says(HALLS_ANSWER)
    chat.ended()
    expect(dock).to_have_count(0)
    last = _events(console_server, chat.session_id, "work_plan")[-1]
    assert [(step["description"], step["status"]) for step in last["steps"]] == [
        (NORTH, "completed"),
        (SOUTH, "completed"),
        (DOORS, "completed"),
        (f"{JOIN}, and say which is larger", "completed"),
        (LETTER, "skipped"),
    ]
    card = chat.log.get_by_role("group", name="Plan")
    card.get_by_role("button", name=re.compile("Plan 5 of 5")).click()
    card.get_by_role("button", name="Result of step 1").click()
    expect(card.locator("strong")).to_have_text("12 rows")
    check(page, "work-plan-done")


@pytest.mark.requirement("F21-walk-plan")
@pytest.mark.requirement("S2-15.3-WorkPlanCard")
def test_a_step_that_fails_is_planned_again_and_the_answer_names_its_steps(
    console_server: ConsoleServer, visit: Visit
):
    page = visit(theme="dark").open("/chat")
    chat = _ask_with_plan(page, YARDS)
    dock = _dock(page)
    side = dock.get_by_role("list", name="Side by side")
    expect(side).to_contain_text(EAST)
    expect(side).to_contain_text(WEST)
    dock.get_by_role("button", name="Change the plan").click()
    dialog = page.get_by_role("dialog", name="Change the plan")
    dialog.get_by_role("button", name="Leave out step 4").click()
    dialog.get_by_role("button", name="Apply").click()
    expect(dialog).to_have_count(0)
    dock.get_by_role("button", name="Go ahead").click()
    chat.says(YARDS_ANSWER)
    chat.ended()
    # The failed step was replaced, so nothing is left of the plan.
    expect(dock).to_have_count(0)
    card = chat.log.get_by_role("group", name="Plan")
    card.get_by_role("button", name=re.compile("^.*Plan")).first.click()
    expect(card).to_contain_text("Planned again: step 2 failed")
    expect(card.get_by_role("list", name="Steps")).to_contain_text(f"6. {BOTH}")
    # The step that was left out runs beside none.
    expect(card.get_by_role("list", name="Side by side")).to_have_count(1)
    check(page, "work-plan-again")
    events = _events(console_server, chat.session_id, "work_plan")
    assert [(step["step_number"], step["status"]) for step in events[-1]["steps"]] == [
        (1, "completed"),
        (2, "failed"),
        (4, "skipped"),
        (5, "completed"),
        (6, "completed"),
    ]


@pytest.mark.requirement("S2-15.3-WorkPlanCard")
def test_a_plan_is_refused_on_a_phone_and_the_run_says_that_it_has_none(visit: Visit):
    page = visit(viewport=PHONE, theme="dark").open("/chat")
    chat = _ask_with_plan(page)
    dock = _dock(page)
    expect(chat.request).to_be_visible()
    expect(dock.get_by_role("button", name="Go ahead")).to_be_in_viewport()
    check(page, "work-plan-asks-phone")
    dock.get_by_role("button", name="Change the plan").click()
    dialog = page.get_by_role("dialog", name="Change the plan")
    steps = dialog.get_by_role("list", name="Steps of the plan").get_by_role("listitem")
    steps.last.get_by_title("Drag to move").drag_to(steps.first)
    expect(steps.first.get_by_label("What step 4 does")).to_have_value(LETTER)
    dialog.get_by_role("button", name="More of step 3").click()
    dialog.get_by_label("What is to come of it").fill("One sentence")
    check(page, "work-plan-change-phone")
    dialog.get_by_role("button", name="Discard").click()
    page.get_by_role("tooltip").get_by_role("button", name="Discard").click()
    dialog.get_by_text("Close", exact=True).click()
    chat.request.get_by_role("radio", name=re.compile("Work without a plan")).check()
    chat.answer("Answer")
    chat.says(HALLS_ANSWER)
    chat.ended()
    chat.says("Works without a plan")


@pytest.mark.requirement("S2-15.3-WorkPlanCard")
def test_the_way_of_working_is_a_setting_of_the_session(
    console_server: ConsoleServer, visit: Visit
):
    session_id = console_server.ask("POST", "/sessions", {"title": "Settings"})["session_id"]
    page = visit().open(f"/chat/{session_id}")
    page.get_by_role("button", name="More for this session").click()
    page.get_by_role("menuitem", name="Settings of this session").click()
    choose(page, "Way of working", "In stages: reasons, plans, executes, reviews")
    page.get_by_label("Steps of a plan that may run side by side").fill("2")
    check(page, "session-settings")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    session = console_server.ask("GET", f"/sessions/{session_id}")
    assert (session["agent_mode"], session["max_concurrent_steps"]) == ("staged", 2)
    assert session["planning_timeout_ms"] == 5000
