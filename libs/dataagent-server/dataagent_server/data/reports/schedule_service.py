"""Creates, reads, changes and deletes schedules of the principal's own reports."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping

from dataagent_core.errors import ConflictError, LimitReachedError, NotFoundError
from dataagent_core.ids import new_id
from dataagent_core.secrets import Cipher, SecretLocation
from dataagent_core.tools.data.reports import read_definition
from dataagent_core.tools.data.reports.report_parameters import check_parameter_values
from dataagent_server.common.ids import TenantId
from dataagent_server.data.reports import schedule_rows as rows
from dataagent_server.data.reports.cron import next_after, validate_cron
from dataagent_server.data.reports.limits import SCHEDULES_PER_PERSON_MAX, SCHEDULES_PER_TENANT_MAX
from dataagent_server.data.reports.report_records import Schedule, StoredReport, Webhook
from dataagent_server.data.reports.report_service import require_report
from dataagent_server.data.reports.webhook import Webhooks, host_shown
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal


@dataclass(frozen=True, slots=True, kw_only=True)
class ScheduleChanges:
    """The changes of a schedule; None keeps the stored value. `no_webhook` removes it."""

    cron: str | None = None
    time_zone: str | None = None
    parameters: Mapping[str, Any] | None = None
    formats: Sequence[str] | None = None
    webhook: Webhook | None = None
    no_webhook: bool = False
    is_active: bool | None = None


@dataclass(frozen=True, slots=True)
class ScheduleService:
    """The schedules of reports; only a report's owner has any."""

    database: Database
    audit: AuditTrail
    cipher: Cipher
    webhooks: Webhooks

    async def list(self, principal: Principal, report_id: str) -> list[Schedule]:
        """List the schedules of a report."""

        def work(connection: Connection) -> list[Schedule]:
            require_report(connection, principal, report_id, "report.read")
            found = rows.of_report(connection, principal.tenant_id, report_id)
            return [self._make_schedule(row) for row in found]

        return await self.database.read(work)

    async def get(self, principal: Principal, report_id: str, schedule_id: str) -> Schedule:
        """Return a schedule, and the result of its last run."""

        def work(connection: Connection) -> Schedule:
            require_report(connection, principal, report_id, "report.read")
            return self._make_schedule(_find(connection, principal, report_id, schedule_id))

        return await self.database.read(work)

    async def create(
        self, principal: Principal, report_id: str, wishes: ScheduleChanges
    ) -> Schedule:
        """Create a schedule for a report."""
        await self._check(wishes)
        schedule_id = new_id()

        def work(connection: Connection) -> Schedule:
            report = require_report(connection, principal, report_id, "report.run")
            tenant_id, user_id = principal.tenant_id, principal.user_id
            if rows.count(connection, tenant_id, user_id) >= SCHEDULES_PER_PERSON_MAX:
                raise LimitReachedError(
                    f"You have your {SCHEDULES_PER_PERSON_MAX} schedules. Delete one first."
                )
            if rows.count(connection, tenant_id) >= SCHEDULES_PER_TENANT_MAX:
                raise LimitReachedError(
                    f"The tenant has its {SCHEDULES_PER_TENANT_MAX} schedules. Delete one first."
                )
            now = rows.now_of(connection)
            values = {
                "tenant_id": tenant_id,
                "schedule_id": schedule_id,
                "report_id": report_id,
                "owner_id": user_id,
                "time_zone": "UTC",
                "parameters": {},
                "formats": ["pdf"],
                "is_active": True,
                "attempt": 0,
                "version": 1,
                "created_at": now,
            }
            values |= self._merge_changes(tenant_id, schedule_id, report, wishes, values, now)
            rows.insert(connection, values)
            return self._record_change(
                connection, principal, "schedule.create", report_id, schedule_id
            )

        return await self.database.write(work)

    async def change(
        self,
        principal: Principal,
        report_id: str,
        schedule_id: str,
        wishes: ScheduleChanges,
        version: int | None = None,
    ) -> Schedule:
        """Apply the changes; `is_active` restarts a stopped schedule."""
        await self._check(wishes)

        def work(connection: Connection) -> Schedule:
            report = require_report(connection, principal, report_id, "report.run")
            old = _find(connection, principal, report_id, schedule_id)
            now = rows.now_of(connection)
            values = self._merge_changes(
                principal.tenant_id, schedule_id, report, wishes, dict(old), now
            )
            fresh = version is None or version == old["version"]
            if not fresh or not rows.change(connection, principal.tenant_id, old, values):
                raise ConflictError("Somebody else changed the schedule meanwhile. Read it again.")
            return self._record_change(
                connection, principal, "schedule.change", report_id, schedule_id
            )

        return await self.database.write(work)

    async def delete(self, principal: Principal, report_id: str, schedule_id: str) -> None:
        """Delete a schedule."""

        def work(connection: Connection) -> None:
            require_report(connection, principal, report_id, "report.change")
            _find(connection, principal, report_id, schedule_id)
            rows.remove(connection, principal.tenant_id, schedule_id)
            self._record(connection, principal, "schedule.delete", schedule_id, {})

        await self.database.write(work)

    async def _check(self, wishes: ScheduleChanges) -> None:
        """Check the address of a webhook before a transaction begins: resolving takes time."""
        if wishes.webhook is not None:
            await self.webhooks.check(wishes.webhook)

    def webhook_of(self, row: RowMapping) -> Webhook | None:
        """Decrypt the webhook."""
        if row["webhook"] is None:
            return None
        location = _secret_location(TenantId(row["tenant_id"]), row["schedule_id"])
        return Webhook(**json.loads(self.cipher.decrypt(row["webhook"], location)))

    def _merge_changes(  # noqa: PLR0917 (one private call from two places)
        self,
        tenant_id: TenantId,
        schedule_id: str,
        report: StoredReport,
        wishes: ScheduleChanges,
        known: dict[str, Any],
        now: datetime,
    ) -> dict[str, Any]:
        zone = wishes.time_zone or known["time_zone"]
        cron = validate_cron(wishes.cron or known["cron"], zone, now)
        parameters = known["parameters"] if wishes.parameters is None else dict(wishes.parameters)
        check_parameter_values(read_definition(report.definition), parameters)
        active = known["is_active"] if wishes.is_active is None else wishes.is_active
        values: dict[str, Any] = {
            "cron": cron,
            "time_zone": zone,
            "parameters": parameters,
            "formats": list(wishes.formats or known["formats"]),
            "is_active": active,
            "next_at": next_after(cron, zone, now),
            "updated_at": now,
        }
        if active:
            values["stopped_because"] = None
        if wishes.webhook is not None:
            text = json.dumps({"url": wishes.webhook.url, "secret": wishes.webhook.secret})
            values["webhook"] = self.cipher.encrypt(text, _secret_location(tenant_id, schedule_id))
        elif wishes.no_webhook:
            values["webhook"] = None
        return values

    def _make_schedule(self, row: RowMapping) -> Schedule:
        webhook = self.webhook_of(row)
        names = (name for name in Schedule.__slots__ if name not in {"webhook_host", "formats"})
        return Schedule(
            **{name: row[name] for name in names},
            formats=tuple(row["formats"]),
            webhook_host=host_shown(webhook.url) if webhook else None,
        )

    def _record_change(
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        report_id: str,
        schedule_id: str,
    ) -> Schedule:
        shown = self._make_schedule(_find(connection, principal, report_id, schedule_id))
        detail = {
            "report": report_id,
            "cron": shown.cron,
            "time_zone": shown.time_zone,
            "webhook_host": shown.webhook_host,
            "is_active": shown.is_active,
        }
        self._record(connection, principal, action, schedule_id, detail)
        return shown

    def _record(
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        schedule_id: str,
        detail: dict[str, Any],
    ) -> None:
        self.audit.record(
            connection, principal.tenant_id, principal.actor, action, f"schedule:{schedule_id}",
            detail,
        )  # fmt: skip


def _find(
    connection: Connection, principal: Principal, report_id: str, schedule_id: str
) -> RowMapping:
    row = rows.find(connection, principal.tenant_id, report_id, schedule_id)
    if row is None:
        raise NotFoundError(f"There is no schedule {schedule_id[:80]!r} of this report.")
    return row


def _secret_location(tenant_id: TenantId, schedule_id: str) -> SecretLocation:
    return SecretLocation(tenant_id, "report webhook", schedule_id)
