"""A task in the background, from the card in its conversation to its own."""

import re

import pytest
from playwright.sync_api import expect

from tests.console.chat import Chat
from tests.console.conftest import OpenServer, Visit
from tests.console.page_checks import check

pytestmark = pytest.mark.slow

TASK = {"description": "Dig for the old ledger", "subagent_type": "general-purpose"}
SCRIPT = {
    "scripts": [
        {"match": "^Dig", "steps": [{"text": "The ledger lies under the stairs."}]},
        {
            "match": "now",
            "steps": [
                {"tool_calls": [{"name": "start_task", "args": TASK}]},
                {"text": "I have started it."},
            ],
        },
    ]
}


def test_a_background_task_is_a_card_that_leads_to_its_own_conversation(
    build_server: OpenServer, visit: Visit
):
    chat = Chat(visit(build_server(script=SCRIPT)).open("/chat"))
    chat.ask("Start it now")
    chat.answer("Approve once")
    chat.ended()
    card = chat.log.get_by_role("group", name="general-purpose")
    expect(card).to_contain_text("In the background")
    # The work ends after the run that started it.
    expect(card.get_by_role("status")).to_have_text("Done.")
    check(chat.page, "background-task")
    started_from = chat.page.url
    card.get_by_role("link", name="Open it").click()
    expect(chat.page).to_have_url(re.compile(r"/chat/task-[0-9a-f]{24}$"))
    chat.says("The ledger lies under the stairs.")
    check(chat.page, "background-conversation")
    chat.page.get_by_role("link", name="Parent chat").click()
    expect(chat.page).to_have_url(started_from)
    expect(card).to_be_visible()
