"""The stores of one tenant, for the engine, over the server's database."""

from collections.abc import Callable

from dataagent_core.session.stores.bundle import Stores
from dataagent_server.common.ids import TenantId

StoresOf = Callable[[TenantId], Stores]
