"""The cursor of a list of files: the last path shown, as a token."""

import base64
import binascii
import os

from dataagent_core.errors import ValidationError


def write(path: str | None) -> str | None:
    """Make a token of a path."""
    if path is None:
        return None
    return base64.urlsafe_b64encode(os.fsencode(path)).decode().rstrip("=")


def read(token: str | None) -> str | None:
    """Read a token."""
    if not token:
        return None
    try:
        padded = token + "=" * (-len(token) % 4)
        return os.fsdecode(base64.b64decode(padded, b"-_", validate=True)) or None
    except (binascii.Error, ValueError):
        raise ValidationError(
            f"after={token[:80]!r} is not a place in a list. Use `next` of the page before."
        ) from None
