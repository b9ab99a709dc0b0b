"""How much a tenant may have and say of MCP servers; one server's fields are limited by core."""

from typing import Final

# A person's own servers are limited by the tenant's `max_mcp_servers` (S0).
SHARED_SERVERS_MAX: Final = 50
POLICY_ENTRIES_MAX: Final = 200
POLICY_TEXT_CHARS_MAX: Final = 256
# Whoever renews tokens and says nothing for so long is taken for dead; others look this often.
LOCK_LEASE_S: Final = 20.0
LOCK_PAUSE_S: Final = 0.05
# Sign-ins one person may have under way; the oldest makes room.
SIGN_INS_PER_USER_MAX: Final = 10
