"""`/api/v1/memories`: what is remembered of the person who asks (S3), and of nobody else.

One memory is in `memory_items.py`, whose paths begin with any word: these come first.
"""

import asyncio
import tempfile
from collections.abc import AsyncIterable, Iterable
from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Query, Response

from dataagent_core.memory.memory import Memory, MemoryType, ScopeKind
from dataagent_core.memory.memory_results import MemoryQueryOptions
from dataagent_core.memory.transfer.memory_lines import write_line
from dataagent_server.api.answers.bytes_answer import make_scratch_folder, once_answer
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep, WithoutTimeout
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.memory.memory_answers import (
    MemoriesCleaned,
    MemoryAdded,
    MemoryHealth,
    MemorySearchAnswer,
)
from dataagent_server.api.models.memory.memory_bodies import (
    MemoryCleanup,
    MemoryCreate,
    MemorySearchRequest,
)
from dataagent_server.api.models.memory.memory_info import MemoryItem, MemoryProfile
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Paging, page_of
from dataagent_server.api.v1.data.results import describe_download
from dataagent_server.api.v1.memory.shared import AssistantQuery, ProjectQuery
from dataagent_server.common.pagination import PAGE_ROWS_MAX

router = APIRouter(prefix="/memories", tags=["memories"])


@router.get("", summary="List memories")
async def list_memories(
    principal: CurrentPrincipal,
    services: ServicesDep,
    page_request: Paging,
    *,
    kind: Annotated[ScopeKind | None, Query(description="Where they count")] = None,
    type: Annotated[MemoryType | None, Query()] = None,  # noqa: A002 (the name of the parameter)
    assistant_id: Annotated[
        str | None,
        Query(
            pattern=ID_PATTERN,
            description="What counts with this assistant alone: without the kind `org`",
        ),
    ] = None,
    project_id: ProjectQuery = None,
    with_past: Annotated[
        bool, Query(description="Also what is no longer true, was wrong or has expired")
    ] = False,
    session_id: Annotated[
        str | None, Query(pattern=ID_PATTERN, description="What comes from this conversation")
    ] = None,
) -> Page[MemoryItem]:
    """List your memories, the last recorded first."""
    wanted = MemoryQueryOptions(
        kind=kind,
        types=() if type is None else (type,),
        assistant_id=assistant_id,
        project_id=project_id,
        with_past=with_past,
        session_id=session_id,
        limit=page_request.limit,
        after=page_request.after,
    )
    return page_of(MemoryItem, await services.memories.list(principal, wanted))


@router.post(
    "", status_code=201, summary="Add a memory", responses=errors("CONFLICT", "LIMIT_REACHED")
)
async def add_memory(
    body: MemoryCreate, principal: CurrentPrincipal, services: ServicesDep
) -> MemoryAdded:
    """Remember something; what is known already is merged, what it contradicts is closed."""
    added = await services.memories.add(principal, body.memory())
    return MemoryAdded.model_validate(added)


@router.post("/search", summary="Search memories")
async def search_memories(
    body: MemorySearchRequest, principal: CurrentPrincipal, services: ServicesDep
) -> MemorySearchAnswer:
    """Find what fits by words, meaning and the graph; each result says what each leg gave it."""
    return MemorySearchAnswer.of(await services.memories.search(principal, body.search()))


@router.get("/profile", summary="What is known about you")
async def get_memory_profile(
    principal: CurrentPrincipal, services: ServicesDep, assistant_id: AssistantQuery = None
) -> MemoryProfile:
    """Show what is known about you now, by type."""
    return MemoryProfile.of(await services.memories.profile(principal, assistant_id))


@router.get(
    "/export",
    summary="Export memories",
    response_class=Response,
    responses=describe_download("application/octet-stream"),
    dependencies=[WithoutTimeout],
)
async def export_memories(principal: CurrentPrincipal, services: ServicesDep) -> Response:
    """Send all your memories as a download, past ones too: one JSON object in each line."""
    with tempfile.TemporaryDirectory(dir=make_scratch_folder(services.settings)) as folder:
        path = Path(folder) / "memories.jsonl"
        await asyncio.to_thread(path.touch)
        await _write_lines(path, services.memories.list_all(principal))
        # Opened before the folder goes: it is sent from what has no name any more.
        return once_answer(path, path.name)


@router.get("/doctor", summary="How clean your memories are", dependencies=[WithoutTimeout])
async def check_memories(principal: CurrentPrincipal, services: ServicesDep) -> MemoryHealth:
    """Count the memories that are double, come from memories, are stale, ungrounded or secret."""
    return MemoryHealth.model_validate(await services.memories.check(principal))


@router.post("/cleanup", summary="Remove expired memories")
async def clean_memories(
    body: MemoryCleanup, principal: CurrentPrincipal, services: ServicesDep
) -> MemoriesCleaned:
    """Remove those of your memories that had expired at a moment."""
    return MemoriesCleaned(removed=await services.memories.clean(principal, body.older_than))


async def _write_lines(path: Path, memories: AsyncIterable[Memory]) -> None:
    lines: list[str] = []
    async for memory in memories:
        lines.append(write_line(memory))
        if len(lines) >= PAGE_ROWS_MAX:
            await asyncio.to_thread(_append_lines, path, lines)
            lines.clear()
    await asyncio.to_thread(_append_lines, path, lines)


def _append_lines(path: Path, lines: Iterable[str]) -> None:
    with path.open("a", encoding="utf-8") as file:
        file.writelines(lines)
