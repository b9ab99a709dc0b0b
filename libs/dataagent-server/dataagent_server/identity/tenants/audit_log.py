"""The audit log for admins: pages of it, and its verification."""

import asyncio
import json
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from sqlalchemy import Connection

from dataagent_server.db.database import Database
from dataagent_server.identity.audit import audit_rows
from dataagent_server.identity.audit.chain import AuditRow
from dataagent_server.identity.audit.trail import AuditTrail
from dataagent_server.identity.auth import Principal, Resource, require

PAGE_ROWS_DEFAULT: Final = 100
PAGE_ROWS_MAX: Final = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFilter:
    """A filter of rows: all given conditions apply.

    `actor` also finds what a user did with one of their keys; `action` may end in `.*`.
    """

    actor: str | None = None
    action: str | None = None
    since: datetime | None = None
    until: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ChainVerification:
    """Whether a chain is whole, its length, and its end to be stored elsewhere."""

    whole: bool
    rows: int
    head: str | None
    broken_at: int | None = None
    reason: str | None = None


class AuditReader:
    """Reads the chain of the principal's own tenant; `AuditTrail` writes it."""

    def __init__(self, database: Database, trail: AuditTrail) -> None:
        self._database = database
        self._trail = trail
        # A check reads the whole chain: one at a time, so that admins cannot slow the server.
        self._checking = asyncio.Lock()

    async def page(
        self, principal: Principal, which: AuditFilter, *, before: int | None, limit: int
    ) -> list[AuditRow]:
        """Read rows before a number, the newest first."""
        _require(principal)
        return await self._database.read(
            lambda c: audit_rows.newest(
                c,
                principal.tenant_id,
                actor=which.actor,
                action=which.action,
                since=which.since,
                until=which.until,
                before=before,
                limit=limit,
            )
        )

    async def verify(self, principal: Principal, expect: str | None = None) -> ChainVerification:
        """Verify the chain, and that it contains the end `expect` that was stored elsewhere."""
        _require(principal)

        def work(connection: Connection) -> ChainVerification:
            broken = self._trail.verify(connection, principal.tenant_id)
            if broken is None and expect is not None:
                broken = self._trail.differs(connection, principal.tenant_id, expect)
            head = audit_rows.find_head(connection, principal.tenant_id)
            return ChainVerification(
                whole=broken is None,
                rows=audit_rows.last_seq(connection, principal.tenant_id),
                head=None if head is None else f"{head.seq}:{head.mac}",
                broken_at=None if broken is None else broken.seq,
                reason=None if broken is None else broken.reason,
            )

        async with self._checking:
            return await self._database.read(work)


def detail_of(row: AuditRow) -> dict[str, Any]:
    """Read a row's detail."""
    return json.loads(row.detail)


def _require(principal: Principal) -> None:
    require(principal, "audit.read", Resource(principal.tenant_id, "audit"))
