"""S0's `DATAAGENT_API_KEYS`: keys of the operator, for the default tenant's admin.

They are never stored: a key that is removed from the setting stops working at the next start.
"""

from collections.abc import Iterable
from hmac import compare_digest

from pydantic import SecretStr

from dataagent_core.errors import ConfigurationError
from dataagent_core.secrets import Keyring
from dataagent_server.identity.auth.limits import API_KEY_CHARS_MAX, CONFIGURED_KEY_CHARS_MIN


class ConfiguredKeys:
    """The keys as hashes; each has an id for the audit log."""

    def __init__(self, keyring: Keyring, keys: Iterable[SecretStr] = ()) -> None:
        checked = check_configured_keys(keys)
        self._hashes = tuple(keyring.hashes("api-key", key)[0] for key in checked)

    def find(self, hashes: tuple[str, ...]) -> str | None:
        """Return the id of a presented key, if it is configured."""
        shown = hashes[0]
        # All are compared, so that the time does not reveal which one was close.
        found = [known for known in self._hashes if compare_digest(known, shown)]
        return _key_id(found[0]) if found else None

    def __contains__(self, key_id: str) -> bool:
        return any(_key_id(known) == key_id for known in self._hashes)


def check_configured_keys(keys: Iterable[SecretStr]) -> list[str]:
    """Return the keys as text, or raise for the first invalid one."""
    return [_validate_key(key, number) for number, key in enumerate(keys, 1)]


def _key_id(key_hash: str) -> str:
    return f"env-{key_hash[:12]}"


def _validate_key(key: SecretStr, number: int) -> str:
    text = key.get_secret_value()
    # A header is stripped in transport, and holds visible ASCII only.
    sendable = text.isascii() and text.isprintable() and text == text.strip()
    if not sendable or not CONFIGURED_KEY_CHARS_MIN <= len(text) <= API_KEY_CHARS_MAX:
        raise ConfigurationError(
            f"Key {number} of DATAAGENT_API_KEYS cannot be used: it is "
            f"{'empty' if not text.strip() else 'too short, too long or not sendable in a header'}."
            f" A key has {CONFIGURED_KEY_CHARS_MIN} to {API_KEY_CHARS_MAX} visible ASCII "
            "characters; make one with: openssl rand -hex 32"
        )
    return text
