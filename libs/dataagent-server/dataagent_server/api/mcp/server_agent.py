"""Core's `Agent` for one user: an ordinary run of the server, started and followed."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.hitl import Decision
from dataagent_core.mcp.server.ports import RunRef
from dataagent_server.api.chat.live_events import log_of
from dataagent_server.api.chat.run_events import until_rest
from dataagent_server.api.chat.start_run import MessageRequest, start_run
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal


@dataclass(frozen=True, slots=True)
class ServerAgent:
    """Works on behalf of the principal."""

    services: Services
    principal: Principal

    async def start(self, message: str, session_id: str | None, *, can_ask: bool) -> RunRef:
        """Start a run; its requests wait in the log."""
        del can_ask
        request = MessageRequest(text=message, session_id=session_id)
        started = await start_run(self.services, self.principal, request)
        return RunRef(started.run.session_id, started.run.run_id)

    async def events(self, run: RunRef) -> AsyncGenerator[list[dict[str, Any]]]:
        """Yield its events from its start on."""
        row = await self.services.runs.service.run(self.principal, run.run_id)
        log = log_of(self.services, row.tenant_id)
        begun = await log.read_lines(row.session_id, 0, 1, run_id=row.run_id, types=("start",))
        after = begun[0][0] - 1 if begun else 0
        async with aclosing(until_rest(self.services, self.principal, row, after)) as batches:
            async for lines in batches:
                yield [{**line.data, "seq": line.seq} for line in lines]

    async def answer(self, run: RunRef, interrupt_id: str, decision: Decision) -> None:
        """Answer its request, unless another answer came first."""
        del run
        try:
            await self.services.runs.service.answer(self.principal, interrupt_id, decision)
        except ConflictError:
            return

    async def cancel(self, run: RunRef) -> None:
        """Stop it; when the server stops, another process takes it over instead."""
        if self.services.stopping.is_set():
            return
        try:
            await self.services.runs.service.cancel(self.principal, run.run_id)
        except (ConflictError, NotFoundError):
            return
