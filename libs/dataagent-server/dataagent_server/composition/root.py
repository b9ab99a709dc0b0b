"""Opens every service of the server in order, and closes them in reverse.

`open_services` is the list to read; the functions below it open one area each, in the same order.
The database and the users are in `identity_services.py`, because the operator's commands open
nothing else.
"""

import asyncio
import time
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dataagent_core.engine.assembly.agent_patterns import read_pattern_terms
from dataagent_core.errors import ConfigurationError
from dataagent_core.models.embeddings.resolve_embedder import resolve_embedder
from dataagent_core.patterns import PatternLibrary
from dataagent_core.sandbox.workspaces.directories import WorkspaceDirectories
from dataagent_core.secrets import Cipher, open_keyring
from dataagent_core.subagents import built_in_subagents
from dataagent_core.tools.data.charts import Renderer
from dataagent_core.tools.data.sources.engines.engine_openers import (
    make_engine_opener,
    make_results_opener,
)
from dataagent_core.tools.data.sources.engines.engine_pool import EnginePool
from dataagent_core.tools.data.sources.workers.worker_slots import WorkerSlots
from dataagent_core.tools.web.web_client import WebClient
from dataagent_core.tools.web.web_policy import make_web_policy
from dataagent_server.agents.assistants.assistant_service import AssistantService
from dataagent_server.agents.assistants.sandbox_policy import SandboxPolicy
from dataagent_server.agents.compositions.composition_service import CompositionService
from dataagent_server.agents.credentials.model_guard import ModelGuard
from dataagent_server.agents.patterns.pattern_service import PatternService
from dataagent_server.agents.patterns.pattern_shares import PatternSharing
from dataagent_server.agents.patterns.pattern_store import open_pattern_store
from dataagent_server.agents.patterns.workflow_service import WorkflowService
from dataagent_server.agents.skills.skill_services import make_skill_services
from dataagent_server.agents.subagents.agent_config_service import AgentConfigService
from dataagent_server.agents.subagents.subagent_service import SubAgentService
from dataagent_server.common.ids import TenantId
from dataagent_server.common.metrics import Metrics
from dataagent_server.composition.chores import check_tenants, list_chores
from dataagent_server.composition.identity_services import open_current_database, open_people
from dataagent_server.composition.mcp import open_mcp
from dataagent_server.composition.memory import open_memory
from dataagent_server.composition.readiness import list_checks
from dataagent_server.composition.run_dependencies import make_run_dependencies
from dataagent_server.composition.runs import open_runs
from dataagent_server.composition.services import (
    DEFAULT_EDGES,
    Edges,
    ReportServices,
    Services,
    WorkspaceServices,
)
from dataagent_server.data.data_services import DataServices
from dataagent_server.data.reports.active_runs import ActiveReportRuns
from dataagent_server.data.reports.report_runner import ReportRunner
from dataagent_server.data.reports.report_service import ReportService
from dataagent_server.data.reports.run_files import RunFiles
from dataagent_server.data.reports.schedule_service import ScheduleService
from dataagent_server.data.reports.scheduler import ReportScheduler, Spent
from dataagent_server.data.reports.webhook import Webhooks
from dataagent_server.data.saved_questions.saved_question_service import SavedQuestionService
from dataagent_server.data.semantic_models.semantic_model_service import SemanticModelService
from dataagent_server.data.sources.data_source_service import DataSourceService
from dataagent_server.data.sources.file_readings import FileReadingService
from dataagent_server.data.sources.source_places import OwnFolders, SourceLocations
from dataagent_server.data.sources.source_sealer import SourceSealer
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth.authenticator import Authenticator
from dataagent_server.identity.auth.cache import PrincipalCache
from dataagent_server.identity.auth.configured_keys import ConfiguredKeys
from dataagent_server.identity.auth.csrf import CsrfGuard
from dataagent_server.identity.tenants.audit_log import AuditReader
from dataagent_server.runs.agents.model_tester import ModelTester
from dataagent_server.runs.background import run_in_background
from dataagent_server.runs.session_operations.plan_editor import PlanEditor
from dataagent_server.runs.session_operations.run_feedback import RunFeedback
from dataagent_server.runs.session_operations.session_copies import SessionCopies
from dataagent_server.runs.session_operations.session_remover import SessionRemover
from dataagent_server.runs.session_operations.session_rewinder import SessionRewinder
from dataagent_server.runs.workspace_in_use import workspace_in_use
from dataagent_server.sessions.live.connection_manager import ConnectionManager
from dataagent_server.sessions.live.fair_share import FairShare
from dataagent_server.sessions.records import SessionRecords
from dataagent_server.sessions.session_service import SessionService
from dataagent_server.sessions.session_shares import SessionSharing
from dataagent_server.settings import ServerSettings
from dataagent_server.workspaces.files.workspace_files import WorkspaceFiles
from dataagent_server.workspaces.owners import require_passable, usable_range
from dataagent_server.workspaces.store import WorkspaceStore
from dataagent_server.workspaces.workspace import StorageAmount
from dataagent_server.workspaces.workspace_service import WorkspaceService
from dataagent_server.workspaces.workspace_shares import WorkspaceSharing

