"""Pages of a session's events, by either parameter for the first event."""

from dataagent_core.errors import ValidationError
from dataagent_server.api.chat.live_events import log_of
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal

Lines = list[tuple[int, str]]


def begin_after(after: int | None, from_sequence: int | None) -> int:
    """Return the number to read after; `from_sequence` is the first number wanted (S2)."""
    if after is not None and from_sequence is not None:
        raise ValidationError("give `after` or `from_sequence`, not both.")
    if from_sequence is not None:
        return max(0, from_sequence - 1)
    return after or 0


async def event_page(
    services: Services,
    principal: Principal,
    session_id: str,
    *,
    after: int,
    limit: int,
    run_id: str | None = None,
) -> tuple[Lines, bool]:
    """Read a page of events of a session or a run, and whether there is more."""
    await services.sessions.get(principal, session_id)
    log = log_of(services, principal.tenant_id)
    lines = await log.read_lines(session_id, after, limit + 1, run_id=run_id)
    return lines[:limit], len(lines) > limit
