"""From the printed address to a chart of one's own file, by following the page alone.

A newcomer has no model, no key and no SQL. Every step is offered by the page in words; the moments
are the pictures in docs/console.md.
"""

from collections.abc import Callable

from playwright.sync_api import Locator, Page, expect

from tests.console.controls import choose, give_file
from tests.console.every_page import settle
from tests.console.page_checks import wait_until_drawn
from tests.console.random_csv import RandomTable

Moment = Callable[[Page, str], object]
MOMENTS = ("first-page", "your-data", "rows", "chart")


def walk_to_a_chart(page: Page, sign_in_url: str, table: RandomTable, moment: Moment) -> Locator:
    """Follow the steps, and return the chart."""
    page.goto(sign_in_url)
    expect(page.get_by_role("heading", name="Ask your data")).to_be_visible()
    without_model = page.get_by_role("link", name="Work with the data without a model")
    expect(without_model).to_be_visible()
    settle(page)
    moment(page, "first-page")
    without_model.click()
    chooser = page.get_by_role("button", name="Choose a file")
    expect(chooser).to_be_visible()
    settle(page)
    moment(page, "your-data")
    give_file(
        page,
        chooser,
        {"name": table.file_name, "mimeType": "text/csv", "buffer": table.content},
    )
    expect(page.get_by_role("heading", name=table.stem)).to_be_visible()
    expect(page.get_by_role("columnheader", name=table.number_column)).to_be_visible()
    settle(page)
    moment(page, "rows")
    page.get_by_role("button", name="Make a chart").click()
    choose(page, "Along", table.kind_column)
    choose(page, "Measure", table.number_column)
    choose(page, "Put together by", "Sum")
    page.get_by_title("Bars", exact=True).click()
    wanted = f"Sum of {table.number_column} by {table.kind_column}"
    chart = page.get_by_role("img", name=wanted)
    wait_until_drawn(chart)
    settle(page)
    moment(page, "chart")
    return chart
