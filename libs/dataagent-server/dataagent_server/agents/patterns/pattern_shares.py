"""Offers a pattern to another tenant, whose admins accept or decline it (S2 §6.5.8).

Without both nothing of one tenant is seen in the other. Whoever offers is not told whether there is
such a tenant, nor that it declined: until it accepts, an offer is open.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from sqlalchemy import Connection

from dataagent_core.errors import (
    ConflictError,
    LimitReachedError,
    NotFoundError,
    ValidationError,
)
from dataagent_core.ids import new_id
from dataagent_core.patterns import InteractionPattern
from dataagent_core.patterns.sql import SqlPatternStore
from dataagent_server.agents.patterns import offer_rows, pattern_rows
from dataagent_server.agents.patterns.offer_copy import PatternOffer, make_copy, offer
from dataagent_server.agents.patterns.pattern_service import PatternService
from dataagent_server.agents.patterns.pattern_writes import PatternWrites
from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import ItemPage, PageRequest, make_page
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal, Resource, require
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.tenants.tenant_rows import find_tenant

OFFERS_PER_TENANT_MAX: Final = 500


@dataclass(frozen=True, slots=True)
class PatternSharing:
    """Offers that the principal's tenant makes, and those made to it."""

    database: Database
    audit: AuditTrail
    patterns: PatternService
    clock: Clock = utc_now

    async def offer(
        self, principal: Principal, pattern_id: str, to_tenant_id: TenantId
    ) -> PatternOffer:
        """Offer a pattern as it is now; an offer that is there already stays as it is."""
        pattern = await self.patterns.get(principal, pattern_id, "pattern.share")
        if to_tenant_id == principal.tenant_id:
            raise ValidationError("The pattern is this tenant's already: name another tenant.")
        made = PatternOffer(
            id=new_id(),
            tenant_id=principal.tenant_id,
            to_tenant_id=to_tenant_id,
            pattern_id=pattern_id,
            pattern=offer(pattern),
            status="open",
            offered_by=principal.user_id,
            copy_id=None,
            created_at=self.clock(),
            decided_at=None,
        )

        def work(connection: Connection) -> PatternOffer:
            # Locked, so that none is offered twice at once.
            find_tenant(connection, principal.tenant_id, lock=True)
            pattern_rows.hold(connection, principal.tenant_id, pattern_id)
            same = offer_rows.find_same(connection, principal.tenant_id, pattern_id, to_tenant_id)
            if same is not None:
                return same
            if offer_rows.count(connection, principal.tenant_id) >= OFFERS_PER_TENANT_MAX:
                raise LimitReachedError(
                    f"The tenant has made its {OFFERS_PER_TENANT_MAX:,} offers. Withdraw one first."
                )
            offer_rows.add(connection, made)
            self._record(connection, principal, "pattern.offer", made, to=to_tenant_id)
            return made

        return _as_made(await self.database.write(work))

    async def list_made(
        self, principal: Principal, page_request: PageRequest
    ) -> ItemPage[PatternOffer]:
        """List what the tenant has offered."""
        _require(principal)
        found = await self.database.read(
            lambda c: offer_rows.list_made(c, principal.tenant_id, page_request)
        )
        return make_page([_as_made(one) for one in found], page_request, _position)

    async def list_open(
        self, principal: Principal, page_request: PageRequest
    ) -> ItemPage[PatternOffer]:
        """List what is offered to the tenant and waits for an answer."""
        _require(principal)
        found = await self.database.read(
            lambda c: offer_rows.list_open(c, principal.tenant_id, page_request)
        )
        return make_page(found, page_request, _position)

    async def accept(self, principal: Principal, offer_id: str) -> InteractionPattern:
        """Make the offered copy a draft of the tenant; one of the same task is a conflict."""
        made = await self._find_open(principal, offer_id)
        now = self.clock()
        copy = make_copy(made, principal.tenant_id, principal.user_id, now)

        def claim(connection: Connection) -> None:
            by = principal.user_id
            if not offer_rows.decide(connection, made, "accepted", by=by, copy_id=copy.id, now=now):
                raise _not_found(offer_id)

        def record(connection: Connection) -> None:
            # Both tenants have agreed, so both are told. In one order, as a chain is locked.
            records: dict[TenantId, Callable[[], None]] = {
                principal.tenant_id: lambda: self._record(
                    connection, principal, "pattern.accept", made, origin=made.tenant_id
                ),
                made.tenant_id: lambda: self._record_accepted(connection, made),
            }
            for tenant_id in sorted(records):
                records[tenant_id]()

        store = SqlPatternStore(
            PatternWrites(self.database, before=claim, after=record), principal.tenant_id
        )
        try:
            return await store.add(copy)
        except ConflictError:
            raise ConflictError(
                f"There is a pattern for this task here already, {copy.id}: delete it first, or "
                "decline the offer."
            ) from None

    async def decline(self, principal: Principal, offer_id: str) -> None:
        """Decline an offer; nobody of the other tenant is told."""
        made = await self._find_open(principal, offer_id)
        now = self.clock()

        def work(connection: Connection) -> None:
            by = principal.user_id
            if not offer_rows.decide(connection, made, "declined", by=by, copy_id=None, now=now):
                raise _not_found(offer_id)
            self._record(connection, principal, "pattern.decline", made, origin=made.tenant_id)

        await self.database.write(work)

    async def withdraw(self, principal: Principal, offer_id: str) -> None:
        """Take an offer back; a copy that was made of it stays."""
        _require(principal)

        def work(connection: Connection) -> None:
            made = offer_rows.find_made(connection, principal.tenant_id, offer_id)
            if made is None or not offer_rows.remove(connection, principal.tenant_id, offer_id):
                raise _not_found(offer_id)
            self._record(connection, principal, "pattern.withdraw", made, to=made.to_tenant_id)

        await self.database.write(work)

    async def _find_open(self, principal: Principal, offer_id: str) -> PatternOffer:
        _require(principal)
        found = await self.database.read(
            lambda c: offer_rows.find_open(c, principal.tenant_id, offer_id)
        )
        if found is None:
            raise _not_found(offer_id)
        return found

    def _record(
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        made: PatternOffer,
        **detail: str,
    ) -> None:
        self.audit.record(
            connection, principal.tenant_id, principal.actor, action,
            f"pattern_offer:{made.id}", {"name": made.pattern.name, **detail},
        )  # fmt: skip

    def _record_accepted(self, connection: Connection, made: PatternOffer) -> None:
        self.audit.record(
            connection, made.tenant_id, f"tenant:{made.to_tenant_id}", "pattern.accepted",
            f"pattern_offer:{made.id}", {"pattern": made.pattern_id},
        )  # fmt: skip


def _as_made(made: PatternOffer) -> PatternOffer:
    """Return an offer as whoever made it sees it: declined is the other tenant's matter."""
    if made.status == "accepted":
        return replace(made, copy_id=None)
    return replace(made, status="open", decided_at=None)


def _require(principal: Principal) -> None:
    require(principal, "pattern.share", Resource(principal.tenant_id, "pattern"))


def _position(made: PatternOffer) -> tuple[datetime, str]:
    return made.created_at, made.id


def _not_found(offer_id: str) -> NotFoundError:
    return NotFoundError(f"There is no open offer {offer_id[:80]!r}.")
