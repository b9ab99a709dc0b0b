"""Creates, reads, changes and deletes data sources.

Admins change a tenant's sources, and a project's owner those of the project. A shown source never
holds a password; to change an address, all of it must be entered again.
"""

from dataclasses import asdict, dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from sqlalchemy import Connection, RowMapping
from sqlalchemy.exc import IntegrityError

from dataagent_core.config.limits.data import SOURCES_MAX
from dataagent_core.errors import ConflictError, LimitReachedError, NotFoundError, ValidationError
from dataagent_core.tools.data.sources.read_options import ReadOptions, get_read_options
from dataagent_core.tools.data.sources.server_url import parse_server_address
from dataagent_core.tools.data.sources.source_names import remove_secrets
from dataagent_core.tools.data.sources.source_spec import RESULTS_SOURCE, SourceSpec
from dataagent_core.tools.data.sources.writes.source_write import find_write_url
from dataagent_server.common.ids import TenantId
from dataagent_server.common.names import validate_text
from dataagent_server.data.sources import source_rows
from dataagent_server.data.sources.data_source import DataSource, SourceChanges, validate_patterns
from dataagent_server.data.sources.source_places import SourceLocations
from dataagent_server.data.sources.source_sealer import SourceSealer
from dataagent_server.data.sources.tenant_sources import TenantSourceStore
from dataagent_server.db.database import Database
from dataagent_server.db.project_column import WHOLE_TENANT
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Action, Principal, may
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.projects.project_scope import make_resource, require_in_scope

_STARS = ":***@"


