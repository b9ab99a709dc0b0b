"""Sessions on the server: a named one, the last one, a new one, a list of them."""

from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from urllib.parse import quote

from dataagent_cli.conversation.conversation_request import ConversationRequest
from dataagent_cli.conversation.record import SessionRow
from dataagent_cli.messages import Messages
from dataagent_cli.remote.client import ServerClient
from dataagent_cli.remote.limits import EVENTS_LOOKED_AT_MAX, EVENTS_PAGE, SESSIONS_LISTED_MAX
from dataagent_core.errors import NotFoundError
from dataagent_core.events.system import Mode, kind_of_run
from dataagent_core.ids import checked_id, new_id

_MODES: tuple[Mode, ...] = ("ask", "plan", "auto")


@dataclass(frozen=True, slots=True)
class RemoteSession:
    """A session as the server shows it."""

    session_id: str
    user_id: str
    assistant_id: str
    title: str
    mode: Mode
    last_seq: int
    project_id: str | None = None
    last_active: str = ""
    # Its title; for a search, the passage with the words.
    about: str = ""


async def find_session(
    client: ServerClient, request: ConversationRequest, say: Messages
) -> RemoteSession | None:
    """Find or make the requested session; None if a new one is made later."""
    if request.session_id is not None:
        try:
            return await session_at(client, request.session_id)
        except NotFoundError:
            if request.must_exist:
                raise
            return await make_session(client, request.session_id)
    if not request.last:
        return None
    listed = await list_sessions(client, 1)
    if not listed:
        raise NotFoundError(say("repl_no_sessions"))
    return await session_at(client, listed[0].session_id)


async def session_at(client: ServerClient, session_id: str) -> RemoteSession:
    """Return one session."""
    return _parse_session(await client.ask("GET", f"/sessions/{session_id}"))


async def make_session(client: ServerClient, session_id: str | None = None) -> RemoteSession:
    """Make a session of the person."""
    body = {} if session_id is None else {"session_id": session_id}
    return _parse_session(await client.ask("POST", "/sessions", body=body, key=new_id()))


async def list_sessions(
    client: ServerClient, limit: int = SESSIONS_LISTED_MAX, words: str = ""
) -> list[RemoteSession]:
    """List the person's sessions, the last used first: all, or those that hold every word."""
    query = {"limit": limit} | ({"q": words} if words else {})
    page = await client.ask("GET", "/sessions", query=query)
    return [_parse_session(one) for one in page["items"]]


async def session_rows(client: ServerClient, words: str = "") -> list[SessionRow]:
    """List the person's sessions to choose from."""
    return [
        SessionRow(one.session_id, datetime.fromisoformat(one.last_active), one.about)
        for one in await list_sessions(client, words=words)
    ]


async def number_before_runs(client: ServerClient, session_id: str, runs: int) -> int:
    """Find the number before the events of the last runs, searching from the end."""
    async with aclosing(_events_from_end(client, session_id)) as events:
        async for event in events:
            if event["event_type"] == "start":
                runs -= 1
            if runs == 0:
                return int(event["seq"]) - 1
    end = (await session_at(client, session_id)).last_seq
    return max(0, end - EVENTS_LOOKED_AT_MAX)


async def last_message_run(client: ServerClient, session_id: str) -> str | None:
    """Return the run of the newest message, searching from the end."""
    async with aclosing(_events_from_end(client, session_id)) as events:
        async for event in events:
            if event["event_type"] == "start" and kind_of_run(event["message_id"]) == "message":
                return str(event["run_id"])
    return None


async def read_recalled(client: ServerClient, session_id: str) -> list[dict[str, Any]]:
    """Read the memories that the newest message's run was given; a forgotten one `is_gone`."""
    from dataagent_core.memory.recall.recalled_events import list_memory_ids

    found: list[dict[str, Any]] = []
    async with aclosing(_events_from_end(client, session_id)) as events:
        async for event in events:
            if event["event_type"] == "memory_recalled":
                found = [*event["memories"], *found]
            elif event["event_type"] == "start" and kind_of_run(event["message_id"]) == "message":
                break
    return [await _read_memory(client, one) for one in list_memory_ids(found)]


async def _read_memory(client: ServerClient, memory_id: str) -> dict[str, Any]:
    try:
        answer = await client.ask("GET", f"/memories/{quote(memory_id, safe='')}")
    except NotFoundError:
        return {"id": memory_id, "is_gone": True}
    return dict(answer["memory"])


async def _events_from_end(client: ServerClient, session_id: str) -> AsyncGenerator[dict[str, Any]]:
    """Yield the last events of a session, the newest first."""
    end = (await session_at(client, session_id)).last_seq
    lowest = max(0, end - EVENTS_LOOKED_AT_MAX)
    while end > lowest:
        after = max(lowest, end - EVENTS_PAGE)
        query = {"after": after, "limit": end - after}
        page = await client.ask("GET", f"/sessions/{session_id}/events", query=query)
        for event in reversed(page["events"]):
            yield event
        end = after


def _parse_session(answer: Any) -> RemoteSession:
    mode, session_id = answer.get("mode"), str(answer["session_id"])
    checked_id(session_id, "session id")
    title = str(answer.get("title") or "")
    passage = answer.get("found") or {}
    return RemoteSession(
        session_id=session_id,
        user_id=str(answer["user_id"]),
        assistant_id=str(answer["assistant_id"]),
        title=title,
        mode=mode if mode in _MODES else "ask",
        last_seq=int(answer.get("last_seq") or 0),
        project_id=answer.get("project_id"),
        last_active=str(answer["last_active"]),
        about=" · ".join(filter(None, (title, str(passage.get("snippet") or "")))) or session_id,
    )
