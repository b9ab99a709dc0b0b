"""A work plan in the chat: read while it is carried out, changed by a person, kept in its turn."""

import re

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from tests.console.conftest import Visit
from tests.console.console_server import ConsoleServer
from tests.console.long_logs import written
from tests.console.page_checks import check
from tests.console.plan_logs import AGAIN, FIRST, REASON, SECOND, THIRD, over, under_way
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
