"""What the runs of one agent need besides its graph: stores, limits, and what is closed at the end.

The factory attaches it to the graph (`engine/graph/agent_graph.py`), and the executor reads it from
there, so an agent's graph is all that has to be passed around.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from dataagent_core.engine.answer_form.figures import FigureTracer
from dataagent_core.engine.assembly.agent_limits import AgentLimits
from dataagent_core.engine.attachments.attachments import Attachments
from dataagent_core.engine.checkpoints.history import Graph
from dataagent_core.engine.graph.shared_graph import AgentParts
from dataagent_core.engine.loops.pattern_use import PatternUse
from dataagent_core.engine.memory.run_memory import RunMemory
from dataagent_core.hitl import HITLHandler
from dataagent_core.models import ResolvedModel
from dataagent_core.session.stores.bundle import Stores
from dataagent_core.skills.offer import AgentSkills
from dataagent_core.subagents import SubAgent
from dataagent_core.tools.files import ReadLedger


class Closable(Protocol):
    """Something that holds connections or programs."""

    async def aclose(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentResources:
    """What one agent runs with; many executors may share it."""

    # The compiled graph, which is run with a `RunContext`.
    graph: Graph
    assistant_id: str
    hitl_handler: HITLHandler | None
    stores: Stores
    models: Sequence[ResolvedModel]
    # None if the graph is not shared and holds the agent's parts itself.
    parts: AgentParts | None
    ledger: ReadLedger
    # The named sub-agents it may delegate to.
    subagents: Sequence[SubAgent]
    attachments: Attachments
    closing: Sequence[Closable]
    # Called with the id of every run that has ended.
    ended: Sequence[Callable[[str], None]]
    tracer: FigureTracer
    limits: AgentLimits
    recursion_limit: int
    timeout_s: float | None
    # None: the agent knows no skills.
    skills: AgentSkills | None = None
    # What learns from runs that are over.
    patterns: PatternUse | None = None
    # None: its runs recall and learn no memories.
    memory: RunMemory | None = None

    async def aclose(self) -> None:
        """Close all connections and programs, then raise the errors of those that failed."""
        failed: list[Exception] = []
        for part in self.closing:
            try:
                await part.aclose()
            except Exception as error:  # noqa: BLE001 (whatever it is, the next part is still open)
                failed.append(error)
        if failed:
            raise ExceptionGroup("not all parts of the agent could be closed", failed)
