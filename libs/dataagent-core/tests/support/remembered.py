"""A conversation in a log, and a memory service that reads it, for tests of what is remembered."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from dataagent_core.events import (
    Event,
    HITLAnswerEvent,
    HITLRequestEvent,
    MemoryRecalledEvent,
    RunStartedEvent,
    TextEvent,
    ToolCallEvent,
    ToolResultEvent,
)
from dataagent_core.ids import new_id
from dataagent_core.memory.memory import (
    Memory,
    MemoryMetadata,
    MemoryScope,
    MemorySource,
    MemoryType,
    SourceKind,
)
from dataagent_core.memory.memory_results import MemoryOwner
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_core.memory.search.index_text import index_text
from dataagent_core.memory.sql.store.sqlite_memory_store import open_memory_store
from dataagent_core.session.stores.memory import MemoryEventLog, MemoryMessageStore
from dataagent_core.testing.conformance.memory_service import Clock

TENANT: Final = "t"
SCOPE: Final = MemoryScope.of_user(TENANT, "ada", "helper")
OWNER: Final = MemoryOwner(tenant_id=TENANT, user_id="ada")


@dataclass
class Talk:
    """A run in a session: what was said in it, event by event."""

    log: MemoryEventLog = field(default_factory=MemoryEventLog)
    messages: MemoryMessageStore = field(default_factory=MemoryMessageStore)
    session_id: str = "s1"
    run_id: str = "r1"

    async def person(self, text: str, **metadata: Any) -> "Talk":
        """Send a message, which begins the run."""
        message_id = f"{self.run_id}:m0"
        await self.messages.save_message(
            self.session_id, "user", text, metadata, message_id=message_id
        )
        return await self.add(RunStartedEvent(message_id=message_id))

    async def agent(self, text: str) -> "Talk":
        """Let the agent answer."""
        return await self.add(TextEvent(content=text, is_final=True))

    async def tool(self, name: str, result: Any, **args: Any) -> "Talk":
        """Let a tool be called and answer."""
        await self.add(ToolCallEvent(tool_name=name, tool_args=args, tool_call_id="c1"))
        return await self.add(ToolResultEvent(tool_name=name, tool_call_id="c1", result=result))

    async def ask(self, question: str, answer: str, by: str = "ada") -> "Talk":
        """Let the agent ask, and somebody answer."""
        request = HITLRequestEvent(interrupt_id="i1", kind="clarification", question=question)
        await self.add(request)
        return await self.add(
            HITLAnswerEvent(
                interrupt_id="i1", kind="clarification", decision={"answer": answer}, by=by
            )
        )

    async def recalled(self, *memory_ids: str) -> "Talk":
        """Put memories before the model."""
        return await self.add(MemoryRecalledEvent(memories=[{"id": one} for one in memory_ids]))

    async def add(self, *events: Event) -> "Talk":
        """Write events of the run."""
        await self.log.append(self.session_id, self.run_id, events)
        return self

    async def source(self, kind: SourceKind = "conversation", **more: Any) -> MemorySource:
        """Give all of the run as a source."""
        last = await self.log.last_seq(self.session_id)
        return MemorySource(
            kind=kind,
            session_id=self.session_id,
            run_id=self.run_id,
            seq_first=1,
            seq_last=last,
            **more,
        )


@dataclass
class Remembering:
    """A service over a file, which reads a talk."""

    path: Path
    talk: Talk = field(default_factory=Talk)
    clock: Clock = field(default_factory=Clock)

    def __post_init__(self) -> None:
        self.store: MemoryStore = open_memory_store(self.path, TENANT)
        self.service = MemoryService(
            self.store, log=self.talk.log, messages=self.talk.messages, clock=self.clock
        )

    async def learn(
        self,
        content: str,
        type: MemoryType = "fact",  # noqa: A002
        kind: SourceKind = "conversation",
        *,
        instructions: Sequence[str] = (),
        confidence: float = 1.0,
        **source: Any,
    ) -> Memory:
        """Remember something of the talk."""
        metadata = MemoryMetadata(
            scope=SCOPE,
            type=type,
            source=await self.talk.source(kind, **source),
            confidence=confidence,
        )
        return await self.service.add(content, metadata, instructions=instructions)

    async def recall(self, content: str) -> Memory:
        """Put a memory of the person's before the model that is in nobody's way: a retired one."""
        known = Memory(
            id=new_id(),
            scope=MemoryScope.of_user(TENANT, OWNER.user_id, "another"),
            type="fact",
            content=content,
            source=MemorySource(),
            confidence=1.0,
            valid_from=self.clock.now,
            recorded_at=self.clock.now,
            updated_at=self.clock.now,
            retired_at=self.clock.now,
        )
        await self.store.add(known, await index_text(content, None))
        await self.talk.recalled(known.id)
        return known

    async def say(self, content: str, **more: Any) -> Memory:
        """Remember what the person typed in."""
        return await self.service.add(content, MemoryMetadata(scope=SCOPE, **more))
