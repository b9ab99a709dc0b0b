"""What belongs to somebody, or is gone: projects, drafts, dropped files, the files of an older build."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.console.conftest import Visit
from tests.console.every_page import settle
from tests.console.installation import Installation
from tests.console.looking import check

pytestmark = pytest.mark.slow

PASSWORD = "a long enough pass phrase"
_DROP = """([place, name]) => {
  const carried = new DataTransfer();
  carried.items.add(new File(["a,b\\n1,2\\n"], name));
  const said = { bubbles: true, cancelable: true, dataTransfer: carried };
  const on = document.querySelector(place);
  return ["dragover", "drop"].map((kind) => on.dispatchEvent(new DragEvent(kind, said)));
}"""


def _sign_in(page: Page, name: str) -> None:
    page.get_by_label("User name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("navigation", name="Main menu")).to_be_visible()


@pytest.mark.requirement("F9-7-errors")
def test_the_project_somebody_works_in_is_deleted_by_another(
    installation: Installation, visit: Visit
):
    project = installation.ask("POST", "/projects", {"name": "Doomed"})["project_id"]
    member = visit(user_id=installation.add_person("pat"))
    member.watch.expect("status of 404")  # that is how the page hears of it
    page = member.open("/data")
    page.get_by_role("combobox", name="Project").click()
    page.get_by_title("Doomed", exact=True).click()
    settle(page)
    installation.ask("DELETE", f"/projects/{project}")
    page.get_by_role("link", name="Overview").click()
    expect(page.get_by_text("The project you worked in is gone.")).to_be_visible()
    expect(page.get_by_role("heading", name="My own work")).to_be_visible()
    page.goto(f"{installation.url}/data")
    expect(page.get_by_role("link", name="shop")).to_be_visible()
    expect(page.get_by_text("There is no project")).to_have_count(0)


@pytest.mark.requirement("F9-2-draft")
def test_the_next_person_in_this_browser_sees_nothing_of_the_last(
    installation: Installation, visit: Visit
):
    for name in ("una", "ulf"):
        installation.ask(
            "POST", "/members", {"username": name, "role": "member", "password": PASSWORD}
        )
    browser = visit(user_id="")
    browser.watch.expect("status of 401")  # that nobody is signed in is how the door opens
    page = browser.open("/chat")
    _sign_in(page, "una")
    words = page.get_by_label("Your message")
    words.fill("What nobody else is to read")
    page.reload()
    expect(words).to_have_value("What nobody else is to read")
    page.get_by_role("button", name=re.compile(", member")).click()
    page.get_by_role("menuitem", name="Sign out").click()
    expect(page.get_by_role("heading", name="Welcome to DataAgent")).to_be_visible()
    assert "nobody else" not in page.evaluate("JSON.stringify({ ...localStorage })")
    _sign_in(page, "ulf")
    expect(words).to_have_value("")


@pytest.mark.requirement("F9-2-drag")
def test_a_file_dropped_on_the_chat_goes_to_the_composer_and_elsewhere_nowhere(visit: Visit):
    page = visit().open("/chat")
    settle(page)
    # False: the browser itself does nothing with it, so the page stays.
    assert page.evaluate(_DROP, [".chat-body", "dropped.csv"]) == [False, False]
    expect(page.locator(".chat-composer")).to_contain_text("/uploads/dropped.csv")
    assert page.evaluate(_DROP, ["header", "elsewhere.csv"]) == [False, False]
    page.get_by_role("link", name="Usage").click()
    settle(page)
    assert page.evaluate(_DROP, ["main", "elsewhere.csv"]) == [False, False]
    page.get_by_role("link", name="Files", exact=True).click()
    page.get_by_role("treeitem", name="uploads").locator(".files-branch-name").click()
    expect(page.get_by_role("table").get_by_text("dropped.csv", exact=True)).to_be_visible()
    expect(page.get_by_text("elsewhere.csv")).to_have_count(0)


@pytest.mark.requirement("F9-7-errors")
def test_a_tab_of_an_older_build_says_that_there_is_a_new_one(visit: Visit):
    visitor = visit()
    for words in ("status of 404", "dynamically imported module", "preload CSS"):
        visitor.watch.expect(words)
    page = visitor.open("/chat")
    settle(page)
    page.route("**/assets/*", lambda route: route.fulfill(status=404, body=""))
    page.get_by_role("link", name="Audit log").click()
    expect(page.get_by_text("A new version of the console is there.")).to_be_visible()
    check(page, "new-version")
    page.unroute("**/assets/*")
    page.get_by_role("button", name="Load again").click()
    expect(page.get_by_role("heading", name="Audit log")).to_be_visible()


@pytest.mark.requirement("F9-6")
def test_a_viewer_is_not_offered_what_a_viewer_may_not_do(installation: Installation, visit: Visit):
    viewer = visit(user_id=installation.add_person("eye", "viewer")).open("/data")
    owner = visit().open("/data")
    for path, offer in (
        ("/data", "Choose a file"),
        ("/data/sql", "Run"),
        ("/reports", "New report"),
        ("/mcp-servers", "Add a server"),
        ("/files", "New workspace"),
        ("/permissions", "Write a rule"),
    ):
        named = re.compile(f"{offer}$")
        owner.goto(installation.url + path)
        link = owner.get_by_role("link", name=named)
        expect(owner.get_by_role("button", name=named).or_(link).first).to_be_visible()
        viewer.goto(installation.url + path)
        expect(viewer.get_by_text("Your role is viewer").first).to_be_visible()
        expect(viewer.get_by_role("button", name=named)).to_have_count(0)
        expect(viewer.get_by_role("link", name=named)).to_have_count(0)


@pytest.mark.requirement("F9-5-files")
@pytest.mark.requirement("F9-7-keyboard")
def test_the_tree_of_folders_is_walked_by_keys_alone(installation: Installation, visit: Visit):
    installation.put_file("/uploads/deep/er/a.csv", b"a\n1\n")
    page = visit().open("/files")
    home = page.get_by_role("treeitem", name="All folders")
    expect(page.get_by_role("treeitem", name="uploads")).to_be_visible()
    home.focus()
    page.keyboard.press("End")
    for folder in ("deep", "er"):
        page.keyboard.press("ArrowRight")
        expect(page.get_by_role("treeitem", name=folder, exact=True)).to_be_visible()
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.get_by_role("table").get_by_text("a.csv", exact=True)).to_be_visible()
    check(page, "files-tree")
