"""The composition root: the one place where the server's parts are put together.

`open_services` opens them in order and closes them in reverse. Routes receive `Services` through
`api/deps.py`; tests build the same with other settings.
"""

import asyncio
import os
import shutil
import time
from collections.abc import AsyncGenerator, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from dataagent_core.config.limits import USAGE_RUNS_KEPT_DAYS
from dataagent_core.engine import AgentConfig
from dataagent_core.errors import ConfigurationError, StorageError
from dataagent_core.secrets import Keyring, open_keyring
from dataagent_core.session.state import now
from dataagent_core.tools.web.policy import policy_from
from dataagent_core.usage.spender import day_of
from dataagent_server.assistants.sandbox_policy import SandboxPolicy
from dataagent_server.assistants.service import AssistantService
from dataagent_server.auth.authenticator import Authenticator
from dataagent_server.auth.cache import PrincipalCache
from dataagent_server.auth.configured import ConfiguredKeys
from dataagent_server.auth.csrf import CsrfGuard
from dataagent_server.auth.features import withheld_tools
from dataagent_server.auth.logins import remove_expired
from dataagent_server.connections import ConnectionManager, FairShare
from dataagent_server.credentials.dialling import ModelGuard
from dataagent_server.data import Asking, DataHouse, open_data
from dataagent_server.db.database import Database
from dataagent_server.db.migrate import migrate_open, require_current
from dataagent_server.db.open import open_database
from dataagent_server.db.pool import PoolSizes
from dataagent_server.db.tables.people import tenants
from dataagent_server.ids import TenantId
from dataagent_server.limits import (
    CHECKPOINTS_KEPT,
    READY_DISK_FREE_BYTES_MIN,
    SWEEP_S,
    TENANTS_LOOKED_AT_S,
    TIDY_S,
)
from dataagent_server.live.bus.choose import choose_bus
from dataagent_server.mcp_servers.flows import remove_expired as remove_expired_sign_ins
from dataagent_server.mcp_servers.house import MCPHouse, open_mcp
from dataagent_server.metrics import Metrics
from dataagent_server.people import People, open_people
from dataagent_server.readiness import Check
from dataagent_server.reports.bundle import Reports, open_reports
from dataagent_server.reports.shelf import SessionReports
from dataagent_server.results.sweep import sweep_results
from dataagent_server.runs.builder import SessionAgentBuilder
from dataagent_server.runs.copying import SessionCopies
from dataagent_server.runs.guarded_models import GuardedModels
from dataagent_server.runs.in_use import workspace_in_use
from dataagent_server.runs.kept_outputs import tidy_kept_outputs
from dataagent_server.runs.model_tests import ModelTester
from dataagent_server.runs.open import RunParts, Runs, open_runs
from dataagent_server.runs.removing import SessionRemover
from dataagent_server.runs.rewinding import SessionRewinder
from dataagent_server.runs.room import RunLimits
from dataagent_server.runs.stores import StoresOf
from dataagent_server.runs.tasks import every, running
from dataagent_server.sessions.records import SessionRecords
from dataagent_server.sessions.service import SessionService
from dataagent_server.sessions.sharing import SessionSharing
from dataagent_server.settings import ServerSettings
from dataagent_server.stores.factory import SessionStoreOf, session_stores
from dataagent_server.stores.removal import finish_removals
from dataagent_server.stores.retention import forget_checkpoints
from dataagent_server.stores.usage import tenants_with_use
from dataagent_server.tenants.audit_log import AuditReader
from dataagent_server.workspaces.bundle import Workspaces, make_workspaces
from dataagent_server.workspaces.sweeper import sweep

if TYPE_CHECKING:
    from redis.asyncio import Redis


@dataclass(frozen=True, slots=True, kw_only=True)
class Services:
    """Everything a route may ask for."""

    settings: ServerSettings
    metrics: Metrics
    # Set as soon as the process is asked to stop; streams end and runs are handed over on it.
    stopping: asyncio.Event
    began_s: float
    redis: "Redis | None"
    database: Database
    keyring: Keyring
    authenticator: Authenticator
    principals: PrincipalCache
    people: People
    audit: AuditReader
    sessions: SessionService
    sharing: SessionSharing
    remover: SessionRemover
    copies: SessionCopies
    rewinder: SessionRewinder
    assistants: AssistantService
    connections: ConnectionManager
    workspaces: Workspaces
    runs: Runs
    data: DataHouse
    mcp: MCPHouse
    reports: Reports
    model_tester: ModelTester
    checks: Mapping[str, Check]


