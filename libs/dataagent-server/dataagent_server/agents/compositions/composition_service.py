"""Creates, reads, changes and deletes tool compositions.

Everybody of the tenant sees and uses them; a project's owner changes the project's, an admin all.
Every change locks the tenant: no two at once may make compositions that call each other.
Whether a member exists is known only when an agent is made, which leaves out what it cannot run.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from sqlalchemy import Connection
from sqlalchemy.exc import IntegrityError

from dataagent_core.errors import (
    ConflictError,
    LimitReachedError,
    NotFoundError,
    ValidationError,
)
from dataagent_core.ids import new_id
from dataagent_core.tools.composition import ToolComposition
from dataagent_core.tools.composition.composition_store import MemberStatistics
from dataagent_core.tools.composition.template_check import (
    check_template,
    find_template_problems,
)
from dataagent_server.agents.compositions import composition_rows
from dataagent_server.agents.compositions.composition_record import (
    COMPOSITIONS_PER_TENANT_MAX,
    CompositionChanges,
    CompositionRecord,
)
from dataagent_server.agents.compositions.name_check import find_name_problems
from dataagent_server.common.names import validate_text
from dataagent_server.common.pagination import ItemPage, PageRequest, make_page
from dataagent_server.db.database import Database
from dataagent_server.db.project_column import WHOLE_TENANT
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Action, Principal
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.projects.project_scope import require_in_scope
from dataagent_server.identity.tenants.tenant_rows import find_tenant

_EMPTY: Final = ToolComposition("", "", "", (), {}, {})


@dataclass(frozen=True, slots=True)
class CompositionService:
    """The compositions of the principal's own tenant."""

    database: Database
    audit: AuditTrail
    clock: Clock = utc_now

    async def list(
        self, principal: Principal, project_id: str | None, page_request: PageRequest
    ) -> ItemPage[CompositionRecord]:
        """List the tenant's compositions and, with a project, the project's."""

        def work(connection: Connection) -> list[CompositionRecord]:
            _require(connection, principal, "composition.read", project_id)
            return composition_rows.list_page(
                connection, principal.tenant_id, project_id, page_request
            )

        found = await self.database.read(work)
        return make_page(found, page_request, lambda one: (one.created_at, one.composition.id))

    async def get(self, principal: Principal, composition_id: str) -> CompositionRecord:
        """Return one."""
        return await self.database.read(
            lambda c: _find(c, principal, composition_id, "composition.read")
        )

    async def check(
        self, principal: Principal, project_id: str | None, wishes: CompositionChanges
    ) -> tuple[str, ...]:
        """List what is wrong with a composition that is not stored yet."""

        def work(connection: Connection) -> Sequence[ToolComposition]:
            _require(connection, principal, "composition.read", project_id)
            return composition_rows.list_visible(connection, principal.tenant_id, project_id)

        made = replace(_EMPTY, **wishes.given())
        others = await self.database.read(work)
        return (*find_template_problems(made), *find_name_problems(made, others))

    async def create(
        self, principal: Principal, project_id: str | None, wishes: CompositionChanges
    ) -> CompositionRecord:
        """Store a composition for the tenant, or for a project."""
        now = self.clock()
        made = CompositionRecord(
            composition=_apply(replace(_EMPTY, id=new_id()), wishes),
            project_id=project_id or WHOLE_TENANT,
            usage_count=0,
            created_by=principal.user_id,
            number=1,
            created_at=now,
            updated_at=now,
        )

        def work(connection: Connection) -> CompositionRecord:
            find_tenant(connection, principal.tenant_id, lock=True)
            _require(connection, principal, "composition.change", project_id)
            _check_names(connection, principal, made.composition, project_id)
            there = composition_rows.count(connection, principal.tenant_id)
            if there >= COMPOSITIONS_PER_TENANT_MAX:
                raise LimitReachedError(
                    f"The tenant has its {COMPOSITIONS_PER_TENANT_MAX:,} compositions. "
                    "Delete one first."
                )
            values = _definition(made.composition) | {
                "id": made.composition.id,
                "project_id": made.project_id,
                "success_count": 0,
                "failure_count": 0,
                "usage_count": 0,
                "created_by": made.created_by,
                "number": 1,
                "created_at": now,
                "updated_at": now,
            }
            try:
                composition_rows.add(connection, principal.tenant_id, values)
            except IntegrityError as error:
                raise _taken(made.composition.name) from error
            self._record(connection, principal, "composition.create", made)
            return made

        return await self.database.write(work)

    async def change(
        self,
        principal: Principal,
        composition_id: str,
        wishes: CompositionChanges,
        number: int | None = None,
    ) -> CompositionRecord:
        """Change what is given; with `number`, only if nobody else changed it since.

        What calls other tools, or calls them otherwise, is rated by its executions from now on.
        """

        def work(connection: Connection) -> CompositionRecord:
            find_tenant(connection, principal.tenant_id, lock=True)
            old = _find(connection, principal, composition_id, "composition.change")
            composition = _apply(old.composition, wishes)
            _check_names(connection, principal, composition, old.project_id)
            values = _definition(composition) | {"updated_at": self.clock()}
            # Else they are left alone: an execution may be counted at this moment.
            if _calls(composition) != _calls(old.composition):
                anew = {"success_count": 0, "failure_count": 0}
                composition, values = replace(composition, **anew), values | anew
            fresh = number is None or number == old.number
            try:
                if not fresh or not composition_rows.change(
                    connection, principal.tenant_id, old, values
                ):
                    raise ConflictError(
                        "Somebody else changed the composition meanwhile. Read it again."
                    )
            except IntegrityError as error:
                raise _taken(composition.name) from error
            composition_rows.keep_members(connection, principal.tenant_id, composition)
            self._record(connection, principal, "composition.change", old)
            return replace(
                old,
                composition=composition,
                number=old.number + 1,
                updated_at=values["updated_at"],
            )

        return await self.database.write(work)

    async def delete(self, principal: Principal, composition_id: str) -> None:
        """Delete one; runs that have it go on with it."""

        def work(connection: Connection) -> None:
            find_tenant(connection, principal.tenant_id, lock=True)
            old = _find(connection, principal, composition_id, "composition.change")
            composition_rows.remove(connection, principal.tenant_id, composition_id)
            self._record(connection, principal, "composition.delete", old)

        await self.database.write(work)

    async def read_members(
        self, principal: Principal, composition_id: str
    ) -> dict[str, MemberStatistics]:
        """Return what was measured of the members of a composition, by tool."""

        def work(connection: Connection) -> dict[str, MemberStatistics]:
            _find(connection, principal, composition_id, "composition.read")
            return composition_rows.read_members(connection, principal.tenant_id, composition_id)

        return await self.database.read(work)

    def _record(
        self, connection: Connection, principal: Principal, action: str, one: CompositionRecord
    ) -> None:
        self.audit.record(
            connection, principal.tenant_id, principal.actor, action,
            f"composition:{one.composition.id}",
            {"name": one.composition.name, "project_id": one.project_id},
        )  # fmt: skip


