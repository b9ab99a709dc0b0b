"""Stores and reads the semantic models of projects."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, RowMapping, and_, select, update
from sqlalchemy.exc import IntegrityError

from dataagent_core.config.limits.data import SEMANTIC_FILE_BYTES_MAX
from dataagent_core.errors import ConfigurationError, ConflictError, ValidationError
from dataagent_core.tools.data.semantic import SemanticModel, parse_model
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.project_column import WHOLE_TENANT
from dataagent_server.db.tables.data import semantic_models as table
from dataagent_server.identity.audit import AuditTrail
from dataagent_server.identity.auth import Action, Principal
from dataagent_server.identity.auth.clock import Clock, utc_now
from dataagent_server.identity.projects.project_scope import require_in_scope

_NAME = "The semantic model"


@dataclass(frozen=True, slots=True)
class StoredModel:
    """The text of a model. Version 0: there is none yet."""

    project_id: str | None
    text: str
    version: int
    updated_at: datetime | None


@dataclass(frozen=True, slots=True)
class SemanticModelService:
    """The models of the principal's own tenant; `project_id` None means the tenant's."""

    database: Database
    audit: AuditTrail
    clock: Clock = utc_now

    async def get(self, principal: Principal, project_id: str | None) -> StoredModel:
        """Return the model of exactly this project, or of the tenant."""

        def work(connection: Connection) -> StoredModel:
            _require(connection, principal, "semantic_model.read", project_id)
            return _make_stored(_find(connection, principal.tenant_id, project_id), project_id)

        return await self.database.read(work)

    async def put(
        self, principal: Principal, project_id: str | None, text: str, version: int | None = None
    ) -> StoredModel:
        """Store a valid model; it replaces the previous one."""
        _parse(text)
        scope = project_id or WHOLE_TENANT

        def work(connection: Connection) -> StoredModel:
            _require(connection, principal, "semantic_model.change", project_id)
            old = _find(connection, principal.tenant_id, project_id)
            seen = old["version"] if old else 0
            if version is not None and version != seen:
                raise _conflict()
            values: dict[str, Any] = {
                "text": text,
                "owner_id": principal.user_id,
                "version": seen + 1,
                "updated_at": self.clock(),
            }
            if old is None:
                _insert(connection, principal.tenant_id, scope, values)
            elif not connection.execute(
                update(table)
                .where(_is(principal.tenant_id, scope), table.c.version == seen)
                .values(**values)
            ).rowcount:
                raise _conflict()
            self.audit.record(
                connection, principal.tenant_id, principal.actor, "semantic_model.change",
                f"semantic_model:{scope}", {"text": self.audit.digest(text)},
            )  # fmt: skip
            return _make_stored(_find(connection, principal.tenant_id, project_id), project_id)

        return await self.database.write(work)

    async def model_for(self, tenant_id: TenantId, project_id: str | None) -> SemanticModel:
        """Read the model that applies in a project: its own, the tenant's, or none."""

        def work(connection: Connection) -> RowMapping | None:
            own = _find(connection, tenant_id, project_id)
            return own or _find(connection, tenant_id, None)

        row = await self.database.read(work)
        return SemanticModel() if row is None else _parse(row["text"])


def _parse(text: str) -> SemanticModel:
    """Parse a model from a request or a row."""
    if len(text.encode("utf-8", "replace")) > SEMANTIC_FILE_BYTES_MAX:
        raise ValidationError(f"{_NAME} has more than {SEMANTIC_FILE_BYTES_MAX:,} bytes.")
    try:
        return parse_model(text, _NAME)
    except ConfigurationError as error:
        raise ValidationError(str(error)) from error


def _insert(
    connection: Connection, tenant_id: TenantId, scope: str, values: dict[str, Any]
) -> None:
    identity = {"tenant_id": tenant_id, "project_id": scope, "created_at": values["updated_at"]}
    try:
        connection.execute(table.insert().values(**identity, **values))
    except IntegrityError:
        raise _conflict() from None


def _require(
    connection: Connection, principal: Principal, action: Action, project_id: str | None
) -> None:
    require_in_scope(connection, principal, action, "semantic_model", project_id)


def _find(connection: Connection, tenant_id: TenantId, project_id: str | None) -> RowMapping | None:
    query = select(table).where(_is(tenant_id, project_id or WHOLE_TENANT))
    return connection.execute(query).mappings().first()


def _is(tenant_id: TenantId, scope: str) -> Any:
    return and_(table.c.tenant_id == tenant_id, table.c.project_id == scope)


def _make_stored(row: RowMapping | None, project_id: str | None) -> StoredModel:
    if row is None:
        return StoredModel(project_id, "", 0, None)
    return StoredModel(project_id, row["text"], row["version"], row["updated_at"])


def _conflict() -> ConflictError:
    return ConflictError("Somebody else changed the semantic model meanwhile. Read it again.")
