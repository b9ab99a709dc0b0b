"""Makes what keeps and finds the memories of each tenant, and the services over it."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.sql.sql_graph_store import SqlGraphStore
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.memory.search_terms import SearchTerms
from dataagent_core.models.embeddings import Embedder
from dataagent_core.session.stores.sql.event_log import SqlEventLog
from dataagent_core.session.stores.sql.message_store import SqlMessageStore
from dataagent_server.agents.memory.audited_writes import AuditedMemoryDatabase
from dataagent_server.agents.memory.memory_remover import MemoryRemover
from dataagent_server.agents.memory.memory_store import open_memory_store
from dataagent_server.agents.memory.memory_upkeep import MemoryUpkeep
from dataagent_server.agents.memory.personal_memories import PersonalMemories
from dataagent_server.agents.memory.tenant_memory import TenantMemory
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.store_connection import StoreDatabase
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.settings import ServerSettings

if TYPE_CHECKING:  # the driver is an extra
    from dataagent_core.memory.graph.neo4j.database import Neo4jDatabase


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryServices:
    """Memories for people, for their runs, and their upkeep."""

    memory_of: Callable[[TenantId], TenantMemory]
    personal: PersonalMemories
    remover: MemoryRemover
    upkeep: MemoryUpkeep


def make_memory_services(
    settings: ServerSettings,
    database: Database,
    audit: AuditTrail,
    embedder: Embedder,
    neo4j: "Neo4jDatabase | None",
) -> MemoryServices:
    """Make the memories of each tenant, once, so that searches find vectors ready.

    The graph is in Neo4j where there is one, else in the server's database.
    """
    shared = AuditedMemoryDatabase(database)
    terms = SearchTerms(
        top_k=settings.memory_top_k,
        vector_weight=settings.vector_weight,
        keyword_weight=settings.keyword_weight,
        graph_weight=settings.graph_weight,
        rrf_k=settings.rrf_k,
        fusion=settings.memory_fusion,
    )

    @cache
    def memory_of(tenant_id: TenantId) -> TenantMemory:
        store = open_memory_store(shared, tenant_id)
        graph_store = open_graph_store(neo4j, shared, tenant_id)
        # They are only read: a memory must be found in the conversation it comes from.
        conversations = StoreDatabase(database)
        service = MemoryService(
            store,
            log=SqlEventLog(conversations, tenant_id),
            messages=SqlMessageStore(conversations, tenant_id),
            embedder=embedder,
            graph_store=graph_store,
            terms=terms,
        )
        return TenantMemory(store=store, service=service, graph_store=graph_store)

    return MemoryServices(
        memory_of=memory_of,
        personal=PersonalMemories(database, audit, memory_of, settings.assistant_id),
        remover=MemoryRemover(database, memory_of),
        upkeep=MemoryUpkeep(database, memory_of, embedder),
    )


def open_graph_store(
    neo4j: "Neo4jDatabase | None", shared: AuditedMemoryDatabase, tenant_id: TenantId
) -> GraphStore:
    """Open the graph of a tenant."""
    if neo4j is None:
        return SqlGraphStore(shared, tenant_id)
    from dataagent_core.memory.graph.neo4j.neo4j_graph_store import Neo4jGraphStore

    return Neo4jGraphStore(neo4j, tenant_id)
