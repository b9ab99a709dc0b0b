"""Text that can be stored.

A model, a tool or a file name can hand us lone surrogates, which are no characters: UTF-8,
SQLite and msgpack refuse them, and a run must not die of one.
"""

from typing import Any


def storable(value: Any) -> Any:
    """Return the value itself if it can be encoded, else a copy with U+FFFD for what cannot."""
    match value:
        case str():
            try:
                value.encode()
            except UnicodeEncodeError:
                return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            return value
        case dict():
            return {storable(key): storable(item) for key, item in value.items()}
        case list():
            return [storable(item) for item in value]
        case _:
            return value
