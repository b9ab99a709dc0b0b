"""Limits of what REST, WebSocket and event streams have in common."""

from typing import Final

# How long `POST /chat` waits for its run; the run itself goes on.
CHAT_WAIT_S: Final = 600.0

# While a request is open: how often to check whether its run rests.
REST_CHECK_S: Final = 0.1

# How often the rights of a long reader are checked again (S2 appendix B).
RECHECK_S: Final = 300.0

# After a fault of the database a reader tries again.
READ_AGAIN_S: Final = 1.0

# How long one write to a reader may take before the reader is dropped.
SEND_S: Final = 60.0

# A quiet event stream sends a keep-alive (S2).
KEEPALIVE_S: Final = 15.0
# A quiet WebSocket has pings; this only bounds how late its rights are checked.
WEBSOCKET_QUIET_S: Final = 60.0

TOOL_EXECUTIONS_DEFAULT: Final = 100
TOOL_EXECUTIONS_MAX: Final = 1_000
EXECUTIONS_DEFAULT: Final = 20
EXECUTIONS_MAX: Final = 100
MESSAGES_MAX: Final = 1_000
PLANNING_TIMEOUT_MS_MIN: Final = 100
IDEMPOTENCY_KEY_CHARS_MAX: Final = 255
SEQ_MAX: Final = 2**63 - 1
