"""Creates secrets that are shown once: API keys, log-ins, one-time tokens.

All are long and random, so a fast keyed hash protects them (`Keyring.hashes`); slow hashes are for
passwords (`passwords.py`).
"""

import secrets
from dataclasses import dataclass, field

_SECRET_BYTES = 32
_KEY_ID_BYTES = 6


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key with its secret, and the part of it that may be shown again."""

    key_id: str
    secret: str = field(repr=False)

    @property
    def prefix(self) -> str:
        return f"da_{self.key_id}"


def new_api_key() -> NewKey:
    """Create an API key, `da_ID_SECRET`: its form is recognisable in a log."""
    key_id = secrets.token_hex(_KEY_ID_BYTES)
    return NewKey(key_id, f"da_{key_id}_{secrets.token_hex(_SECRET_BYTES)}")


def new_token() -> str:
    """Create a secret for a cookie or a URL."""
    return secrets.token_urlsafe(_SECRET_BYTES)
