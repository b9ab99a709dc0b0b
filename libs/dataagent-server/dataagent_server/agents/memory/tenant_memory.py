"""What keeps and finds the memories of one tenant: made once, so that searches stay quick."""

from dataclasses import dataclass

from dataagent_core.memory.graph.graph_service import GraphServicePort
from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.memory.memory_store import MemoryStore
from dataagent_server.common.ids import TenantId


@dataclass(frozen=True, slots=True, kw_only=True)
class TenantMemory:
    """The memories and the graph of a tenant. Who may see what is decided by who asks."""

    tenant_id: TenantId
    store: MemoryStore
    service: MemoryService
    graph_store: GraphStore
    # None: the settings want none (`use_native_graph_adapter`).
    graph: GraphServicePort | None
