"""The tools of a user's agent, and what the permission rules say to each.

The agent is built as for a run, so there is no second list. It ignores what only a run has: its
mode and its taint.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool

from dataagent_core.engine.assembly.tool_inventory import ToolInventory
from dataagent_core.permissions import Rule
from dataagent_core.permissions.decision import PermissionDecision, evaluate
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.tool_groups import SHELL_TOOLS
from dataagent_core.tools.definition.tool_origin import read_version
from dataagent_core.tools.effects import Effect
from dataagent_core.tools.registry import RegisteredTool
from dataagent_server.agents.rules.rule_service import RuleService
from dataagent_server.identity.auth import Principal, Resource, require
from dataagent_server.runs.agents.agent_pool import AgentPool, ToolListSubject


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedTool:
    """A tool, and the decision for a call with unknown arguments."""

    name: str
    description: str
    origin: str
    effect: Effect
    core: bool
    verdict: PermissionDecision
    input_schema: dict[str, Any]


@dataclass(frozen=True, slots=True)
class AgentToolList:
    """The tools, and warnings about servers whose tools are missing."""

    tools: Sequence[ListedTool]
    warnings: Sequence[str]


async def list_tools(
    agents: AgentPool,
    rules: RuleService,
    principal: Principal,
    *,
    assistant_id: str,
    project_id: str | None,
) -> AgentToolList:
    """List the tools of a user's agent; the caller has checked the rights."""
    tenant_id, user_id = principal.tenant_id, principal.user_id
    require(principal, "rule.read", Resource(tenant_id, "rule", owner_id=user_id))
    kept = await rules.rules_for(tenant_id, user_id, project_id)
    async with agents.build_temporary(
        ToolListSubject(tenant_id, user_id, assistant_id, project_id)
    ) as executor:
        inventory = await executor.inventory()
        return AgentToolList(_list_entries(inventory, kept), list(inventory.warnings))


def _list_entries(inventory: ToolInventory, kept: Sequence[Rule]) -> list[ListedTool]:
    core = inventory.core
    rules = inventory.policy.rules.with_kept(kept)
    return [
        ListedTool(
            name=entry.tool.name,
            description=entry.tool.description,
            origin=entry.origin,
            effect=entry.effect,
            core=entry.tool.name in core,
            verdict=evaluate(_make_request(entry), rules),
            input_schema=_read_schema(entry.tool),
        )
        for entry in inventory.registry.entries.values()
    ]


def _make_request(entry: RegisteredTool) -> PermissionRequest:
    # A plain command stands for any: a missing one would be asked about for that alone.
    args = {"command": "some-command"} if entry.tool.name in SHELL_TOOLS else {}
    return PermissionRequest(tool=entry.tool.name, args=args, version=read_version(entry.tool))


def _read_schema(tool: BaseTool) -> dict[str, Any]:
    # As a model sees it: without the arguments that the engine adds.
    return convert_to_openai_tool(tool)["function"]["parameters"]
