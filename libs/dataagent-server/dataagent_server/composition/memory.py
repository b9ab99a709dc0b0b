"""Opens what keeps and finds the memories of each tenant, and makes the services over it."""

from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from dataagent_core.config.paths import AGENT_FILE, user_home
from dataagent_core.engine.assembly.local_memory import read_graph_terms, read_search_terms
from dataagent_core.memory.erasure.notes_file import NotesFiles
from dataagent_core.memory.graph.graph_store import GraphStore
from dataagent_core.memory.graph.native_graph_adapter import NativeGraphAdapter
from dataagent_core.memory.graph.neo4j.open_neo4j import open_neo4j
from dataagent_core.memory.graph.sql.sql_graph_store import SqlGraphStore
from dataagent_core.memory.memory_results import MemoryOwner
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.models.embeddings import Embedder
from dataagent_core.session.stores.sql.event_log import SqlEventLog
from dataagent_core.session.stores.sql.message_store import SqlMessageStore
from dataagent_core.tools.web.web_policy import make_web_policy
from dataagent_server.agents.credentials.model_guard import ModelGuard
from dataagent_server.agents.memory.audited_writes import AuditedMemoryDatabase
from dataagent_server.agents.memory.memory_remover import MemoryRemover
from dataagent_server.agents.memory.memory_store import ServerMemoryDatabase, open_memory_store
from dataagent_server.agents.memory.memory_upkeep import MemoryUpkeep
from dataagent_server.agents.memory.personal_graph import PersonalGraph
from dataagent_server.agents.memory.personal_memories import PersonalMemories
from dataagent_server.agents.memory.tenant_memory import TenantMemory
from dataagent_server.common.ids import TenantId
from dataagent_server.composition.services import PeopleServices
from dataagent_server.db.database import Database
from dataagent_server.db.store_connection import StoreDatabase
from dataagent_server.runs.agents.episode_model import make_episode_call
from dataagent_server.runs.agents.guarded_models import GuardedModels
from dataagent_server.settings import ServerSettings

if TYPE_CHECKING:  # the driver is an extra
    from dataagent_core.memory.graph.neo4j.database import Neo4jDatabase


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryServices:
    """Memories for people, for their runs, and their upkeep."""

    memory_of: Callable[[TenantId], TenantMemory]
    personal: PersonalMemories
    graph: PersonalGraph
    remover: MemoryRemover
    upkeep: MemoryUpkeep
    # Where the graph is, when it is not in the server's database.
    neo4j: "Neo4jDatabase | None"


@asynccontextmanager
async def open_memory(
    settings: ServerSettings, database: Database, people: PeopleServices, embedder: Embedder
) -> AsyncGenerator[MemoryServices]:
    """Open the graph's database, if it has one of its own, and make the services."""
    shared = AuditedMemoryDatabase(database)
    notes = _list_notes(settings.home)
    neo4j = await open_neo4j(settings)
    models = GuardedModels(settings, ModelGuard(make_web_policy(settings)))

    # Made once for a tenant, so that searches find vectors ready and equal agents are kept.
    @cache
    def memory_of(tenant_id: TenantId) -> TenantMemory:
        store = open_memory_store(shared, tenant_id)
        graph_store = _open_graph_store(shared, neo4j, tenant_id)
        call = make_episode_call(settings, people.credentials, models, tenant_id)
        # Also where it is switched off: what it kept before is forgotten with the memories.
        kept = NativeGraphAdapter(
            graph_store, embedder=embedder, terms=read_graph_terms(settings), call=call
        )
        graph = kept if settings.use_native_graph_adapter else None
        # They are only read: a memory must be found in the conversation it comes from.
        conversations = StoreDatabase(database)
        service = MemoryService(
            store,
            log=SqlEventLog(conversations, tenant_id),
            messages=SqlMessageStore(conversations, tenant_id),
            embedder=embedder,
            graph=graph,
            graph_store=graph_store,
            kept_graph=kept,
            notes=notes,
            terms=read_search_terms(settings),
        )
        return TenantMemory(
            tenant_id=tenant_id,
            store=store,
            service=service,
            graph_store=graph_store,
            graph=graph,
        )

    try:
        yield MemoryServices(
            memory_of=memory_of,
            personal=PersonalMemories(database, people.audit, memory_of, settings.assistant_id),
            graph=PersonalGraph(database, people.audit, memory_of),
            remover=MemoryRemover(database, memory_of, notes),
            upkeep=MemoryUpkeep(database, memory_of, embedder, is_graph_here=neo4j is None),
            neo4j=neo4j,
        )
    finally:
        await models.aclose()
        if neo4j is not None:
            await neo4j.aclose()


def _open_graph_store(
    shared: ServerMemoryDatabase, neo4j: "Neo4jDatabase | None", tenant_id: TenantId
) -> GraphStore:
    if neo4j is None:
        return SqlGraphStore(shared, tenant_id)
    from dataagent_core.memory.graph.neo4j.neo4j_graph_store import Neo4jGraphStore

    return Neo4jGraphStore(neo4j, tenant_id)


def _list_notes(home: Path) -> NotesFiles:
    def find(owner: MemoryOwner) -> Sequence[Path]:
        folder = user_home(home, owner.tenant_id, owner.user_id)
        return sorted(folder.glob(f"agents/*/{AGENT_FILE}"))

    return NotesFiles(find)
