"""The pattern laboratory: a repeated task is compiled and run; a pattern is written and changed."""

import re
from random import choices
from string import ascii_lowercase
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.console.chat import Chat
from tests.console.conftest import OpenServer, Visit
from tests.console.console_server import OWNER, ConsoleServer
from tests.console.page_checks import check, wait_until_drawn
from tests.console.pattern_script import DONE, MONTHS, PATTERN_SCRIPT, TASK, TASK_NAME
from tests.console.visitor import PHONE

pytestmark = pytest.mark.slow

NAME = "Lamps"
STEPS = [{"description": "Count the lamps", "tools": ["sql_query"]}]
RUN_MONTH = "2026-09"


def _ask(chat: Chat, url: str, month: str) -> None:
    chat.page.goto(f"{url}/chat")
    chat.ask(TASK.format(month=month))


def _let_it_write(chat: Chat, month: str) -> None:
    """Approve the one call that is asked about, and read the answer."""
    expect(chat.request).to_contain_text(f"wants to write /{month}.md")
    chat.answer("Approve once")
    chat.says(DONE.format(month=month))
    chat.ended()


def _rate(chat: Chat) -> None:
    """Rate and correct the run; both are there again after a reload."""
    feedback = chat.log.get_by_role("group", name="Feedback")
    feedback.get_by_role("button", name="Helpful", exact=True).click()
    expect(feedback).to_contain_text("Rated as helpful")
    feedback.get_by_role("button", name="Say what should have been different").click()
    feedback.get_by_role("textbox").fill("Name the author")
    check(chat.page, "run-feedback")
    feedback.get_by_role("button", name="Send it").click()
    expect(feedback).to_contain_text("Name the author")
    chat.page.reload()
    expect(feedback).to_contain_text(re.compile("Rated as helpful.*Name the author"))
    pressed = feedback.get_by_role("button", name="Helpful", exact=True)
    expect(pressed).to_have_attribute("aria-pressed", "true")


@pytest.mark.requirement("F21-7-lab")
@pytest.mark.requirement("F21-walk-pattern")
@pytest.mark.requirement("S2-15.2-InteractionPatterns")
@pytest.mark.timeout(180)
def test_a_task_done_three_times_becomes_a_pattern_is_offered_compiled_and_run(
    build_server: OpenServer, visit: Visit
):
    server = build_server(script=PATTERN_SCRIPT, pattern_compile_repeats="3")
    visitor = visit(server)
    # A file that cannot be read is refused while it is written.
    visitor.page_errors.expect("status of 422")
    chat = Chat(visitor.open("/patterns"))
    page = chat.page
    expect(page.get_by_role("link", name="Start a chat")).to_be_visible()
    for month in MONTHS[:3]:
        _ask(chat, server.url, month)
        _let_it_write(chat, month)

    _ask(chat, server.url, MONTHS[3])
    chat.says("An earlier way of working fits well (100%), and is offered")
    expect(chat.request).to_contain_text("Work like this was done before with success.")
    check(page, "pattern-offered")
    chat.request.get_by_role("radio", name=re.compile("Do it that way")).check()
    chat.answer("Answer")
    _let_it_write(chat, MONTHS[3])
    chat.says(f"Works as before: {TASK_NAME}")
    _rate(chat)

    repeated = chat.log.get_by_text(re.compile("it can become a workflow"))
    repeated.get_by_role("link", name=TASK_NAME).click()
    page.get_by_role("button", name="Compile a workflow").click()
    file = page.get_by_role("textbox", name="The workflow as a file")
    expect(file).to_have_value(re.compile(re.escape("goal: Write the sales note of {{date}}")))
    expect(page.get_by_role("group", name="Changes")).to_contain_text("+goal: Write the sales note")
    check(page, "workflow-compiled")
    whole = file.input_value()
    file.fill(whole.replace("{{date}}.md", "{{year}}.md"))
    found = page.get_by_role("region", name="Check")
    expect(found).to_contain_text("year is neither an input nor taken from a step")
    expect(page.get_by_role("button", name="Store it")).to_be_disabled()
    check(page, "workflow-problem")
    file.fill(whole)
    page.get_by_role("button", name="Store it").click()
    expect(page.get_by_text("It has not run yet.")).to_be_visible()
    page.get_by_role("textbox", name="date").fill(RUN_MONTH)
    check(page, "workflow-run-form")
    page.get_by_role("button", name="Run the workflow").click()
    _let_it_write(chat, RUN_MONTH)
    page.goto(f"{server.url}/patterns")
    entry = page.get_by_role("listitem").filter(
        has=page.get_by_role("link", name=TASK_NAME, exact=True)
    )
    expect(entry).to_contain_text(re.compile(r"saved by its workflow: [\d.k]+ tokens, .* 1. run"))
    check(page, "patterns")
    entry.get_by_role("link", name=TASK_NAME, exact=True).click()
    page.get_by_role("tab", name="Success").click()
    wait_until_drawn(page.get_by_role("img", name="Success over time"))
    check(page, "pattern-uses")


def _goal() -> str:
    """Make a message for a task of its own: there is one pattern for each."""
    return f"Count the {''.join(choices(ascii_lowercase, k=12))} lamps"


