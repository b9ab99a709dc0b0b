"""Core's `SourceStore` for one tenant and project; it reads the rows again for each query."""

from collections.abc import Sequence
from dataclasses import dataclass

from dataagent_core.tools.data.sources.source_spec import SourceSpec
from dataagent_server.common.ids import TenantId
from dataagent_server.data.sources import source_rows
from dataagent_server.data.sources.source_places import SourceLocations
from dataagent_server.data.sources.source_sealer import SourceSealer
from dataagent_server.db.database import Database
from dataagent_server.db.project_column import WHOLE_TENANT


@dataclass(frozen=True, slots=True)
class TenantSourceStore:
    """The sources visible from a project: its own, and those of the tenant."""

    database: Database
    sealer: SourceSealer
    places: SourceLocations
    tenant_id: TenantId
    project_id: str = WHOLE_TENANT

    async def listed(self) -> Sequence[SourceSpec]:
        """List them by name, without addresses: only `find` returns a checked address."""
        found = await self.database.read(
            lambda c: source_rows.list_visible(c, self.tenant_id, self.project_id)
        )
        return [
            SourceSpec(
                name=row["name"], kind=row["kind"], location="", description=row["description"]
            )
            for row in found
        ]

    async def find(self, name: str) -> SourceSpec | None:
        """Return the source of this name, if it exists and may still be queried."""
        found = await self.database.read(
            lambda c: source_rows.list_visible(c, self.tenant_id, self.project_id, name)
        )
        return await self.places.recheck(self.sealer.open(found[0])) if found else None
