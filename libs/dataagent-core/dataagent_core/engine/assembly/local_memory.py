"""Opens the memories of the single user of a machine: one file in their folder."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from dataagent_core.config import Settings
from dataagent_core.config.paths import AGENT_FILE, LOCAL_TENANT
from dataagent_core.memory.erasure.notes_file import NotesFiles
from dataagent_core.memory.graph.extraction.model_call import ModelCall
from dataagent_core.memory.graph.graph_service import GraphServicePort
from dataagent_core.memory.graph.graph_terms import GraphTerms
from dataagent_core.memory.graph.native_graph_adapter import NativeGraphAdapter
from dataagent_core.memory.graph.sql.sql_graph_store import SqlGraphStore
from dataagent_core.memory.memory_service import MemoryService
from dataagent_core.memory.search_terms import SearchTerms
from dataagent_core.memory.sql.memory_file import MemoryFile
from dataagent_core.memory.sql.store.sql_memory_store import SqlMemoryStore
from dataagent_core.models.embeddings import resolve_embedder
from dataagent_core.session.stores.bundle import Stores

MEMORY_FILE: Final = "memory.db"
# The notes of every assistant.
_NOTES: Final = f"agents/*/{AGENT_FILE}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenMemory:
    """Memories, and the graph of what they are about; None where the settings want none."""

    service: MemoryService
    graph: GraphServicePort | None


def open_memory(
    settings: Settings,
    tenant_id: str | None,
    home: Path,
    stores: Stores | None = None,
    call: ModelCall | None = None,
) -> OpenMemory:
    """Open the memories in the folder of a user; the file is made with the first one.

    `stores` are those of the conversations that memories come from: what is learned is compared
    with them. `call` asks the model that reads episodes; rules read them where there is none.
    """
    tenant = tenant_id or LOCAL_TENANT
    file = MemoryFile(home / MEMORY_FILE)
    embedder = resolve_embedder(settings)
    graph_store = SqlGraphStore(file, tenant)
    # Also where it is switched off: what it kept before is forgotten with the memories.
    kept = NativeGraphAdapter(
        graph_store, embedder=embedder, terms=read_graph_terms(settings), call=call
    )
    graph = kept if settings.use_native_graph_adapter else None
    service = MemoryService(
        SqlMemoryStore(file, tenant),
        log=stores.log if stores else None,
        messages=stores.messages if stores else None,
        embedder=embedder,
        graph=graph,
        graph_store=graph_store if graph is not None else None,
        kept_graph=kept,
        notes=NotesFiles(lambda _: sorted(home.glob(_NOTES))),
        terms=read_search_terms(settings),
    )
    return OpenMemory(service=service, graph=graph)


def read_graph_terms(settings: Settings) -> GraphTerms:
    """Return the terms of the graph that the settings name."""
    return GraphTerms(
        enable_reflexion=settings.enable_reflexion,
        entity_dedupe_threshold=settings.entity_dedupe_threshold,
        community_min_size=settings.community_min_size,
        community_resolution=settings.community_resolution,
    )


def read_search_terms(settings: Settings) -> SearchTerms:
    """Return the terms of a search that the settings name."""
    return SearchTerms(
        top_k=settings.memory_top_k,
        vector_weight=settings.vector_weight,
        keyword_weight=settings.keyword_weight,
        graph_weight=settings.graph_weight,
        rrf_k=settings.rrf_k,
        fusion=settings.memory_fusion,
    )
