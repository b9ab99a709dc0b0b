"""Making the secrets that are shown once: API keys, log-ins, one-time tokens.

All are long and random, so a fast keyed hash protects them (`Keyring.hashes`); slow hashes are for
what people choose (`passwords.py`).
"""

import secrets
from dataclasses import dataclass, field

_SECRET_BYTES = 32
_KEY_ID_BYTES = 6


@dataclass(frozen=True, slots=True)
class NewKey:
    """A key as it is shown, once, and the part of it that may be shown again."""

    key_id: str
    secret: str = field(repr=False)

    @property
    def prefix(self) -> str:
        return f"da_{self.key_id}"


def new_api_key() -> NewKey:
    """Make an API key, `da_ID_SECRET`: what it is can be told when it is found in a log."""
    key_id = secrets.token_hex(_KEY_ID_BYTES)
    return NewKey(key_id, f"da_{key_id}_{secrets.token_hex(_SECRET_BYTES)}")


def new_token() -> str:
    """Make a secret for a cookie or a URL."""
    return secrets.token_urlsafe(_SECRET_BYTES)
