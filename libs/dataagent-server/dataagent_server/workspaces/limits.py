"""Limits of workspaces, each named with its unit."""

from typing import Final

# Limits of S4's columns.
NAME_CHARS_MAX: Final = 128
SETTINGS_BYTES_MAX: Final = 64 * 1024
WORKSPACES_PER_USER_MAX: Final = 100
MEMBERS_PER_WORKSPACE_MAX: Final = 1_000
BYTES_MAX: Final = 1 << 50
FILES_MAX: Final = 100_000_000

RECONCILE_TRIES_MAX: Final = 3

# The lifetime of a reservation, and how often its owner renews it.
RESERVATION_S: Final = 900.0
RESERVATION_RENEWED_S: Final = 60.0
RESERVED_STEP_BYTES: Final = 4 * 1024 * 1024

# Limits of an upload, and how long its sender may be silent.
UPLOAD_FILES_MAX: Final = 100
UPLOAD_SILENT_S: Final = 120.0
UPLOAD_TRIES_MAX: Final = 3
PIECE_BYTES: Final = 256 * 1024

LIST_PAGE_DEFAULT: Final = 100
LIST_PAGE_MAX: Final = 1_000
LIST_DEEP_MAX: Final = 100
ACCESS_NOTED_S: Final = 60.0
SWEPT_AT_ONCE_MAX: Final = 1_000

# How long a file tool waits for the database.
DATABASE_S: Final = 30.0
