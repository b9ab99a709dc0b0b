"""Limits of what is shown at once of memories and of the knowledge graph."""

from typing import Final

COMMUNITIES_SHOWN_DEFAULT: Final = 200
COMMUNITIES_SHOWN_MAX: Final = 1_000
NODES_SHOWN_DEFAULT: Final = 500
NODES_SHOWN_MAX: Final = 5_000
TIMELINE_ITEMS_DEFAULT: Final = 200
TIMELINE_ITEMS_MAX: Final = 1_000
QUERY_ROWS_DEFAULT: Final = 50
QUERY_ROWS_MAX: Final = 500
QUERY_CHARS_MAX: Final = 4_000
# Of one type, on the page of what is known about a person.
KNOWN_MEMORIES_MAX: Final = 100