def _apply(old: ToolComposition, wishes: CompositionChanges) -> ToolComposition:
    new = replace(old, **wishes.given())
    validate_text(new.description, "description")
    check_template(new)
    return new


def _check_names(
    connection: Connection,
    principal: Principal,
    composition: ToolComposition,
    project_id: str | None,
) -> None:
    others = composition_rows.list_visible(connection, principal.tenant_id, project_id)
    problems = [*find_name_problems(composition, others)]
    if problems:
        raise ValidationError(
            f"the composition {composition.name!r} cannot work: {'; '.join(problems)}."
        )


def _definition(composition: ToolComposition) -> dict[str, Any]:
    return {
        "name": composition.name,
        "description": composition.description,
        **_calls(composition),
    }


def _calls(composition: ToolComposition) -> dict[str, Any]:
    """Return what decides which tools are called, and how."""
    return {
        "tools": list(composition.tools),
        "execution_template": dict(composition.execution_template),
        "fallback_alternatives": {
            name: list(others) for name, others in composition.fallback_alternatives.items()
        },
    }


def _require(
    connection: Connection, principal: Principal, action: Action, project_id: str | None
) -> None:
    require_in_scope(connection, principal, action, "composition", project_id, shared=True)


def _find(
    connection: Connection, principal: Principal, composition_id: str, action: Action
) -> CompositionRecord:
    found = composition_rows.find(connection, principal.tenant_id, composition_id)
    if found is None:
        raise NotFoundError(f"There is no composition {composition_id[:80]!r}.")
    _require(connection, principal, action, found.project_id)
    return found


def _taken(name: str) -> ConflictError:
    return ConflictError(f"There is a composition {name[:80]!r} here already. Choose another name.")