def make_redis(settings: ServerSettings) -> "Redis | None":
    """Prepare the connections to Redis, if there is one; nothing is opened yet."""
    if settings.redis_url is None:
        return None
    try:
        from redis.asyncio import Redis
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            "redis is not installed: pip install 'dataagent-core[redis]'."
        ) from error
    return Redis.from_url(settings.redis_url, socket_timeout=5, socket_connect_timeout=5)


@asynccontextmanager
async def open_services(
    settings: ServerSettings, metrics: Metrics, redis: "Redis | None", share: FairShare
) -> AsyncGenerator[Services]:
    """Open everything; what was opened is closed again, also when a later part fails."""
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
        assistants = AssistantService(
            database, people.audit, settings.assistant_id, SandboxPolicy.of(settings)
        )
        workspaces = make_workspaces(
            settings, database, people.audit, partial(workspace_in_use, database)
        )
        data = await stack.enter_async_context(
            open_data(settings, people.audit, people.cipher, workspaces.store)
        )
        mcp = await stack.enter_async_context(
            open_mcp(settings, people.audit, people.cipher, workspaces.store, metrics=metrics)
        )
        session_store_of = session_stores(settings.session_store, database, redis)
        parts = _run_parts(
            settings, database, people, assistants, data, mcp=mcp, session_store_of=session_store_of
        )
        runs = await stack.enter_async_context(open_runs(parts))
        reports = await stack.enter_async_context(
            open_reports(settings, people.audit, people.cipher, data, spent=runs.usage.spent)
        )
        await _look_at_tenants(database, share)
        records = session_records(settings, database, session_store_of, runs.instance_id)
        sessions = SessionService(database, people.audit, records)
        remover = SessionRemover(database, sessions, runs)
        chores = _housekeeping(settings, data, runs, reports, share)
        chores.append(every(TIDY_S, lambda: asyncio.to_thread(tidy_kept_outputs, settings.home)))
        if settings.session_retention_days is not None:
            chores.append(_retention(remover, timedelta(days=settings.session_retention_days)))
        if settings.session_store == "memory":
            chores.append(every(SWEEP_S, remover.remove_lost))
        await stack.enter_async_context(running(*chores))
        yield Services(
            settings=settings,
            metrics=metrics,
            stopping=asyncio.Event(),
            began_s=time.monotonic(),
            redis=redis,
            database=database,
            keyring=keyring,
            authenticator=_authenticator(settings, database, keyring, principals),
            principals=principals,
            people=people,
            audit=AuditReader(database, people.audit),
            sessions=sessions,
            sharing=SessionSharing(database, people.audit, sessions, runs.hub.rights_changed),
            remover=remover,
            copies=SessionCopies(database, people.audit, sessions, runs),
            rewinder=SessionRewinder(
                home=settings.home,
                database=database,
                audit=people.audit,
                workspaces=workspaces.store,
                sessions=sessions,
                runs=runs,
            ),
            assistants=assistants,
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
                settings, people.credentials, ModelGuard(policy_from(settings))
            ),
            checks=_checks(settings, database, redis),
        )


def session_records(
    settings: ServerSettings, database: Database, store_of: SessionStoreOf, instance_id: str
) -> SessionRecords | None:
    """Say where sessions are, if they are not in the database."""
    if settings.session_store == "redis" or settings.session_store == "memory":  # noqa: PLR1714 (pyright narrows this form only)
        return SessionRecords(settings.session_store, store_of, database, instance_id)
    return None


def _run_parts(
    settings: ServerSettings,
    database: Database,
    people: People,
    assistants: AssistantService,
    data: DataHouse,
    *,
    mcp: MCPHouse,
    session_store_of: SessionStoreOf,
) -> RunParts:
    async def config_of(tenant_id: TenantId, assistant_id: str) -> AgentConfig:
        config = await assistants.config_of(tenant_id, assistant_id)
        off = await people.tenants.features_off(tenant_id)
        return replace(config, withheld_tools=withheld_tools(off))

    def reports_of(asking: Asking) -> SessionReports:
        return SessionReports(
            database, people.audit, asking.whose, asking.project_id, asking.session_id
        )

    def builder(stores_of: StoresOf) -> SessionAgentBuilder:
        models = GuardedModels(settings, ModelGuard(policy_from(settings)))
        return SessionAgentBuilder(
            settings,
            stores_of,
            people.credentials,
            people.models,
            data.workspaces,
            config_of,
            data,
            mcp,
            reports_of,
            models,
        )

    return RunParts(
        settings=settings,
        database=database,
        audit=people.audit,
        bus=choose_bus(database, settings.redis_url),
        limits=RunLimits(settings.max_runs_per_tenant, settings.max_queued_per_session),
        approval_timeout_s=settings.approval_timeout,
        lease_s=settings.lease_timeout,
        # Connections are given half of the time, agents need some of the rest to be closed.
        drain_s=settings.stop_timeout / 4,
        instances_dir=settings.home / "instances",
        builder=builder,
        session_store_of=session_store_of,
        agent_idle_s=settings.session_timeout,
    )


