"""Limits of the server's frame, each named with its unit; feature folders keep their own.

One that a person may want to change is a setting whose default stands here.
"""

from datetime import timedelta
from typing import Final

# What one server serves at once.
CONNECTIONS_MAX: Final = 200
REQUESTS_AT_ONCE_MAX: Final = 512
WORKERS_MAX: Final = 64

# What one request may cost.
REQUEST_ID_CHARS_MAX: Final = 64
BODY_BYTES_MAX: Final = 4 * 1024 * 1024
UPLOAD_BYTES_MAX: Final = 100 * 1024 * 1024
REQUEST_S_MAX: Final = 60.0
VALIDATION_PROBLEMS_SHOWN_MAX: Final = 20
VALIDATION_VALUE_SHOWN_CHARS_MAX: Final = 200

# How often one caller may ask: a bucket that holds `BURST` and fills at `PER_MINUTE`.
RATE_PER_MINUTE: Final = 1_200
RATE_BURST: Final = 200
RATE_CALLERS_KEPT_MAX: Final = 10_000

# A process that has not been heard of for this long is taken for dead.
LEASE_S: Final = 15.0

# How the server stops.
STOP_S: Final = 20
KEEP_ALIVE_S: Final = 15

# What one log line may hold.
LOG_TEXT_CHARS_MAX: Final = 8_000
PATH_SHOWN_CHARS_MAX: Final = 500

# What a reader of a WebSocket may send in one frame, and how many frames wait.
FRAME_BYTES_MAX: Final = 1024 * 1024
FRAMES_WAITING_MAX: Final = 16

# How long readiness asks each part.
READY_CHECK_S: Final = 2.0
READY_DISK_FREE_BYTES_MIN: Final = 100 * 1024 * 1024

# Housekeeping: workspaces, then what has expired; how long an agent remembers a quiet session.
SWEEP_S: Final = 300.0
TIDY_S: Final = 3_600.0
CHECKPOINTS_KEPT: Final = timedelta(days=90)
