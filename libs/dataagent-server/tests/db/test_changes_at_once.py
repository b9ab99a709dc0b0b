"""Requests that change the same things at the same moment, on each database."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any

import pytest
from installation import Installation, configured_keys, installation, keyring
from skill_texts import skill_text
from sqlalchemy import Connection, func, select

from dataagent_core.errors import ConflictError, NotFoundError, ValidationError
from dataagent_core.permissions import Rule
from dataagent_core.subagents import SubAgent, SubAgentTrigger
from dataagent_server.agents.compositions.composition_record import CompositionChanges
from dataagent_server.agents.compositions.composition_service import CompositionService
from dataagent_server.agents.rules.rule_service import RuleService
from dataagent_server.agents.skills.skill_service import SkillService
from dataagent_server.agents.skills.system_skills import SystemSkills
from dataagent_server.agents.subagents.stored_subagent import SubAgentDefinition
from dataagent_server.agents.subagents.subagent_service import SubAgentService
from dataagent_server.data.saved_questions.saved_question import QuestionChanges
from dataagent_server.data.saved_questions.saved_question_service import SavedQuestionService
from dataagent_server.data.semantic_models.semantic_model_service import SemanticModelService
from dataagent_server.identity.auth import Principal
from dataagent_server.identity.projects.project_rows import REMOVED_WITH_PROJECT

__all__ = ["configured_keys", "installation", "keyring"]

pytestmark = pytest.mark.every_database

AT_ONCE = 12
TRIGGER = SubAgentTrigger(description="Reviews code")
REVIEWER = SubAgent(
    id="code-reviewer",
    name="code-reviewer",
    trigger=TRIGGER,
    system_prompt="Review.",
    is_built_in=True,
)
STEPS = {
    "kind": "sequential",
    "inputs": {"q": {"type": "string"}},
    "steps": [{"args": {"query": "{{input.q}}"}}],
}


@pytest.fixture
async def ann(installation: Installation) -> Principal:
    return await installation.person(await installation.tenant("t"), "ann", "admin")


@pytest.fixture
def compositions(installation: Installation) -> CompositionService:
    return CompositionService(installation.database, installation.people.audit)


@pytest.fixture
def subagents(installation: Installation) -> SubAgentService:
    return SubAgentService(installation.database, installation.people.audit, (REVIEWER,))


def composed(name: str, tool: str = "grep") -> CompositionChanges:
    return CompositionChanges(name=name, description="", tools=(tool,), execution_template=STEPS)


def defined(name: str) -> SubAgentDefinition:
    return SubAgentDefinition(name=name, trigger=TRIGGER, system_prompt="Review.")


async def count_successes(
    calls: Iterable[Coroutine[Any, Any, object]], *refusals: type[Exception]
) -> int:
    """Run calls at once; all that fail are refused in one of these ways."""
    ends = await asyncio.gather(*calls, return_exceptions=True)
    failures = [end for end in ends if isinstance(end, BaseException)]
    assert [end for end in failures if not isinstance(end, refusals)] == []
    return len(ends) - len(failures)


async def test_of_equal_compositions_one_is_made_and_deleted_and_all_changes_count(
    compositions: CompositionService, ann: Principal
):
    creates = (compositions.create(ann, None, composed("look_up")) for _ in range(AT_ONCE))
    assert await count_successes(creates, ConflictError) == 1
    made = await compositions.create(ann, None, composed("other"))
    mine = made.composition.id
    changes = [CompositionChanges(description=str(n)) for n in range(AT_ONCE)]
    puts = (compositions.change(ann, mine, change) for change in changes)
    assert await count_successes(puts) == AT_ONCE
    number = (await compositions.get(ann, mine)).number
    assert number == made.number + AT_ONCE
    puts = (compositions.change(ann, mine, change, number) for change in changes)
    assert await count_successes(puts, ConflictError) == 1
    deletes = (compositions.delete(ann, mine) for _ in range(AT_ONCE))
    assert await count_successes(deletes, NotFoundError) == 1


async def test_no_two_compositions_made_at_once_call_each_other(
    compositions: CompositionService, ann: Principal
):
    pairs = [composed(f"a{n}", f"b{n}") for n in range(6)]
    pairs += [composed(f"b{n}", "grep") for n in range(6)]
    creates = (compositions.create(ann, None, one) for one in pairs)
    assert await count_successes(creates, ValidationError) == AT_ONCE / 2


async def test_a_built_in_sub_agent_is_switched_by_several_at_once(
    subagents: SubAgentService, ann: Principal
):
    for enabled in (False, True, False):
        switches = (subagents.enable(ann, "code-reviewer", enabled=enabled) for _ in range(AT_ONCE))
        assert await count_successes(switches) == AT_ONCE
        listed = await subagents.list(ann, None)
        assert [one.subagent.enabled for one in listed if not one.is_overridden] == [enabled]
        assert len(listed) == 1 + (not enabled)
    (off,) = [one.stored for one in await subagents.list(ann, None) if one.stored]
    await subagents.delete(ann, off.id)
    creates = (subagents.create(ann, None, defined("code-reviewer")) for _ in range(AT_ONCE))
    assert await count_successes(creates, ConflictError) == 1


async def test_what_is_made_while_its_project_is_deleted_goes_with_it(
    installation: Installation,
    compositions: CompositionService,
    subagents: SubAgentService,
    ann: Principal,
):
    database, audit = installation.database, installation.people.audit
    skills = SkillService(database, audit, SystemSkills())
    rules = RuleService(database, audit)
    questions = SavedQuestionService(database, audit)
    models = SemanticModelService(database, audit)
    project = (await installation.people.projects.create(ann, "Sales")).project_id

    def make(number: int) -> list[Coroutine[Any, Any, object]]:
        name = f"made{number}"
        question = QuestionChanges(name=name, source="sales", sql="SELECT 1")
        return [
            compositions.create(ann, project, composed(name)),
            subagents.create(ann, project, defined(name)),
            skills.create(ann, project, skill_text(name), {}),
            rules.add(ann, ann.user_id, project, Rule("shell", name, "allow", "person")),
            questions.create(ann, project, question),
            models.put(ann, project, "metrics: []"),
        ]

    calls = [call for number in range(4) for call in make(number)]
    calls.insert(len(calls) // 2, installation.people.projects.delete(ann, project))
    assert await count_successes(calls, NotFoundError, ConflictError) > 0

    def find(connection: Connection) -> dict[str, int]:
        return {
            table.name: connection.execute(
                select(func.count()).where(table.c.project_id == project)
            ).scalar_one()
            for table in REMOVED_WITH_PROJECT
        }

    assert await database.read(find) == {table.name: 0 for table in REMOVED_WITH_PROJECT}
