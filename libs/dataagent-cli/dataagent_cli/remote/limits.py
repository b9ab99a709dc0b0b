"""Limits of requests to a server, each named with its unit."""

from typing import Final

CONNECT_S_MAX: Final = 10.0
# The server itself ends a request after a minute, and says so.
ANSWER_S_MAX: Final = 75.0
ANSWER_BYTES_MAX: Final = 64_000_000
ERROR_BYTES_MAX: Final = 64_000
ERROR_CHARS_MAX: Final = 600
# A tool's result is the largest field of an event.
FRAME_BYTES_MAX: Final = 64_000_000
FRAMES_WAITING_MAX: Final = 64

# How long a person's request is retried while the server does not answer.
PATIENCE_S_MAX: Final = 60.0
STOP_PATIENCE_S_MAX: Final = 10.0
BACKOFF_FIRST_S: Final = 0.25
BACKOFF_S_MAX: Final = 20.0

EVENTS_PAGE: Final = 1_000
# How far back the start of the last runs is searched for.
EVENTS_LOOKED_AT_MAX: Final = 20_000
MESSAGES_PAGE: Final = 200
MESSAGES_KEPT_MAX: Final = 500
QUESTIONS_MAX: Final = 10_000
SESSIONS_LISTED_MAX: Final = 50

FILE_NAMES_MAX: Final = 5_000
FILE_NAMES_PAGE: Final = 1_000
FILES_OF_EVENT_MAX: Final = 8
FILE_BYTES_MAX: Final = 20_000_000
FILES_KEPT_BYTES_MAX: Final = 60_000_000
# An event is shown after this time, with or without its pictures.
FILES_S_MAX: Final = 5.0

URL_CHARS_MAX: Final = 2_000
KEY_CHARS_MAX: Final = 500
LOGINS_MAX: Final = 100
LOGINS_FILE_BYTES_MAX: Final = 1_000_000
