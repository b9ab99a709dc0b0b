"""Deleting a session with what other parts of the house keep for it."""

from dataagent_server.auth.principal import Principal
from dataagent_server.wiring import Services


async def remove_session(services: Services, principal: Principal, session_id: str) -> None:
    """Delete the rows in one transaction, then what is in memory, and the checkpoints.

    A crash in between leaves checkpoints that nothing leads to; they only take space.
    """
    tenant_id = principal.tenant_id
    run_ids = await services.sessions.delete(principal, session_id)
    services.runs.hub.end(tenant_id, session_id)
    await services.runs.agents.forget(tenant_id, session_id)
    checkpoints = services.runs.stores_of(tenant_id).checkpoints
    for run_id in run_ids:
        await checkpoints.adelete_thread(run_id)
