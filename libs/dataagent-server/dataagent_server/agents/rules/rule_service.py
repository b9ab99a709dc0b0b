"""Stores, lists and deletes the permission rules of users.

The terminal's port for this is core's `permissions/rule_files/rule_saver.py`, called while a person
is present. On the server an answer arrives by itself, so its rules are stored in the transaction
that takes it, and passed to the engine when a run begins (`runs/worker/worker.py`). What an
operator asks or denies stays so.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Connection

from dataagent_core.errors import LimitReachedError, NotFoundError
from dataagent_core.permissions import Rule
from dataagent_core.permissions.rule_files.rule_saver import rules_shown_in
from dataagent_core.permissions.rules import STRICTNESS
from dataagent_server.agents.rules import rule_rows
from dataagent_server.agents.rules.kept_rule import KeptRule, RuleOrigin
from dataagent_server.common.ids import TenantId
from dataagent_server.common.pagination import ItemPage, PageRequest, make_page
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal, Resource, require
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.projects.project_rows import find_owner
from dataagent_server.identity.projects.project_scope import require_project

RULES_PER_PLACE_MAX: Final = 1_000


def list_always_rules(
    decision: Mapping[str, Any], action_requests: Sequence[Mapping[str, Any]]
) -> list[Rule]:
    """List the rules that an answer allows from now on: those its request showed."""
    if (decision.get("type"), decision.get("scope")) != ("approve", "always"):
        return []
    shown = (rule for action in action_requests for rule in rules_shown_in(action, "session"))
    return list(dict.fromkeys(shown))


class RuleService:
    """The kept rules of the principal's own tenant."""

    def __init__(self, database: Database, audit: AuditTrail, clock: Clock = utc_now) -> None:
        self._database = database
        self._audit = audit
        self._clock = clock

    def keep(
        self,
        connection: Connection,
        principal: Principal,
        allowed: RuleOrigin,
        rules: Sequence[Rule],
    ) -> None:
        """Store rules, inside the transaction that takes the answer.

        A project that was deleted meanwhile keeps none.
        """
        project_id = allowed.project_id
        if project_id and not find_owner(connection, allowed.tenant_id, project_id, locked=True):
            return
        new = rule_rows.add_rules(connection, allowed, rules, self._clock())
        if not new:
            return
        there = rule_rows.count_rules(
            connection, allowed.tenant_id, allowed.user_id, allowed.project_id
        )
        if there > RULES_PER_PLACE_MAX:
            raise LimitReachedError(
                f"{RULES_PER_PLACE_MAX:,} rules are kept here, which is the most. Approve this "
                "once, or delete some: GET and DELETE /api/v1/permissions/rules."
            )
        detail = {
            "user_id": allowed.user_id,
            "project_id": allowed.project_id,
            "rules": [
                {"tool": rule.tool, "resource": rule.resource, "action": rule.action}
                for rule in new
            ],
        }
        where = allowed.session_id
        named = f"session:{where}" if where is not None else f"user:{allowed.user_id}"
        self._audit.record(
            connection, allowed.tenant_id, principal.actor, "rule.keep", named, detail
        )

    async def rules_for(
        self, tenant_id: TenantId, user_id: str, project_id: str | None
    ) -> tuple[Rule, ...]:
        """Return the rules of a user in a project, for the engine."""
        found = await self._database.read(
            lambda c: rule_rows.rules_for(c, tenant_id, user_id, project_id)
        )
        # The last matching rule wins, so denials come last: no other stored rule lifts them.
        return tuple(sorted((kept.rule for kept in found), key=lambda r: STRICTNESS[r.action]))

    async def add(
        self, principal: Principal, user_id: str, project_id: str | None, rule: Rule
    ) -> KeptRule:
        """Store a rule written by hand; an existing one is returned as it is.

        The caller has checked that the user belongs to the tenant.
        """
        require(principal, "rule.create", _resource(principal, user_id))
        tenant_id = principal.tenant_id
        origin = RuleOrigin(
            tenant_id=tenant_id,
            user_id=user_id,
            project_id=project_id,
            session_id=None,
            by=principal.user_id,
        )

        def work(connection: Connection) -> KeptRule:
            require_project(connection, tenant_id, project_id, locked=True)
            self.keep(connection, principal, origin, [rule])
            return next(
                kept
                for kept in rule_rows.rules_for(connection, tenant_id, user_id, project_id)
                if (kept.tool, kept.resource, kept.action) == rule[:3]
            )

        return await self._database.write(work)

    async def list(
        self, principal: Principal, user_id: str, project_id: str | None, page_request: PageRequest
    ) -> ItemPage[KeptRule]:
        """List a person's rules, the oldest first."""
        require(principal, "rule.read", _resource(principal, user_id))
        found = await self._database.read(
            lambda c: rule_rows.list_rules(
                c, principal.tenant_id, user_id, project_id, page_request
            )
        )
        return make_page(found, page_request, lambda kept: (kept.created_at, kept.rule_id))

    async def delete(self, principal: Principal, rule_id: str) -> None:
        """Delete a rule; runs that begin from now on ask again."""

        def work(connection: Connection) -> None:
            found = rule_rows.find_rule(connection, principal.tenant_id, rule_id)
            if found is None:
                raise NotFoundError(f"There is no rule {rule_id[:80]!r}.")
            require(principal, "rule.delete", _resource(principal, found.belongs_to))
            rule_rows.remove_rule(connection, principal.tenant_id, rule_id)
            detail = {
                "user_id": found.user_id,
                "project_id": found.project_id,
                "tool": found.tool,
                "resource": found.resource,
                "action": found.action,
            }
            self._audit.record(
                connection, principal.tenant_id, principal.actor, "rule.delete",
                f"rule:{rule_id}", detail,
            )  # fmt: skip

        await self._database.write(work)


def _resource(principal: Principal, owner_id: str) -> Resource:
    return Resource(principal.tenant_id, "rule", owner_id=owner_id)
