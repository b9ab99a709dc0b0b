"""The column `project_id` of what belongs to a tenant or to one of its projects.

It is empty for the whole tenant's: a key's column cannot be NULL.
"""

from typing import Final

from sqlalchemy import ColumnElement, Table, and_

from dataagent_server.common.ids import TenantId

WHOLE_TENANT: Final = ""


def is_visible(table: Table, tenant_id: TenantId, project_id: str | None) -> ColumnElement[bool]:
    """Select the tenant's rows and, with a project, the project's."""
    places = {WHOLE_TENANT, project_id or WHOLE_TENANT}
    return and_(table.c.tenant_id == tenant_id, table.c.project_id.in_(sorted(places)))
