"""One memory made of two that say the same. Pure."""

from collections.abc import Mapping
from dataclasses import asdict, replace
from datetime import datetime
from typing import Final, cast

from pydantic import JsonValue

from dataagent_core.config.limits.memory import MEMORY_SOURCES_KEPT_MAX
from dataagent_core.memory.memory import Memory, MemorySource

# In `Memory.extra`: how often it was said, and where else.
COUNT_KEY: Final = "times_said"
SOURCES_KEY: Final = "other_sources"
# When it was said, where that is not when it was recorded: in an import.
SAID_AT_KEY: Final = "said_at"
# Of the quotes of other sources.
_QUOTE_CHARS_MAX: Final = 400


def merge_memories(known: Memory, new: Memory, now: datetime) -> Memory:
    """Return the known memory with what the new one adds; the newer wording is kept."""
    wording = new if new.content != known.content else known
    return replace(
        known,
        content=wording.content,
        source=wording.source,
        subject=new.subject or known.subject,
        confidence=join_confidence(known.confidence, new.confidence),
        valid_from=min(known.valid_from, new.valid_from),
        expires_at=_later_expiry(known, new),
        episode_id=known.episode_id or new.episode_id,
        updated_at=now,
        extra={
            **known.extra,
            **new.extra,
            **_join_said_at(known, new),
            COUNT_KEY: read_count(known) + read_count(new),
            SOURCES_KEY: _join_sources(known, new, wording.source),
        },
    )


def find_said_at(memory: Memory) -> datetime:
    """Say when a memory was said."""
    said_at = memory.extra.get(SAID_AT_KEY)
    return datetime.fromisoformat(said_at) if isinstance(said_at, str) else memory.updated_at


def join_confidence(one: float, other: float) -> float:
    """Join what two sources make probable, if they do not know of each other."""
    return 1.0 - (1.0 - one) * (1.0 - other)


def read_count(memory: Memory) -> int:
    """Say how often a memory was said."""
    count = memory.extra.get(COUNT_KEY)
    return count if isinstance(count, int) else 1


def is_source_known(memory: Memory, source: MemorySource) -> bool:
    """Say whether a memory was taken from these very events before."""
    places = {(one.session_id, one.seq_first, one.seq_last) for one in list_sources(memory)}
    place = (source.session_id, source.seq_first, source.seq_last)
    return bool(source.session_id) and place in places


def list_sources(memory: Memory) -> list[MemorySource]:
    """List every source of a memory that is still known, its own first."""
    others = memory.extra.get(SOURCES_KEY)
    listed = others if isinstance(others, list) else []
    return [memory.source, *(_read_source(one) for one in listed if isinstance(one, Mapping))]


def _join_said_at(known: Memory, new: Memory) -> dict[str, JsonValue]:
    if SAID_AT_KEY not in known.extra and SAID_AT_KEY not in new.extra:
        return {}
    return {SAID_AT_KEY: max(find_said_at(known), find_said_at(new)).isoformat()}


def _join_sources(known: Memory, new: Memory, kept: MemorySource) -> list[JsonValue]:
    sources = dict.fromkeys([*list_sources(new), *list_sources(known)])
    others = [source for source in sources if source != kept][:MEMORY_SOURCES_KEPT_MAX]
    short = (replace(one, quote=_shorten(one.quote)) for one in others)
    return [cast("JsonValue", asdict(source)) for source in short]


def _shorten(quote: str) -> str:
    """Cut a quote between two words: an episode is known by the whole words of it."""
    if len(quote) <= _QUOTE_CHARS_MAX:
        return quote
    cut = quote[:_QUOTE_CHARS_MAX]
    return cut.rpartition(" ")[0] or cut


def _read_source(kept: Mapping[str, JsonValue]) -> MemorySource:
    return MemorySource(**cast("dict[str, str]", kept))  # pyright: ignore[reportArgumentType]


def _later_expiry(known: Memory, new: Memory) -> datetime | None:
    if known.expires_at is None or new.expires_at is None:
        return None
    return max(known.expires_at, new.expires_at)
