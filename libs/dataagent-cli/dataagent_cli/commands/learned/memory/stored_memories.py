"""The memories of the person at this machine: opened, and found by a part of their ids."""

from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from dataagent_cli.output.sanitize import one_line
from dataagent_cli.wiring import TENANT, App, local_user
from dataagent_core.config.limits.memory import MEMORIES_PAGE_MAX
from dataagent_core.engine.assembly.local_memory import OpenMemory, open_memory
from dataagent_core.engine.assembly.memory_scopes import list_person_scopes, make_project_id
from dataagent_core.errors import NotFoundError, ValidationError
from dataagent_core.memory.memory import Memory, MemoryScope, ScopeKind
from dataagent_core.memory.memory_results import MemoryOwner, MemoryQueryOptions

if TYPE_CHECKING:
    from dataagent_core.session.stores.bundle import Stores

# Memories are named by the first characters of their ids, as sessions are.
SHORT_ID_CHARS: Final = 8
_PART_CHARS_MIN: Final = 4
# Beyond these a name must be an id.
_LISTED_MAX: Final = 10_000


def open_memories(app: App, stores: "Stores | None" = None) -> OpenMemory:
    """Open the memories that runs on this machine use."""
    return open_memory(app.settings, TENANT, app.settings.home, stores)


def find_owner() -> MemoryOwner:
    """Name the person at this machine."""
    return MemoryOwner(tenant_id=TENANT, user_id=local_user())


def find_scopes(app: App, workspace: Path | None = None) -> dict[ScopeKind, MemoryScope]:
    """List the scopes of the assistant of the settings in a folder, by default the current one."""
    project = make_project_id(workspace or Path.cwd())
    return list_person_scopes(TENANT, local_user(), app.settings.assistant_id, project)


async def read_memories(opened: OpenMemory, options: MemoryQueryOptions) -> AsyncGenerator[Memory]:
    """Yield the memories, the ones last recorded first."""
    wanted, seen = replace(options, limit=MEMORIES_PAGE_MAX), 0
    while seen < _LISTED_MAX:
        page = await opened.service.get_by_user(find_owner(), wanted)
        for memory in page:
            yield memory
        if len(page) < MEMORIES_PAGE_MAX:
            return
        seen, wanted = seen + len(page), replace(wanted, after=page[-1].id)


async def find_memory(app: App, opened: OpenMemory, name: str) -> Memory:
    """Find a memory by its id or the beginning of it."""
    with suppress(NotFoundError):
        return await opened.service.get(name, find_owner())
    found = [
        memory
        async for memory in read_memories(opened, MemoryQueryOptions(with_past=True))
        if len(name) >= _PART_CHARS_MIN and memory.id.startswith(name)
    ]
    if len(found) == 1:
        return found[0]
    key = "memory_ambiguous" if found else "memory_unknown"
    ids = ", ".join(one.id[:SHORT_ID_CHARS] for one in found)
    raise NotFoundError(app.say(key, name=one_line(name), ids=ids))


def read_moment(app: App, text: str | None) -> datetime | None:
    """Read a date of a command line; one without a time zone is this machine's."""
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text.strip()).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValidationError(app.say("memory_bad_date", given=one_line(text))) from error


def to_json(memory: Memory) -> dict[str, Any]:
    """Give a memory as JSON, as a server does."""
    source, scope = memory.source, memory.scope
    return {
        "id": memory.id,
        "type": memory.type,
        "content": memory.content,
        "scope": {
            "kind": scope.kind,
            "assistant_id": scope.assistant_id,
            "project_id": scope.project_id,
        },
        "source": {
            "kind": source.kind,
            "session_id": source.session_id,
            "run_id": source.run_id,
            "seq_first": source.seq_first,
            "seq_last": source.seq_last,
            "tool": source.tool,
            "speaker": source.speaker,
            "quote": source.quote,
        },
        "confidence": round(memory.confidence, 3),
        "is_tainted": memory.is_tainted,
        "subject": memory.subject,
        "valid_from": memory.valid_from.isoformat(),
        "valid_to": _write(memory.valid_to),
        "recorded_at": memory.recorded_at.isoformat(),
        "retired_at": _write(memory.retired_at),
        "replaced_by": memory.replaced_by,
        "expires_at": _write(memory.expires_at),
        "updated_at": memory.updated_at.isoformat(),
        "access_count": memory.access_count,
        "last_accessed_at": _write(memory.last_accessed_at),
        "episode_id": memory.episode_id,
        "version": memory.version,
    }


def _write(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
