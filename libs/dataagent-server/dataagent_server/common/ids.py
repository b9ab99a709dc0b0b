"""The ids only a server has, and the two that every installation starts with."""

from typing import Final, NewType

TenantId = NewType("TenantId", str)

# The terminal's tenant and user, so that terminal and server show the same sessions.
DEFAULT_TENANT: Final = TenantId("local")
DEFAULT_ADMIN: Final = "local"
