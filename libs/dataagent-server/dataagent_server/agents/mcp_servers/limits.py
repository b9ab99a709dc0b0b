"""Limits of a tenant's MCP servers; core limits the fields of one server."""

from typing import Final

# A user's own servers are limited by the tenant's `max_mcp_servers` (S0).
SHARED_SERVERS_MAX: Final = 50
POLICY_ENTRIES_MAX: Final = 200
POLICY_TEXT_CHARS_MAX: Final = 256
# The lease of the process that renews tokens, and how often others check it.
LOCK_LEASE_S: Final = 20.0
LOCK_PAUSE_S: Final = 0.05
# Pending sign-ins of one user; the oldest is dropped for a new one.
SIGN_INS_PER_USER_MAX: Final = 10
