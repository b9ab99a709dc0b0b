"""Validates the fields of a credential. Pure."""

from collections.abc import Mapping
from typing import Final

from dataagent_core.errors import ValidationError
from dataagent_core.models.providers import PROVIDERS, Provider
from dataagent_server.common.names import validate_name

UNCHANGED: Final = "***"
_KEY_CHARS_MAX: Final = 4_096
_SHOWN_CHARS: Final = 4
_SHOWN_FROM_CHARS: Final = 12

# Not `demo`, which needs no key, nor `scripted`, whose name is a file of the server.
OFFERED: Final[Mapping[str, Provider]] = {
    name: provider
    for name, provider in PROVIDERS.items()
    if provider.key_setting or provider.base_url_setting
}


def find_provider(name: str) -> Provider:
    """Find a provider that accepts credentials."""
    provider = OFFERED.get(name)
    if provider is None:
        raise ValidationError(
            f"{name[:80]!r} is not a provider with credentials; these are: {', '.join(OFFERED)}."
        )
    return provider


def validate_key(provider: Provider, key: str) -> str:
    """Return a provider's key, or raise with the reason why it is not one."""
    if provider.key_setting is None:
        raise ValidationError(f"{provider.title} takes no key; give its base_url.")
    if not key.isascii() or not key.isprintable() or " " in key or len(key) > _KEY_CHARS_MAX:
        raise ValidationError(
            f"The key holds what no key of {provider.title} holds: copy it again, without spaces "
            "or line ends."
        )
    return key


def validate_model(name: str) -> str:
    """Return a model's name, without its provider."""
    return validate_name(name, "model's name")


def last_four(key: str) -> str | None:
    """Return the last characters of a key that is long enough to keep the rest secret."""
    return key[-_SHOWN_CHARS:] if len(key) >= _SHOWN_FROM_CHARS else None
