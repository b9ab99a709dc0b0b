"""Makes what an agent has of memory: its tenant's, or a file in the folder of a single user."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from langchain_core.tools import BaseTool

from dataagent_core.config import Settings
from dataagent_core.config.paths import LOCAL_TENANT
from dataagent_core.engine.assembly.local_memory import open_memory
from dataagent_core.engine.assembly.memory_scopes import list_person_scopes, make_project_id
from dataagent_core.engine.assembly.subagent_models import Resolve
from dataagent_core.engine.config import AgentConfig
from dataagent_core.engine.memory.episode_work import EpisodeWork
from dataagent_core.engine.memory.extraction_model import ExtractionModel
from dataagent_core.engine.memory.memory_use import MemoryTerms, MemoryUse
from dataagent_core.engine.memory.run_memory import RunMemory
from dataagent_core.memory.tools import MemoryToolServices, make_memory_tools
from dataagent_core.session.stores.bundle import Stores

# The user of an agent without one.
LOCAL_USER: Final = "local"


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentMemoryParts:
    """The memories of an agent's runs, and the tools that ask for them."""

    run: RunMemory
    tools: list[BaseTool]


def make_agent_memory(
    settings: Settings,
    config: AgentConfig,
    stores: Stores,
    *,
    home: Path,
    workspace: Path,
    prompt: str,
    resolve: Resolve,
) -> AgentMemoryParts | None:
    """Make them; None where the agent is to have no memory."""
    if not config.enable_memory:
        return None
    is_own, model = config.memory is None, None
    service, graph = config.memory, config.knowledge_graph
    if service is None:
        model = ExtractionModel(settings, resolve) if settings.entity_extraction_model else None
        opened = open_memory(settings, config.tenant_id, home, stores, model)
        service, graph = opened.service, opened.graph
    scopes = list_person_scopes(
        config.tenant_id or LOCAL_TENANT,
        config.user_id or LOCAL_USER,
        config.assistant_id,
        config.project_id or (make_project_id(workspace) if is_own else ""),
    )
    use = MemoryUse(
        service=service,
        graph=graph,
        reads=tuple(scopes.values()),
        writes=scopes["user"],
        terms=read_memory_terms(settings),
        log=stores.log,
        sessions=stores.sessions,
    )
    services = MemoryToolServices(
        service=service,
        graph=graph,
        reads=use.reads,
        writes=scopes,
        log=stores.log,
        instructions=(prompt,),
    )
    work = EpisodeWork(graph, model) if is_own and graph is not None else None
    return AgentMemoryParts(run=RunMemory(use, work), tools=make_memory_tools(services))


def read_memory_terms(settings: Settings) -> MemoryTerms:
    """Return what a run learns and is told, as the settings say."""
    return MemoryTerms(
        learns=settings.memory_learning,
        recalls=settings.memory_recall,
        score_min=settings.memory_recall_score,
        tokens_max=settings.memory_recall_tokens,
    )
