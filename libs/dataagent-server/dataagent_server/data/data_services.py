"""What all query services share: the engines, the drawing program, and the services about data."""

from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path

from dataagent_core.errors import ConflictError, DeniedError, NotFoundError
from dataagent_core.sandbox.files.safe_root import SafeRoot
from dataagent_core.sandbox.paths.tool_paths import format_path, split_path
from dataagent_core.tools.data.charts import Renderer
from dataagent_core.tools.data.complete_rows import make_incomplete_error
from dataagent_core.tools.data.data_access import DataAccess
from dataagent_core.tools.data.query_service import OpenResultStore, QueryService
from dataagent_core.tools.data.results.stored_result import StoredResult
from dataagent_core.tools.data.semantic import SemanticModel
from dataagent_core.tools.data.sources.engines.engine_pool import EnginePool
from dataagent_core.tools.data.sources.read_options import ReadOptions, get_read_options
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_core.tools.data.workspace_files import WorkspaceFiles
from dataagent_server.data.results.person_results import UserResultStore
from dataagent_server.data.results.result_rows import ResultOwner, shared_by
from dataagent_server.data.saved_questions.saved_question_service import SavedQuestionService
from dataagent_server.data.semantic_models.semantic_model_service import SemanticModelService
from dataagent_server.data.sources.data_source import ReadingChanges
from dataagent_server.data.sources.data_source_service import DataSourceService
from dataagent_server.data.sources.file_readings import FileReadingService, WorkspaceKey
from dataagent_server.identity.auth import Action, Principal, Resource, require
from dataagent_server.workspaces.agent_workspace import AgentWorkspace, open_for_agent
from dataagent_server.workspaces.store import WorkspaceStore
from dataagent_server.workspaces.workspace import WorkspaceId


@dataclass(frozen=True, slots=True)
class AgentScope:
    """The user, project, session and workspace of an agent's queries."""

    whose: ResultOwner
    project_id: str | None
    session_id: str
    workspace_id: WorkspaceId


@dataclass(frozen=True, slots=True)
class FileReading:
    """How a data file of a workspace is read."""

    path: str
    reading: ReadOptions


