"""What the tools of memory work with, and what a call of one leaves in the log and the taint."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dataagent_core.errors import ConflictError, NotFoundError
from dataagent_core.memory.graph.graph_service import GraphServicePort
from dataagent_core.memory.memory import MemoryScope, ScopeKind
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.memory.recall.recalled_events import (
    OF_OTHERS,
    Described,
    holds_words_of_others,
    make_recalled_event,
)
from dataagent_core.session import EventLog, Run
from dataagent_core.tools.pipeline.agent_call import RunningCall, running_call


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class MemoryToolServices:
    """The memories of the person whose agent it is."""

    service: MemoryService
    # None: there is no knowledge graph.
    graph: GraphServicePort | None
    reads: tuple[MemoryScope, ...]
    # Where something is remembered; a project only where the agent works in one.
    writes: Mapping[ScopeKind, MemoryScope]
    log: EventLog
    # What the agent was given, which is never remembered: its system prompt.
    instructions: tuple[str, ...] = ()

    @property
    def known_graph(self) -> GraphServicePort:
        """The graph, for tools that are made only where there is one."""
        if self.graph is None:
            raise NotFoundError("There is no knowledge graph here.")
        return self.graph

    def find_scope(self, kind: ScopeKind) -> MemoryScope:
        """Return where something of a kind is remembered."""
        scope = self.writes.get(kind)
        if scope is None:
            raise NotFoundError("This agent works in no project: use the scope 'user' or 'org'.")
        return scope

    async def find_run_start(self, run: Run) -> int:
        """Return the number of the event with which a run began."""
        started = await self.log.read(run.session_id, run_id=run.run_id, types=("start",), limit=1)
        return started[0].seq or 0 if started else 0


def require_run() -> RunningCall:
    """Return the call that runs; memory belongs to the person of a run."""
    running = running_call()
    if running is None:
        raise ConflictError("The tools of memory work only in a run.")
    return running


async def note_recalled(described: Sequence[Described]) -> None:
    """Write down what a call has put before the model, and whose words it holds."""
    if not described:
        return
    running = require_run()
    call, context = running.call, running.context
    event = make_recalled_event(described, context.run.run_id, call.name, call.key)
    await context.recorder.commit(event)
    if holds_words_of_others([event]):
        context.permissions.add_source(OF_OTHERS)
