"""A log that writes the rows beside it as a worker's does, for runs that no process works on."""

from dataagent_server.common.ids import TenantId
from dataagent_server.composition import Services
from dataagent_server.hitl.requests import RequestTimeouts
from dataagent_server.identity.audit.trail import AuditTrail
from dataagent_server.runs.projection import Projection
from dataagent_server.stores.event_log import ServerEventLog
from dataagent_server.stores.log_writer import LogWriter


def projected_log(services: Services, tenant_id: TenantId) -> ServerEventLog:
    timeouts = RequestTimeouts(approval_s=60, clarification_s=60, decision_s=60)
    projection = Projection(AuditTrail(services.keyring), timeouts)
    return ServerEventLog(LogWriter(services.database, projection.apply), tenant_id)
