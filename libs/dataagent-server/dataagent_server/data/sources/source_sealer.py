"""Converts rows to core's `SourceSpec` and back; addresses are encrypted, bound to their source.

A ciphertext moved to another tenant, project or name does not decrypt.
"""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import RowMapping

from dataagent_core.secrets import Cipher, SecretLocation
from dataagent_core.tools.data.sources.read_options import get_read_options
from dataagent_core.tools.data.sources.source_names import remove_secrets
from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_server.common.ids import TenantId
from dataagent_server.data.sources.data_source import DataSource

_LISTS = ("personal", "not_personal", "hidden")
_READING = ("dates", "decimals", "encoding")


@dataclass(frozen=True, slots=True)
class SourceSealer:
    """Encrypts and decrypts the addresses of sources."""

    cipher: Cipher

    def seal(self, tenant_id: TenantId, project_id: str, spec: SourceSpec) -> dict[str, Any]:
        """Return the columns a spec is stored in."""
        values: dict[str, Any] = {
            "kind": spec.kind,
            "description": spec.description,
            "read_only_confirmed": spec.read_only_confirmed,
            **{name: list(getattr(spec, name)) for name in _LISTS},
            **{name: getattr(spec, name) for name in _READING},
        }
        for column in ("location", "write_url"):
            text = getattr(spec, column)
            place = _secret_location(tenant_id, project_id, spec.name, column)
            values[column] = None if text is None else self.cipher.encrypt(text, place)
        return values

    def open(self, row: RowMapping) -> SourceSpec:
        """Return a source with its secrets."""
        return SourceSpec(
            name=row["name"],
            kind=row["kind"],
            location=self._open(row, "location") or "",
            write_url=self._open(row, "write_url"),
            description=row["description"],
            read_only_confirmed=row["read_only_confirmed"],
            personal=tuple(row["personal"]),
            not_personal=tuple(row["not_personal"]),
            hidden=tuple(row["hidden"]),
            dates=row["dates"],
            decimals=row["decimals"],
            encoding=row["encoding"],
        )

    def show(self, row: RowMapping) -> DataSource:
        """Return a source without its secrets."""
        spec = self.open(row)
        return DataSource(
            name=spec.name,
            project_id=row["project_id"] or None,
            owner_id=row["owner_id"],
            kind=spec.kind,
            dialect=spec.dialect,
            place=remove_secrets(spec.location),
            write_place=remove_secrets(spec.write_url) if spec.write_url else None,
            description=spec.description,
            read_only_confirmed=spec.read_only_confirmed,
            personal=spec.personal,
            not_personal=spec.not_personal,
            hidden=spec.hidden,
            reading=get_read_options(spec),
            version=row["version"],
            created_at=row["created_at"],
            updated_at=row["updated_at"],
        )

    def _open(self, row: RowMapping, column: str) -> str | None:
        if row[column] is None:
            return None
        place = _secret_location(TenantId(row["tenant_id"]), row["project_id"], row["name"], column)
        return self.cipher.decrypt(row[column], place)


def _secret_location(
    tenant_id: TenantId, project_id: str, name: str, column: str
) -> SecretLocation:
    # No id holds a slash, so the names of two sources differ.
    return SecretLocation(tenant_id, f"data source {column}", f"{project_id}/{name}")