if TYPE_CHECKING:
    from redis.asyncio import Redis

# Of all tenants together; the worker pool limits how many of them have a process.
ENGINES_MAX: Final = 64


@asynccontextmanager
async def open_services(
    settings: ServerSettings, metrics: Metrics, redis: "Redis | None", share: FairShare
) -> AsyncGenerator[Services]:
    """Open everything; opened parts are closed again, also when a later part fails."""
    async with AsyncExitStack() as stack:
        if redis is not None:
            stack.push_async_callback(redis.aclose)
        database = await open_current_database(settings)
        stack.push_async_callback(database.aclose)
        keyring = open_keyring(settings.secret_key_path)
        principals = PrincipalCache(time.monotonic)
        people = await stack.enter_async_context(
            open_people(settings, database, keyring, principals)
        )
        audit, cipher = people.audit, people.cipher
        assistants = AssistantService(
            database, audit, settings.assistant_id, SandboxPolicy.of(settings)
        )
        embedder = resolve_embedder(settings)
        skills = make_skill_services(database, audit, _skill_sets(settings), embedder)
        compositions = CompositionService(database, audit)
        subagents = SubAgentService(database, audit, built_in_subagents(), embedder)
        workspaces = make_workspaces(settings, database, audit)
        data = await stack.enter_async_context(open_data(settings, audit, cipher, workspaces.store))
        mcp = await stack.enter_async_context(
            open_mcp(settings, audit, cipher, workspaces.store, metrics=metrics)
        )
        patterns_of = make_pattern_libraries(settings, database)
        memory = await stack.enter_async_context(open_memory(settings, database, people, embedder))
        wanted = make_run_dependencies(
            settings,
            people,
            assistants,
            subagents=subagents,
            data=data,
            mcp=mcp,
            skills=skills,
            patterns_of=patterns_of,
            memory_of=memory.memory_of,
            redis=redis,
        )
        runs = await stack.enter_async_context(open_runs(wanted))
        reports = await stack.enter_async_context(
            open_reports(settings, audit, cipher, data, runs.usage.spent)
        )
        records = None
        if settings.session_store == "redis" or settings.session_store == "memory":  # noqa: PLR1714 (pyright narrows this form only)
            records = SessionRecords(
                settings.session_store, wanted.session_store_of, database, runs.instance_id
            )
        sessions = SessionService(database, audit, records)
        patterns = PatternService(database, audit, read_pattern_terms(settings))
        remover = SessionRemover(database, sessions, runs)
        await check_tenants(database, share)
        chores = list_chores(
            settings,
            database,
            skills=skills,
            workspaces=workspaces,
            runs=runs,
            reports=reports,
            memory=memory,
            remover=remover,
            share=share,
        )
        await stack.enter_async_context(run_in_background(*chores))
        yield Services(
            settings=settings,
            metrics=metrics,
            stopping=asyncio.Event(),
            began_s=time.monotonic(),
            redis=redis,
            database=database,
            keyring=keyring,
            authenticator=Authenticator(
                database,
                keyring,
                principals,
                CsrfGuard(
                    keyring, public_url=settings.public_url, cors_origins=settings.cors_origins
                ),
                ConfiguredKeys(keyring, settings.api_keys),
                disabled=settings.auth_disabled,
            ),
            principals=principals,
            people=people,
            audit=AuditReader(database, audit),
            sessions=sessions,
            sharing=SessionSharing(database, audit, sessions, runs.hub.notify_rights_changed),
            remover=remover,
            copies=SessionCopies(database, audit, sessions, runs),
            rewinder=SessionRewinder(
                home=settings.home,
                database=database,
                audit=audit,
                workspaces=workspaces.store,
                sessions=sessions,
                runs=runs,
            ),
            plans=PlanEditor(
                database=database,
                audit=audit,
                sessions=sessions,
                subagents=subagents,
                hub=runs.hub,
            ),
            feedback=RunFeedback(
                database=database,
                sessions=sessions,
                runs=runs,
                patterns_of=patterns_of,
                is_enabled=settings.pattern_learning,
            ),
            memories=memory.personal,
            graph=memory.graph,
            memory_remover=memory.remover,
            patterns=patterns,
            pattern_sharing=PatternSharing(database, audit, patterns),
            workflows=WorkflowService(
                patterns=patterns, stores_of=runs.stores_of, is_enabled=settings.pattern_learning
            ),
            assistants=assistants,
            skills=skills,
            subagents=subagents,
            agent_configs=AgentConfigService(database, audit),
            compositions=compositions,
            connections=ConnectionManager(
                settings.max_connections,
                metrics,
                per_tenant=settings.max_connections_per_tenant,
                share=share,
                append=runs.append_event,
            ),
            workspaces=workspaces,
            runs=runs,
            data=data,
            mcp=mcp,
            reports=reports,
            model_tester=ModelTester(
                settings, people.credentials, ModelGuard(make_web_policy(settings))
            ),
            checks=list_checks(settings, database, redis, memory.neo4j),
        )


