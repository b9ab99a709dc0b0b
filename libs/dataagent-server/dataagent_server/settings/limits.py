"""Limits of the server as a whole, each named with its unit; feature folders have their own.

A limit that an operator may change is a setting; its default is here.
"""

from datetime import timedelta
from typing import Final

from dataagent_core.config.limits import PROMPT_CHARS_MAX

# Parallel connections, requests and workers.
CONNECTIONS_MAX: Final = 200
REQUESTS_AT_ONCE_MAX: Final = 512
WORKERS_MAX: Final = 64
# How many times the free connections one of several tenants may hold, and how often the number of
# tenants is checked.
TIMES_FREE_PLACES_MAX: Final = 3
TENANTS_LOOKED_AT_S: Final = 5.0

# Limits of one request.
REQUEST_ID_CHARS_MAX: Final = 64
BODY_BYTES_MAX: Final = 4 * 1024 * 1024
UPLOAD_BYTES_MAX: Final = 100 * 1024 * 1024
REQUEST_S_MAX: Final = 60.0
VALIDATION_PROBLEMS_SHOWN_MAX: Final = 20

# The rate of one caller: a bucket that holds `BURST` and fills at `PER_MINUTE`.
RATE_PER_MINUTE: Final = 1_200
RATE_BURST: Final = 200
RATE_CALLERS_KEPT_MAX: Final = 10_000
# For this long an accepted credential is exempt from the limit of failures.
KNOWN_CALLER_S: Final = 86_400.0

# A process without a heartbeat for this long is considered dead.
LEASE_S: Final = 15.0

# Limits of the shutdown.
STOP_S: Final = 20
KEEP_ALIVE_S: Final = 15

# A connection is dropped after this long without an acknowledgement of sent data.
UNHEARD_S_MAX: Final = 120.0

# Limits of one log line.
LOG_TEXT_CHARS_MAX: Final = 8_000
PATH_SHOWN_CHARS_MAX: Final = 500

# What a reader of a WebSocket may send in one message, and how many messages wait. The longest
# prompt fits in any spelling: JSON may write one character as two escapes of six bytes. A message
# above that is refused and the connection stays; above a frame's limit the protocol itself closes
# the connection (1009), because the message would have to be held in memory to be refused.
ESCAPED_CHAR_BYTES_MAX: Final = 12
MESSAGE_BYTES_MAX: Final = PROMPT_CHARS_MAX * ESCAPED_CHAR_BYTES_MAX + 16 * 1024
FRAME_BYTES_MAX: Final = MESSAGE_BYTES_MAX + 1024 * 1024
FRAMES_WAITING_MAX: Final = 16

# The time limit of each readiness check.
READY_CHECK_S: Final = 2.0
READY_DISK_FREE_BYTES_MIN: Final = 100 * 1024 * 1024

# Housekeeping: workspaces, then what has expired; how long an agent remembers a quiet session.
SWEEP_S: Final = 300.0
# How often new episodes are read into the knowledge graph.
EPISODES_S: Final = 5.0
TIDY_S: Final = 3_600.0
CHECKPOINTS_KEPT: Final = timedelta(days=90)