def _housekeeping(
    settings: ServerSettings, data: DataHouse, runs: Runs, reports: Reports, share: FairShare
) -> list[Coroutine[Any, Any, None]]:
    database = data.workspaces.database

    async def forget_old_checkpoints() -> None:
        await forget_checkpoints(database, runs.checkpoints, now() - CHECKPOINTS_KEPT)

    async def roll_up_usage() -> None:
        before = day_of(now() - timedelta(days=USAGE_RUNS_KEPT_DAYS))
        for tenant_id in await tenants_with_use(database, before):
            await runs.stores_of(TenantId(tenant_id)).usage.roll_up(before)

    return [
        every(SWEEP_S, lambda: sweep(data.workspaces)),
        every(SWEEP_S, lambda: sweep_results(database, settings.home)),
        every(SWEEP_S, reports.service.runner.sweep),
        every(reports.clockwork.look_s, reports.clockwork.look),
        every(TIDY_S, lambda: database.write(lambda c: remove_expired(c, now()))),
        every(TIDY_S, lambda: database.write(lambda c: remove_expired_sign_ins(c, now()))),
        every(TIDY_S, forget_old_checkpoints),
        every(TIDY_S, roll_up_usage),
        every(SWEEP_S, lambda: finish_removals(database)),
        every(TENANTS_LOOKED_AT_S, lambda: _look_at_tenants(database, share)),
    ]


def _retention(remover: SessionRemover, kept: timedelta) -> Coroutine[Any, Any, None]:
    async def remove_idle_sessions() -> None:
        await remover.remove_idle(now() - kept)

    return every(TIDY_S, remove_idle_sessions)


async def _look_at_tenants(database: Database, share: FairShare) -> None:
    """See whether there is a tenant for whom others must leave room."""
    second = select(tenants.c.tenant_id).where(tenants.c.is_active).offset(1).limit(1)
    share.alone = await database.read(lambda c: c.execute(second).first()) is None


async def open_current_database(settings: ServerSettings) -> Database:
    """Open the database with a schema of this version: made so on SQLite, required elsewhere."""
    url = settings.effective_database_url
    pool = PoolSizes(size=settings.mysql_pool_size, overflow=settings.mysql_max_overflow)
    database = await open_database(url, pool)
    try:
        await (migrate_open if database.dialect == "sqlite" else require_current)(database)
    except BaseException:
        await database.aclose()
        raise
    return database


def _authenticator(
    settings: ServerSettings, database: Database, keyring: Keyring, principals: PrincipalCache
) -> Authenticator:
    guard = CsrfGuard(keyring, public_url=settings.public_url, cors_origins=settings.cors_origins)
    configured = ConfiguredKeys(keyring, settings.api_keys)
    return Authenticator(
        database, keyring, principals, guard, configured, disabled=settings.auth_disabled
    )


def _checks(
    settings: ServerSettings, database: Database, redis: "Redis | None"
) -> dict[str, Check]:
    async def database_answers() -> None:
        await database.read(lambda connection: connection.execute(select(1)).scalar())

    async def disk_has_room() -> None:
        free = (await asyncio.to_thread(shutil.disk_usage, _existing(settings.workspaces))).free
        if free < READY_DISK_FREE_BYTES_MIN:
            raise StorageError(f"only {free:,} bytes are free at {settings.workspaces}")

    async def schema_is_current() -> None:
        await require_current(database)

    checks: dict[str, Check] = {
        "database": database_answers,
        "migrations": schema_is_current,
        "disk": disk_has_room,
    }
    if redis is not None:

        async def redis_answers() -> None:
            await redis.ping()

        checks["redis"] = redis_answers
    return checks


def _existing(path: os.PathLike[str]) -> str:
    text = os.fspath(path)
    while not os.path.exists(text):  # noqa: PTH110 (any parent will do)
        text = os.path.dirname(text)  # noqa: PTH120
    return text