@pytest.fixture
def written(console_server: ConsoleServer) -> dict[str, Any]:
    """Write a pattern that no earlier attempt has left there."""
    console_server.remove("/agent/patterns", NAME)
    body = {"name": NAME, "goal": _goal(), "steps": STEPS}
    return console_server.ask("POST", "/agent/patterns", body)


@pytest.mark.requirement("S2-15.2-InteractionPatterns")
def test_an_admin_writes_a_pattern_and_deletes_it_as_useless(
    console_server: ConsoleServer, visit: Visit
):
    console_server.remove("/agent/patterns", NAME)
    page = visit(theme="dark").open("/patterns")
    page.get_by_role("main").get_by_role("link", name="Write a pattern").first.click()
    page.get_by_label("Name", exact=True).fill(NAME)
    page.get_by_label("A message it is for").fill(_goal())
    page.get_by_role("button", name="Add a step").click()
    page.get_by_label("What is done").fill("Count the lamps of the hall")
    page.get_by_label("Tools").fill("sql_query")
    page.get_by_label("Tools").press("Enter")
    page.get_by_label("What people decide here").fill("Broken ones do not count")
    page.reload()
    expect(page.get_by_label("What is done")).to_have_value("Count the lamps of the hall")
    check(page, "pattern-new")
    page.get_by_role("button", name="Create the pattern").click()
    expect(page.get_by_role("heading", name=NAME)).to_be_visible()
    flow = page.get_by_role("list", name="Steps")
    expect(flow).to_contain_text("1. Count the lamps of the hall")
    expect(flow).to_contain_text("Decided: Broken ones do not count")
    check(page, "pattern-flow")
    page.get_by_role("tab", name="Workflow").click()
    expect(page.get_by_role("main")).to_contain_text("So far: 0")
    page.get_by_role("link", name=f"Try {NAME}").click()
    expect(page.get_by_label("Your message")).to_have_value(NAME)
    page.get_by_label("Your message").clear()

    page.goto(f"{console_server.url}/patterns?state=draft")
    page.get_by_role("searchbox", name="Search the patterns").fill("LAMPS sql")
    expect(page.get_by_role("link", name=NAME, exact=True)).to_be_visible()
    page.get_by_role("button", name=f"{NAME} is useless").click()
    page.get_by_role("tooltip").get_by_role("button", name="Useless").click()
    expect(page.get_by_role("link", name=NAME, exact=True)).to_have_count(0)


@pytest.mark.requirement("F21-7-lab")
@pytest.mark.requirement("S2-15.2-InteractionPatterns")
def test_who_was_faster_is_shown_beside_what_one_typed(
    console_server: ConsoleServer, visit: Visit, written: dict[str, Any]
):
    visitor = visit(viewport=PHONE)
    visitor.page_errors.expect("status of 409")
    page = visitor.open(f"/patterns/{written['id']}?tab=edit")
    page.get_by_label("Name", exact=True).fill("Lamps, mine")
    page.get_by_label("Description").fill("What I know of lamps")
    path = f"/agent/patterns/{written['id']}"
    console_server.ask("PATCH", path, {"version": written["version"], "name": "Lamps, theirs"})
    page.get_by_role("button", name="Save").click()
    main = page.get_by_role("main")
    expect(main).to_contain_text("Somebody changed the same meanwhile: there is version 2.")
    expect(main).to_contain_text("It says now: Lamps, theirs")
    expect(page.get_by_label("Name", exact=True)).to_have_value("Lamps, mine")
    check(page, "pattern-conflict")
    page.get_by_role("button", name="Take this one").click()
    page.get_by_role("button", name="Save over version 2").click()
    expect(page.get_by_text("Saved.", exact=True)).to_be_visible()
    now = console_server.ask("GET", path)
    assert (now["name"], now["description"]) == ("Lamps, theirs", "What I know of lamps")
    console_server.ask("DELETE", path)


@pytest.mark.requirement("S2-15.2-InteractionPatterns")
def test_a_pattern_is_offered_to_another_tenant_and_withdrawn(
    visit: Visit, written: dict[str, Any]
):
    page = visit(language="zh").open(f"/patterns/{written['id']}")
    page.get_by_role("button", name=f"将 {NAME} 提供给其他租户").click()
    page.get_by_label("租户标识").fill("another")
    check(page, "pattern-share-zh")
    page.get_by_role("dialog").get_by_role("button", name=re.compile("^提 ?供$")).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("link", name=re.compile("提 ?议")).click()
    expect(page.get_by_role("main")).to_contain_text("没有人提供模式")
    page.get_by_role("tab", name="我们提供的").click()
    offer = page.get_by_role("listitem").filter(has_text="提供给 another").first
    expect(offer).to_contain_text(NAME)
    check(page, "pattern-offers-zh")
    offer.get_by_role("button", name=re.compile("撤 ?回")).click()
    expect(page.get_by_role("main")).to_contain_text("没有提供任何模式")


@pytest.mark.requirement("S2-6.5.8-control")
def test_a_person_switches_learning_off_and_on(console_server: ConsoleServer, visit: Visit):
    page = visit().open("/settings")
    switch = page.get_by_role("switch", name="Use and learn patterns in my chats")
    for wanted in (False, True):
        switch.click()
        expect(switch).to_be_checked(checked=wanted)
        expect(switch).not_to_have_class(re.compile("loading"))
        assert console_server.ask("GET", f"/users/{OWNER}")["learns_patterns"] is wanted
    check(page, "settings-patterns")
