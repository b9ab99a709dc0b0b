"""Ask again, ask otherwise, go another way, take back."""

import re

import pytest
from playwright.sync_api import expect

from tests.console.chat import Chat
from tests.console.conftest import Visit
from tests.console.installation import Installation
from tests.console.looking import check

pytestmark = pytest.mark.slow


@pytest.mark.requirement("F9-2-retry")
def test_a_question_is_asked_again_by_one_click(visit: Visit):
    chat = Chat(visit().open("/chat"))
    chat.ask("Hello")
    chat.ended()
    chat.ends.click()
    chat.ended(2)
    expect(chat.message("Hello")).to_have_count(2)


@pytest.mark.requirement("F9-2-fork")
def test_an_edited_message_is_asked_in_a_copy_and_the_original_stays(
    installation: Installation, visit: Visit
):
    chat = Chat(visit().open("/chat"))
    chat.ask("Hello first")
    chat.ended()
    chat.ask("Hello second")
    chat.ended(2)
    original = chat.session_id
    second = chat.message("Hello second")
    second.hover()
    second.get_by_role("button", name="Edit and ask again").click()
    chat.log.get_by_label("Edited message").fill("Hello otherwise")
    chat.log.get_by_role("button", name="Send").click()
    expect(chat.page).not_to_have_url(re.compile(original))
    expect(chat.message("Hello otherwise")).to_be_visible()
    chat.ended(2)
    expect(chat.message("Hello second")).to_have_count(0)
    check(chat.page, "forked")
    chat.page.goto(f"{installation.url}/chat/{original}")
    expect(chat.message("Hello second")).to_be_visible()
    expect(chat.message("Hello otherwise")).to_have_count(0)


@pytest.mark.requirement("F9-2-rewind")
def test_files_go_back_to_before_a_message(installation: Installation, visit: Visit):
    chat = Chat(visit(user_id=installation.add_person("careful")).open("/chat"))
    chat.ask("Write it")
    chat.answer("Approve once")
    chat.ended()
    assert [*(installation.home / "workspaces").rglob("note.txt")]
    message = chat.message("Write it")
    message.hover()
    message.get_by_role("button", name="Rewind files to before this message").click()
    chat.page.get_by_role("dialog").get_by_role("button", name="Take back").click()
    expect(chat.page.get_by_role("dialog").last).to_contain_text("note.txt")
    assert not [*(installation.home / "workspaces").rglob("note.txt")]
