"""A log that writes the rows beside it as a worker's does, for runs that no process works on.

A process that does not hold a run may not write for it: `RunServices.stores_of` refuses it.
"""

from dataagent_core.planning import PlanStep, WorkPlan
from dataagent_server.common.ids import TenantId
from dataagent_server.composition import Services
from dataagent_server.hitl.requests import RequestTimeouts
from dataagent_server.identity.audit.trail import AuditTrail
from dataagent_server.runs.projection import Projection
from dataagent_server.stores.event_log import ServerEventLog
from dataagent_server.stores.fences import Fences
from dataagent_server.stores.log_writer import LogWriter


def projected_log(
    services: Services, tenant_id: TenantId, fences: Fences | None = None
) -> ServerEventLog:
    timeouts = RequestTimeouts(approval_s=60, clarification_s=60, decision_s=60)
    projection = Projection(AuditTrail(services.keyring), timeouts)
    return ServerEventLog(LogWriter(services.database, projection.apply), tenant_id, fences)


async def add_plan(
    services: Services, tenant_id: TenantId, session_id: str, run_id: str, steps: int = 3
) -> None:
    """Let a run that waits for a person have a plan."""
    planned = tuple(
        PlanStep(step_number=number, description=f"Do {number}") for number in range(1, steps + 1)
    )
    made = WorkPlan(id=run_id, conversation_id=session_id, steps=planned).to_event("made")
    await projected_log(services, tenant_id).append(session_id, run_id, [made])
