"""Replaces the ids in a message by one that is always the same. Pure.

Static vectors give the letters of a hash or a UUID some meaning, so which one stands in a message
would decide what fits. Left out altogether, they would make the words beside them weigh more.
"""

import re
from typing import Final

_UUID: Final = re.compile(
    r"(?<![^\W_])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![^\W_])", re.ASCII | re.IGNORECASE
)
# Four hexadecimal digits or more with one of 0 to 9, and a word with four digits: `7f3c5032`,
# 20241118, `secret000123b`; but not `p95`, `sha256`, `oauth2` or 503.
_ID: Final = re.compile(
    r"(?<![^\W_])(?:(?=[a-f]*[0-9])[0-9a-f]{4,}|(?:[a-z]*[0-9]){4}[a-z0-9]*)(?![^\W_])",
    re.ASCII | re.IGNORECASE,
)
_ANY_ID: Final = "0c0c0c0c"


def replace_uuids(message: str) -> str:
    """Return the message with the same id in place of each UUID, whose parts look like words."""
    return _UUID.sub(_ANY_ID, message)


def replace_ids(message: str) -> str:
    """Return the message with the same id in place of each of its own; numbers count as ids."""
    return _ID.sub(_ANY_ID, replace_uuids(message))
