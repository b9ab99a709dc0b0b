"""Reads usage, and reads and sets budgets: each operation checks the right to it.

Users see their own usage and budgets; admins see all, and only they set budgets: a limit that its
subject could raise would be none.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

from sqlalchemy import Connection, select

from dataagent_core.config import Settings
from dataagent_core.engine import AgentConfig
from dataagent_core.engine.assembly.agent_limits import read_limits
from dataagent_core.errors import LimitReachedError, NotFoundError
from dataagent_core.events import HITLRequestEvent
from dataagent_core.session import Run
from dataagent_core.session.stores.sql.usage_statements import (
    list_budgets,
    remove_budget,
    set_budget,
)
from dataagent_core.usage import (
    Amount,
    Budget,
    BudgetKey,
    BudgetRefusal,
    RunAccount,
    Spender,
    UsageQuery,
    UsageRow,
    UsageStore,
)
from dataagent_core.usage.budget import check_budget, raise_limits, usd_of
from dataagent_core.usage.budget_request import steps_in
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.store_connection import sql_connection
from dataagent_server.db.tables.people import projects, user_tenants
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal, Resource, may, require

BUDGETS_PER_TENANT_MAX: Final = 10_000

# No call uses less: a budget with less left is used up.
_SMALLEST = Amount(tokens=1, cost_nano=1)


@dataclass(frozen=True, slots=True)
class BudgetStanding:
    """A budget and what of it is used or reserved in the current day or month."""

    budget: Budget
    used: Amount


class UsageService:
    """The use and the budgets of the principal's own tenant."""

    def __init__(
        self,
        database: Database,
        audit: AuditTrail,
        book_of: Callable[[TenantId], UsageStore],
        settings: Settings,
    ) -> None:
        self._database = database
        self._audit = audit
        self._store_of = book_of
        # They limit every user, besides the stored budgets.
        self._settings = settings

    def account_of(self, spender: Spender) -> RunAccount:
        """Open the account of a run, or of a user without an active run."""
        config = AgentConfig(
            self._settings.assistant_id,
            tenant_id=spender.tenant_id,
            user_id=spender.user_id,
            project_id=spender.project_id,
        )
        run = Run(run_id=spender.run_id, session_id=spender.session_id, message_id="")
        store = self._store_of(TenantId(spender.tenant_id))
        return read_limits(config, self._settings).account(run, store)

    async def spent(
        self, tenant_id: TenantId, user_id: str, project_id: str | None
    ) -> BudgetRefusal | None:
        """Return the used-up budgets of a user, their project or the tenant."""
        nobody_yet = Spender(
            tenant_id=tenant_id, run_id="", session_id="", user_id=user_id, project_id=project_id
        )
        account = self.account_of(nobody_yet)
        # The limit of one run does not apply to work that has not begun.
        account.budgets = [one for one in account.budgets if one.key.scope != "run"]
        return await account.refusal(_SMALLEST)

    async def report(self, principal: Principal, query: UsageQuery) -> list[UsageRow]:
        """Sum the usage: all of it for admins, the principal's own otherwise."""
        everything = Resource(principal.tenant_id, "usage")
        if query.user_id is None and not may(principal, "usage.read", everything):
            query = replace(query, user_id=principal.user_id)
        owned = Resource(principal.tenant_id, "usage", owner_id=query.user_id)
        require(principal, "usage.read", owned)
        return await self._store_of(principal.tenant_id).report(query)

    async def budgets(self, principal: Principal) -> list[BudgetStanding]:
        """List the budgets: all for admins, the principal's own otherwise."""
        store = self._store_of(principal.tenant_id)
        seen = [
            b
            for b in await store.budgets()
            if may(principal, "budget.read", _resource(principal, b))
        ]
        if not seen:
            # A key without the right to read is refused.
            own = Resource(principal.tenant_id, "budget", owner_id=principal.user_id)
            require(principal, "budget.read", own)
        used = await store.used([budget.key for budget in seen], datetime.now(UTC))
        return [BudgetStanding(budget, used[budget.key]) for budget in seen]

    async def set_budget(self, principal: Principal, budget: Budget) -> BudgetStanding:
        """Create or change a budget."""
        require(principal, "budget.change", Resource(principal.tenant_id, "budget"))
        checked = check_budget(budget)

        def work(connection: Connection) -> None:
            if not subject_exists(connection, principal.tenant_id, checked.key):
                raise _no_subject(checked.key)
            known = list_budgets(sql_connection(connection), principal.tenant_id)
            new = all(one.key != checked.key for one in known)
            if new and len(known) >= BUDGETS_PER_TENANT_MAX:
                raise LimitReachedError(
                    f"The tenant has its {BUDGETS_PER_TENANT_MAX:,} budgets. Delete one first."
                )
            self._set(connection, principal, checked)

        await self._database.write(work)
        used = await self._store_of(principal.tenant_id).used([checked.key], datetime.now(UTC))
        return BudgetStanding(checked, used[checked.key])

    async def remove_budget(self, principal: Principal, key: BudgetKey) -> None:
        """Delete a budget."""
        require(principal, "budget.change", Resource(principal.tenant_id, "budget"))

        def work(connection: Connection) -> None:
            if not remove_budget(sql_connection(connection), principal.tenant_id, key):
                raise _not_found(key)
            self._audit.record(
                connection, principal.tenant_id, principal.actor, "budget.delete",
                f"budget:{key}", {},
            )  # fmt: skip

        await self._database.write(work)

    def require_may_raise(self, principal: Principal) -> None:
        """Raise unless the principal may let a run pass its budget."""
        require(principal, "budget.raise", Resource(principal.tenant_id, "budget"))

    def raise_for_good(
        self, connection: Connection, principal: Principal, request: HITLRequestEvent
    ) -> None:
        """Raise the budgets of a request, inside the transaction that takes the answer.

        Budgets of the settings, and a run's own, are not stored here; they are raised for the run.
        """
        require(principal, "budget.change", Resource(principal.tenant_id, "budget"))
        steps = steps_in(request.action_requests)
        known = list_budgets(sql_connection(connection), principal.tenant_id)
        for budget in known:
            if str(budget.key) in steps:
                self._set(connection, principal, raise_limits(budget, steps))

    def _set(self, connection: Connection, principal: Principal, budget: Budget) -> None:
        set_budget(sql_connection(connection), principal.tenant_id, budget)
        detail = {"cost_max": usd_of(budget.cost_nano_max), "tokens_max": budget.tokens_max}
        self._audit.record(
            connection, principal.tenant_id, principal.actor, "budget.set",
            f"budget:{budget.key}", detail,
        )  # fmt: skip


def _resource(principal: Principal, budget: Budget) -> Resource:
    owner_id = budget.key.scope_id if budget.key.scope == "user" else None
    return Resource(principal.tenant_id, "budget", owner_id=owner_id)


def _no_subject(key: BudgetKey) -> NotFoundError:
    return NotFoundError(
        f"There is no {key.scope} {key.scope_id[:80]!r} here that could have a budget. "
        "`GET /api/v1/auth/me` names your tenant and you."
    )


def _not_found(key: BudgetKey) -> NotFoundError:
    return NotFoundError(
        f"There is no budget of the {key.scope} {key.scope_id[:80]!r} for a {key.period}."
    )


def subject_exists(connection: Connection, tenant_id: TenantId, key: BudgetKey) -> bool:
    """Return whether the tenant has this member or project, or is this tenant."""
    match key.scope:
        case "user":
            table, column = user_tenants, user_tenants.c.user_id
        case "project":
            table, column = projects, projects.c.project_id
        case "tenant" | "run":
            return key.scope_id == tenant_id
    found = select(column).where(table.c.tenant_id == tenant_id, column == key.scope_id)
    return connection.execute(found).first() is not None
