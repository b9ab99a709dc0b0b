"""The tools of one user for one call: their workspace, the tenant's sources, their rules."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Final

from dataagent_core.config.paths import user_home
from dataagent_core.engine import AgentConfig
from dataagent_core.engine.assembly.agent_folders import AgentFolders
from dataagent_core.engine.assembly.data_tools import build_data_tools
from dataagent_core.mcp.server.ports import MCPToolset
from dataagent_core.mcp.server.tool_table import SERVED
from dataagent_core.permissions import Policy, load_rules
from dataagent_core.tools.data.data_access import DataAccess
from dataagent_core.tools.data.semantic import SemanticModel
from dataagent_core.tools.definition.tool_origin import BUILT_IN
from dataagent_core.tools.files import ReadLedger, make_file_tools
from dataagent_core.tools.registry import ToolRegistry
from dataagent_core.tools.shell.denied_reads import make_denial_finder
from dataagent_server.composition import Services
from dataagent_server.data.reports.session_reports import SessionReports
from dataagent_server.data.results.result_rows import ResultOwner
from dataagent_server.identity.auth.features import list_withheld_tools
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.workspaces.agent_workspace import open_for_agent

_LEDGERS_MAX: Final = 1_000
_HOW_TO_ALLOW: Final = (
    "Ask for it with ask_agent and answer 'always' to its request (POST /api/v1/requests/ID), or "
    "let an operator allow the tool under [permissions] in config.toml."
)


@dataclass(slots=True)
class ReadLedgers:
    """The files that each user's clients have read, in this process; the oldest are dropped."""

    _known: OrderedDict[tuple[str, str], ReadLedger] = field(
        default_factory=OrderedDict[tuple[str, str], ReadLedger]
    )

    def of(self, principal: Principal) -> ReadLedger:
        """Return the ledger of a user."""
        whose = (principal.tenant_id, principal.user_id)
        ledger = self._known.pop(whose, None) or ReadLedger()
        self._known[whose] = ledger
        while len(self._known) > _LEDGERS_MAX:
            self._known.popitem(last=False)
        return ledger


@asynccontextmanager
async def open_caller_tools(
    services: Services, principal: Principal, ledger: ReadLedger
) -> AsyncGenerator[MCPToolset]:
    """Open the tools; engines and the chart renderer are the server's and stay open."""
    tenant_id, user_id = principal.tenant_id, principal.user_id
    data = services.data
    space = await open_for_agent(data.workspaces, tenant_id, user_id)
    model = await data.models.model_for(tenant_id, None)
    root = await asyncio.to_thread(space.open_root)
    access = DataAccess(
        sources=data.sources.open_store(tenant_id, None),
        results=data.results(ResultOwner(tenant_id, user_id)),
        pool=data.pool,
        renderer=data.renderer,
        model=model if model != SemanticModel() else None,
        reports=SessionReports(
            data.workspaces.database,
            services.reports.service.audit,
            ResultOwner(tenant_id, user_id),
            None,
            None,
        ),
    )
    home = user_home(services.settings.home, tenant_id, user_id)
    settings = services.settings
    config = AgentConfig(
        assistant_id=settings.assistant_id, tenant_id=tenant_id, user_id=user_id, data=access
    )
    rules = await asyncio.to_thread(load_rules, settings, space.path, home=home)
    ruled = root.with_rules(make_denial_finder(rules))
    places = AgentFolders(root, ruled, {}, space.path)
    data = build_data_tools(settings, config, places, space.path, sandboxed=True)
    withheld = list_withheld_tools(principal.features_off)
    tools = [*data.tools, *make_file_tools(ruled, ledger=ledger)]
    served = [tool for tool in tools if tool.name in SERVED and tool.name not in withheld]
    yield MCPToolset(
        registry=ToolRegistry().adding(served, BUILT_IN),
        policy=Policy(rules=rules),
        kept_rules=await services.runs.rules.rules_for(tenant_id, user_id, None),
        forecasters=data.forecasts,
        workspace=ruled,
        how_to_allow=_HOW_TO_ALLOW,
    )
