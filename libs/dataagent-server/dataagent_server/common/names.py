"""Validates the names that users give, and normalizes their spelling.

A name is shown to others, so it may not contain control characters, characters that turn the
writing direction, or characters that cannot be stored.
"""

import unicodedata
from typing import Final, Protocol

from dataagent_core.errors import ConfigurationError, ValidationError
from dataagent_core.models.providers import PROVIDERS
from dataagent_core.models.spec import parse_spec

NAME_CHARS_MAX: Final = 200
TEXT_CHARS_MAX: Final = 10_000
USERNAME_CHARS_MAX: Final = 128
MODEL_PROVIDERS: Final = tuple(name for name in PROVIDERS if name != "scripted")

# Control, surrogate, unassigned and private characters, line and paragraph separators.
_REFUSED: Final = frozenset({"Cc", "Cs", "Cn", "Co", "Zl", "Zp"})
_TURNING: Final = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
_IN_TEXT: Final = frozenset("\n\r\t")
_IN_USERNAME: Final = frozenset("._@+-")


def validate_name(text: str, what: str) -> str:
    """Return the normalized name, or raise with the reason why it is not valid."""
    name = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(name) <= NAME_CHARS_MAX:
        raise ValidationError(
            f"The {what} has {len(name):,} characters; give it 1 to {NAME_CHARS_MAX}."
        )
    _refuse_odd(name, what)
    return name


def validate_text(text: str, what: str) -> str:
    """Return a longer text, which may be empty and have lines."""
    if len(text) > TEXT_CHARS_MAX:
        raise ValidationError(
            f"The {what} has {len(text):,} characters, more than the {TEXT_CHARS_MAX:,} allowed."
        )
    _refuse_odd("".join(c for c in text if c not in _IN_TEXT), what)
    return text


def validate_model_name(text: str) -> str:
    """Return a model's full name, `provider:name`; not `scripted`, whose name is a file."""
    try:
        spec = parse_spec(validate_name(text, "model's name"))
    except ConfigurationError as error:
        raise ValidationError(str(error)) from None
    if spec.provider not in MODEL_PROVIDERS:
        raise ValidationError(
            f"{spec.provider[:80]!r} is not a provider here; these are: "
            f"{', '.join(MODEL_PROVIDERS)}."
        )
    return str(spec)


def validate_username(text: str) -> str:
    """Return a normalized user name; case and look-alike spellings do not matter."""
    name = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).strip()
    fine = all(c.isalnum() or c in _IN_USERNAME for c in name)
    if not fine or not 1 <= len(name) <= USERNAME_CHARS_MAX or not name[0].isalnum():
        raise ValidationError(
            f"{text[:80]!r} cannot be a user name: use 1 to {USERNAME_CHARS_MAX} letters, digits, "
            "'.', '_', '@', '+' or '-', starting with a letter or digit. An e-mail address is fine."
        )
    return name


def _refuse_odd(text: str, what: str) -> None:
    for character in text:
        if unicodedata.category(character) in _REFUSED or character in _TURNING:
            raise ValidationError(
                f"The {what} holds the character U+{ord(character):04X}, which cannot be shown or "
                "stored. Leave it out."
            )


class PersonNames(Protocol):
    """The names of a user."""

    @property
    def user_id(self) -> str: ...
    @property
    def username(self) -> str | None: ...
    @property
    def display_name(self) -> str: ...


def name_of(person: PersonNames) -> str:
    """Return the display name of a user, else the user name, else the id."""
    return person.display_name or person.username or person.user_id
