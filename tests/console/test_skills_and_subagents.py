"""A skill and a sub-agent, from the first line of each to what came of it."""

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.console.chat import Chat
from tests.console.conftest import Visit
from tests.console.console_server import OWNER, ConsoleServer
from tests.console.controls import choose, downloaded, give_file
from tests.console.page_checks import check
from tests.console.script import COMPOSITION_NAME, SKILL_NAME, SUBAGENT_NAME

pytestmark = pytest.mark.slow

SKILL = f"""\
---
name: {SKILL_NAME}
description: Greets people the way the shop wants it. Use it when a lantern is sold.
metadata:
  triggers: '["sell a lantern"]'
---

# Lanterns

1. Say good evening.
"""

LEAF, POTS, CUPS = "assets/leaf.txt", "references/pots.md", "references/cups.md"


def keep_what_is_not_saved(console_server: ConsoleServer, page: Page) -> None:
    """Change the skill elsewhere while somebody writes, and load it again."""
    page.get_by_role("tab", name="SKILL.md").click()
    text = page.get_by_role("textbox", name="SKILL.md")
    text.fill(SKILL + "Not saved.\n")
    skill_id = page.url.partition("/skills/")[2].partition("?")[0]
    console_server.ask("PUT", f"/skills/{skill_id}/content", {"content": SKILL + "Elsewhere.\n"})
    for _ in "off", "on":
        page.get_by_role("switch", name=f"{SKILL_NAME} is used").click()
    expect(page.get_by_text("switched off")).to_have_count(0)
    expect(text).to_have_value(SKILL + "Not saved.\n")
    page.get_by_role("link", name="All skills").click()
    page.get_by_role("link", name=SKILL_NAME, exact=True).click()
    expect(text).to_have_value(SKILL + "Not saved.\n")
    page.reload()
    expect(text).to_have_value(SKILL + "Not saved.\n")
    expect(page.get_by_text("The stored one has changed since you began")).to_be_visible()
    check(page, "skill-unsaved")
    page.get_by_role("button", name="Discard").click()
    page.get_by_role("tooltip").get_by_role("button", name="Discard").click()
    expect(text).to_have_value(SKILL + "Elsewhere.\n")
    expect(page.get_by_role("button", name="Save")).to_be_disabled()


def pass_its_test(page: Page) -> None:
    """Write prompts for the open skill, and run them."""
    page.get_by_role("tab", name="Test").click()
    page.get_by_role("button", name="Write test prompts").click()
    page.get_by_label("Prompts that should load it").fill("sell a lantern\nsell a lantern to Mei")
    page.get_by_label("Prompts that should not").fill("what is the weather like")
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.get_by_role("button", name="Run the test").click()
    report = page.get_by_role("tabpanel", name="Test")
    for figure in ("Recall", "Precision"):
        shown = report.locator(".ant-statistic").filter(has_text=figure)
        expect(shown).to_contain_text("100%")
    expect(report).to_contain_text("No misses")
    matrix = report.get_by_role("group", name="Which skills get in each other's way")
    row = matrix.get_by_role("row").filter(has=page.get_by_role("rowheader", name=SKILL_NAME))
    expect(row.get_by_role("cell").filter(has_text="2").first).to_be_visible()
    check(page, "skill-test")


