"""Offers skills to the model: names and descriptions, which of them fit, and the tool `skill`.

When a run begins its skills are loaded (`skills/offer/agent_skills.py`) and matched to its message,
and what the model is told of them is put into the state: every call of the run reads the same, also
after a resume. An agent without skills is told nothing and has no tool.
"""

from typing import Annotated, Any, NotRequired

from langchain.agents.middleware.types import (
    AgentMiddleware,
    AgentState,
    ModelRequest,
    ModelResponse,
    PrivateStateAttr,
)
from langchain_core.messages import AnyMessage

from dataagent_core.engine.memory.recalled_state import list_idle_tools
from dataagent_core.engine.middleware.message_note import add_note, find_message
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.events import SkillEvent
from dataagent_core.models.system_message import append_to_system
from dataagent_core.runs import RunContext, run_context
from dataagent_core.skills.match import SkillMatch
from dataagent_core.skills.offer import AgentSkills
from dataagent_core.skills.offer.skill_list import render_matched_note, render_skill_list
from dataagent_core.skills.offer.skill_tool import skill
from dataagent_core.skills.source import SkillSet

_OFFERED = "offered_skills"
_LIST = "list"
_MATCHED = "matched"


class _SkillsState(AgentState[Any]):
    offered_skills: NotRequired[Annotated[dict[str, str], PrivateStateAttr]]


class SkillsMiddleware(AgentMiddleware[Any, Any, Any]):
    """Adds the skills of an agent to its model calls; a sub-agent's task is matched to none."""

    state_schema = _SkillsState

    def __init__(self, skills: AgentSkills, *, subagent: bool = False) -> None:
        super().__init__()
        self._skills = skills
        self._matches = not subagent
        self.tools = [skill.bind(skills)]

    async def abefore_agent(self, state: Any, runtime: Any) -> dict[str, Any]:
        context = run_context(runtime)
        known = await self._skills.of_run(context.run.run_id, list_idle_tools(state))
        if not known.skills:
            return {_OFFERED: {}}
        matches = await self._match(known, state["messages"], context) if self._matches else ()
        note = render_matched_note(each.skill for each in matches)
        return {_OFFERED: {_LIST: render_skill_list(known.skills), _MATCHED: note}}

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: ModelHandler
    ) -> ModelResponse[Any]:
        offered: dict[str, str] | None = request.state.get(_OFFERED)
        if not offered:
            own = self.tools[0].name
            others = [t for t in request.tools if isinstance(t, dict) or t.name != own]
            return await handler(request.override(tools=others))
        messages = request.messages
        if offered[_MATCHED]:
            message_id = run_context(request.runtime).run.message_id
            messages = add_note(messages, message_id, offered[_MATCHED])
        system_message = append_to_system(request.system_message, offered[_LIST])
        return await handler(request.override(system_message=system_message, messages=messages))

    async def _match(
        self, known: SkillSet, messages: list[AnyMessage], context: RunContext
    ) -> list[SkillMatch]:
        asked = find_message(messages, context.run.message_id)
        if asked is None:
            return []
        matches = list(await self._skills.match(known, str(messages[asked].text)))
        events = (_make_event(each, context.run.run_id) for each in matches)
        await context.recorder.commit(*events)
        return matches


def _make_event(match: SkillMatch, run_id: str) -> SkillEvent:
    return SkillEvent(
        # A run that begins again after a crash finds the same skills: one fact, one id.
        event_id=f"skill:{run_id}:matched:{match.skill.name}",
        phase="matched",
        name=match.skill.name,
        detail={
            "score": match.score,
            "keyword_score": match.keyword_score,
            "semantic_score": match.semantic_score,
            "reason": match.reason,
            "scope": str(match.skill.scope),
        },
    )
