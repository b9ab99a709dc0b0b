"""Finds the runs that a rewind to a message takes back."""

from collections.abc import Sequence

from dataagent_core.errors import NotFoundError, SessionBusyError
from dataagent_core.events import FileOperationEvent
from dataagent_core.session import EventLog, RunSummary, read_all


def refuse_while_running(runs: Sequence[RunSummary], session_id: str) -> None:
    """Raise while a run may still change files."""
    if any(not run.done for run in runs):
        raise SessionBusyError(
            f"session {session_id!r} has an unfinished run: wait for it, stop it, or resume it "
            "first. Then rewind."
        )


def list_runs_since(
    runs: Sequence[RunSummary], session_id: str, message_id: str | None
) -> list[RunSummary]:
    """List the run that answered a message and those after it; without one, all of them."""
    if message_id is None:
        return list(runs)
    for position, run in enumerate(runs):
        if message_id in {run.message_id, run.run_id}:
            return list(runs[position:])
    raise NotFoundError(
        f"session {session_id!r} has no message {message_id!r:.200} of a person. Look at its "
        "messages and name one of them."
    )


async def has_unrecorded_changes(
    log: EventLog, session_id: str, run_ids: Sequence[str], kept_since_s: float | None
) -> bool:
    """Return whether these runs changed files without a record, or with one that was dropped."""
    wanted = set(run_ids)
    for event in await read_all(log, session_id, types=("file_operation",)):
        if not isinstance(event, FileOperationEvent) or event.run_id not in wanted:
            continue
        changed = event.operation != "read" and event.status == "success"
        if changed and (kept_since_s is None or event.timestamp < kept_since_s):
            return True
    return False
