"""What the agent asks of a person: shown with its effect, answered once, everywhere at the same time."""

import re

import pytest
from playwright.sync_api import expect

from tests.console.chat import Chat
from tests.console.conftest import Visit
from tests.console.installation import Installation
from tests.console.looking import check
from tests.console.script import EDITED_NOTE, NOTE
from tests.console.visitor import PHONE


def _notes(installation: Installation) -> list[str]:
    """Read the notes of everybody."""
    return [path.read_text() for path in (installation.home / "workspaces").rglob("note.txt")]


@pytest.mark.requirement("F9-3")
def test_an_approval_shows_its_effect_and_once_approved_the_run_goes_on(
    installation: Installation, visit: Visit
):
    chat = Chat(visit().open("/chat"))
    chat.ask("Write a note")
    expect(chat.request).to_contain_text("wants to write /note.txt (write_file)")
    expect(chat.request).to_contain_text("A new file")
    expect(chat.request).to_contain_text(f"+{NOTE.strip()}")
    expect(chat.page).to_have_title(re.compile(r"^\(1\) "))
    check(chat.page, "approval")
    chat.answer("Approve once")
    chat.says("It is done.")
    chat.ended()
    expect(chat.request).to_have_count(0)
    expect(chat.page).to_have_title(re.compile(r"^[^(]"))
    assert _notes(installation) == [NOTE]


@pytest.mark.requirement("F9-3")
@pytest.mark.slow
def test_every_page_says_that_something_waits_and_nobody_elses_does(
    installation: Installation, visit: Visit
):
    asker = visit(user_id=installation.add_person("asker"))
    chat = Chat(asker.open("/chat"))
    chat.ask("Write it")
    expect(chat.request).to_be_visible()
    expect(asker.open("/files")).to_have_title("(1) Files · DataAgent")
    # The owner may answer it, and is not rung for it.
    overview = visit().open("/overview")
    waiting = overview.get_by_role("heading", name="Waits for you")
    expect(waiting).to_be_visible()
    expect(overview).to_have_title("Overview · DataAgent")
    expect(overview.get_by_text("Nothing waits for you.")).to_be_visible()
    overview.get_by_text("Everybody's").click()
    overview.get_by_role("link", name="Answer").click()
    Chat(overview).answer("Approve once")
    chat.ended()
    expect(chat.request).to_have_count(0)


@pytest.mark.requirement("F9-2-stop")
@pytest.mark.slow
def test_esc_stops_from_anywhere_but_first_closes_what_is_open(visit: Visit):
    chat = Chat(visit().open("/chat"))
    chat.ask("Tell slowly")
    chat.told(1)
    chat.page.get_by_role("button", name="More for this session").click()
    chat.page.get_by_role("menuitem", name="Share").click()
    dialog = chat.page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    chat.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    chat.told(3)
    chat.log.click()
    chat.page.keyboard.press("Escape")
    chat.says("Stopped")
    expect(chat.stop).to_have_count(0)


@pytest.mark.requirement("F9-3-edit")
@pytest.mark.slow
def test_what_a_person_edits_is_what_is_done(installation: Installation, visit: Visit):
    # Of somebody who has no such file yet: the tool replaces none that it has not read.
    chat = Chat(visit(user_id=installation.add_person("editor")).open("/chat"))
    chat.ask("Write a note, please")
    chat.answer("Edit")
    chat.request.get_by_label("content").fill(EDITED_NOTE)
    check(chat.page, "approval-edit")
    chat.answer("Run it like this")
    chat.says("Approved with changes")
    chat.ended()
    assert EDITED_NOTE in _notes(installation)


@pytest.mark.requirement("F9-3-reason")
@pytest.mark.slow
def test_a_no_with_a_reason_reaches_the_agent_and_nothing_is_done(
    installation: Installation, visit: Visit
):
    before = _notes(installation)
    chat = Chat(visit().open("/chat"))
    chat.ask("Write another note")
    chat.answer("Not this, because…")
    chat.request.get_by_label("What should the agent know or do instead?").fill(
        "Not in this folder"
    )
    check(chat.page, "approval-reason")
    chat.answer("Tell the agent")
    chat.says("Not in this folder")
    chat.ended()
    assert _notes(installation) == before
    (told,) = [
        event["decision"]
        for event in installation.log_of(chat.session_id)
        if event["event_type"] == "hitl_answer"
    ]
    assert (told["type"], told["message"]) == ("respond", "Not in this folder")


@pytest.mark.requirement("F9-3")
@pytest.mark.slow
def test_a_run_that_is_rejected_ends_and_says_so(visit: Visit):
    chat = Chat(visit().open("/chat"))
    chat.ask("Write it")
    chat.answer("Stop the run")
    chat.page.get_by_role("tooltip").get_by_role("button", name="Stop the run").click()
    chat.says("Rejected; the run has ended")
    chat.ended()


@pytest.mark.requirement("F9-3-always")
@pytest.mark.slow
def test_what_is_always_approved_is_not_asked_again(installation: Installation, visit: Visit):
    # Of somebody else: it counts in all sessions of a person.
    chat = Chat(visit(user_id=installation.add_person("trusting")).open("/chat"))
    chat.ask("Write it")
    chat.answer("Always")
    rule = chat.page.get_by_role("tooltip")
    expect(rule).to_contain_text("write_file")
    rule.get_by_role("button", name="Always allow this").click()
    chat.ended()
    chat.ask("Write it again")
    chat.ended(2)
    expect(chat.request).to_have_count(0)


@pytest.mark.requirement("F9-3-questions")
@pytest.mark.slow
def test_a_clarification_is_answered_by_an_option(visit: Visit):
    chat = Chat(visit().open("/chat"))
    chat.ask("Clarify what I mean")
    expect(chat.request).to_contain_text("How fine should it be?")
    expect(chat.request).to_contain_text("recommended")
    check(chat.page, "clarification")
    chat.request.get_by_role("radio", name=re.compile("By day")).check()
    chat.answer("Answer")
    chat.says("By day")
    chat.says("As you wish.")
    chat.ended()


@pytest.mark.requirement("F9-3-questions")
@pytest.mark.slow
def test_a_decision_is_answered_in_own_words_on_a_phone(visit: Visit):
    chat = Chat(visit(viewport=PHONE, theme="dark").open("/chat"))
    chat.ask("Decide with me")
    expect(chat.request).to_contain_text("Which way shall I go?")
    chat.request.get_by_label("Your own answer").fill("Neither: wait a week")
    check(chat.page, "decision-phone-dark")
    chat.answer("Answer")
    chat.says("Neither: wait a week")
    chat.ended()


@pytest.mark.requirement("F9-3-two-tabs")
@pytest.mark.slow
def test_a_request_answered_in_one_tab_is_gone_from_the_other(visit: Visit):
    visitor = visit()
    first = Chat(visitor.open("/chat"))
    first.ask("Write it")
    expect(first.request).to_be_visible()
    second = Chat(visitor.open(f"/chat/{first.session_id}"))
    expect(second.request).to_be_visible()
    second.answer("Approve once")
    for tab in (first, second):
        tab.ended()
        expect(tab.request).to_have_count(0)
        tab.says("It is done.")