@pytest.mark.requirement("S2-15.2-SkillRegistry")
@pytest.mark.requirement("S2-15.5")
def test_a_skill_is_written_fires_in_a_chat_and_once_it_is_off_fires_no_more(
    console_server: ConsoleServer, visit: Visit
):
    console_server.remove("/skills", SKILL_NAME)
    page = visit().open("/skills")
    page.get_by_role("link", name="Write a skill").click()
    text = page.get_by_role("textbox", name="SKILL.md")
    text.fill(SKILL.replace("description: ", 'description: "'))
    problems = page.get_by_role("region", name="Check")
    expect(problems.get_by_role("button").first).to_contain_text(re.compile(r"Error at \d+:\d+"))
    check(page, "skill-problems")
    text.fill(SKILL)
    expect(problems).to_contain_text("Nothing to complain about.")
    page.get_by_role("button", name="Create the skill").click()
    expect(page.get_by_role("heading", name=SKILL_NAME, exact=True)).to_be_visible()
    check(page, "skill")

    text.fill(SKILL + "2. Count the lanterns.\n")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("tab", name="Versions").click()
    expect(page.get_by_role("group", name="Changes")).to_contain_text("+2. Count the lanterns.")
    check(page, "skill-versions")
    page.get_by_role("tab", name="SKILL.md").click()
    text.fill(SKILL + "2. Count the lanterns.\n3. Light one.\n")
    page.get_by_role("button", name="Save").click()
    page.get_by_role("tab", name="Versions").click()
    expect(page.get_by_role("group", name="Changes")).to_contain_text("+3. Light one.")
    keep_what_is_not_saved(console_server, page)
    archive = downloaded(page, page.get_by_role("button", name=f"Download {SKILL_NAME}"))
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        assert files.namelist() == [f"{SKILL_NAME}/SKILL.md"]

    pass_its_test(page)

    page.goto(f"{console_server.url}/skills?tier=tenant")
    page.get_by_role("textbox", name="Message").fill("I want to sell a lantern")
    page.get_by_role("button", name="Look").click()
    fitting = page.get_by_role("list", name="Which skill would be used?")
    expect(fitting.get_by_role("listitem").first).to_contain_text(SKILL_NAME)
    check(page, "skill-match")

    chat = Chat(visit().open("/chat"))
    chat.ask("Please sell a lantern")
    chat.says(re.compile(f"Skill {SKILL_NAME} loaded"))
    chat.ended()
    check(chat.page, "skill-in-chat")

    page.get_by_role("switch", name=f"{SKILL_NAME} is used").click()
    listed = page.get_by_role("tabpanel").get_by_role("listitem")
    expect(listed.filter(has_text=SKILL_NAME)).to_contain_text("switched off")
    page.get_by_role("button", name="Look").click()
    expect(fitting.get_by_text(SKILL_NAME)).to_have_count(0)
    chat.page.goto(f"{console_server.url}/chat")
    chat.ask("Please sell a lantern")
    chat.ended()
    chat.says(f"There is no skill '{SKILL_NAME}'")
    expect(chat.log.get_by_text(re.compile("loaded"))).to_have_count(0)


def zipped(**files: str) -> FilePayload:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return {"name": "made.zip", "mimeType": "application/zip", "buffer": memory.getvalue()}


def see_which_files_changed(page: Page) -> None:
    """Compare the versions of a skill whose text stayed while its files changed."""
    page.get_by_role("tab", name="Versions").click()
    versions = page.get_by_role("tabpanel", name="Versions")
    expect(versions).to_contain_text("SKILL.md is the same in both.")
    changed = versions.get_by_role("region", name="Other files").get_by_role("listitem")
    expect(changed).to_have_text([f"{LEAF}changed", f"{CUPS}added", f"{POTS}removed"])
    check(page, "skill-files-changed")
    versions.get_by_role("combobox", name="From").click()
    page.get_by_title(re.compile(r"^2 \(")).last.click()
    expect(versions).to_contain_text("Both are the same.")
    expect(changed).to_have_count(0)


def switch_a_system_skill_off_and_on(page: Page) -> None:
    """Disable the built-in skill for the tenant, and enable it again."""
    entry = page.get_by_role("listitem").filter(has_text="code-review").first
    page.get_by_role("button", name="Switch off code-review").click()
    expect(entry).to_contain_text("switched off")
    page.reload()
    expect(entry).to_contain_text("switched off")
    page.get_by_role("button", name="Switch on code-review").click()
    expect(page.get_by_role("button", name="Switch off code-review")).to_be_visible()
    expect(entry.get_by_text("switched off")).to_have_count(0)


def give_the_project_a_folder(console_server: ConsoleServer, page: Page, parent: Path) -> None:
    """Choose a project, and make a skill of it from a folder."""
    page.goto(f"{console_server.url}/skills?tier=project")
    expect(page.get_by_text("No project is chosen")).to_be_visible()
    console_server.ask("POST", "/projects", {"name": "Bakery"})
    page.reload()
    choose(page, "Project", "Bakery")
    expect(page.get_by_text("The project has no skills yet")).to_be_visible()
    check(page, "skills-of-a-project-none")
    folder = parent / "cake-baking"
    for path, text in {
        "SKILL.md": "---\nname: cake-baking\ndescription: Bakes cakes.\n---\n\n# Cake\n",
        "references/oven.md": "# The oven\n",
        ".git/config": "stays out",
    }.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    page.get_by_role("button", name="Upload").click()
    give_file(page, page.get_by_role("menuitem", name="A folder, for this project"), folder)
    expect(page.get_by_role("heading", name="cake-baking", exact=True)).to_be_visible()
    page.get_by_role("tab", name="Files (1)").click()
    expect(page.get_by_role("link", name="references/oven.md")).to_be_visible()
    page.get_by_role("link", name="All skills").click()
    expect(page.get_by_role("tab", name="Project (1)")).to_have_attribute("aria-selected", "true")
    expect(page.get_by_role("listitem").filter(has_text="cake-baking").first).to_be_visible()
    check(page, "skills-of-a-project")


