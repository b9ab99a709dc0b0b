"""Data and files without a model: written down, looked at, kept and found again."""

import re

import pytest
from playwright.sync_api import FilePayload, ViewportSize, expect

from tests.console.conftest import Visit
from tests.console.controls import downloaded, give_file
from tests.console.furnished import CITIES, METRICS
from tests.console.installation import Installation
from tests.console.looking import check, wait_until_drawn

pytestmark = pytest.mark.slow

CSV: FilePayload = {"name": "cities.csv", "mimeType": "text/csv", "buffer": CITIES}
SQL = "SELECT channel, count(*) AS orders FROM orders GROUP BY 1 ORDER BY 1"


@pytest.mark.requirement("F9-5-files")
def test_a_file_is_uploaded_previewed_downloaded_and_deleted(visit: Visit):
    page = visit().open("/files?folder=/uploads")
    give_file(page, page.get_by_role("button", name="Upload files").first, CSV)
    expect(page.get_by_role("region", name="Uploads")).to_contain_text("done")
    expect(page.get_by_text(re.compile(r"used, 1 of [\d,]+ files")).first).to_be_visible()
    row = page.get_by_role("row").filter(has_text="cities.csv")
    row.get_by_role("button", name=re.compile(r"^(file )?cities\.csv$")).click()
    preview = page.get_by_role("dialog").filter(has_text="cities.csv")
    expect(preview.get_by_role("table")).to_contain_text("Shanghai")
    check(page, "file-preview")
    assert downloaded(page, preview.get_by_role("link", name=re.compile("Download"))) == CITIES
    preview.get_by_role("button", name="Close").click()
    expect(preview).to_have_count(0)
    row.get_by_role("button", name="Delete cities.csv").click()
    page.get_by_role("tooltip").get_by_role("button", name="Delete").click()
    expect(row).to_have_count(0)


@pytest.mark.requirement("F9-5-sql")
@pytest.mark.requirement("F9-5-questions")
def test_sql_is_run_saved_as_a_question_and_opened_again(visit: Visit):
    page = visit().open("/data/sql?source=shop")
    box = page.get_by_role("textbox", name="SQL", exact=True)
    box.fill("SELECT nothing FROM orders")
    # What is wrong is said before it runs.
    expect(page.get_by_role("status").filter(has_text="nothing")).to_be_visible()
    box.fill(SQL)
    box.press("Control+Enter")
    rows = page.get_by_role("tabpanel", name="Rows")
    expect(rows.get_by_role("table")).to_contain_text("web")
    page.get_by_role("tab", name="Chart").click()
    wait_until_drawn(page.get_by_role("figure").get_by_role("img").last)
    check(page, "sql-chart")
    page.get_by_role("button", name="Save this question").click()
    page.get_by_role("dialog").get_by_label("Name").fill("Orders by channel")
    page.get_by_role("dialog").get_by_role("button", name="Save this question").click()
    expect(page.get_by_role("heading", name="Orders by channel")).to_be_visible()
    page.goto(f"{page.url.partition('/data')[0]}/data/questions")
    page.get_by_role("link", name="Orders by channel").click()
    expect(box).to_have_value(SQL)
    expect(page.get_by_role("tabpanel").get_by_role("table").first).to_contain_text("web")
    check(page, "question")


@pytest.mark.requirement("F9-5-profile")
def test_a_table_has_rows_a_profile_and_its_columns(visit: Visit):
    page = visit().open("/data/table?source=shop&table=orders")
    expect(page.get_by_role("tabpanel", name="Rows").get_by_role("table")).to_be_visible()
    page.get_by_role("tab", name="Profile").click()
    profile = page.get_by_role("tabpanel", name="Profile")
    expect(profile).to_contain_text("Of all rows")
    frequent = profile.get_by_role("list", name="most frequent").filter(has_text="web")
    expect(frequent).to_contain_text("store")
    check(page, "profile")
    page.get_by_role("tab", name="Columns").click()
    expect(page.get_by_role("tabpanel", name="Columns")).to_contain_text("ordered_at")


DAYS = "day,orders\n" + "".join(f"{month:02}/01/2024,{month}\n" for month in range(1, 13))
NARROW: ViewportSize = {"width": 1024, "height": 768}


@pytest.mark.requirement("F9-5-profile")
def test_dates_that_fit_two_ways_are_read_the_other_way_by_a_click(
    installation: Installation, visit: Visit
):
    installation.put_file("/uploads/days.csv", DAYS.encode())
    installation.ask("PATCH", "/data/files/reading?path=/uploads/days.csv", {"dates": "auto"})
    page = visit(viewport=NARROW).open("/data/source?source=/uploads/days.csv")
    rows = page.get_by_role("tabpanel", name="Rows").get_by_role("table")
    expect(rows).to_contain_text("2024-12-01")
    doubt = page.get_by_role("alert").filter(has_text="can be read in two ways")
    check(page, "two-readings")
    doubt.get_by_role("button", name="Read as day/month/year").click()
    expect(rows).to_contain_text("2024-01-12")
    expect(page.get_by_role("alert")).to_contain_text("day, month, year, as a person chose")
    # Taken back, in Chinese.
    page = visit(language="zh", viewport=NARROW).open("/data/source?source=/uploads/days.csv")
    page.get_by_role("button", name="读取方式").click()
    page.get_by_role("combobox", name="形如 01/02/2024 的日期").click()
    page.get_by_title("根据文件内容判断", exact=True).last.click()
    check(page, "reading-dialog")
    page.get_by_role("button", name="按此读取").click()
    expect(page.get_by_role("button", name="按日/月/年读取")).to_be_visible()
    expect(page.get_by_role("tabpanel").get_by_role("table").first).to_contain_text("2024-12-01")
    # The warning at a result offers it too, and asks again.
    page.goto(f"{installation.url}/data/sql?source=/uploads/days.csv")
    box = page.get_by_role("textbox", name="SQL", exact=True)
    box.fill("SELECT max(day) AS last FROM days")
    box.press("Control+Enter")
    answer = page.get_by_role("tabpanel").get_by_role("table").first
    expect(answer).to_contain_text("2024-12-01")
    page.get_by_role("button", name="按日/月/年读取").click()
    expect(answer).to_contain_text("2024-01-12")


@pytest.mark.requirement("F9-5-metrics")
def test_a_metric_is_defined_and_asked_without_sql(installation: Installation, visit: Visit):
    page = visit().open("/data/metrics")
    page.get_by_role("textbox", name="The model").fill(METRICS)
    page.get_by_role("button", name="Save the model").click()
    ask = page.get_by_role("button", name="Ask", exact=True)
    expect(ask).to_be_enabled()
    ask.click()
    wait_until_drawn(page.get_by_role("figure").get_by_role("img").last)
    check(page, "metric")
    assert installation.ask("GET", "/data/model")["version"] == 1
