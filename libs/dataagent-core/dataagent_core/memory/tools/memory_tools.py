"""`memory_search` and `memory_create`: what is remembered, and what is to be (S2 §7.1)."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Annotated, Final

from pydantic import Field

from dataagent_core.config.limits.memory import (
    MEMORY_CONTENT_CHARS_MAX,
    MEMORY_QUERY_CHARS_MAX,
    MEMORY_TOOL_ROWS_MAX,
    MEMORY_TOP_K,
)
from dataagent_core.errors import ValidationError
from dataagent_core.memory.hygiene.refusal import MemoryRefusedError
from dataagent_core.memory.memory import MemoryMetadata, MemorySource, MemoryType, ScopeKind
from dataagent_core.memory.memory_results import AddAction
from dataagent_core.memory.recall.changed_events import make_added_event
from dataagent_core.memory.recall.recall_note import write_recalled_lines
from dataagent_core.memory.recall.recalled_events import describe_found
from dataagent_core.memory.search_terms import SearchType
from dataagent_core.memory.tools.tool_services import (
    MemoryToolServices,
    note_recalled,
    require_run,
)
from dataagent_core.runs import RunContext
from dataagent_core.tools.definition.tool_definition import define_tool

_NOTHING: Final = "Nothing is remembered that fits."
_DONE: Final[dict[AddAction, str]] = {
    "added": "It is remembered.",
    "merged": "It was known already.",
    "replaced": "It is remembered, and what it contradicts holds no longer.",
}


@define_tool("pure")
async def memory_search(
    services: MemoryToolServices,
    query: Annotated[
        str,
        Field(
            description="What is looked for, in words or as a question",
            max_length=MEMORY_QUERY_CHARS_MAX,
        ),
    ],
    search_type: Annotated[
        SearchType, Field(description="By meaning, by words, or by both and the graph")
    ] = "hybrid",
    limit: Annotated[
        int, Field(description="How many at most", ge=1, le=MEMORY_TOOL_ROWS_MAX)
    ] = MEMORY_TOP_K,
    as_of: Annotated[
        str, Field(description="An ISO date: what was true then; empty: what holds now")
    ] = "",
) -> str:
    """Search what is remembered of this person's earlier conversations."""
    moment = _read_moment(as_of) if as_of.strip() else None
    found = await services.service.search(
        query, services.reads, limit, search_type=search_type, as_of=moment
    )
    await note_recalled([describe_found(one) for one in found])
    memories = [one.memory for one in found]
    await services.service.note_used(memories)
    return write_recalled_lines(memories) if memories else _NOTHING


@define_tool("idempotent")
async def memory_create(
    services: MemoryToolServices,
    content: Annotated[
        str,
        Field(
            description="A sentence that is understood alone, close to the person's own words",
            max_length=MEMORY_CONTENT_CHARS_MAX,
        ),
    ],
    type: Annotated[MemoryType, Field(description="What kind of memory it is")] = "fact",  # noqa: A002 (S3's name)
    scope: Annotated[
        ScopeKind,
        Field(description="user: with this assistant; project: in this project; org: everywhere"),
    ] = "user",
) -> str:
    """Remember something that the person said and will want to be known in later conversations."""
    running = require_run()
    context = running.context
    scope_of = services.find_scope(scope)
    sources = await _list_sources(services, context)
    for number, source in enumerate(sources, start=1):
        metadata = MemoryMetadata(scope=scope_of, type=type, source=source)
        try:
            result = await services.service.remember(
                content, metadata, instructions=services.instructions
            )
        except MemoryRefusedError as error:
            if error.rule != "ungrounded" or number == len(sources):
                raise
            continue
        key = f"{context.run.run_id}:{running.call.key}"
        await context.recorder.commit(make_added_event(result, key, context.run.session_id))
        return _DONE[result.action]
    return _NOTHING


async def _list_sources(services: MemoryToolServices, context: RunContext) -> list[MemorySource]:
    """List what it may rest on: this run, the whole conversation, and results of strangers."""
    run, last = context.run, context.recorder.last_seq
    own = MemorySource(
        kind="conversation",
        session_id=run.session_id,
        run_id=run.run_id,
        seq_first=await services.find_run_start(run),
        seq_last=last,
    )
    sources = [own, replace(own, seq_first=1, run_id="")]
    if context.permissions.taint.sources:
        sources.append(replace(own, kind="tool_result"))
    return sources


def _read_moment(text: str) -> datetime:
    try:
        moment = datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise ValidationError(
            f"{text!r:.100} is no date: give as_of as 2026-11-12 or 2026-11-12T08:00."
        ) from error
    # One without a time zone is the machine's.
    return moment.astimezone(UTC)
