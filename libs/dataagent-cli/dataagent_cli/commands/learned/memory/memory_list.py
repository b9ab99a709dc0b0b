"""`memory list` and `memory show`."""

from datetime import datetime
from typing import cast

from dataagent_cli.commands.learned.memory.stored_memories import (
    SHORT_ID_CHARS,
    find_memory,
    find_owner,
    open_memories,
    read_memories,
    to_json,
)
from dataagent_cli.output.json_document import write_document
from dataagent_cli.output.sanitize import one_line
from dataagent_cli.output.table import print_table
from dataagent_cli.transcript.memory_lines import say_memory
from dataagent_cli.wiring import App
from dataagent_core.memory.memory import Memory, MemoryType, ScopeKind
from dataagent_core.memory.memory_results import MemoryQueryOptions


async def list_memories(
    app: App, *, type_: str | None, kind: str | None, past: bool, as_json: bool
) -> None:
    """Print the memories, the ones last recorded first."""
    options = MemoryQueryOptions(
        kind=cast("ScopeKind | None", kind),
        types=(cast("MemoryType", type_),) if type_ else (),
        with_past=past,
    )
    found = [memory async for memory in read_memories(open_memories(app), options)]
    if as_json:
        write_document([to_json(memory) for memory in found])
        return
    if not found:
        app.output.note(app.say("memories_none"), dim=True)
        return
    heads = ["memory", "memory_type", "memory_scope", "memory_since", "memory_state", "content"]
    if not past:
        heads.remove("memory_state")
    rows = [
        [
            memory.id[:SHORT_ID_CHARS],
            app.say(f"memory_type.{memory.type}"),
            app.say(f"memory_scope.{memory.scope.kind}"),
            write_date(memory.valid_from),
            *([say_state(app, memory)] if past else []),
            memory.content,
        ]
        for memory in found
    ]
    print_table(app.output, [app.say(f"col.{head}") for head in heads], rows)


async def show_memory(app: App, name: str, *, as_json: bool) -> None:
    """Print a memory and the others about its subject."""
    opened = open_memories(app)
    memory = await find_memory(app, opened, name)
    history = (await opened.service.get_history(memory.id, find_owner())).history
    if as_json:
        write_document({"memory": to_json(memory), "history": [to_json(one) for one in history]})
        return
    output, say, source = app.output, app.say, memory.source
    output.sentence(one_line(memory.content), bold=True)
    facts = {
        "memory": memory.id,
        "memory_type": say(f"memory_type.{memory.type}"),
        "memory_scope": say(f"memory_scope.{memory.scope.kind}"),
        "memory_state": say_state(app, memory),
        "memory_since": write_date(memory.valid_from),
        "memory_until": write_date(memory.valid_to or memory.expires_at),
        "memory_source": say_memory(to_json(memory) | {"content": ""}, say).strip(),
        "memory_quote": source.quote,
        "memory_session": source.session_id,
        "memory_uses": str(memory.access_count),
        "memory_confidence": f"{memory.confidence:.0%}",
    }
    for key, value in facts.items():
        if value:
            output.sentence(f"{say(f'col.{key}')}: {one_line(value)}", dim=True)
    for one in history:
        output.sentence(
            f"- {one_line(one.content)} ({write_date(one.valid_from)} … "
            f"{write_date(one.valid_to)}, {say_state(app, one)})"
        )


def say_state(app: App, memory: Memory) -> str:
    """Say whether a memory holds, and if not, why."""
    now = datetime.now(memory.recorded_at.tzinfo)
    if memory.retired_at is not None:
        return app.say("memory_state.wrong")
    if memory.has_expired(now):
        return app.say("memory_state.expired")
    if memory.valid_from > now:
        return app.say("memory_state.future")
    return app.say("memory_state.holds" if memory.is_current(now) else "memory_state.past")


def write_date(moment: datetime | None) -> str:
    """Write the day of a moment, as this machine's calendar has it."""
    return "" if moment is None else f"{moment.astimezone():%Y-%m-%d}"