@dataclass(frozen=True, slots=True, kw_only=True)
class DataServices:
    """Opens query services; what they share is closed with the server."""

    sources: DataSourceService
    readings: FileReadingService
    models: SemanticModelService
    questions: SavedQuestionService
    workspaces: WorkspaceStore
    home: Path
    pool: EnginePool
    renderer: Renderer
    open_results: OpenResultStore
    # The users with an active export of all rows.
    exporters: set[ResultOwner] = field(default_factory=set[ResultOwner])

    @contextmanager
    def limit_exports(self, principal: Principal) -> Generator[None]:
        """Let a user run one export query at a time: it may take long, and much space."""
        whose = ResultOwner(principal.tenant_id, principal.user_id)
        if whose in self.exporters:
            raise ConflictError("An export of yours is still being written. Wait until it is.")
        self.exporters.add(whose)
        try:
            yield
        finally:
            self.exporters.discard(whose)

    def results(
        self, whose: ResultOwner, session_id: str | None = None, project_id: str | None = None
    ) -> UserResultStore:
        """Open one user's results of a session and a project."""
        return UserResultStore(self.workspaces, self.home, whose, session_id, project_id)

    def own_results(self, principal: Principal, action: Action = "result.read") -> UserResultStore:
        """Open the results of the principal."""
        require(principal, action, Resource(principal.tenant_id, "result", principal.user_id))
        return self.results(ResultOwner(principal.tenant_id, principal.user_id))

    async def readable_results(self, principal: Principal, result_id: str) -> UserResultStore:
        """Open the results with this one: the principal's own, or those of a shared session.

        Of another user's results only this one may be read.
        """
        reader = ResultOwner(principal.tenant_id, principal.user_id)
        database = self.workspaces.database
        owner = await database.read(lambda c: shared_by(c, reader, result_id))
        if owner is None:
            return self.own_results(principal)
        shown = Resource(principal.tenant_id, "result", owner.user_id, shared=True)
        require(principal, "result.read", shown)
        return self.results(owner)

    def access(self, asking: AgentScope, model: SemanticModel) -> DataAccess:
        """Return the data access of an agent."""
        return DataAccess(
            sources=self.sources.open_store(asking.whose.tenant_id, asking.project_id),
            results=self.results(asking.whose, asking.session_id, asking.project_id),
            pool=self.pool,
            renderer=self.renderer,
            model=model if model != SemanticModel() else None,
            file_choices=self.readings.choices(
                WorkspaceKey(asking.whose.tenant_id, asking.workspace_id)
            ),
        )

    async def open_queries(
        self, principal: Principal, project_id: str | None, *, is_look: bool = False
    ) -> QueryService:
        """Open the query service of a principal; files of their workspace are sources by path."""
        await self.sources.require(principal, "data_source.query", project_id)
        _, files = await self._open_files(principal)
        return QueryService(
            sources=self.sources.open_store(principal.tenant_id, project_id),
            pool=self.pool,
            results=replace(
                self.results(
                    ResultOwner(principal.tenant_id, principal.user_id), project_id=project_id
                ),
                is_look=is_look,
            ),
            open_results=self.open_results,
            file_source=files.spec,
        )

    async def file_reading(self, principal: Principal, path: str) -> FileReading:
        """Return how a data file of a user's default workspace is read."""
        await self.sources.require(principal, "data_source.query", None)
        _, files = await self._open_files(principal)
        spec = await _find_data_file(files, path)
        return FileReading(format_path(split_path(path)), get_read_options(spec))

    async def choose_file_reading(
        self, principal: Principal, path: str, changes: ReadingChanges
    ) -> FileReading:
        """Change how a data file of a user's default workspace is read."""
        await self.sources.require(principal, "data_source.query", None)
        space, files = await self._open_files(principal)
        spec = await _find_data_file(files, path)
        changes.over(get_read_options(spec)).refuse_unless_files(spec)
        plain = format_path(split_path(path))
        chosen = await self.readings.change(principal, space.workspace_id, plain, changes)
        return FileReading(plain, chosen)

    async def _open_files(self, principal: Principal) -> tuple[AgentWorkspace, WorkspaceFiles]:
        space = await open_for_agent(self.workspaces, principal.tenant_id, principal.user_id)
        choices = self.readings.choices(WorkspaceKey(principal.tenant_id, space.workspace_id))
        root = SafeRoot(space.path, links="refuse")
        return space, WorkspaceFiles(root, space.path, choices=choices)

    async def may_export_all(
        self, principal: Principal, results: UserResultStore, kept: StoredResult
    ) -> bool:
        """Return whether the principal may export all rows of a result.

        Rows that are not stored come from the result's query, which only its owner may run again.
        """
        if not kept.truncated:
            return True
        if results.whose != ResultOwner(principal.tenant_id, principal.user_id):
            return False
        project_id = await results.project_of(kept.result_id)
        try:
            await self.sources.require(principal, "data_source.query", project_id)
        except (DeniedError, NotFoundError):
            return False
        return True

    async def open_queries_of_result(
        self, principal: Principal, results: UserResultStore, kept: StoredResult
    ) -> QueryService:
        """Open the query service that can run the query of a result again: that of its owner."""
        if results.whose != ResultOwner(principal.tenant_id, principal.user_id):
            raise make_incomplete_error(
                kept, DeniedError("only the person who asked it may do that.")
            )
        return await self.open_queries(principal, await results.project_of(kept.result_id))


async def _find_data_file(files: WorkspaceFiles, path: str) -> SourceSpec:
    found = await files.spec(path)
    if found is None:
        raise NotFoundError(f"There is no data file {path[:200]!r} in your default workspace.")
    return found
