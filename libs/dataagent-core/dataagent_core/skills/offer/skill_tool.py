"""The tool `skill`: loads a skill by name, runs its steps where it has some, or searches.

Loading activates the skill until the end of the run: its `allowed-tools` narrow from then on what
the agent may call (`permissions/active_skills.py`). The event `skill_activated` says so, and a
resumed run reads it from the log.
"""

from typing import Annotated, Any, Final

from pydantic import Field

from dataagent_core.config.limits.offered_skills import SKILLS_FOUND_MAX
from dataagent_core.errors import ConfigurationError, NotFoundError, ValidationError
from dataagent_core.events import SkillEvent
from dataagent_core.permissions.active_skills import ActiveSkill
from dataagent_core.skills.offer.agent_skills import AgentSkills
from dataagent_core.skills.offer.skill_executor import SkillExecutor
from dataagent_core.skills.offer.skill_list import render_line
from dataagent_core.skills.offer.skill_text import describe_skill
from dataagent_core.skills.skill import Skill
from dataagent_core.skills.source import SkillSet
from dataagent_core.tools.composition.member_calls import RUNS_MEMBERS
from dataagent_core.tools.definition.name_suggestions import suggest_names
from dataagent_core.tools.definition.tool_definition import define_tool
from dataagent_core.tools.pipeline.agent_call import RunningCall, running_call

SKILL_TOOL: Final = "skill"


@define_tool("pure", {RUNS_MEMBERS: True})
async def skill(
    skills: AgentSkills,
    name: Annotated[str, Field(description="The name of the skill to load.")] = "",
    search: Annotated[
        str, Field(description="Instead of a name: words to find skills that are not listed.")
    ] = "",
    inputs: Annotated[
        dict[str, Any] | None,
        Field(description="For a skill with steps of its own: run them with these inputs."),
    ] = None,
) -> str:
    """Load a skill: its instructions and where its files are. Follow it from then on."""
    running = running_call()
    if running is None:
        raise ConfigurationError("the tool skill works only inside a run of an agent.")
    known = await skills.of_run(running.context.run.run_id)
    if name:
        chosen = _find(known, name)
        await _activate(chosen, running)
        head = ""
        if inputs is not None:
            head = await SkillExecutor(chosen, running).execute(inputs)
        return head + describe_skill(chosen, skills.place, running.context.active_skills.applying)
    if search:
        return await _search(skills, known, search)
    raise ValidationError("Give the name of a skill, or words to search for.")


def _find(known: SkillSet, name: str) -> Skill:
    found = known.find(name.strip())
    if found is None:
        names = [one.name for one in known.skills]
        hint = suggest_names(name, names) or "Search with skill(search=...)."
        raise NotFoundError(f"There is no skill {name!r:.100}. {hint}")
    return found


async def _search(skills: AgentSkills, known: SkillSet, search: str) -> str:
    found = await skills.search(known, search, SKILLS_FOUND_MAX)
    if not found:
        return f"No skill matches {search!r:.200}. Try other words, in English or Chinese."
    return "\n".join(render_line(each.skill) for each in found)


async def _activate(chosen: Skill, running: RunningCall) -> None:
    context = running.context
    allowed = chosen.allowed_tools
    # Before the event: a crash in between leaves no event of a skill that narrows nothing.
    context.active_skills.add(ActiveSkill(name=chosen.name, allowed_tools=allowed))
    await context.recorder.commit(
        SkillEvent(
            event_id=f"skill:{context.run.run_id}:{running.call.key}:activated",
            phase="activated",
            name=chosen.name,
            detail={
                "skill_id": chosen.id,
                "scope": str(chosen.scope),
                "version": chosen.version,
                "digest": chosen.digest,
                "allowed_tools": None if allowed is None else list(allowed),
                "tool_call_id": running.call.call_id,
            },
        )
    )
