"""`***` stands for a secret: it is never shown, and `***` sent back keeps it. Pure."""

from collections.abc import Mapping
from typing import Final, Literal
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from dataagent_core.errors import ValidationError

STARS: Final = "***"
_QUOTED_STARS: Final = "%2A%2A%2A"


def mask_values(values: Mapping[str, str]) -> dict[str, str]:
    """Return the names with masked values."""
    return dict.fromkeys(values, STARS)


def mask_url(url: str) -> str:
    """Return an address without the values of its query: many servers take a key there."""
    parts = urlsplit(url)
    if not parts.query:
        return url
    names = (name for name, _ in parse_qsl(parts.query, keep_blank_values=True))
    return urlunsplit(parts._replace(query=urlencode(dict.fromkeys(names, STARS), safe="*")))


def restore_values(
    what: str, given: Mapping[str, str] | Literal["***"], before: Mapping[str, str]
) -> tuple[dict[str, str], list[str]]:
    """Replace `***` by the stored values, and return which were kept."""
    if given == STARS:
        if not before:
            raise ValidationError(
                f"{what} is {STARS!r}, which keeps what is stored, and nothing is."
            )
        return dict(before), list(before)
    kept = [name for name, value in given.items() if value == STARS]
    for name in kept:
        if name not in before:
            raise ValidationError(
                f"{what} {name[:80]!r} is {STARS!r}, which keeps a stored value, and none is "
                "stored. Enter the value."
            )
    return {**given, **{name: before[name] for name in kept}}, kept


def restore_url(given: str, before: str) -> str:
    """Return the stored address for its masked form."""
    if before and given in (STARS, mask_url(before)):
        return before
    if STARS in given or _QUOTED_STARS in given.upper():
        raise ValidationError(
            f"The url holds {STARS!r}. With another address its parameters must be entered again."
        )
    return given
