"""`memory add`, `memory wrong` and `memory forget`."""

import sys
from dataclasses import asdict
from typing import Any, cast

import click

from dataagent_cli.commands.learned.memory.stored_memories import (
    find_memory,
    find_owner,
    find_scopes,
    open_memories,
    read_moment,
    to_json,
)
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.wiring import App, open_stores
from dataagent_core.errors import ValidationError
from dataagent_core.memory.memory import MemoryMetadata, MemoryType, ScopeKind
from dataagent_core.memory.memory_results import ForgetReceipt


async def add_memory(
    app: App,
    content: str,
    *,
    type_: str,
    kind: str,
    since: str | None,
    until: str | None,
    as_json: bool,
) -> None:
    """Store what the person says, and say what became of it."""
    metadata = MemoryMetadata(
        scope=find_scopes(app)[cast("ScopeKind", kind)],
        type=cast("MemoryType", type_),
        valid_from=read_moment(app, since),
        expires_at=read_moment(app, until),
    )
    result = await open_memories(app).service.remember(content, metadata)
    if as_json:
        closed = [to_json(one) for one in result.closed]
        write_document(
            {"memory": to_json(result.memory), "action": result.action, "closed": closed}
        )
        return
    app.output.note(
        app.say(f"memory_change.{result.action}", content=one_line(result.memory.content))
    )
    for one in result.closed:
        app.output.note(app.say("memory_closed", content=one_line(one.content)), dim=True)


async def mark_wrong(app: App, name: str, correction: str, *, as_json: bool) -> None:
    """Retire a memory, and remember what is true instead."""
    opened = open_memories(app)
    memory = await find_memory(app, opened, name)
    result = await opened.service.mark_wrong(memory.id, find_owner(), correction=correction)
    if as_json:
        replacement = None if result.replacement is None else to_json(result.replacement)
        write_document({"memory": to_json(result.memory), "replacement": replacement})
        return
    app.output.note(app.say("memory_change.retired", content=one_line(memory.content)))
    if result.replacement is not None:
        content = one_line(result.replacement.content)
        app.output.note(app.say("memory_change.added", content=content))


async def forget_memory(app: App, name: str, *, sure: bool, as_json: bool) -> None:
    """Remove a memory, and print the receipt."""
    async with open_stores(app.settings) as stores:
        opened = open_memories(app, stores)
        memory = await find_memory(app, opened, name)
        shown = one_line(memory.content)
        if not sure and not _confirm(app, shown):
            app.output.note(app.say("kept"))
            return
        receipt = await opened.service.delete(memory.id, find_owner())
    if as_json:
        write_document(describe_receipt(receipt))
    else:
        print_receipt(app, receipt)


def describe_receipt(receipt: ForgetReceipt) -> dict[str, Any]:
    """Give a receipt as JSON, as a server does."""
    return {
        "memory_id": receipt.memory_id,
        "removed": dict(receipt.removed),
        "remaining": dict(receipt.remaining),
        "notes_changed": receipt.notes_changed,
        "still_in": [asdict(place) for place in receipt.still_in],
        "at": receipt.at.isoformat(),
    }


def print_receipt(app: App, receipt: ForgetReceipt) -> None:
    """Say what was removed, what a scan still finds, and where a conversation still says it."""
    removed = sum(receipt.removed.values()) + receipt.notes_changed
    left = sum(receipt.remaining.values())
    app.output.note(app.say("memory_receipt", removed=removed, left=left))
    for session in dict.fromkeys(place.session_id for place in receipt.still_in):
        app.output.note(app.say("memory_still_in", session=one_line(session)), dim=True)


def _confirm(app: App, content: str) -> bool:
    if not sys.stdin.isatty():
        raise ValidationError(app.say("pattern_needs_yes"))
    return click.confirm(app.say("memory_forget_sure", content=content), err=True)
