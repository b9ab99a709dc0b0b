"""Finds due schedules and runs them, with the rights their owners have at that moment.

The leases of a server that dies expire; the process that takes a schedule over makes up for the
run, unless it was missed by too long. A schedule whose owner may no longer run the report stops,
and says why; one whose owner, project or tenant has used up a budget skips that time.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Connection

from dataagent_core.errors import DataAgentError
from dataagent_core.ids import new_id
from dataagent_server.common.ids import TenantId
from dataagent_server.data.reports import report_rows
from dataagent_server.data.reports import schedule_rows as rows
from dataagent_server.data.reports.cron import due, next_after
from dataagent_server.data.reports.limits import (
    ATTEMPTS_MAX,
    LEASE,
    LOOK_S,
    SCHEDULED_AT_ONCE_MAX,
)
from dataagent_server.data.reports.report_records import ReportRun, StoredReport
from dataagent_server.data.reports.report_runner import ReportRunner, ReportRunRequest
from dataagent_server.data.reports.schedule_rows import ScheduleClaim
from dataagent_server.data.reports.schedule_service import ScheduleService
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal, Resource
from dataagent_server.identity.auth.may import may
from dataagent_server.identity.auth.membership import find_member

logger = logging.getLogger(__name__)
_ACTOR: Final = "scheduler"
# The used-up budgets of a user and a project; none if all have some left.
Spent = Callable[[TenantId, str, str | None], Awaitable[object]]


@dataclass(slots=True)
class ReportScheduler:
    """The schedules of all tenants that this process takes."""

    runner: ReportRunner
    schedules: ScheduleService
    audit: AuditTrail
    spent: Spent
    look_s: float = LOOK_S
    token: str = field(default_factory=new_id)
    _busy: set[asyncio.Task[None]] = field(default_factory=set[asyncio.Task[None]])

    async def run_due(self) -> int:
        """Start due schedules, as many as there is capacity for; return how many."""
        free = SCHEDULED_AT_ONCE_MAX - len(self._busy)
        if free <= 0:
            return 0
        token = f"{self.token[:24]}-{new_id()[:8]}"
        taken = await self.runner.database.write(lambda c: rows.claim(c, token, free))
        for claimed in taken:
            task = asyncio.create_task(self._run_with_lease(claimed))
            self._busy.add(task)
            task.add_done_callback(self._busy.discard)
        return len(taken)

    async def wait_until_idle(self) -> None:
        """Wait until all started runs have ended."""
        while self._busy:
            await asyncio.wait(set(self._busy))

    async def aclose(self) -> None:
        """Stop active runs; another server takes them."""
        tasks = set(self._busy)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run_with_lease(self, claimed: ScheduleClaim) -> None:
        """Run a due schedule while its lease is renewed."""
        work = asyncio.create_task(self._run_due(claimed))
        renewing = asyncio.create_task(self._renew(claimed, work))
        try:
            await work
        except asyncio.CancelledError:
            work.cancel()
            await asyncio.wait({work})
            await asyncio.shield(self.runner.database.write(lambda c: rows.let_go(c, claimed)))
            raise
        except Exception:
            # One schedule that cannot run must not end the others; its lease expires.
            logger.exception("the schedule %s failed", claimed.schedule_id)
        finally:
            renewing.cancel()

    async def _renew(self, claimed: ScheduleClaim, work: asyncio.Task[None]) -> None:
        while True:
            await asyncio.sleep(LEASE.total_seconds() / 3)
            try:
                held = await self.runner.database.write(lambda c: rows.renew(c, claimed))
            except DataAgentError as error:
                logger.warning("cannot renew the schedule %s: %s", claimed.schedule_id, error)
                continue
            if not held:
                work.cancel()
                return

    async def _run_due(self, claimed: ScheduleClaim) -> None:
        row = claimed.row
        now = await self.runner.database.read(rows.now_of)
        following = next_after(row["cron"], row["time_zone"], now)
        report, owner = await self.runner.database.read(
            lambda c: _find_report_and_owner(c, claimed)
        )
        if report is None or owner is None:
            reason = "Its owner may no longer run this report."
            await self._settle(
                claimed, {"is_active": False, "stopped_because": reason, "next_at": following}
            )
            return
        outcome: dict[str, Any] = {"next_at": following, "last_at": now}
        if due(row["next_at"], now) == "missed":
            text = f"The run of {row['next_at']:%Y-%m-%d %H:%M} UTC was missed: no server was up."
            await self._settle(claimed, {**outcome, "last_status": "missed", "last_error": text})
            return
        if claimed.attempt > ATTEMPTS_MAX:
            text = f"Given up: the server ended {ATTEMPTS_MAX} times while it ran this."
            await self._settle(claimed, {**outcome, "last_status": "failed", "last_error": text})
            return
        spent = await self.spent(claimed.tenant_id, owner.user_id, report.project_id)
        if spent is not None:
            text = f"Not run: {spent}. It runs again at its next time, once there is room."
            await self._settle(claimed, {**outcome, "last_status": "skipped", "last_error": text})
            return
        request = ReportRunRequest(
            row["parameters"], row["formats"], row["time_zone"], claimed.schedule_id
        )
        run = await self.runner.run(owner, report, request)
        outcome |= {"last_status": run.status, "last_error": run.error, "last_run_id": run.run_id}
        if await self._settle(claimed, outcome):
            await self._call_webhook(claimed, report, run)

    async def _settle(self, claimed: ScheduleClaim, values: dict[str, Any]) -> bool:
        def work(connection: Connection) -> bool:
            if not rows.settle(connection, claimed, values):
                return False
            detail = {
                name: values[name]
                for name in ("last_status", "last_run_id", "stopped_because")
                if values.get(name) is not None
            }
            self.audit.record(
                connection, claimed.tenant_id, _ACTOR, "schedule.run",
                f"schedule:{claimed.schedule_id}", detail,
            )  # fmt: skip
            return True

        return await self.runner.database.write(work)

    async def _call_webhook(
        self, claimed: ScheduleClaim, report: StoredReport, run: ReportRun
    ) -> None:
        webhook = self.schedules.webhook_of(claimed.row)
        if webhook is None:
            return
        message = {
            "event": f"report.{run.status}",
            "report_id": report.report_id,
            "schedule_id": claimed.schedule_id,
            "run_id": run.run_id,
            "title": report.title,
            "status": run.status,
            "error": run.error,
            "files": [file.name for file in run.files],
            "finished_at": run.finished_at.isoformat() if run.finished_at else None,
        }
        outcome = await self.schedules.webhooks.tell(webhook, message)
        await self.runner.database.write(
            lambda c: rows.note_webhook(c, claimed.tenant_id, claimed.schedule_id, outcome)
        )


def _find_report_and_owner(
    connection: Connection, claimed: ScheduleClaim
) -> tuple[StoredReport | None, Principal | None]:
    """Find the report, and its owner with their current role."""
    tenant_id, owner_id = claimed.tenant_id, claimed.row["owner_id"]
    report = report_rows.find_report(connection, tenant_id, claimed.row["report_id"])
    owner = find_member(connection, tenant_id, owner_id)
    if report is None or owner is None:
        return report, None
    own = Resource(tenant_id, "report", owner_id=report.owner_id)
    return report, owner if may(owner, "report.run", own) else None
