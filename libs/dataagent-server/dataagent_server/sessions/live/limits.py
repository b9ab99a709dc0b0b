"""Limits of live reading."""

from typing import Final

# S2 §12.3: what a session's buffer keeps, and for how long after its last event.
BUFFER_EVENTS_MAX: Final = 100
BUFFER_CHARS_MAX: Final = 200_000
BUFFER_S: Final = 300.0
BUFFERED_SESSIONS_MAX: Final = 2_000
# How many of the oldest are checked on each use: so removal keeps up and is never slow.
FORGOTTEN_AT_ONCE_MAX: Final = 4

# How many events a reader takes at once.
READ_PAGE_EVENTS: Final = 200

# How often the database is polled: without a bus, and with one in case a notice was lost.
POLL_S: Final = 0.25
POLL_BESIDE_BUS_S: Final = 5.0
POLLED_SESSIONS_MAX: Final = 500

# The pause before a lost bus is tried again.
BUS_RETRY_S: Final = 1.0
BUS_RETRY_MAX_S: Final = 30.0
# The queue of notices; when it is full, the oldest are left to polling.
NOTICES_WAITING_MAX: Final = 10_000
