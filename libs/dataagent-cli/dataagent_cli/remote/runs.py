"""What goes on in a session of the server."""

from dataclasses import dataclass

from dataagent_cli.remote.link import Link
from dataagent_core.errors import ValidationError
from dataagent_core.events import HITLRequestEvent, from_dict


@dataclass(frozen=True, slots=True)
class UnderWay:
    """The run that is not over, if there is one, and how far the log has come."""

    run_id: str | None
    last_seq: int


async def under_way(link: Link, session_id: str) -> UnderWay:
    """Ask what goes on."""
    answer = await link.ask("GET", f"/sessions/{session_id}/execution-status")
    run_id = answer["run_id"]
    return UnderWay(None if run_id is None else str(run_id), int(answer["last_sequence"]))


async def open_requests(link: Link, session_id: str) -> list[HITLRequestEvent]:
    """List what waits for a person; what this version cannot read, it cannot ask."""
    answer = await link.ask("GET", f"/sessions/{session_id}/requests")
    found: list[HITLRequestEvent] = []
    for one in answer["requests"]:
        try:
            event = from_dict(dict(one["request"]))
        except ValidationError:
            continue
        if isinstance(event, HITLRequestEvent):
            found.append(event)
    return found
