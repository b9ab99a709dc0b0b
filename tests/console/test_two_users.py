"""Two people over one session: one may read, the other may answer too, and each sees what the other does."""

import pytest
from playwright.sync_api import expect

from tests.console.chat import Chat
from tests.console.conftest import Visit
from tests.console.controls import choose
from tests.console.installation import Installation
from tests.console.looking import check

pytestmark = pytest.mark.slow


def _share(chat: Chat, person: str, permission: str) -> None:
    page = chat.page
    page.get_by_role("button", name="More for this session").click()
    page.get_by_role("menuitem", name="Share").click()
    dialog = page.get_by_role("dialog")
    choose(page, "Person", person)
    choose(page, "What they may do", permission)
    check(page, f"share-{person}")
    dialog.get_by_role("button", name="Share", exact=True).click()
    expect(dialog).to_contain_text(person)
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


@pytest.mark.requirement("F9-2-share")
def test_a_request_answered_by_another_is_gone_and_says_who_answered(
    installation: Installation, visit: Visit
):
    mei, li = installation.add_person("mei"), installation.add_person("li", "viewer")
    owner = Chat(visit().open("/chat"))
    owner.ask("Write it")
    owner.answer("Approve once")
    owner.ended()
    (note,) = (installation.home / "workspaces").rglob("note.txt")
    owner.ask("Write it again")
    expect(owner.request).to_be_visible()
    # While the question is open: over a file that changed before, the agent may not even ask.
    note.write_text("what was there before\n")
    _share(owner, "mei", "Read and answer what it asks")
    _share(owner, "li", "Read")
    path = f"/chat/{owner.session_id}"

    reader = Chat(visit(user_id=li).open(path))
    expect(reader.request).to_contain_text("Whoever owns this session answers it.")
    expect(reader.request.get_by_role("button")).to_have_count(0)
    expect(reader.composer).to_have_count(0)
    check(reader.page, "shared-to-read")

    # Who may answer sees what it does to a file of somebody else.
    helper = Chat(visit(user_id=mei).open(path))
    expect(helper.request).to_contain_text("Replaces the file that is there")
    expect(helper.request).to_contain_text("-what was there before")
    helper.answer("Approve once")
    for chat in (owner, reader, helper):
        expect(chat.request).to_have_count(0)
        chat.says("It is done.")
    for chat in (owner, reader):
        chat.says("Approved")
        chat.says("by mei")
    expect(reader.page.get_by_text("This is a session of Admin.")).to_be_visible()


@pytest.mark.requirement("F9-2-share")
def test_what_is_not_shared_is_not_there(installation: Installation, visit: Visit):
    stranger = installation.add_person("stranger")
    owner = Chat(visit().open("/chat"))
    owner.ask("Hello")
    owner.ended()
    visitor = visit(user_id=stranger)
    visitor.watch.expect("status of 40[34]|WebSocket connection")
    page = visitor.open(f"/chat/{owner.session_id}")
    expect(page.get_by_text("You may not read this session.")).to_be_visible()
