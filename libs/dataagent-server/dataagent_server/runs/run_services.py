"""`RunServices`: everything about runs that other parts of the server use."""

from dataclasses import dataclass
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver

from dataagent_core.events import Event
from dataagent_core.session.log import NO_RUN
from dataagent_server.agents.rules.rule_service import RuleService
from dataagent_server.common.ids import TenantId
from dataagent_server.runs.agents.agent_pool import AgentPool
from dataagent_server.runs.service import RunService
from dataagent_server.runs.tenant_stores import StoresOf
from dataagent_server.runs.usage_service import UsageService
from dataagent_server.runs.worker.inline_runner import InlineRunner
from dataagent_server.runs.worker.leases import Leases
from dataagent_server.sessions.live.hub import Hub


@dataclass(frozen=True, slots=True, kw_only=True)
class RunServices:
    """Opened by the composition root; it works on runs until it is closed."""

    # The id of this process in `server_instances`.
    instance_id: str
    service: RunService
    runner: InlineRunner
    agents: AgentPool
    hub: Hub
    stores_of: StoresOf
    checkpoints: BaseCheckpointSaver[Any]
    leases: Leases
    rules: RuleService
    usage: UsageService

    async def append_event(self, tenant_id: TenantId, session_id: str, event: Event) -> None:
        """Append an event that belongs to no run, and notify the session's readers."""
        stored = await self.stores_of(tenant_id).log.append(session_id, NO_RUN, [event])
        self.hub.publish(tenant_id, session_id, stored)
