"""Creates, reads, changes and deletes projects.

The sessions of a deleted project stay, without a project. A refusal would tell its owner that
others have sessions there, which only they may see.
"""

from dataclasses import replace
from typing import Final

from sqlalchemy import Connection

from dataagent_core.errors import ConflictError, LimitReachedError, NotFoundError
from dataagent_core.ids import new_id
from dataagent_server.common.ids import TenantId
from dataagent_server.common.names import validate_model_name, validate_name, validate_text
from dataagent_server.common.pagination import ItemPage, PageRequest, make_page
from dataagent_server.db.database import Database
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Principal, Resource, require
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.projects import project_rows
from dataagent_server.identity.projects.project import Project

PROJECTS_PER_TENANT_MAX: Final = 10_000


class ProjectService:
    """The projects of the principal's own tenant."""

    def __init__(self, database: Database, audit: AuditTrail, clock: Clock = utc_now) -> None:
        self._database = database
        self._audit = audit
        self._clock = clock

    async def create(
        self,
        principal: Principal,
        name: str,
        description: str = "",
        default_model: str | None = None,
    ) -> Project:
        """Create a project of the principal."""
        require(principal, "project.create", _resource(principal, principal.user_id))
        now = self._clock()
        project = Project(
            project_id=new_id(),
            owner_id=principal.user_id,
            name=validate_name(name, "name"),
            description=validate_text(description, "description"),
            default_model=validate_model_name(default_model) if default_model else None,
            version=1,
            created_at=now,
            updated_at=now,
        )

        def work(connection: Connection) -> Project:
            if (
                project_rows.count_projects(connection, principal.tenant_id)
                >= PROJECTS_PER_TENANT_MAX
            ):
                raise LimitReachedError(
                    f"The tenant has its {PROJECTS_PER_TENANT_MAX:,} projects. Delete one first."
                )
            project_rows.add_project(connection, principal.tenant_id, project)
            self._record(connection, principal, "project.create", project)
            return project

        return await self._database.write(work)

    async def get(self, principal: Principal, project_id: str) -> Project:
        """Return a project."""
        project = await self._database.read(lambda c: _find(c, principal, project_id))
        require(principal, "project.read", _resource(principal, project.owner_id))
        return project

    async def list(self, principal: Principal, page_request: PageRequest) -> ItemPage[Project]:
        """List the tenant's projects."""
        require(principal, "project.read", _resource(principal, None))
        found = await self._database.read(
            lambda c: project_rows.list_projects(c, principal.tenant_id, page_request)
        )
        return make_page(
            found, page_request, lambda project: (project.created_at, project.project_id)
        )

    async def change(
        self,
        principal: Principal,
        project_id: str,
        *,
        name: str | None = None,
        description: str | None = None,
        default_model: str | None = None,
        version: int | None = None,
    ) -> Project:
        """Change the given fields; with `version`, only if nobody else changed it since.

        An empty `default_model` leaves the choice to the tenant.
        """
        new_model = validate_model_name(default_model) if default_model else None
        new_name = None if name is None else validate_name(name, "name")
        new_text = None if description is None else validate_text(description, "description")

        def work(connection: Connection) -> Project:
            old = _find(connection, principal, project_id)
            require(principal, "project.change", _resource(principal, old.owner_id))
            now = self._clock()
            new = replace(
                old,
                name=old.name if new_name is None else new_name,
                description=old.description if new_text is None else new_text,
                default_model=old.default_model if default_model is None else new_model,
                version=old.version + 1,
                updated_at=now,
            )
            fresh = version is None or version == old.version
            if not fresh or not project_rows.change_project(
                connection, principal.tenant_id, old, new, now
            ):
                raise ConflictError("Somebody else changed the project meanwhile. Read it again.")
            self._record(connection, principal, "project.change", new)
            return new

        return await self._database.write(work)

    async def default_model_of(self, tenant_id: TenantId, project_id: str | None) -> str | None:
        """Return the default model of a project, if it has one."""
        if project_id is None:
            return None
        found = await self._database.read(
            lambda c: project_rows.find_project(c, tenant_id, project_id)
        )
        return None if found is None else found.default_model

    async def delete(self, principal: Principal, project_id: str) -> None:
        """Delete a project; its sessions stay, without a project."""

        def work(connection: Connection) -> None:
            project = _find(connection, principal, project_id)
            require(principal, "project.change", _resource(principal, project.owner_id))
            project_rows.remove_project(connection, principal.tenant_id, project_id)
            self._record(connection, principal, "project.delete", project)

        await self._database.write(work)

    def _record(
        self, connection: Connection, principal: Principal, action: str, project: Project
    ) -> None:
        self._audit.record(
            connection, principal.tenant_id, principal.actor, action,
            f"project:{project.project_id}",
            {"name": project.name, "default_model": project.default_model},
        )  # fmt: skip


def _resource(principal: Principal, owner_id: str | None) -> Resource:
    return Resource(principal.tenant_id, "project", owner_id=owner_id)


def _find(connection: Connection, principal: Principal, project_id: str) -> Project:
    project = project_rows.find_project(connection, principal.tenant_id, project_id)
    if project is None:
        raise NotFoundError(f"There is no project {project_id!r}.")
    return project