@dataclass(frozen=True, slots=True)
class DataSourceService:
    """The sources of the principal's own tenant; `project_id` None means the tenant's."""

    database: Database
    audit: AuditTrail
    sealer: SourceSealer
    places: SourceLocations
    clock: Clock = utc_now

    def open_store(self, tenant_id: TenantId, project_id: str | None) -> TenantSourceStore:
        """Open the store of the sources that an agent or a person may query."""
        scope = project_id or WHOLE_TENANT
        return TenantSourceStore(self.database, self.sealer, self.places, tenant_id, scope)

    async def require(self, principal: Principal, action: Action, project_id: str | None) -> None:
        """Raise unless the principal may, in an existing project."""
        await self.database.read(lambda c: _require(c, principal, action, project_id))

    async def list(self, principal: Principal, project_id: str | None) -> list[DataSource]:
        """List the sources visible from a project, or those of the tenant."""

        def work(connection: Connection) -> list[DataSource]:
            _require(connection, principal, "data_source.read", project_id)
            scope = project_id or WHOLE_TENANT
            found = source_rows.list_visible(connection, principal.tenant_id, scope)
            return [self._hide_path(connection, principal, row) for row in found]

        return await self.database.read(work)

    async def get(self, principal: Principal, name: str, project_id: str | None) -> DataSource:
        """Return a source that is visible from a project."""

        def work(connection: Connection) -> DataSource:
            _require(connection, principal, "data_source.read", project_id)
            scope = project_id or WHOLE_TENANT
            found = source_rows.list_visible(connection, principal.tenant_id, scope, name)
            if not found:
                raise _not_found(name)
            return self._hide_path(connection, principal, found[0])

        return await self.database.read(work)

    def _hide_path(
        self, connection: Connection, principal: Principal, row: RowMapping
    ) -> DataSource:
        """Hide paths on this machine from principals that may not change the source."""
        shown = self.sealer.show(row)
        if not shown.place.startswith("/"):
            return shown
        resource = make_resource(connection, principal.tenant_id, "data_source", shown.project_id)
        if may(principal, "data_source.change", resource):
            return shown
        return replace(shown, place=PurePosixPath(shown.place).name)

    async def create(
        self, principal: Principal, name: str, project_id: str | None, wishes: SourceChanges
    ) -> DataSource:
        """Create a source; nothing connects to it yet."""
        await self.require(principal, "data_source.change", project_id)
        if wishes.location is None:
            raise ValidationError("Give the location of the source.")
        if name == RESULTS_SOURCE:
            raise ValidationError(f"{name!r} names the earlier results. Choose another name.")
        spec = await self._apply_changes(await self.places.check(name, wishes.location), wishes)
        scope = project_id or WHOLE_TENANT
        now = self.clock()

        def work(connection: Connection) -> DataSource:
            _require(connection, principal, "data_source.change", project_id)
            if source_rows.count(connection, principal.tenant_id) >= SOURCES_MAX:
                raise LimitReachedError(
                    f"The tenant has its {SOURCES_MAX:,} sources. Delete one first."
                )
            identity = {
                "tenant_id": principal.tenant_id,
                "project_id": scope,
                "name": name,
                "owner_id": principal.user_id,
                "version": 1,
                "created_at": now,
                "updated_at": now,
            }
            try:
                source_rows.add(
                    connection,
                    {**identity, **self.sealer.seal(principal.tenant_id, scope, spec)},
                )
            except IntegrityError:
                raise ConflictError(
                    f"There is a source {name!r} already. Change it, or choose another name."
                ) from None
            return self._record_change(connection, principal, "data_source.create", scope, spec)

        return await self.database.write(work)

    async def change(
        self,
        principal: Principal,
        name: str,
        project_id: str | None,
        wishes: SourceChanges,
        version: int | None = None,
    ) -> DataSource:
        """Apply the changes; with `version`, only if nobody else changed it since."""
        scope = project_id or WHOLE_TENANT

        def look(connection: Connection) -> RowMapping:
            _require(connection, principal, "data_source.change", project_id)
            return _find(connection, principal.tenant_id, scope, name)

        old = await self.database.read(look)
        if version is not None and version != old["version"]:
            raise _conflict()
        before = self.sealer.open(old)
        base = before
        if wishes.location is not None and wishes.location != remove_secrets(before.location):
            _refuse_stars(wishes.location)
            checked = await self.places.check(name, wishes.location)
            base = replace(before, kind=checked.kind, location=checked.location)
            if checked.kind != "files":
                base = ReadOptions().applied_to(base)
        spec = await self._apply_changes(base, wishes)

        def work(connection: Connection) -> DataSource:
            _require(connection, principal, "data_source.change", project_id)
            values = self.sealer.seal(principal.tenant_id, scope, spec)
            values["updated_at"] = self.clock()
            if not source_rows.change(connection, principal.tenant_id, old, values):
                raise _conflict()
            return self._record_change(connection, principal, "data_source.change", scope, spec)

        return await self.database.write(work)

    async def delete(self, principal: Principal, name: str, project_id: str | None) -> None:
        """Delete a source; its data stays."""
        scope = project_id or WHOLE_TENANT

        def work(connection: Connection) -> None:
            _require(connection, principal, "data_source.change", project_id)
            _find(connection, principal.tenant_id, scope, name)
            source_rows.remove(connection, principal.tenant_id, scope, name)
            self._record(connection, principal, "data_source.delete", scope, name, {})

        await self.database.write(work)

    async def _apply_changes(self, spec: SourceSpec, wishes: SourceChanges) -> SourceSpec:
        """Apply the changes to the current spec of a source."""
        changes: dict[str, Any] = {}
        for name in ("personal", "not_personal", "hidden"):
            patterns = getattr(wishes, name)
            if patterns is not None:
                changes[name] = validate_patterns(patterns, name)
        if wishes.description is not None:
            changes["description"] = validate_text(wishes.description, "description")
        if wishes.read_only_confirmed is not None:
            changes["read_only_confirmed"] = wishes.read_only_confirmed
        known = spec.write_url
        if wishes.write_url == "":
            changes["write_url"] = None
        elif wishes.write_url is not None and wishes.write_url != (
            remove_secrets(known) if known else None
        ):
            _refuse_stars(wishes.write_url)
            changes["write_url"] = wishes.write_url
        reading = wishes.reading.over(get_read_options(spec))
        reading.refuse_unless_files(spec)
        new = reading.applied_to(replace(spec, **changes))
        if new.write_url is not None:
            parse_server_address(find_write_url(new))
            await self.places.resolve(new.write_url)
        return new

    def _record_change(
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        scope: str,
        spec: SourceSpec,
    ) -> DataSource:
        row = source_rows.find(connection, principal.tenant_id, scope, spec.name)
        assert row is not None
        detail = {
            "place": remove_secrets(spec.location),
            "location": self.audit.digest(spec.location),
            "write_url": self.audit.digest(spec.write_url) if spec.write_url else None,
            "hidden": list(spec.hidden),
            "personal": list(spec.personal),
            "not_personal": list(spec.not_personal),
            "reading": asdict(get_read_options(spec)),
        }
        self._record(connection, principal, action, scope, spec.name, detail)
        return self.sealer.show(row)

    def _record(  # noqa: PLR0917 (the audit's own order)
        self,
        connection: Connection,
        principal: Principal,
        action: str,
        scope: str,
        name: str,
        detail: dict[str, Any],
    ) -> None:
        resource = f"data_source:{scope}/{name}" if scope else f"data_source:{name}"
        self.audit.record(
            connection, principal.tenant_id, principal.actor, action, resource, detail
        )


def _require(
    connection: Connection, principal: Principal, action: Action, project_id: str | None
) -> None:
    require_in_scope(connection, principal, action, "data_source", project_id)


def _find(connection: Connection, tenant_id: TenantId, scope: str, name: str) -> RowMapping:
    row = source_rows.find(connection, tenant_id, scope, name)
    if row is None:
        raise _not_found(name)
    return row


def _not_found(name: str) -> NotFoundError:
    return NotFoundError(f"There is no source {name[:80]!r}.")


def _conflict() -> ConflictError:
    return ConflictError("Somebody else changed the source meanwhile. Read it again.")


def _refuse_stars(url: str) -> None:
    if _STARS in url:
        raise ValidationError(
            "With another address the password must be entered again: a stored one is only sent "
            "where it was entered for."
        )
