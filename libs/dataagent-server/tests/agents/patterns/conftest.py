"""The fixtures of `support/installation.py`."""

from installation import configured_keys, installation, keyring

__all__ = ["configured_keys", "installation", "keyring"]
