"""A skill and a sub-agent, from the first line of each to what came of it."""

import io
import re
import zipfile

import pytest
from playwright.sync_api import expect

from tests.console.chat import Chat
from tests.console.conftest import Visit
from tests.console.console_server import ConsoleServer
from tests.console.controls import downloaded
from tests.console.page_checks import check
from tests.console.script import SKILL_NAME, SUBAGENT_NAME

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


@pytest.mark.requirement("S2-15.2-SkillRegistry")
@pytest.mark.requirement("S2-15.5")
def test_a_skill_is_written_fires_in_a_chat_and_once_it_is_off_fires_no_more(
    console_server: ConsoleServer, visit: Visit
):
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
    archive = downloaded(page, page.get_by_role("button", name=f"Download {SKILL_NAME}"))
    with zipfile.ZipFile(io.BytesIO(archive)) as files:
        assert files.namelist() == [f"{SKILL_NAME}/SKILL.md"]

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
    expect(page.get_by_role("listitem").filter(has_text=SKILL_NAME).first).to_contain_text(
        "switched off"
    )
    page.get_by_role("button", name="Look").click()
    expect(fitting.get_by_text(SKILL_NAME)).to_have_count(0)
    chat.page.goto(f"{console_server.url}/chat")
    chat.ask("Please sell a lantern")
    chat.ended()
    chat.says(f"There is no skill '{SKILL_NAME}'")
    expect(chat.log.get_by_text(re.compile("loaded"))).to_have_count(0)


@pytest.mark.requirement("S2-15.2-SubAgents")
@pytest.mark.requirement("S2-15.2-RouterDashboard")
@pytest.mark.requirement("S2-15.3-SubAgentCard")
def test_a_sub_agent_is_made_gets_work_and_its_activity_is_read(
    console_server: ConsoleServer, visit: Visit
):
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
    check(page, "subagent-try")

    page.get_by_role("tab", name="Activities").click()
    activities = page.get_by_role("tabpanel", name="Activities")
    expect(activities.get_by_role("listitem").filter(has_text="done").first).to_be_visible()
    expect(activities).to_contain_text(re.compile(r"\d+(\.\d)? (ms|s) · [\d.]+k? tokens"))
    check(page, "subagent-activities")
    page.get_by_role("tab", name="Statistics").click()
    expect(page.get_by_role("tabpanel", name="Statistics")).to_contain_text("100%")

    page.goto(f"{console_server.url}/subagents/router")
    page.get_by_role("textbox", name="Message").fill("Count the lanterns in the shop")
    page.get_by_role("button", name="Who gets it?").click()
    considered = page.get_by_role("list", name="Who was considered")
    expect(considered.get_by_role("listitem").first).to_contain_text(SUBAGENT_NAME)
    check(page, "router")

    chat = Chat(visit().open("/chat"))
    chat.ask("Ask both counters")
    chat.ended()
    cards = chat.log.get_by_role("group", name=SUBAGENT_NAME)
    expect(cards).to_have_count(2)
    cards.first.get_by_role("button").first.click()
    expect(cards.first).to_contain_text(re.compile(r"tokens · .*(ms|s)"))
    check(chat.page, "subagent-cards")
