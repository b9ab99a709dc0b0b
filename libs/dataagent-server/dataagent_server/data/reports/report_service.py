"""Creates, reads, changes and deletes reports, and runs them.

A report belongs to its owner; an admin may read and delete it. For other users it does not exist.
"""

from dataclasses import dataclass, replace
from pathlib import Path

from sqlalchemy import Connection

from dataagent_core.errors import ConflictError, LimitReachedError, NotFoundError
from dataagent_core.ids import new_id
from dataagent_core.tools.data.reports import (
    make_self_contained,
    read_definition,
    write_definition,
)
from dataagent_server.common.pagination import ItemPage, PageRequest, make_page
from dataagent_server.data.reports import report_rows
from dataagent_server.data.reports.active_runs import ActiveReportRuns
from dataagent_server.data.reports.limits import (
    REPORTS_PER_TENANT_MAX,
    RUN_WAITED_FOR_S,
    TITLE_CHARS_MAX,
)
from dataagent_server.data.reports.report_records import ReportRun, StoredReport
from dataagent_server.data.reports.report_runner import ReportRunner, ReportRunRequest
from dataagent_server.data.results.result_rows import ResultOwner
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Action, Principal, Resource, require
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.auth.may import may
from dataagent_server.identity.projects.project_scope import require_project


@dataclass(frozen=True, slots=True)
class ReportService:
    """The reports of the principal's own tenant."""

    database: Database
    audit: AuditTrail
    runner: ReportRunner
    under_way: ActiveReportRuns
    clock: Clock = utc_now

    async def create(
        self, principal: Principal, definition: str, project_id: str | None
    ) -> StoredReport:
        """Store a valid definition as the principal's own."""
        require(principal, "report.change", _resource(principal, principal.user_id))
        title, definition = await self._read_definition(principal, definition)
        now = self.clock()
        report = StoredReport(
            report_id=new_id(),
            project_id=project_id,
            owner_id=principal.user_id,
            session_id=None,
            title=title,
            definition=definition,
            version=1,
            created_at=now,
            updated_at=now,
        )

        def work(connection: Connection) -> StoredReport:
            require_project(connection, principal.tenant_id, project_id, locked=True)
            if report_rows.count_reports(connection, principal.tenant_id) >= REPORTS_PER_TENANT_MAX:
                raise LimitReachedError(
                    f"The tenant has its {REPORTS_PER_TENANT_MAX:,} reports. Delete one first."
                )
            report_rows.add_report(connection, principal.tenant_id, report)
            self._record(connection, principal, "report.create", report)
            return report

        return await self.database.write(work)

    async def get(self, principal: Principal, report_id: str) -> StoredReport:
        """Return a report."""
        return await self.database.read(
            lambda c: require_report(c, principal, report_id, "report.read")
        )

    async def list(self, principal: Principal, page_request: PageRequest) -> ItemPage[StoredReport]:
        """List one's own reports."""
        require(principal, "report.read", _resource(principal, principal.user_id))
        found = await self.database.read(
            lambda c: report_rows.list_reports(
                c, principal.tenant_id, principal.user_id, page_request
            )
        )
        return make_page(found, page_request, lambda report: (report.created_at, report.report_id))

    async def change(
        self, principal: Principal, report_id: str, definition: str, version: int | None = None
    ) -> StoredReport:
        """Replace a report's definition."""
        title, definition = await self._read_definition(principal, definition)

        def work(connection: Connection) -> StoredReport:
            old = require_report(connection, principal, report_id, "report.change")
            new = replace(
                old,
                # From now on no agent writes over it.
                session_id=None,
                title=title,
                definition=definition,
                version=old.version + 1,
                updated_at=self.clock(),
            )
            fresh = version is None or version == old.version
            if not fresh or not report_rows.change_report(
                connection, principal.tenant_id, old, new
            ):
                raise ConflictError("Somebody else changed the report meanwhile. Read it again.")
            self._record(connection, principal, "report.change", new)
            return new

        return await self.database.write(work)

    async def delete(self, principal: Principal, report_id: str) -> None:
        """Delete a report with its schedules and the files of its runs."""

        def work(connection: Connection) -> None:
            report = require_report(connection, principal, report_id, "report.delete")
            report_rows.remove_report(connection, principal.tenant_id, report_id)
            self._record(connection, principal, "report.delete", report)

        await self.database.write(work)

    async def run(
        self,
        principal: Principal,
        report_id: str,
        request: ReportRunRequest,
        wait_s: float = RUN_WAITED_FOR_S,
    ) -> ReportRun:
        """Run the principal's own report; one that takes longer continues in the background."""
        report = await self.database.read(
            lambda c: require_report(c, principal, report_id, "report.run")
        )
        return await self.under_way.run(principal, report, request, wait_s)

    async def runs(
        self, principal: Principal, report_id: str, page_request: PageRequest
    ) -> ItemPage[ReportRun]:
        """List the runs of a report."""

        def work(connection: Connection) -> list[ReportRun]:
            require_report(connection, principal, report_id, "report.read")
            return report_rows.list_runs(connection, principal.tenant_id, report_id, page_request)

        found = await self.database.read(work)
        return make_page(found, page_request, lambda run: (run.created_at, run.run_id))

    async def get_run(self, principal: Principal, report_id: str, run_id: str) -> ReportRun:
        """Return the result of one run."""

        def work(connection: Connection) -> ReportRun:
            require_report(connection, principal, report_id, "report.read")
            run = report_rows.find_run(connection, principal.tenant_id, report_id, run_id)
            if run is None:
                raise NotFoundError(f"There is no run {run_id[:80]!r} of this report.")
            return run

        return await self.database.read(work)

    async def file(
        self, principal: Principal, report_id: str, run_id: str, name: str
    ) -> tuple[Path, str]:
        """Find a file of a run: its path and its name."""
        run = await self.get_run(principal, report_id, run_id)
        for number, file in enumerate(run.files):
            if name == file.name or file.name.endswith(f".{name}"):
                path = self.runner.files.path(principal.tenant_id, run.owner_id, run_id, number)
                return path, file.name.rpartition("/")[2]
        there = ", ".join(file.name for file in run.files) or "none"
        raise NotFoundError(f"The run wrote no file {name[:80]!r}. There are: {there}.")

    async def _read_definition(self, principal: Principal, text: str) -> tuple[str, str]:
        """Read a definition: its title, and its text with the queries of results it names."""
        read = read_definition(text)
        whose = ResultOwner(principal.tenant_id, principal.user_id)
        whole = await make_self_contained(read, self.runner.data.results(whose))
        # The text of a user stays as it is, if nothing had to be added.
        return whole.title[:TITLE_CHARS_MAX], text if whole is read else write_definition(whole)

    def _record(
        self, connection: Connection, principal: Principal, action: str, report: StoredReport
    ) -> None:
        self.audit.record(
            connection, principal.tenant_id, principal.actor, action,
            f"report:{report.report_id}",
            {"title": report.title, "definition": self.audit.digest(report.definition)},
        )  # fmt: skip


def require_report(
    connection: Connection, principal: Principal, report_id: str, action: Action
) -> StoredReport:
    """Find a report the principal may use for this; one they may not see does not exist."""
    report = report_rows.find_report(connection, principal.tenant_id, report_id)
    if report is None or not may(principal, "report.read", _resource(principal, report.owner_id)):
        raise NotFoundError(f"There is no report {report_id[:80]!r}.")
    require(principal, action, _resource(principal, report.owner_id))
    return report


def _resource(principal: Principal, owner_id: str) -> Resource:
    return Resource(principal.tenant_id, "report", owner_id=owner_id)
