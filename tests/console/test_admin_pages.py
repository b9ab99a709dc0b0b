"""People, keys, models, rules, projects: each changed in its page, and the change counts elsewhere."""

import json
import re
from collections.abc import Generator

import pytest
from playwright.sync_api import Page, expect

from dataagent_core.models import Script
from dataagent_core.testing import ScriptedEndpoint
from tests.console.chat import Chat
from tests.console.conftest import Visit
from tests.console.controls import choose
from tests.console.every_page import settle
from tests.console.installation import Installation, open_installation
from tests.console.looking import check
from tests.console.script import SCRIPT

pytestmark = pytest.mark.slow

# What another server of models says; it can call the tool that the test of a model asks for.
OTHER = Script.model_validate(
    {
        "scripts": [
            {
                "match": "(?i)tool",
                "steps": [{"tool_calls": [{"name": "note_color", "args": {"color": "blue"}}]}],
            },
            {"steps": [{"thought": "Is it I who is asked?", "text": "The other model answers."}]},
        ]
    }
)


@pytest.fixture(scope="module")
def other() -> Generator[ScriptedEndpoint]:
    with ScriptedEndpoint(OTHER) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def installation(
    tmp_path_factory: pytest.TempPathFactory, other: ScriptedEndpoint
) -> Generator[Installation]:
    folder = tmp_path_factory.mktemp("installation")
    (folder / "home").mkdir()
    # A tenant's own server of models is only reached where the operator allows it.
    allowed = json.dumps([other.root_url.removeprefix("http://")])
    (folder / "home" / "config.toml").write_text(f"web_allow_hosts = {allowed}\n")
    with open_installation(folder, SCRIPT, "--sample") as opened:
        yield opened


def _confirm(page: Page, button: str) -> None:
    page.get_by_role("tooltip").get_by_role("button", name=button).click()


@pytest.mark.requirement("S2-15.3-ThoughtBubble")
@pytest.mark.requirement("F9-6-models")
@pytest.mark.requirement("F9-6-projects")
@pytest.mark.requirement("F9-2-thought")
def test_a_model_is_set_up_tested_and_used_by_the_chats_of_its_project(
    installation: Installation, other: ScriptedEndpoint, visit: Visit
):
    page = visit().open("/projects")
    page.get_by_role("button", name="Create a project").first.click()
    form = page.get_by_role("dialog")
    form.get_by_label("Name").fill("Deep")
    form.get_by_role("button", name="Create a project").click()
    page.get_by_role("button", name="Work in Deep").click()
    expect(page.get_by_role("row").filter(has_text="Deep")).to_contain_text("you work here")

    page.goto(f"{installation.url}/models")
    page.get_by_role("button", name="Set up DeepSeek").click()
    form.get_by_label("Key").fill("sk-0123456789abcdef")
    form.get_by_label("Address").fill(other.base_url)
    check(page, "model-set-up")
    form.get_by_role("button", name="Save").click()
    expect(form).to_have_count(0)
    expect(page.get_by_text("key ends in cdef")).to_be_visible()
    page.get_by_role("button", name="Test DeepSeek").click()
    expect(page.get_by_text("It can call tools")).to_be_visible()
    page.get_by_title("Offer scripted").click()
    expect(page.get_by_role("row").filter(has_text="deepseek:scripted")).to_be_visible()
    choose(page, "Default model of Deep", "deepseek:scripted")
    check(page, "model-tested")

    page.goto(f"{installation.url}/chat")
    chat = Chat(page)
    chat.ask("Hello")
    chat.says("The other model answers.")
    chat.ended()
    thought = chat.log.get_by_role("button", name=re.compile("^Thought"))
    expect(chat.log).not_to_contain_text("Is it I who is asked?")
    thought.click()
    chat.says("Is it I who is asked?")
    check(page, "thought")
    # What is no chat of the project still has the first model.
    page.goto(f"{installation.url}/chat")
    choose(page, "Project", "My own work")
    chat.ask("Hello")
    chat.says("Hello.")


@pytest.mark.requirement("F9-6-members")
def test_a_member_is_invited_by_an_address_gets_another_role_and_is_removed(
    installation: Installation, visit: Visit
):
    page = visit().open("/members")
    page.get_by_role("button", name="Add a member").first.click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("User name").fill("noor")
    dialog.get_by_role("button", name="Add a member").click()
    handed = page.get_by_role("dialog", name="Sign-in address for noor")
    address = handed.get_by_role("code").first.inner_text()
    check(page, "member-invited")
    handed.get_by_role("button", name="I have copied it").click()
    stranger = visit(user_id="")
    stranger.watch.expect("status of 401")
    theirs = stranger.context.new_page()
    theirs.goto(address)
    expect(theirs.get_by_role("button", name="noor, member")).to_be_visible()

    choose(page, "Role of noor", "viewer: only looks")
    row = page.get_by_role("row").filter(has_text="noor")
    expect(row).to_contain_text("viewer")
    theirs.goto(f"{installation.url}/files")
    expect(theirs.get_by_role("button", name="noor, viewer")).to_be_visible()
    settle(theirs)
    row.get_by_role("button", name="More for noor").click()
    page.get_by_role("menuitem", name="Remove").click()
    dialog.get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)
    theirs.reload()
    expect(theirs.get_by_role("heading", name="Welcome to DataAgent")).to_be_visible()


