"""What a caller may be given: a closed set of names, as tokens and documents spell them."""

from typing import Final, Literal, get_args

Scope = Literal[
    "data:read", "data:write", "files:read", "files:write", "sessions:read", "agent:run"
]
SCOPES: Final[tuple[Scope, ...]] = get_args(Scope)
EVERY_SCOPE: Final[frozenset[Scope]] = frozenset(SCOPES)
# What looks and changes nothing.
READ_SCOPES: Final[frozenset[Scope]] = frozenset({"data:read", "files:read", "sessions:read"})


def scopes_in(names: object) -> frozenset[Scope]:
    """Keep the names that are scopes; others are somebody else's."""
    given = names if isinstance(names, (list, tuple, set, frozenset)) else ()
    return frozenset(scope for scope in SCOPES if scope in given)
