"""What runs by itself, what ran, and where the work stands."""

import re

import pytest
from playwright.sync_api import expect

from tests.console.chat import Chat
from tests.console.conftest import Visit
from tests.console.controls import choose
from tests.console.furnished import REPORT
from tests.console.installation import Installation
from tests.console.looking import check
from tests.console.script import QUESTION

pytestmark = pytest.mark.slow


@pytest.mark.requirement("F9-5-schedules")
def test_a_report_is_scheduled_in_words_and_switched_off(installation: Installation, visit: Visit):
    report = installation.ask("POST", "/reports", {"definition": REPORT})["report_id"]
    page = visit().open(f"/reports/{report}")
    page.get_by_role("tab", name="Schedules").click()
    page.get_by_role("button", name="Add a schedule").click()
    form = page.get_by_role("dialog")
    choose(page, "How often", "Every day")
    form.get_by_label("Time", exact=True).fill("06:30")
    expect(form.get_by_role("status")).to_contain_text("every day at 06:30")
    check(page, "schedule")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    schedules = page.get_by_role("tabpanel", name="Schedules")
    expect(schedules).to_contain_text("Runs every day at 06:30")
    expect(schedules).to_contain_text("next ")
    (kept,) = installation.ask("GET", f"/reports/{report}/schedules")["items"]
    assert kept["cron"] == "30 6 * * *"
    schedules.get_by_role("button", name="Switch off").click()
    expect(schedules.get_by_role("button", name="Switch on")).to_be_visible()


@pytest.mark.requirement("S2-15.3-ActivityTimeline")
@pytest.mark.requirement("F9-5-activity")
def test_a_run_has_durations_tokens_and_every_step_of_it(installation: Installation, visit: Visit):
    installation.ask("POST", "/chat", {"message": QUESTION})
    page = visit().open("/activity")
    row = page.get_by_role("row").filter(has_text=QUESTION[:20])
    expect(row).to_contain_text(re.compile(r"Done.*\d (ms|s)", re.DOTALL))
    row.get_by_role("link").click()
    main = page.get_by_role("main")
    expect(main).to_contain_text("4 model turns took")
    expect(main).to_contain_text(re.compile(r"Tokens\s*:?\s*[\d,]{4,}"))
    steps = page.get_by_role("region", name="Steps").get_by_role("listitem")
    expect(steps.filter(has_text="sql_query")).to_contain_text(re.compile(r"\d (ms|s)"))
    expect(steps.filter(has_text="Model").first).to_contain_text("tokens")
    check(page, "activity")
    page.get_by_text("Full", exact=True).click()
    expect(steps.filter(has_text="sql_query")).to_contain_text("SELECT p.category")


@pytest.mark.requirement("F9-5-activity")
def test_each_run_of_a_chat_is_listed_by_what_was_asked(installation: Installation, visit: Visit):
    chat = Chat(visit().open("/chat"))
    chat.ask("Hello, first lantern")
    chat.ended()
    chat.ask("Hello, second lantern")
    chat.ended(2)
    chat.page.goto(f"{installation.url}/activity")
    for name in ("first", "second"):
        run = chat.page.get_by_role("link", name=f"Hello, {name} lantern", exact=True)
        expect(run).to_have_count(1)


@pytest.mark.requirement("F9-5-overview")
def test_the_overview_leads_to_what_was_done_last(installation: Installation, visit: Visit):
    installation.ask("POST", "/chat", {"message": "Hello, violet harbour"})
    page = visit().open("/overview")
    page.get_by_role("main").get_by_role("link", name=re.compile("violet harbour")).first.click()
    expect(page).to_have_url(re.compile("/chat/"))
    expect(page.get_by_role("log")).to_contain_text("Hello, violet harbour")