@pytest.mark.requirement("F9-6-keys")
def test_a_key_is_shown_once_works_and_is_revoked(installation: Installation, visit: Visit):
    page = visit().open("/keys")
    page.get_by_role("button", name="Create a key").first.click()
    form = page.get_by_role("dialog", name="Create a key")
    form.get_by_label("Name").fill("robot")
    form.get_by_role("checkbox", name=re.compile("^read:")).check()
    form.get_by_role("button", name="Create a key").click()
    shown = page.get_by_role("dialog", name="Your new key")
    secret = shown.get_by_role("code").first.inner_text()
    assert installation.ask("GET", "/auth/me", key=secret)
    shown.get_by_role("button", name="I have copied it").click()
    expect(shown).to_have_count(0)
    expect(page.get_by_text(secret)).to_have_count(0)
    row = page.get_by_role("row").filter(has_text="robot")
    expect(row).to_contain_text("active")
    check(page, "key")
    row.get_by_role("button", name="Revoke “robot”").click()
    _confirm(page, "Revoke")
    expect(row).to_contain_text("revoked")
    with pytest.raises(AssertionError, match="401"):
        installation.ask("GET", "/auth/me", key=secret)


@pytest.mark.requirement("S2-15.2-ToolManager")
@pytest.mark.requirement("F9-6-permissions")
@pytest.mark.requirement("F9-5-tools")
def test_a_rule_is_written_explained_and_shown_with_the_tool(
    installation: Installation, visit: Visit
):
    page = visit().open("/permissions")
    page.get_by_role("combobox", name="Tool").fill("write_file")
    page.get_by_label("On what").fill("/note.txt")
    page.get_by_role("button", name="Explain").click()
    expect(page.get_by_text("A person would be asked first.")).to_be_visible()
    page.get_by_role("button", name="Write a rule").first.click()
    form = page.get_by_role("dialog")
    form.get_by_role("radio", name=re.compile("^deny:")).check()
    form.get_by_label("Tool").fill("write_file")
    form.get_by_role("button", name="Write a rule").click()
    expect(form).to_have_count(0)
    page.get_by_role("button", name="Explain").click()
    expect(page.get_by_text("It would be refused.")).to_be_visible()
    check(page, "rule")

    page.goto(f"{installation.url}/tools")
    page.get_by_label("Search tools").fill("write_file")
    tool = page.get_by_role("button", name=re.compile("^(right )?write_file"))
    expect(tool).to_contain_text("Forbidden by your own rule")
    tool.click()
    expect(page.get_by_role("main")).to_contain_text("Parameters")
    check(page, "tool")

    page.goto(f"{installation.url}/permissions")
    page.get_by_role("button", name=re.compile("^Take back: .*write_file")).click()
    _confirm(page, "Take back")
    expect(page.get_by_text("No kept rules")).to_be_visible()


@pytest.mark.requirement("F9-6-audit")
def test_what_was_done_stands_in_the_audit_log_and_its_chain_is_whole(
    installation: Installation, visit: Visit
):
    installation.ask("POST", "/projects", {"name": "On record"})
    page = visit().open("/audit")
    expect(page.get_by_role("row").filter(has_text="project.create").first).to_contain_text("Admin")
    page.get_by_role("combobox", name="What").fill("member.*")
    expect(page.get_by_role("row").filter(has_text="project.create")).to_have_count(0)
    page.get_by_role("button", name="Check the chain").click()
    expect(page.get_by_text("The record is whole")).to_be_visible()
    check(page, "audit")


@pytest.mark.requirement("F9-6-settings")
def test_settings_change_the_name_the_language_and_the_colours(
    installation: Installation, visit: Visit
):
    page = visit(user_id=installation.add_person("sora")).open("/settings")
    page.get_by_label("Name others see").fill("Sora of the harbour")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Saved.")).to_be_visible()
    names = [each["display_name"] for each in installation.ask("GET", "/members")["items"]]
    assert "Sora of the harbour" in names
    page.get_by_role("radio", name="Dark").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_role("radio", name="中文").check()
    expect(page.get_by_role("heading", name="设置", exact=True)).to_be_visible()
    check(page, "settings-zh-dark")
