"""S4, per-user workspaces: correctness properties 1 to 5."""

from tests.requirements.entry import Requirement, numbered

_SENTENCES = {
    1: "A user can neither read, write nor affect files in another user's workspace.",
    2: "A user's default workspace exists before their first run completes.",
    3: "An agent made for a user works in that user's default workspace.",
    4: "A workspace created with POST /workspaces appears in GET /workspaces.",
    5: "A workspace's configuration survives a restart of the server.",
}

S4: tuple[Requirement, ...] = numbered("S4", _SENTENCES, implemented=frozenset({1, 2, 3, 4, 5}))
