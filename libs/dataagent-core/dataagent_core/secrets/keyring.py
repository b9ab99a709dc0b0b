"""The secret keys of one installation: the first makes, every one of them checks.

No key is used directly. Each purpose derives its own, so that a hash made for one purpose is worth
nothing in another. Reading the file is `keyfile.py`'s.
"""

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from dataagent_core.errors import ConfigurationError

KEY_BYTES = 32

Purpose = Literal[
    "api-key", "web-session", "one-time", "csrf", "audit", "audit-digest", "encrypt", "mcp-state"
]


@dataclass(frozen=True, slots=True)
class SecretKey:
    """One key and the id that tells which one made a hash or a ciphertext."""

    key_id: str
    material: bytes = field(repr=False)

    def derive(self, purpose: Purpose) -> bytes:
        """Return this key's own key for one purpose."""
        return _derive(self.material, purpose)


@dataclass(frozen=True, slots=True)
class Keyring:
    """The current key, then those it replaced."""

    keys: Sequence[SecretKey]

    @property
    def current(self) -> SecretKey:
        return self.keys[0]

    def key(self, key_id: str) -> SecretKey:
        """Find the key that made something, or say how it can be had back."""
        for key in self.keys:
            if key.key_id == key_id:
                return key
        raise ConfigurationError(
            f"The secret key {key_id!r} is not in the key file, which holds "
            f"{', '.join(repr(key.key_id) for key in self.keys)}. Restore the key file that "
            "belongs to this database (DATAAGENT_HOME/secret.key or DATAAGENT_SECRET_KEY_FILE)."
        )

    def mac(self, purpose: Purpose, message: bytes, key_id: str | None = None) -> bytes:
        """Hash a message under the current key, or under the one named."""
        key = self.current if key_id is None else self.key(key_id)
        return hmac.digest(key.derive(purpose), message, hashlib.sha256)

    def hashes(self, purpose: Purpose, text: str) -> tuple[str, ...]:
        """Return the hashes a stored secret may have, the current key's first."""
        message = text.encode("utf-8", "surrogatepass")
        return tuple(self.mac(purpose, message, key.key_id).hex() for key in self.keys)


@lru_cache(maxsize=256)
def _derive(material: bytes, purpose: str) -> bytes:
    info = b"dataagent/v1/" + purpose.encode()
    return HKDF(algorithm=SHA256(), length=KEY_BYTES, salt=None, info=info).derive(material)