@pytest.mark.requirement("S2-15.5")
def test_a_zip_becomes_a_skill_a_bad_one_says_why_and_a_system_skill_is_replaced(
    console_server: ConsoleServer, visit: Visit, tmp_path: Path
):
    visitor = visit()
    # The server refuses the bad one, and what is there already.
    visitor.page_errors.expect("status of 422")
    visitor.page_errors.expect("status of 409")
    page = visitor.open("/skills")

    def upload(file: FilePayload) -> None:
        page.get_by_role("button", name="Upload").click()
        give_file(page, page.get_by_role("menuitem", name="SKILL.md or ZIP"), file)

    text = "---\nname: tea-making\ndescription: Makes tea.\n---\n\n# Tea\n"
    upload(zipped(**{"tea-making/SKILL.md": text, "../outside.txt": "x"}))
    refusal = page.get_by_role("dialog")
    expect(refusal).to_contain_text("outside.txt")
    refusal.get_by_role("button", name="Close").click()
    leaf, pots, cups = (f"tea-making/{path}" for path in (LEAF, POTS, CUPS))
    upload(zipped(**{"tea-making/SKILL.md": text, leaf: "green\n", pots: "# Pots\n"}))
    expect(page.get_by_role("heading", name="tea-making", exact=True)).to_be_visible()
    page.get_by_role("tab", name="Files (2)").click()
    expect(page.get_by_role("link", name=POTS)).to_be_visible()
    upload(zipped(**{"tea-making/SKILL.md": text, leaf: "black\n", cups: "# Cups\n"}))
    page.get_by_role("dialog").get_by_role("button", name="Replace it").click()
    expect(page.get_by_role("textbox", name="SKILL.md")).to_be_visible()
    page.get_by_role("tab", name="Files (2)").click()
    expect(page.get_by_role("link", name=CUPS)).to_be_visible()
    see_which_files_changed(page)

    page.goto(f"{console_server.url}/skills")
    switch_a_system_skill_off_and_on(page)
    page.get_by_role("button", name="Replace code-review").click()
    page.get_by_role("dialog").get_by_role("button", name="Replace").click()
    expect(page.get_by_role("textbox", name="SKILL.md")).to_be_visible()
    page.goto(f"{console_server.url}/skills")
    original = page.get_by_role("listitem").filter(has_text="code-review").first
    expect(original).to_contain_text("replaced by code-review (Tenant)")
    check(page, "skill-replaced")
    page.get_by_role("button", name="Switch on code-review").click()
    expect(original.get_by_text("replaced by")).to_have_count(0)
    give_the_project_a_folder(console_server, page, tmp_path)


@pytest.mark.requirement("S2-16.4-2.2-optimizer")
def test_a_composition_is_written_used_and_gets_a_better_order(
    console_server: ConsoleServer, visit: Visit
):
    console_server.remove("/tool-compositions", COMPOSITION_NAME)
    console_server.ask("POST", "/permissions/rules", {"action": "allow", "tool": "sql_query"})
    # It is asked five times, and is not to be offered as a pattern.
    console_server.ask("PATCH", f"/users/{OWNER}", {"learns_patterns": False})
    page = visit().open("/tools")
    page.get_by_role("main").get_by_role("link", name="Compositions").click()
    page.get_by_role("main").get_by_role("link", name="New composition").first.click()
    page.get_by_label("Name", exact=True).fill(COMPOSITION_NAME)
    for number, table in ((1, "orders"), (2, "{{input.table}}")):
        page.get_by_role("combobox", name=f"Tool of step {number}").fill("sql_query")
        # The tools may still be on their way.
        page.get_by_title("sql_query", exact=True).last.click()
        args = {"source": "shop", "sql": f"SELECT count(*) AS n FROM {table}"}
        page.get_by_label(f"Arguments of step {number}").fill(json.dumps(args))
    checked = page.get_by_role("region", name="Check")
    expect(checked).to_contain_text("{{input.table}} in step 2 is not among its inputs")
    check(page, "composition-problems")
    page.get_by_label("Arguments of step 2").fill(
        json.dumps(args).replace("{{input.table}}", "products")
    )
    expect(checked).to_contain_text("It can work.")
    page.get_by_role("button", name="Create the composition").click()
    expect(page.get_by_role("heading", name=COMPOSITION_NAME)).to_be_visible()
    page.get_by_role("button", name="Propose an order").click()
    expect(page.get_by_role("main")).to_contain_text("Too little is measured yet")

    chat = Chat(visit().open("/chat"))
    for _ in range(5):
        chat.page.goto(f"{console_server.url}/chat")
        chat.ask("Count both")
        chat.says("Both are counted.")
        chat.ended()
    page.reload()
    expect(page.get_by_role("main")).to_contain_text("used 5 times, 100% succeeded")
    page.get_by_role("button", name="Propose an order").click()
    expect(page.get_by_role("list", name="Proposed order")).to_be_visible()
    check(page, "composition-proposal")
    page.get_by_role("button", name="Apply this order").click()
    expect(page.get_by_text("The new order is saved.")).to_be_visible()
    together = page.get_by_role("list", name="Order", exact=True).get_by_role("list")
    expect(together).to_have_count(1)
    page.goto(f"{console_server.url}/subagents/defaults")
    page.get_by_label("Model turns").fill("7")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("Saved. The next runs use it.")).to_be_visible()
    page.goto(f"{console_server.url}/subagents/code-reviewer?tab=settings")
    expect(page.get_by_role("row", name="Model turns")).to_contain_text(re.compile(r"\d+"))


