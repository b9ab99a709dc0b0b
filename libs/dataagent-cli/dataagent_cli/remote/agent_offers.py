"""The skills and sub-agents of a server, as the agent of a session has them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from dataagent_cli.conversation.workbench import SkillOffer
from dataagent_cli.remote.client import ServerClient

if TYPE_CHECKING:
    from dataagent_core.subagents import SubAgent

_ACTIVE = "active"
_LISTS = ("allowed_tools", "allowed_skills", "allowed_mcp_servers", "requires_tools")
_VALUES = (
    "id",
    "name",
    "system_prompt",
    "model",
    "color",
    "temperature",
    "top_p",
    "max_tokens",
    "max_iterations",
    "hidden",
    "enabled",
    "version",
)


async def list_skills(client: ServerClient, project_id: str | None) -> Sequence[SkillOffer]:
    """List the skills that agents of a project, or of none, are offered, the nearest first."""
    from dataagent_core.skills import SkillScope
    from dataagent_core.skills.tiers import rank_tier

    page = await client.ask("GET", "/skills", query=_in_project(project_id))
    offered = [
        one
        for one in page["skills"]
        if not (one["is_disabled"] or one["is_overridden"] or one["missing_tools"])
    ]
    offered.sort(key=lambda one: (rank_tier(SkillScope(one["scope"])), str(one["name"])))
    return [SkillOffer(str(one["name"]), str(one["description"])) for one in offered]


async def list_subagents(client: ServerClient, project_id: str | None) -> "Sequence[SubAgent]":
    """List the sub-agents that a message can ask for."""
    page = await client.ask("GET", "/subagents", query=_in_project(project_id))
    return [_parse_subagent(one) for one in page["items"] if one["status"] == _ACTIVE]


def _in_project(project_id: str | None) -> dict[str, str]:
    return {} if project_id is None else {"project_id": project_id}


def _parse_subagent(answer: Any) -> "SubAgent":
    # The prompt is drawn before the engine is loaded.
    from dataagent_core.permissions.rules import Rule
    from dataagent_core.subagents import SubAgent, SubAgentTrigger

    trigger = answer["trigger"]
    values: dict[str, Any] = {key: answer[key] for key in _VALUES}
    values |= {key: None if answer[key] is None else tuple(answer[key]) for key in _LISTS}
    display_name = answer["display_name"]
    return SubAgent(
        **values,
        # The server shows the name where there is no other.
        display_name="" if display_name == answer["name"] else display_name,
        trigger=SubAgentTrigger(
            description=trigger["description"],
            examples=tuple(trigger["examples"]),
            keywords=tuple(trigger["keywords"]),
        ),
        rules=tuple(
            Rule(rule["tool"], rule["resource"], rule["action"], "person")
            for rule in answer["rules"]
        ),
    )
