"""Which request headers a model may set, and which may follow a redirect to another host."""

import re
from collections.abc import Mapping

from dataagent_core.config.limits import WEB_HEADER_CHARS_MAX, WEB_REQUEST_HEADERS_MAX
from dataagent_core.errors import ValidationError

HeaderPairs = tuple[tuple[str, str], ...]

USER_AGENT = "DataAgent/0.1 (an agent acting for a person)"

_NAME = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_VALUE = re.compile(r"[\t\x20-\x7e]*")

# What frames the message or speaks to machines in between: the client's own to set.
_OURS = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "expect",
        "host",
        "keep-alive",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
# Any other header may be a credential (X-Api-Key ...), so it stays with the host it was meant for.
_HARMLESS = frozenset({"accept", "accept-language", "user-agent"})


def check_headers(headers: Mapping[str, str]) -> HeaderPairs:
    """Refuse headers that could split the request, misframe it or grow without end."""
    if len(headers) > WEB_REQUEST_HEADERS_MAX:
        raise ValidationError(
            f"{len(headers)} headers are more than the {WEB_REQUEST_HEADERS_MAX} allowed."
        )
    for name, value in headers.items():
        if not _NAME.fullmatch(name):
            raise ValidationError(f"{name!r:.100} is not the name of a header.")
        if not _VALUE.fullmatch(value):
            raise ValidationError(
                f"The header {name} holds a line break or another character that no header may "
                "hold. Use printable ASCII on one line."
            )
        if len(value) > WEB_HEADER_CHARS_MAX:
            raise ValidationError(
                f"The header {name} has {len(value):,} characters; {WEB_HEADER_CHARS_MAX:,} fit."
            )
        if name.lower() in _OURS or name.lower().startswith("proxy-"):
            raise ValidationError(f"The header {name} is set by the client itself. Leave it out.")
    return tuple(headers.items())


def drop_private_headers(headers: HeaderPairs) -> HeaderPairs:
    """Keep what may be shown to a host the headers were not written for."""
    return tuple((name, value) for name, value in headers if name.lower() in _HARMLESS)


def drop_body_headers(headers: HeaderPairs) -> HeaderPairs:
    """Leave off what described a body that is not sent any more."""
    return tuple((name, value) for name, value in headers if not _of_body(name))


def _of_body(name: str) -> bool:
    return name.lower().startswith("content-")
