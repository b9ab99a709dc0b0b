"""The frame around the pages: coming in, going out, keys, language, colours."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.console.conftest import Visit
from tests.console.every_page import menu_paths, settle
from tests.console.installation import Installation
from tests.console.looking import check
from tests.console.visitor import PHONE

PASSWORD = "a long enough pass phrase"


def _menu(page: Page):
    return page.get_by_role("navigation", name=re.compile("Main menu|主菜单"))


@pytest.mark.requirement("F9-1")
def test_a_stranger_signs_in_by_password_and_out_again(installation: Installation, visit: Visit):
    person = {"username": "ada", "role": "member", "password": PASSWORD}
    installation.ask("POST", "/members", person)
    stranger = visit(user_id="")
    stranger.watch.expect("status of 401")  # that nobody is signed in is how the door opens
    page = stranger.open("/files")
    expect(page.get_by_role("heading", name="Welcome to DataAgent")).to_be_visible()
    check(page, "sign-in")
    page.get_by_label("User name").fill("ada")
    page.get_by_label("Password").fill("not this one")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.get_by_label("User name")).to_have_value("ada")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(_menu(page)).to_be_visible()
    assert page.url.endswith("/files")
    page.get_by_role("button", name=re.compile(", member")).click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("heading", name="Welcome to DataAgent")).to_be_visible()


@pytest.mark.requirement("F9-6")
def test_a_member_sees_no_administration_and_an_owner_does(
    installation: Installation, visit: Visit
):
    member = visit(user_id=installation.add_person("li")).open()
    expect(_menu(member)).to_contain_text("Yours")
    expect(_menu(member)).not_to_contain_text("Administration")
    owner = visit().open()
    expect(_menu(owner)).to_contain_text("Administration")
    more = set(menu_paths(owner)) - set(menu_paths(member))
    assert more
    for path in sorted(more):
        member.goto(installation.url + path)
        expect(member.get_by_text("There is no such page.")).to_be_visible()


@pytest.mark.requirement("F9-7-palette")
def test_the_palette_goes_anywhere_and_does_anything_by_keys_alone(visit: Visit):
    page = visit().open()
    settle(page)
    page.keyboard.press("Control+k")
    box = page.get_by_role("combobox", name="Go to or do something")
    expect(box).to_be_focused()
    check(page, "palette")
    page.keyboard.type("dark")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.keyboard.press("Control+Shift+p")
    expect(box).to_be_focused()
    page.keyboard.type("中文")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", re.compile("^zh"))
    page.keyboard.press("Control+k")
    expect(page.get_by_role("combobox", name="前往或执行")).to_be_focused()
    page.keyboard.type("qqqqq")
    expect(page.get_by_text("没有与“qqqqq”匹配的内容")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("listbox")).to_have_count(0)
    page.keyboard.press("Control+b")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("html")).to_have_attribute("lang", re.compile("^zh"))


@pytest.mark.requirement("F9-7-palette")
def test_every_page_of_the_menu_is_in_the_palette(visit: Visit):
    page = visit().open()
    settle(page)
    titles = [link.inner_text() for link in _menu(page).get_by_role("link").all()]
    page.keyboard.press("Control+k")
    expect(page.get_by_role("option").first).to_be_visible()
    offered = page.get_by_role("option").all_inner_texts()
    for title in titles:
        assert any(each.startswith(title) for each in offered), (title, offered)


@pytest.mark.requirement("F9-7-languages")
def test_the_language_changes_on_the_spot_and_so_do_the_colours(visit: Visit):
    page = visit().open()
    expect(_menu(page)).to_contain_text("Work")
    page.get_by_role("button", name="Language").click()
    expect(_menu(page)).to_contain_text("工作")
    expect(page.locator("html")).to_have_attribute("lang", re.compile("^zh"))
    page.get_by_role("button", name="语言").click()
    page.get_by_role("button", name=re.compile(", owner")).click()
    page.get_by_role("menuitem", name="Dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


@pytest.mark.requirement("F9-7-phone")
def test_on_a_phone_the_menu_is_a_drawer_that_closes_behind_one(visit: Visit):
    page = visit(viewport=PHONE).open()
    settle(page)
    expect(_menu(page)).to_have_count(0)
    page.get_by_role("button", name="Show or hide the menu").click()
    _menu(page).get_by_role("link").last.click()
    expect(_menu(page)).to_be_hidden()
    settle(page)


@pytest.mark.requirement("F9-7-errors")
def test_an_address_that_leads_nowhere_says_so_and_leads_back(visit: Visit):
    page = visit().open("/no/such/page")
    expect(page.get_by_text("There is no such page.")).to_be_visible()
    check(page, "not-found")
    page.get_by_role("link", name="Go to the chat").click()
    expect(page.get_by_text("There is no such page.")).to_have_count(0)


@pytest.mark.requirement("F9-7-keyboard")
def test_the_first_tab_skips_to_the_content(visit: Visit):
    # Not the chat: there the cursor already stands where one writes.
    page = visit().open("/members")
    settle(page)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to the content")
    expect(skip).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()