def make_redis(settings: ServerSettings) -> "Redis | None":
    """Prepare the connections to Redis, if configured; nothing is opened yet."""
    if settings.redis_url is None:
        return None
    try:
        from redis.asyncio import Redis
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            "redis is not installed: pip install 'dataagent-core[redis]'."
        ) from error
    return Redis.from_url(settings.redis_url, socket_timeout=5, socket_connect_timeout=5)


def make_pattern_libraries(
    settings: ServerSettings, database: Database
) -> Callable[[TenantId], PatternLibrary]:
    """Make the patterns of each tenant: one for all its agents, so that equal agents are kept."""
    terms = read_pattern_terms(settings)

    @cache
    def patterns_of(tenant_id: TenantId) -> PatternLibrary:
        return PatternLibrary(open_pattern_store(database, tenant_id), tenant_id, terms=terms)

    return patterns_of


def _skill_sets(settings: ServerSettings) -> Path:
    return settings.home / "skill-sets"


def make_workspaces(
    settings: ServerSettings, database: Database, audit: AuditTrail
) -> WorkspaceServices:
    """Make the workspace services; nothing is opened."""
    uids = usable_range(settings.workspace_uid_first, settings.workspace_uid_count)
    if uids is not None:
        for folder in (settings.workspaces, settings.home / "scratch", _skill_sets(settings)):
            require_passable(folder)
    store = WorkspaceStore(
        database,
        WorkspaceDirectories(settings.workspaces, reachable=uids is not None),
        StorageAmount(
            settings.workspace_default_max_size_bytes, settings.workspace_default_max_files
        ),
        audit,
        uids,
        settings.max_upload_bytes,
    )
    service = WorkspaceService(store, partial(workspace_in_use, database))
    return WorkspaceServices(store, service, WorkspaceFiles(store), WorkspaceSharing(store))


@asynccontextmanager
async def open_data(
    settings: ServerSettings,
    audit: AuditTrail,
    cipher: Cipher,
    workspaces: WorkspaceStore,
    edges: Edges = DEFAULT_EDGES,
) -> AsyncGenerator[DataServices]:
    """Open the engines and the chart renderer; processes start at their first use."""
    database = workspaces.database
    folders = [*(Path(folder) for folder in settings.data_folders), settings.sample_folder]
    own = OwnFolders(settings.home, settings.sample_folder)
    places = SourceLocations(make_web_policy(settings), folders, edges.resolver, own)
    slots = WorkerSlots(settings.data_workers_max)
    pool = EnginePool(make_engine_opener(settings.scratch, slots=slots), ENGINES_MAX, slots)
    renderer = Renderer()
    try:
        yield DataServices(
            sources=DataSourceService(database, audit, SourceSealer(cipher), places),
            readings=FileReadingService(database, audit),
            models=SemanticModelService(database, audit),
            questions=SavedQuestionService(database, audit),
            workspaces=workspaces,
            home=settings.home,
            pool=pool,
            renderer=renderer,
            open_results=make_results_opener(settings.scratch, slots=slots),
        )
    finally:
        await renderer.aclose()
        await pool.aclose()


@asynccontextmanager
async def open_reports(
    settings: ServerSettings, audit: AuditTrail, cipher: Cipher, data: DataServices, spent: Spent
) -> AsyncGenerator[ReportServices]:
    """Open the report services; active runs are stopped at the end."""
    database = data.workspaces.database
    runner = ReportRunner(data, RunFiles(settings.home))
    under_way = ActiveReportRuns(runner)
    policy = make_web_policy(settings)
    schedules = ScheduleService(database, audit, cipher, Webhooks(policy, WebClient(policy)))
    clockwork = ReportScheduler(runner, schedules, audit, spent)
    try:
        yield ReportServices(
            ReportService(database, audit, runner, under_way), schedules, clockwork
        )
    finally:
        await clockwork.aclose()
        await under_way.aclose()
