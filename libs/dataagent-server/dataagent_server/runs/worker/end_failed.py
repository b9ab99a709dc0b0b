"""Ends a run that no executor could end: its agent cannot be built, or refuses the run."""

from collections.abc import Sequence

from dataagent_core.errors import DataAgentError
from dataagent_core.events import DoneEvent, ErrorEvent, Event, RunStartedEvent
from dataagent_core.session.mode import mode_of
from dataagent_core.session.run import runs_of
from dataagent_core.session.stores.bundle import Stores
from dataagent_server.common.host_paths import hide_host_paths
from dataagent_server.runs.run_row import RunRow


async def end_failed(stores: Stores, run: RunRow, error: Exception, home: str) -> Sequence[Event]:
    """Write error and `done`, after a `start` if there was none, so that nobody waits for ever.

    What the person said is kept too: an agent that never began did not do it. `home` is where this
    server keeps its files, which is not told.
    """
    if run.text:
        await stores.messages.save_message(
            run.session_id, "user", run.text, message_id=run.message_id
        )
    if isinstance(error, DataAgentError):
        message = hide_host_paths(str(error), home)
        told = ErrorEvent(error=message, code=error.code, recoverable=error.recoverable)
    else:
        # What we did not foresee may hold anything; the server's own log has it in full.
        told = ErrorEvent(
            error="an unexpected fault of the server", code="INTERNAL", recoverable=False
        )
    begun = any(known.run_id == run.run_id for known in await runs_of(stores.log, run.session_id))
    start = RunStartedEvent(
        message_id=run.message_id,
        model="",
        assistant_id=run.assistant_id,
        mode=await mode_of(stores.log, run.session_id),
    )
    # Whoever wanted it stopped has what they wanted.
    cancelled = DoneEvent(cancelled=True, reason="user_cancelled")
    events: list[Event] = [
        *([] if begun else [start]),
        told,
        cancelled if run.cancel_requested else DoneEvent(reason="error"),
    ]
    return await stores.log.append(run.session_id, run.run_id, events)
