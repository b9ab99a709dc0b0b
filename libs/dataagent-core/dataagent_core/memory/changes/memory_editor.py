"""Changes what a person may change of a memory, and takes back what was never true."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from typing import Final

from dataagent_core.memory.changes.merge import SOURCES_KEY
from dataagent_core.memory.changes.new_memory import find_subject
from dataagent_core.memory.hygiene.check_memory import check_memory
from dataagent_core.memory.hygiene.others_words import check_others_words
from dataagent_core.memory.memory import Memory, MemoryMetadata, MemorySource, MemoryType
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.memory.search.index_text import index_text
from dataagent_core.models.embeddings import Embedder


class Keep(Enum):
    """In the place of a value that stays as it is; None takes it away."""

    KEEP = "keep"


KEEP: Final = Keep.KEEP


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChanges:
    """What is to be changed of a memory."""

    content: str | None = None
    type: MemoryType | None = None
    expires_at: datetime | Keep | None = KEEP
    valid_to: datetime | Keep | None = KEEP


@dataclass(frozen=True, slots=True)
class MemoryEditor:
    """Changes memories of one tenant."""

    store: MemoryStore
    embedder: Embedder | None

    async def change(self, known: Memory, wanted: MemoryChanges, now: datetime) -> Memory:
        """Change a memory in the version that a person was shown.

        What they write themselves is theirs: it rests on them from then on, not on its source.
        """
        changed, entry = replace(known, updated_at=now), None
        if wanted.content is not None and wanted.content != known.content:
            metadata = MemoryMetadata(scope=known.scope)
            checked = check_memory(wanted.content, metadata, None, ())
            changed = replace(
                changed,
                content=checked.content,
                source=MemorySource(),
                extra={name: value for name, value in known.extra.items() if name != SOURCES_KEY},
                is_tainted=False,
                subject=find_subject(checked.content),
            )
            entry = await index_text(checked.content, self.embedder)
        if wanted.type is not None:
            if changed.is_tainted:
                check_others_words(changed.content, wanted.type, changed.source.speaker)
            changed = replace(changed, type=wanted.type)
        if not isinstance(wanted.expires_at, Keep):
            changed = replace(changed, expires_at=wanted.expires_at)
        if not isinstance(wanted.valid_to, Keep):
            changed = replace(changed, valid_to=wanted.valid_to)
        return await self.store.save(changed, entry)

    async def retire(self, shown: Memory, now: datetime) -> Memory:
        """Take back a memory that was never true; what it had closed holds again."""
        retired = await self.store.save(replace(shown, retired_at=now, updated_at=now))
        if not retired.subject:
            return retired
        for one in await self.store.find_subject(retired.scope, retired.subject):
            if one.replaced_by == retired.id and one.retired_at is None:
                # Until what came after the retired one, if anything did.
                opened = replace(
                    one,
                    valid_to=retired.valid_to,
                    replaced_by=retired.replaced_by,
                    updated_at=now,
                )
                await self.store.save(opened)
        return retired
