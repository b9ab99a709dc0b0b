"""Runs a report for its owner, with the owner's rights at this moment."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from dataagent_core.errors import DataAgentError
from dataagent_core.ids import new_id
from dataagent_core.tools.data.agent_tools.report_tool import make_report_maker
from dataagent_core.tools.data.reports import read_definition, run_report
from dataagent_core.tools.data.reports.report_files import ReportFormat, render_report_files
from dataagent_core.tools.data.semantic import SemanticModel
from dataagent_server.data.data_services import DataServices
from dataagent_server.data.reports import report_rows
from dataagent_server.data.reports.limits import RUNS_SWEPT_AT_ONCE_MAX
from dataagent_server.data.reports.report_records import ReportRun, StoredReport
from dataagent_server.data.reports.run_files import RunFiles
from dataagent_server.db.database import Database
from dataagent_server.identity.auth import Principal
from dataagent_server.workspaces.agent_workspace import ensure_user_default_workspace


@dataclass(frozen=True, slots=True)
class ReportRunRequest:
    """The parameters of a run."""

    parameters: Mapping[str, Any]
    formats: Sequence[ReportFormat]
    time_zone: str = "UTC"
    schedule_id: str | None = None


@dataclass(frozen=True, slots=True)
class ReportRunner:
    """Runs reports; their files are stored in their owners' folders."""

    data: DataServices
    files: RunFiles

    @property
    def database(self) -> Database:
        """The database of the reports."""
        return self.data.workspaces.database

    async def run(
        self, owner: Principal, report: StoredReport, request: ReportRunRequest
    ) -> ReportRun:
        """Run it to its end; a failed report is a run with an error."""
        return await self.finish(owner, report, await self.begin(owner, report, request), request)

    async def begin(self, owner: Principal, report: StoredReport, request: ReportRunRequest) -> str:
        """Insert a run that begins; return its id."""
        run_id = new_id()
        await self.database.write(
            lambda c: report_rows.begin_run(c, owner.tenant_id, report, run_id, request.schedule_id)
        )
        return run_id

    async def finish(
        self, owner: Principal, report: StoredReport, run_id: str, request: ReportRunRequest
    ) -> ReportRun:
        """Run what has begun."""
        try:
            await self._run(owner, report, run_id, request)
        except BaseException as error:
            await asyncio.shield(self._fail(owner, run_id, error))
            if not isinstance(error, DataAgentError):
                raise
        return await self.get_run(owner, report, run_id)

    async def get_run(self, owner: Principal, report: StoredReport, run_id: str) -> ReportRun:
        """Return a run."""
        found = await self.database.read(
            lambda c: report_rows.find_run(c, owner.tenant_id, report.report_id, run_id)
        )
        assert found is not None
        return found

    async def sweep(self) -> None:
        """Remove expired runs, with their files and their space."""
        for tenant_id, owner_id, run_id in await self.database.read(
            lambda c: report_rows.list_outlived_runs(c, RUNS_SWEPT_AT_ONCE_MAX)
        ):
            await self.files.drop(tenant_id, owner_id, run_id)
            await self.database.write(
                lambda c, t=tenant_id, r=run_id: report_rows.remove_run(c, t, r)
            )

    async def _run(
        self, owner: Principal, report: StoredReport, run_id: str, request: ReportRunRequest
    ) -> None:
        queries = await self.data.open_queries(owner, report.project_id)
        model = await self.data.models.model_for(owner.tenant_id, report.project_id)
        definition = read_definition(report.definition)

        async def known_model() -> SemanticModel:
            return model

        made = await run_report(
            definition,
            make_report_maker(queries, known_model, self.data.renderer),
            parameters=request.parameters,
            zone=ZoneInfo(request.time_zone),
        )
        contents = await render_report_files(made, self.data.renderer, request.formats)
        written = await self.files.put(owner.tenant_id, owner.user_id, run_id, contents)
        space = await ensure_user_default_workspace(
            self.data.workspaces, owner.tenant_id, owner.user_id
        )

        def finish(connection: Connection) -> None:
            report_rows.finish_run(connection, owner.tenant_id, run_id, space.workspace_id, written)

        await self.database.write(finish)

    async def _fail(self, owner: Principal, run_id: str, error: BaseException) -> None:
        await self.files.drop(owner.tenant_id, owner.user_id, run_id)
        text = _error_text(error)
        await self.database.write(lambda c: report_rows.fail_run(c, owner.tenant_id, run_id, text))


def _error_text(error: BaseException) -> str:
    if isinstance(error, DataAgentError):
        return error.for_person
    return "The run was stopped before its end, or failed within. The server's log has the reason."
