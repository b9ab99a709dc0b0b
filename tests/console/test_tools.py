"""Tools of others, files of one's own, reports, budgets: each from the page that offers it to what it does."""

import re
import sys
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.console.chat import Chat
from tests.console.conftest import Visit
from tests.console.controls import choose, give_file
from tests.console.furnished import REPORT
from tests.console.installation import Installation
from tests.console.looking import check

pytestmark = pytest.mark.slow

CLOCK = Path(sys.prefix) / "services/mcp/time/bin/mcp-server-time"
CITIES = "city,people\nShanghai,24870895\nBerlin,3677472\nLagos,15388000\n"


@pytest.mark.requirement("F9-5-mcp")
def test_an_mcp_server_is_allowed_added_tested_used_and_deleted(
    installation: Installation, visit: Visit
):
    if not CLOCK.is_file():
        pytest.skip("mcp-server-time is not installed: run `make test`, which gets it")
    installation.ask("PATCH", "/mcp/policy", {"commands": [str(CLOCK)]})
    # A first attempt may have left some.
    for left in installation.ask("GET", "/mcp/servers?scope=user")["items"]:
        installation.ask("DELETE", f"/mcp/servers/{left['name']}?scope=user")
    taken = {"name": "taken", "command": str(CLOCK)}
    installation.ask("POST", "/mcp/servers?scope=user", taken)
    visitor = visit()
    page = visitor.open("/mcp-servers")
    page.get_by_role("button", name="Add a server").first.click()
    form = page.get_by_role("dialog")
    name = form.get_by_label("Name", exact=False).first
    name.fill("taken")
    form.get_by_label("Command").fill(str(CLOCK))
    visitor.watch.expect("status of 409")
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_role("alert")).to_be_visible()
    installation.ask("DELETE", "/mcp/servers/taken?scope=user")
    expect(form.get_by_label("Command")).to_have_value(str(CLOCK))
    name.fill("clock")
    check(page, "mcp-add")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    page.get_by_role("button", name="Test").first.click()
    expect(page.get_by_text(re.compile(r"Works: \d+ tools"))).to_be_visible()
    page.get_by_role("button", name=re.compile(r"\bTools$")).click()
    expect(page.get_by_text("get_current_time").first).to_be_visible()
    check(page, "mcp-tools")

    chat = Chat(visitor.open("/chat"))
    chat.ask("What time is it in Shanghai?")
    expect(chat.request).to_contain_text("get_current_time of the MCP server clock")
    chat.answer("Approve once")
    chat.says("That is the time in Shanghai.")
    chat.ended()

    page.get_by_role("button", name=re.compile(r"\bDelete$")).click()
    page.get_by_role("tooltip").get_by_role("button", name="Delete").click()
    expect(page.get_by_text("No MCP servers yet")).to_be_visible()


@pytest.mark.requirement("F9-2-upload")
def test_a_file_is_added_in_the_chat_and_asked_about(visit: Visit):
    chat = Chat(visit().open("/chat"))
    attach = chat.page.get_by_role("button", name="Add files to the workspace")
    cities = {"name": "cities.csv", "mimeType": "text/csv", "buffer": CITIES.encode()}
    give_file(chat.page, attach, cities)  # pyright: ignore[reportArgumentType]
    expect(chat.page.get_by_role("img", name="in the workspace")).to_be_visible()
    check(chat.page, "upload")
    chat.ask("Which city of the uploaded file is the largest?")
    chat.says("The largest is Shanghai")
    chat.ended()
    check(chat.page, "upload-answer")


@pytest.mark.requirement("F9-5-reports")
def test_a_report_is_written_run_previewed_and_downloaded(visit: Visit):
    page = visit().open("/reports")
    page.get_by_role("link", name="New report").first.click()
    page.get_by_label("Definition").first.fill(REPORT)
    page.get_by_role("button", name="Create the report").click()
    page.get_by_role("button", name="Run now").click()
    page.get_by_role("button", name=re.compile("Preview")).first.click()
    preview = page.frame_locator("iframe[title='Preview of the report']")
    expect(preview.get_by_role("heading", name="Orders by channel")).to_be_visible()
    check(page, "report-preview")
    page.keyboard.press("Escape")
    with page.expect_download() as download:
        page.get_by_role("link", name=re.compile("Download")).first.click()
    assert download.value.suggested_filename


@pytest.mark.requirement("F9-5-budgets")
def test_a_budget_is_reached_said_and_raised(installation: Installation, visit: Visit):
    person = installation.add_person("thrifty")
    visitor = visit()
    page = visitor.open("/usage")
    page.get_by_role("button", name="Set a budget").first.click()
    choose(page, "Which", "thrifty")
    page.get_by_role("dialog").get_by_label("Most tokens").fill("10")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.get_by_role("dialog")).to_have_count(0)

    chat = Chat(visit(user_id=person).open("/chat"))
    chat.ask("Hello")
    expect(chat.request).to_contain_text("A budget is used up")
    expect(chat.request).to_contain_text("Only an administrator can raise it.")
    check(chat.page, "budget-reached")

    page.reload()
    expect(page.get_by_text("A run waits because its budget is used up")).to_be_visible()
    check(page, "budget-waiting")
    page.get_by_role("button", name="Let it go on").first.click()
    chat.says("Hello.")
    chat.ended()
