"""The installation's secret keys, and what is made with them: keyed hashes and ciphertexts."""

from dataagent_core.secrets.cipher import Cipher, SecretLocation
from dataagent_core.secrets.keyfile import open_keyring
from dataagent_core.secrets.keyring import Keyring, SecretKey

__all__ = ["Cipher", "Keyring", "SecretKey", "SecretLocation", "open_keyring"]
