"""The fixtures of `support/house.py`."""

from house import configured_keys, house, keyring

__all__ = ["configured_keys", "house", "keyring"]
