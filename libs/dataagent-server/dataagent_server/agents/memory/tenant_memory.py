"""What keeps and finds the memories of one tenant: made once, so that searches stay quick."""

from dataclasses import dataclass

from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.memory.memory_store import MemoryStore


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantMemory:
    """The memories and the graph of a tenant. Who may see what is decided by who asks."""

    store: MemoryStore
    service: MemoryService
    graph_store: GraphStore
