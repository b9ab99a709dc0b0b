"""Limits of the live side."""

from typing import Final

# S2 §12.3: what a session's buffer keeps, and for how long after its last event.
BUFFER_EVENTS_MAX: Final = 100
BUFFER_CHARS_MAX: Final = 200_000
BUFFER_S: Final = 300.0
BUFFERED_SESSIONS_MAX: Final = 2_000
# How many of the oldest are looked at on each use: forgetting keeps up and never takes long.
FORGOTTEN_AT_ONCE_MAX: Final = 4

# How many events a reader takes at once.
READ_PAGE_EVENTS: Final = 200

# How often the database is asked what is new, where nothing else tells; and where something does,
# in case a notice was lost.
POLL_S: Final = 0.25
POLL_BESIDE_BUS_S: Final = 5.0
POLLED_SESSIONS_MAX: Final = 500

# How long a lost bus is left alone before it is tried again.
BUS_RETRY_S: Final = 1.0
BUS_RETRY_MAX_S: Final = 30.0
# Notices that wait to be sent; when more come, the oldest are left to polling.
NOTICES_WAITING_MAX: Final = 10_000
