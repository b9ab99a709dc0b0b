"""Secrets at rest: AES-256-GCM with the place they belong to bound in.

A ciphertext copied into another tenant's row, or under another name, does not decrypt: that place
is part of what the cipher authenticates.
"""

import base64
import binascii
import json
import os
from dataclasses import dataclass

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from dataagent_core.errors import StorageError
from dataagent_core.secrets.keyring import Keyring

_VERSION = "v1"
_NONCE_BYTES = 12


@dataclass(frozen=True, slots=True)
class SecretLocation:
    """Where a secret belongs: whose it is, what kind of thing, and which one."""

    tenant_id: str
    kind: str
    item_id: str

    def bound(self, key_id: str) -> bytes:
        """Write the place so that no two places look alike."""
        return json.dumps([_VERSION, key_id, self.tenant_id, self.kind, self.item_id]).encode()


class Cipher:
    """Encrypts under the current key and decrypts under any of the ring."""

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring

    def encrypt(self, secret: str, place: SecretLocation) -> str:
        """Return text to store in a column."""
        key = self._keyring.current
        nonce = os.urandom(_NONCE_BYTES)
        sealed = AESGCM(key.derive("encrypt")).encrypt(
            nonce, secret.encode(), place.bound(key.key_id)
        )
        body = base64.b64encode(nonce + sealed).decode()
        return f"{_VERSION}.{key.key_id}.{body}"

    def decrypt(self, stored: str, place: SecretLocation) -> str:
        """Return the secret; what was moved or changed is a `StorageError`."""
        version, _, rest = stored.partition(".")
        key_id, _, body = rest.partition(".")
        if version != _VERSION:
            raise _damaged(place)
        key = self._keyring.key(key_id)
        try:
            data = _decode(body)
            sealed = AESGCM(key.derive("encrypt")).decrypt(
                data[:_NONCE_BYTES], data[_NONCE_BYTES:], place.bound(key_id)
            )
        except (binascii.Error, ValueError, InvalidTag):
            raise _damaged(place) from None
        return sealed.decode()


def _decode(body: str) -> bytes:
    data = base64.b64decode(body, validate=True)
    # The last character has bits that are not read: another one there would pass as unchanged.
    if base64.b64encode(data).decode() != body:
        raise ValueError("not as it was written")
    return data


def _damaged(place: SecretLocation) -> StorageError:
    return StorageError(
        f"The stored secret of {place.kind} {place.item_id!r} was changed or belongs elsewhere. "
        "Enter it again."
    )
