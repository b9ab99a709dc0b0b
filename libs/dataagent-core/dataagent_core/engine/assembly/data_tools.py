"""Builds the data tools of one agent: query service, workspace files and project metrics."""

import asyncio
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from dataagent_core.config import Settings
from dataagent_core.config.limits.data import RECEIPT_ALIASES_WAIT_S, RECEIPT_MESSAGES_MAX
from dataagent_core.engine.assembly.agent_folders import AgentFolders
from dataagent_core.engine.attachments.attachments import RESOURCE_ATTACHED, Attachments
from dataagent_core.engine.config import AgentConfig
from dataagent_core.engine.resources import Closable
from dataagent_core.errors import DataAgentError
from dataagent_core.events import WarningEvent
from dataagent_core.ids import checked_id
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.session import EventLog, MessageStore, read_all
from dataagent_core.session.prompt import own_words
from dataagent_core.session.store import newest_messages
from dataagent_core.tools.data.agent_tools import DataTools, DataToolServices, make_data_tools
from dataagent_core.tools.data.catalog import CatalogueEntry
from dataagent_core.tools.data.charts import Renderer
from dataagent_core.tools.data.data_access import DataAccess
from dataagent_core.tools.data.data_model import Catalogue
from dataagent_core.tools.data.query_service import QueryService
from dataagent_core.tools.data.receipts.measures.column_aliases import (
    AliasMap,
    ColumnAliases,
    collect_column_aliases,
)
from dataagent_core.tools.data.receipts.trace_values import UserStatements
from dataagent_core.tools.data.results import FolderResultStore, ResultStore
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.data.semantic import SemanticModel, load_model_beneath
from dataagent_core.tools.data.semantic.semantic_entries import make_semantic_entries
from dataagent_core.tools.data.sources.engines.engine_openers import (
    make_engine_opener,
    make_results_opener,
)
from dataagent_core.tools.data.sources.engines.engine_pool import EnginePool
from dataagent_core.tools.data.sources.source_spec import RESULTS_SOURCE
from dataagent_core.tools.data.sources.source_store import EmptySourceStore, SourceStore
from dataagent_core.tools.data.sources.workers.worker_slots import WorkerSlots
from dataagent_core.tools.data.workspace_files import WorkspaceFiles

_LOCAL = "local"


@dataclass(frozen=True, slots=True)
class ProjectExtra:
    """What a workspace adds to the catalogue: its data files and its semantic model."""

    workspace_files: WorkspaceFiles
    root: SafeRoot
    # Given by whoever made the agent; else the workspace's own files count.
    given: SemanticModel | None = None

    async def files(self) -> Sequence[str]:
        """List data files of the workspace."""
        return await self.workspace_files.listed()

    async def model(self) -> SemanticModel:
        """Give the project's model, or read its semantic files as they are now."""
        if self.given is not None:
            return self.given
        return await asyncio.to_thread(load_model_beneath, self.root)

    async def entries(self) -> Sequence[CatalogueEntry]:
        """List what the semantic files define."""
        return make_semantic_entries(await self.model())


@dataclass(frozen=True, slots=True)
class ProjectAliases:
    """What the columns of a result are called in its source and in the project's model."""

    desk: QueryService
    extra: ProjectExtra

    async def of(self, kept: StoredResult, columns: Sequence[str]) -> AliasMap:
        """Ask both; a receipt does without what cannot be read at once."""
        catalogue: Catalogue | None = None
        model: SemanticModel | None = None
        if kept.source != RESULTS_SOURCE:
            with suppress(DataAgentError):
                catalogue = await self.desk.catalogue(kept.source, RECEIPT_ALIASES_WAIT_S)
        with suppress(DataAgentError):
            model = await self.extra.model()
        return collect_column_aliases(columns, kept.sql, catalogue, model)


@dataclass(frozen=True, slots=True)
class StoredConversations:
    """What persons said, as the store of messages has it, beside the sources of an agent."""

    messages: MessageStore
    book: SourceStore
    log: EventLog
    # Without it no message brings a file along.
    attachments: Attachments | None = None

    async def of(self, session_id: str) -> UserStatements:
        """Read the newest of a session's messages."""
        # As many answers stand between them.
        newest = await newest_messages(self.messages, session_id, 2 * RECEIPT_MESSAGES_MAX)
        said = [one for one in newest if one.role == "user"][-RECEIPT_MESSAGES_MAX:]
        has_source = False
        with suppress(DataAgentError):
            has_source = bool(await self.book.listed())
        own = [own_words(message.content, message.metadata) for message in said]
        return UserStatements(
            said=[message.content for message in said],
            has_source=has_source,
            attached=await self._brought_files(own) or await self._brought_resource(session_id),
        )

    async def _brought_files(self, texts: Sequence[str]) -> bool:
        """Say whether a message brought a file: folders and sources bring names, no figures."""
        reading = self.attachments
        if reading is None:
            return False
        return await asyncio.to_thread(lambda: any(map(reading.brings_content, reversed(texts))))

    async def _brought_resource(self, session_id: str) -> bool:
        warnings = await read_all(self.log, session_id, types=("warning",))
        return any(
            isinstance(event, WarningEvent) and event.code == RESOURCE_ATTACHED
            for event in warnings
        )


@dataclass(frozen=True, slots=True)
class AgentData:
    """The tools, where their results are, and what must be closed with the agent."""

    tools: DataTools
    desk: QueryService
    results: ResultStore
    aliases: ColumnAliases
    closing: Sequence[Closable]


def build_data_tools(
    settings: Settings,
    config: AgentConfig,
    places: AgentFolders,
    workspace: Path,
    *,
    sandboxed: bool,
) -> AgentData:
    """Make the data tools of an agent over its workspace and what it may ask."""
    access = config.data or _own_access(settings, config)
    pool = access.pool
    if pool is None:
        slots = WorkerSlots(settings.data_workers_max)
        opener = make_engine_opener(settings.scratch, sandboxed=sandboxed, slots=slots)
        pool = EnginePool(opener, slots=slots)
    files = WorkspaceFiles(places.readable, workspace, choices=access.file_choices)
    desk = QueryService(
        book=access.book,
        pool=pool,
        results=access.results,
        open_results=make_results_opener(settings.scratch, sandboxed=sandboxed, slots=pool.slots),
        file_source=files.spec,
    )
    extra = ProjectExtra(files, places.workspace, access.model)
    renderer = access.renderer or Renderer()
    bench = DataToolServices(
        desk=desk,
        extra=extra,
        model=extra.model,
        files=files,
        workspace=places.workspace,
        renderer=renderer,
        reports=access.reports,
    )
    # What is shared is closed by whoever shares it.
    shared = (access.pool, access.renderer)
    closing = [part for part in (pool, renderer) if part not in shared]
    aliases = ProjectAliases(desk, extra)
    return AgentData(make_data_tools(bench), desk, access.results, aliases, closing)


def _own_access(settings: Settings, config: AgentConfig) -> DataAccess:
    """Give an agent without sources a folder for what it asks of its workspace's files."""
    folder = settings.results
    for part in (config.tenant_id or _LOCAL, config.user_id or config.assistant_id):
        folder /= checked_id(part, "part of a results' path")
    results = FolderResultStore(folder, bytes_max=settings.results_max_bytes)
    return DataAccess(book=EmptySourceStore(), results=results)
