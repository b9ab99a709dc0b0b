"""What must be true of a session after all that happened to its servers."""

from collections import Counter
from typing import Any

from tests.server.process import ServerProcess
from tests.server_kill.clients import Client, StreamClient
from tests.server_kill.installation import log_of

Event = dict[str, Any]


def check_story(server: ServerProcess, clients: list[Client]) -> list[Event]:
    """Every client saw the log, each event once; the run began once and ended once. Return the log."""
    (session_id,) = {client.session_id for client in clients}
    log = log_of(server, session_id)
    assert [event["seq"] for event in log] == list(range(1, len(log) + 1))
    counted = Counter(event["event_type"] for event in log)
    assert (counted["start"], counted["done"]) == (1, 1), counted
    assert log[-1]["event_type"] == "done"
    assert len({event["event_id"] for event in log}) == len(log)
    for client in clients:
        seen = [frame["seq"] for frame in client.frames]
        assert seen == list(range(1, len(log) + 1)), (type(client).__name__, seen)
        if not isinstance(client, StreamClient):
            assert client.types == [event["event_type"] for event in log]
    return log


def shown_text(log: list[Event]) -> str:
    """Join the pieces of text that are not void, as a client shows them."""
    shown: list[Event] = []
    for event in log:
        if event["event_type"] == "resumed":
            kept = event["discard_after"]
            shown = [e for e in shown if e["seq"] <= kept]
        elif event["event_type"] == "text" and not event["is_final"]:
            shown.append(event)
    return "".join(event["content"] for event in shown)


def results(log: list[Event]) -> list[Event]:
    return [event for event in log if event["event_type"] == "tool_result"]
