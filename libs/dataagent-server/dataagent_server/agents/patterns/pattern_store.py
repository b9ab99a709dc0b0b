"""The patterns of a tenant: core's statements on this server's database.

Who may see or change which pattern is decided by `pattern_service.py`.
"""

from dataagent_core.patterns.sql import SqlPatternStore
from dataagent_server.common.ids import TenantId
from dataagent_server.db.database import Database
from dataagent_server.db.store_connection import StoreDatabase


def open_pattern_store(database: Database, tenant_id: TenantId) -> SqlPatternStore:
    """Open the patterns of a tenant."""
    return SqlPatternStore(StoreDatabase(database), tenant_id)
