"""Lines about memories: how many the model was given, one of them, and what became of one. Pure."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, cast

from dataagent_cli.messages import Messages
from dataagent_cli.output.sanitize import one_line

if TYPE_CHECKING:
    from dataagent_core.events import MemoryChangedEvent, MemoryRecalledEvent

_DATE_CHARS: Final = 10


def say_recalled(event: "MemoryRecalledEvent", say: Messages) -> str:
    """Say how many memories a run was given; their texts are read where somebody asks for them."""
    if not event.memories or event.tool:
        # The result of a tool's call is shown with it.
        return ""
    return say("memory_recalled", count=len(event.memories))


def say_changed(event: "MemoryChangedEvent", say: Messages) -> str:
    """Say what became of a memory; empty where nobody needs to know."""
    if event.change == "refused":
        # What rules leave out of a message is no news; a secret is.
        if event.by is None and event.code != "secret":
            return ""
        return say("memory_change.refused", reason=say.translate(one_line(event.reason)))
    if event.change == "merged" and event.by is None:
        # It was known before.
        return ""
    if event.change == "retired" and not event.content:
        # It was learned in another session.
        return say("memory_change.retired_other")
    return say(f"memory_change.{event.change}", content=one_line(event.content))


def say_memory(memory: Mapping[str, Any], say: Messages) -> str:
    """Write what is remembered, and where it comes from; of a forgotten one that it is gone."""
    if memory.get("is_gone"):
        return say("memory_gone")
    given: Any = memory.get("source")
    source = cast("Mapping[str, Any]", given if isinstance(given, dict) else {})
    by = one_line(str(source.get("speaker") or source.get("tool") or ""))
    if source.get("kind") == "manual":
        origin = say("memory_source.manual")
    elif memory.get("is_tainted"):
        origin = say("memory_source.tainted", by=by or "?")
    elif by:
        origin = say("memory_source.said", by=by)
    else:
        origin = say("memory_source.person")
    date = one_line(str(memory.get("recorded_at") or ""))[:_DATE_CHARS]
    return (
        f"{one_line(str(memory.get('content') or ''))} ({', '.join(filter(None, (origin, date)))})"
    )
