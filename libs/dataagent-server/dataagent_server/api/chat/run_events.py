"""The events of one run until it is done, or waits for a person."""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from dataagent_server.api.chat.live_events import lines_after
from dataagent_server.api.limits import KEEPALIVE_S, REST_CHECK_S
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.runs.run_row import RunRow
from dataagent_server.sessions.live.event_line import EventLine


async def until_rest(
    services: Services, principal: Principal, run: RunRow, after: int
) -> AsyncGenerator[list[EventLine]]:
    """Yield the run's events after a number, and empty batches, until it ends or waits.

    A request in the log does not mean that the run waits yet: other calls may be under way. Its row
    says when it does.
    """
    open_requests: set[str] = set()
    while True:
        has_request = bool(open_requests)
        quiet_s = REST_CHECK_S if has_request else KEEPALIVE_S
        batches = lines_after(services, run.tenant_id, run.session_id, after, idle_s=quiet_s)
        async with aclosing(batches):
            async for lines in batches:
                mine = [line for line in lines if line.data.get("run_id") == run.run_id]
                after = lines[-1].seq if lines else after
                for line in mine:
                    match line.data:
                        case {"event_type": "hitl_request", "interrupt_id": str(interrupt_id)}:
                            open_requests.add(interrupt_id)
                        case {"event_type": "hitl_answer", "interrupt_id": str(interrupt_id)}:
                            open_requests.discard(interrupt_id)
                        case _:
                            pass
                yield mine
                if any(line.data["event_type"] == "done" for line in mine):
                    return
                if not lines:
                    # This also shows a reader that the run was deleted with its session.
                    now = await services.runs.service.run(principal, run.run_id)
                    if open_requests and now.status == "waiting_approval":
                        return
                if bool(open_requests) != has_request:
                    break
