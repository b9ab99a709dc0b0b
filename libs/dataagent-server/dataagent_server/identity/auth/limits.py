"""Limits of authentication, each named with its unit."""

from typing import Final

# Keys.
API_KEY_CHARS_MAX: Final = 512
CONFIGURED_KEY_CHARS_MIN: Final = 8
KEYS_PER_USER_MAX: Final = 50
KEY_LIFE_DAYS_MAX: Final = 3_650
LAST_USED_EVERY_S: Final = 60.0
PRINCIPALS_CACHED_MAX: Final = 10_000
PRINCIPAL_CACHED_S: Final = 5.0

# Passwords. Bounded above, because hashing a megabyte is expensive.
PASSWORD_CHARS_MIN: Final = 10
PASSWORD_CHARS_MAX: Final = 1_000
PASSWORD_HASHES_AT_ONCE_MAX: Final = 2
PASSWORD_HASHES_WAITING_MAX: Final = 32

# How often a wrong password may be tried.
LOGIN_WINDOW_S: Final = 900.0
LOGIN_FAILURES_PER_PAIR_MAX: Final = 5
LOGIN_FAILURES_PER_ADDRESS_MAX: Final = 30
LOGIN_FAILURES_PER_ACCOUNT_MAX: Final = 100
LOGIN_COUNTERS_KEPT_MAX: Final = 20_000

# How long a browser stays signed in: after its last request, and at most.
LOGIN_IDLE_S: Final = 7 * 86_400.0
LOGIN_LIFE_S: Final = 30 * 86_400.0
LOGINS_PER_USER_MAX: Final = 50

# One-time tokens.
SIGN_IN_URL_S: Final = 900.0
WS_TICKET_S: Final = 30.0
TOKEN_CHARS_MAX: Final = 256
