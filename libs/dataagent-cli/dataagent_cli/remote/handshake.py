"""The first words with a server: which version it is, and whom it takes one for."""

from dataclasses import dataclass
from importlib.metadata import version
from typing import Any, cast

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.remote.client import Link
from dataagent_cli.remote.failures import ServerFailedError

_SHOWN_CHARS_MAX = 60


@dataclass(frozen=True, slots=True)
class Hello:
    """Who one is there; `notice` says what a person must know about the server."""

    user_id: str
    tenant_id: str
    notice: str | None


async def hello(link: Link, say: Messages) -> Hello:
    """Ask, or raise what is in the way."""
    theirs = _text(await link.ask("GET", "/version"), "version", link, say)
    me = await link.ask("GET", "/auth/me")
    ours = version("dataagent-cli")
    notice = None
    if theirs != ours:
        notice = say("remote_other_version", url=link.url, theirs=theirs, ours=ours)
    user, tenant = _text(me, "user_id", link, say), _text(me, "tenant_id", link, say)
    return Hello(user, tenant, notice)


def _text(answer: Any, name: str, link: Link, say: Messages) -> str:
    value = cast("dict[str, Any]", answer).get(name) if isinstance(answer, dict) else None
    if not isinstance(value, str):
        raise ServerFailedError(say("remote_not_ours", url=link.url, status=200))
    return one_line(value)[:_SHOWN_CHARS_MAX]
