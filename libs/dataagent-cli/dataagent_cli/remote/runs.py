"""The unfinished run of a server's session."""

from dataagent_cli.conversation.port import UnfinishedRun
from dataagent_cli.remote.client import ServerClient
from dataagent_core.errors import ValidationError
from dataagent_core.events import HITLRequestEvent, from_dict


async def unfinished_run(client: ServerClient, session_id: str) -> UnfinishedRun | None:
    """Return the run that is not over, with its open requests."""
    status = await client.ask("GET", f"/sessions/{session_id}/execution-status")
    if status["run_id"] is None:
        return None
    requests = await _open_requests(client, session_id)
    return UnfinishedRun(str(status["run_id"]), requests, int(status["last_sequence"]))


async def _open_requests(client: ServerClient, session_id: str) -> list[HITLRequestEvent]:
    """List the open requests; one that this version cannot read cannot be asked."""
    answer = await client.ask("GET", f"/sessions/{session_id}/requests")
    found: list[HITLRequestEvent] = []
    for one in answer["requests"]:
        try:
            event = from_dict(dict(one["request"]))
        except ValidationError:
            continue
        if isinstance(event, HITLRequestEvent):
            found.append(event)
    return found
