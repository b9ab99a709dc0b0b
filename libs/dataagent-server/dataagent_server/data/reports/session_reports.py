"""The reports that agents write, stored with those of their user."""

from dataclasses import dataclass, replace

from sqlalchemy import Connection

from dataagent_core.errors import LimitReachedError
from dataagent_core.ids import new_id
from dataagent_core.tools.data.reports import ReportDefinition, write_definition
from dataagent_server.data.reports import report_rows
from dataagent_server.data.reports.limits import REPORTS_PER_TENANT_MAX, TITLE_CHARS_MAX
from dataagent_server.data.reports.report_records import StoredReport
from dataagent_server.data.results.result_rows import ResultOwner
from dataagent_server.db.database import Database
from dataagent_server.db.database_clock import database_now
from dataagent_server.identity.audit import AuditTrail


@dataclass(frozen=True, slots=True)
class SessionReports:
    """Core's `ReportShelf` for one session, or for calls that belong to none."""

    database: Database
    audit: AuditTrail
    whose: ResultOwner
    project_id: str | None
    session_id: str | None

    async def keep(self, definition: ReportDefinition) -> None:
        """Store a report; the same title of the same session replaces the earlier one.

        The same holds for calls that belong to no session. A report that its owner has changed is
        not replaced.
        """
        title = definition.title[:TITLE_CHARS_MAX]
        text = write_definition(definition)
        await self.database.write(lambda c: self._keep(c, title, text))

    def _keep(self, connection: Connection, title: str, text: str) -> None:
        tenant_id, now = self.whose.tenant_id, database_now(connection)
        old = report_rows.find_of_session(connection, self.whose, self._session_key, title)
        kept = old and replace(
            old,
            session_id=self._session_key,
            definition=text,
            version=old.version + 1,
            updated_at=now,
        )
        # One that its owner changed a moment ago stays as it is.
        if not (old and kept and report_rows.change_report(connection, tenant_id, old, kept)):
            old = None
            if report_rows.count_reports(connection, tenant_id) >= REPORTS_PER_TENANT_MAX:
                raise LimitReachedError(
                    f"The tenant has its {REPORTS_PER_TENANT_MAX:,} reports. Delete one first."
                )
            kept = StoredReport(
                report_id=new_id(),
                project_id=self.project_id,
                owner_id=self.whose.user_id,
                session_id=self._session_key,
                title=title,
                definition=text,
                version=1,
                created_at=now,
                updated_at=now,
            )
            report_rows.add_report(connection, tenant_id, kept)
        self.audit.record(
            connection,
            tenant_id,
            f"user:{self.whose.user_id}",
            "report.create" if old is None else "report.change",
            f"report:{kept.report_id}",
            {
                "title": title,
                "definition": self.audit.digest(text),
                "session_id": self.session_id,
            },
        )

    @property
    def _session_key(self) -> str:
        return self.session_id or report_rows.NO_SESSION
