"""What the last answer of a session was given of memory, and what a person says of it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from dataagent_cli.commands.learned.memory.memory_changes import describe_receipt
from dataagent_cli.commands.learned.memory.stored_memories import (
    find_owner,
    open_memories,
    to_json,
)
from dataagent_cli.wiring import App, local_user
from dataagent_core.engine.memory.memory_use import MEMORY_KEY
from dataagent_core.events import Event, MemoryRecalledEvent
from dataagent_core.memory.memory_results import AddResult
from dataagent_core.memory.recall.changed_events import (
    make_added_event,
    make_forgotten_event,
    make_retired_event,
)
from dataagent_core.memory.recall.recalled_events import list_memory_ids
from dataagent_core.session import NO_RUN, read_all, runs_of

if TYPE_CHECKING:
    from dataagent_core.session.stores.bundle import Stores


async def read_recalled(app: App, stores: "Stores", session_id: str) -> Sequence[Mapping[str, Any]]:
    """Read the memories that the last run was given; one that was forgotten `is_gone`."""
    runs = [one for one in await runs_of(stores.log, session_id) if one.kind == "message"]
    if not runs:
        return []
    events = await read_all(
        stores.log, session_id, run_id=runs[-1].run_id, types=("memory_recalled",)
    )
    told = (event for event in events if isinstance(event, MemoryRecalledEvent))
    ids = list_memory_ids(one for event in told for one in event.memories)
    if not ids:
        return []
    found = await open_memories(app, stores).service.get_many(ids, find_owner())
    known = {one.id: to_json(one) for one in found}
    return [known.get(one, {"id": one, "is_gone": True}) for one in ids]


async def mark_wrong(
    app: App, stores: "Stores", session_id: str, memory_id: str, correction: str
) -> None:
    """Retire a memory, remember what is true instead, and write both down."""
    service = open_memories(app, stores).service
    result = await service.mark_wrong(memory_id, find_owner(), correction=correction)
    events: list[Event] = [make_retired_event(result.memory, session_id, local_user())]
    if result.replacement is not None:
        added = AddResult(memory=result.replacement, action="added")
        key = f"corrected:{result.replacement.id}"
        events.append(make_added_event(added, key, session_id, local_user()))
    await stores.log.append(session_id, NO_RUN, events)


async def forget(app: App, stores: "Stores", session_id: str, memory_id: str) -> Mapping[str, Any]:
    """Remove a memory, write that down without its text, and return the receipt."""
    receipt = await open_memories(app, stores).service.delete(memory_id, find_owner())
    await stores.log.append(session_id, NO_RUN, [make_forgotten_event(memory_id, local_user())])
    return describe_receipt(receipt)


async def want_memory(stores: "Stores", session_id: str, *, wanted: bool) -> None:
    """Switch memory on or off in a session."""
    session = await stores.sessions.get(session_id)
    if session is not None:
        metadata = {**session.metadata, MEMORY_KEY: wanted}
        await stores.sessions.update(replace(session, metadata=metadata))
