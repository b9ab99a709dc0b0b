"""A report run for its owner, with what the owner may ask at this moment."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from dataagent_core.errors import DataAgentError
from dataagent_core.ids import new_id
from dataagent_core.tools.data.desk import DataDesk
from dataagent_core.tools.data.offered.metric import metric_from, run_metric_query
from dataagent_core.tools.data.reports import ReportMaker, read_definition, run_report
from dataagent_core.tools.data.reports.saving import ReportFormat, report_files
from dataagent_core.tools.data.results.kept import Kept
from dataagent_core.tools.data.semantic import SemanticModel
from dataagent_server.auth import Principal
from dataagent_server.data import DataHouse
from dataagent_server.db.database import Database
from dataagent_server.reports import rows
from dataagent_server.reports.files import RunFiles
from dataagent_server.reports.limits import RUNS_SWEPT_AT_ONCE_MAX
from dataagent_server.reports.model import ReportRun, StoredReport
from dataagent_server.workspaces.agent import ensure_user_default_workspace


@dataclass(frozen=True, slots=True)
class RunWish:
    """How a report is to be run."""

    parameters: Mapping[str, Any]
    formats: Sequence[ReportFormat]
    time_zone: str = "UTC"
    schedule_id: str | None = None


@dataclass(frozen=True, slots=True)
class ReportRunner:
    """Runs reports; what they write is kept in their owners' folders."""

    data: DataHouse
    files: RunFiles

    @property
    def database(self) -> Database:
        """Give the database all of it is in."""
        return self.data.workspaces.database

    async def run(self, owner: Principal, report: StoredReport, wish: RunWish) -> ReportRun:
        """Run it to its end; a report that fails is a run that says why."""
        tenant_id, run_id = owner.tenant_id, new_id()
        await self.database.write(
            lambda c: rows.begin_run(c, tenant_id, report, run_id, wish.schedule_id)
        )
        try:
            await self._run(owner, report, run_id, wish)
        except BaseException as error:
            await asyncio.shield(self._failed(owner, run_id, error))
            if not isinstance(error, DataAgentError):
                raise
        found = await self.database.read(
            lambda c: rows.find_run(c, tenant_id, report.report_id, run_id)
        )
        assert found is not None
        return found

    async def sweep(self) -> None:
        """Remove runs that have lived their days, with their files and their room."""
        for tenant_id, owner_id, run_id in await self.database.read(
            lambda c: rows.outlived_runs(c, RUNS_SWEPT_AT_ONCE_MAX)
        ):
            await self.files.drop(tenant_id, owner_id, run_id)
            await self.database.write(lambda c, t=tenant_id, r=run_id: rows.remove_run(c, t, r))

    async def _run(
        self, owner: Principal, report: StoredReport, run_id: str, wish: RunWish
    ) -> None:
        desk = await self.data.desk(owner, report.project_id)
        model = await self.data.models.model_for(owner.tenant_id, report.project_id)
        definition = read_definition(report.definition)
        made = await run_report(
            definition,
            _maker(desk, model, self.data),
            parameters=wish.parameters,
            zone=ZoneInfo(wish.time_zone),
        )
        contents = await report_files(made, self.data.renderer, wish.formats)
        written = await self.files.put(owner.tenant_id, owner.user_id, run_id, contents)
        space = await ensure_user_default_workspace(
            self.data.workspaces, owner.tenant_id, owner.user_id
        )

        def finish(connection: Connection) -> None:
            rows.finish_run(connection, owner.tenant_id, run_id, space.workspace_id, written)

        await self.database.write(finish)

    async def _failed(self, owner: Principal, run_id: str, error: BaseException) -> None:
        await self.files.drop(owner.tenant_id, owner.user_id, run_id)
        text = _told(error)
        await self.database.write(lambda c: rows.fail_run(c, owner.tenant_id, run_id, text))


def _maker(desk: DataDesk, model: SemanticModel, data: DataHouse) -> ReportMaker:
    async def run_query(source: str, sql: str) -> Kept:
        return await desk.query(source, sql)

    async def run_metric(asked: Mapping[str, Any]) -> Kept:
        return await run_metric_query(desk, model, metric_from(asked))

    return ReportMaker(
        results=desk.results, renderer=data.renderer, run_query=run_query, run_metric=run_metric
    )


def _told(error: BaseException) -> str:
    if isinstance(error, DataAgentError):
        return error.for_person
    return "The run was stopped before its end, or failed within. The server's log has the reason."