def unfold_its_card(chat: Chat) -> None:
    """See the steps of one of two runs side by side, which a folded card only counts."""
    cards = chat.log.get_by_role("group", name=SUBAGENT_NAME)
    expect(cards).to_have_count(2)
    card = cards.first
    expect(card).to_contain_text(re.compile(r"1 call · .*tokens · .*(ms|s)"))
    step = card.get_by_role("button", name="Describe products")
    expect(step).to_have_count(0)
    card.get_by_role("button", name=SUBAGENT_NAME).click()
    expect(step).to_be_visible()
    expect(card).to_contain_text("Report of the sub-agent")
    check(chat.page, "subagent-cards")


@pytest.mark.requirement("S2-15.2-SubAgents")
@pytest.mark.requirement("S2-15.2-RouterDashboard")
@pytest.mark.requirement("S2-15.3-SubAgentCard")
def test_a_sub_agent_is_made_gets_work_and_its_activity_is_read(
    console_server: ConsoleServer, visit: Visit
):
    console_server.remove("/subagents", SUBAGENT_NAME)
    console_server.ask("POST", "/permissions/rules", {"action": "allow", "tool": "task"})
    page = visit().open("/subagents")
    page.get_by_role("main").get_by_role("link", name="New sub-agent").click()
    page.get_by_label("Name", exact=True).fill(SUBAGENT_NAME)
    page.get_by_label("When it is the right one").fill("Counts the lanterns in the shop")
    page.get_by_label("Prompt").fill("You count lanterns and nothing else.")
    check(page, "subagent-form")
    page.get_by_role("button", name="Create the sub-agent").click()
    expect(page.get_by_role("heading", name=SUBAGENT_NAME)).to_be_visible()
    page.get_by_label("Task").fill("Count the lanterns")
    page.get_by_role("button", name="Send").click()
    done = page.get_by_role("tabpanel", name="Try it")
    expect(done).to_contain_text("done")
    expect(done.get_by_role("region", name="Its report")).to_contain_text("Hello.")
    check(page, "subagent-try")

    page.get_by_role("tab", name="Activities").click()
    activities = page.get_by_role("tabpanel", name="Activities")
    expect(activities.get_by_role("listitem").filter(has_text="done").first).to_be_visible()
    expect(activities).to_contain_text(re.compile(r"\d+(\.\d)? (ms|s) · [\d.]+k? tokens"))
    steps = activities.get_by_role("list", name=f"Steps of {SUBAGENT_NAME}").first
    expect(steps.get_by_role("listitem").first).to_contain_text("model call")
    check(page, "subagent-activities")
    page.get_by_role("tab", name="Statistics").click()
    expect(page.get_by_role("tabpanel", name="Statistics")).to_contain_text("100%")

    # What is typed stays when the switch changes the sub-agent meanwhile.
    page.get_by_role("tab", name="Settings").click()
    page.get_by_label("Prompt").fill("You count lanterns twice.")
    page.get_by_role("switch", name=f"{SUBAGENT_NAME} is used").click()
    expect(page.get_by_text("switched off").first).to_be_visible()
    expect(page.get_by_label("Prompt")).to_have_value("You count lanterns twice.")
    page.get_by_role("switch", name=f"{SUBAGENT_NAME} is used").click()
    page.reload()
    expect(page.get_by_label("Prompt")).to_have_value("You count lanterns twice.")
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("This browser keeps it.")).to_have_count(0)

    page.goto(f"{console_server.url}/subagents/router")
    page.get_by_role("textbox", name="Message").fill("Count the lanterns in the shop")
    page.get_by_role("button", name="Who gets it?").click()
    considered = page.get_by_role("list", name="Who was considered")
    first = considered.get_by_role("listitem").first
    expect(first).to_contain_text(SUBAGENT_NAME)
    expect(first.locator(".score-figure")).to_contain_text(re.compile(r"\d"))
    expect(first.locator(".score-why")).to_contain_text(
        "The message has the words 'count, lanterns"
    )
    check(page, "router")

    chat = Chat(visit().open("/chat"))
    chat.ask("Ask both counters")
    chat.ended()
    unfold_its_card(chat)
