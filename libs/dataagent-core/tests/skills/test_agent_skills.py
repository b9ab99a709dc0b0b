"""The skills of one agent: narrowed for sub-agents, one set for each run, matched in time."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

import pytest
from made_skills import fixed, make_skill

from dataagent_core.config.limits.offered_skills import SKILL_RUNS_KEPT_MAX
from dataagent_core.models.embeddings.embedder import Vector
from dataagent_core.permissions.rules import Rule, RuleSet
from dataagent_core.skills import FixedSkills, SkillSet, SkillSource, SkillTrigger
from dataagent_core.skills.match import SkillMatchers
from dataagent_core.skills.offer import AgentSkills, agent_skills

READING = make_skill("reading", requires_tools=("read_file",))
INVOICES = make_skill("invoices", trigger=SkillTrigger(phrases=("add up the invoices",)))
WRITING = make_skill("writing", requires_tools=("write_file",))


def names(found: SkillSet) -> list[str]:
    return [skill.name for skill in found.skills]


def skills_of(source: SkillSource, embedder: "Stuck | None" = None) -> AgentSkills:
    return AgentSkills(
        source=source,
        matchers=SkillMatchers(embedder),
        tools=frozenset({"read_file", "write_file"}),
    )


async def test_a_sub_agent_of_a_sub_agent_has_no_skill_that_the_one_above_lacks() -> None:
    agent = skills_of(fixed(READING, WRITING, make_skill("plain"), make_skill("other")))
    reader = agent.narrow(["reading", "plain"], ["read_file"])
    below = reader.narrow(["plain", "other", "writing"], ["read_file", "write_file"])
    assert names(await agent.load_usable()) == ["reading", "writing", "plain", "other"]
    assert names(await reader.load_usable()) == ["reading", "plain"]
    assert names(await below.load_usable()) == ["plain"]
    assert names(await reader.narrow(None, ["ls"]).load_usable()) == ["plain"]


async def test_a_skill_that_a_rule_denies_is_not_offered_matched_or_found() -> None:
    rules = RuleSet(
        person=(
            Rule("skill", "inv*", "deny", "person"),
            Rule("skill", "other", "ask", "person"),
        )
    )
    agent = replace(skills_of(fixed(INVOICES, make_skill("other"))), rules=rules)
    known = await agent.of_run("r")
    assert names(known) == names(await agent.load_usable()) == ["other"]
    assert await agent.match(known, "add up the invoices") == []
    assert [one.skill.name for one in await agent.search(known, "invoices", 5)] in ([], ["other"])
    assert names(await agent.narrow(None, []).load_usable()) == ["other"]


async def test_fewer_skills_are_another_index() -> None:
    agent = skills_of(fixed(INVOICES, make_skill("poems")))
    everything = await agent.of_run("r")
    assert [one.skill.name for one in await agent.match(everything, "add up invoices")] == [
        "invoices"
    ]
    narrow = agent.narrow(["poems"], [])
    assert await narrow.match(await narrow.of_run("r"), "add up invoices") == []


async def test_a_run_keeps_its_set_until_it_is_over_or_many_others_began() -> None:
    class Changing(FixedSkills):
        loads = 0

        async def load(self) -> SkillSet:
            Changing.loads += 1
            return SkillSet(skills=(make_skill(f"skill-{Changing.loads}"),))

    agent = skills_of(Changing(skill_set=SkillSet()))
    assert names(await agent.of_run("first")) == names(await agent.of_run("first")) == ["skill-1"]
    agent.forget("first")
    assert names(await agent.of_run("first")) == ["skill-2"]
    for number in range(SKILL_RUNS_KEPT_MAX):
        await agent.of_run(f"run-{number}")
    assert names(await agent.of_run("run-0")) == ["skill-3"]
    assert names(await agent.of_run("first")) == [f"skill-{SKILL_RUNS_KEPT_MAX + 3}"]


class Stuck:
    """An embedder that never answers."""

    name = "stuck"

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        await asyncio.Event().wait()
        return []


async def test_a_message_is_matched_by_words_where_meaning_takes_too_long(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(agent_skills, "MATCH_WAIT_S_MAX", 0.01)
    agent = skills_of(fixed(INVOICES, make_skill("poems")), Stuck())
    matched = await agent.match(await agent.of_run("r"), "add up the invoices")
    assert [(one.skill.name, one.semantic_score) for one in matched] == [("invoices", None)]
