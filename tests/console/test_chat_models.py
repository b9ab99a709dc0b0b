"""Who answers in a chat, and with which model."""

import pytest
from playwright.sync_api import Page, expect

from tests.console.chat import Chat
from tests.console.conftest import Visit
from tests.console.controls import choose
from tests.console.installation import Installation
from tests.console.looking import check

pytestmark = pytest.mark.slow

DEFAULT = "openai:scripted (default)"


def _tools(page: Page, text: str) -> None:
    expect(page.locator(".chat-composer-tools")).to_contain_text(text)


@pytest.mark.requirement("F9-2-models")
def test_a_model_is_chosen_kept_and_given_up_again(installation: Installation, visit: Visit):
    for model in ("openai:other", "deepseek:far"):
        installation.ask("PUT", "/models", {"model": model})
    chat = Chat(visit().open("/chat"))
    chat.page.get_by_role("combobox", name="Model", exact=True).click()
    expect(chat.page.get_by_text("Nobody has given DeepSeek a key yet")).to_be_visible()
    check(chat.page, "models")
    chat.page.get_by_title("openai:other", exact=True).click()
    _tools(chat.page, "openai:other")
    chat.ask("Hello")
    chat.ended()
    chat.page.reload()
    _tools(chat.page, "openai:other")
    chat.ask("Hello")
    chat.ended(2)
    choose(chat.page, "Model", DEFAULT)
    chat.ask("Hello")
    chat.ended(3)
    log = installation.log_of(chat.session_id)
    used = [event["model"] for event in log if event["event_type"] == "start"]
    assert used == ["openai:other", "openai:other", "openai:scripted"]


@pytest.mark.requirement("F9-2-models")
def test_a_model_that_is_offered_no_more_says_so_and_the_message_is_kept(
    installation: Installation, visit: Visit
):
    installation.ask("PUT", "/models", {"model": "openai:passing"})
    chat = Chat(visit().open("/chat"))
    choose(chat.page, "Model", "openai:passing")
    chat.ask("Hello")
    chat.ended()
    installation.ask("DELETE", "/models?model=openai:passing")
    chat.ask("Once more")
    expect(chat.page.get_by_role("alert")).to_contain_text("is not among the models offered here")
    expect(chat.composer).to_have_value("Once more")
    choose(chat.page, "Model", DEFAULT)
    chat.composer.press("Enter")
    chat.ended(2)


@pytest.mark.requirement("F9-2-models")
def test_an_assistant_is_made_used_changed_and_deleted(installation: Installation, visit: Visit):
    chat = Chat(visit().open("/chat"))
    page = chat.page
    choose(page, "Assistant", "Manage assistants …")
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("only the built-in assistant")
    check(page, "assistants")
    dialog.get_by_role("button", name="New assistant").click()
    page.get_by_label("Name").fill("Sales analyst")
    page.get_by_label("Instructions").fill("Answer with figures.")
    check(page, "assistant")
    page.get_by_role("button", name="Save").click()
    dialog.get_by_role("button", name="Change Sales analyst").click()
    page.get_by_label("What it is for").fill("Knows the sales")
    page.get_by_role("button", name="Save").click()
    expect(dialog).to_contain_text("Knows the sales")
    dialog.get_by_role("button", name="Close").click()
    _tools(page, "Sales analyst")
    chat.ask("Hello")
    chat.ended()
    (made,) = [one for one in installation.ask("GET", "/agents")["items"] if not one["built_in"]]
    (run,) = installation.ask("GET", f"/sessions/{chat.session_id}/runs")["items"]
    assert (run["assistant_id"], made["system_prompt"]) == (
        made["agent_id"],
        "Answer with figures.",
    )
    choose(page, "Assistant", "Manage assistants …")
    dialog.get_by_role("button", name="Delete Sales analyst").click()
    page.get_by_role("tooltip").get_by_role("button", name="Delete").click()
    expect(dialog).not_to_contain_text("Sales analyst")
    dialog.get_by_role("button", name="Close").click()
    _tools(page, "An assistant that is gone")
    choose(page, "Assistant", "DataAgent")
    chat.ask("Hello")
    chat.ended(2)
