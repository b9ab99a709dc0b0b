"""The first request to a server: its version, and the user of the key."""

from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, cast

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.remote.client import ServerClient
from dataagent_cli.remote.failures import ServerFailedError

_SHOWN_CHARS_MAX = 60


@dataclass(frozen=True, slots=True)
class ServerGreeting:
    """The user of the key; `notice` is a warning about the server."""

    user_id: str
    tenant_id: str
    notice: str | None


async def hello(client: ServerClient, say: Messages) -> ServerGreeting:
    """Ask the server, or raise what prevents it."""
    theirs = _text(await client.ask("GET", "/version"), "version", client, say)
    me = await client.ask("GET", "/auth/me")
    ours = version("dataagent-cli")
    notice = None
    if theirs != ours:
        notice = say("remote_other_version", url=client.url, theirs=theirs, ours=ours)
    user, tenant = _text(me, "user_id", client, say), _text(me, "tenant_id", client, say)
    return ServerGreeting(user, tenant, notice)


def _text(answer: Any, name: str, client: ServerClient, say: Messages) -> str:
    value = cast("dict[str, Any]", answer).get(name) if isinstance(answer, dict) else None
    if not isinstance(value, str):
        raise ServerFailedError(say("remote_not_ours", url=client.url, status=200))
    return one_line(value)[:_SHOWN_CHARS_MAX]
