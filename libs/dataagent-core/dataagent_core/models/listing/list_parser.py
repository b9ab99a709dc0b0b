"""Which models a server says it has. Pure; whatever it says is hostile.

Ollama lists at `/api/tags`, Google at its own `models`, all others at `/v1/models`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

MODELS_PER_SERVER_MAX = 200
MODEL_NAME_CHARS_MAX = 200

# They make vectors, not answers.
_EMBEDDING_NAMES = ("text-embedding", "nomic-embed", "mxbai-embed", "bge-", "all-minilm")


def ollama_models(listing: object) -> tuple[str, ...]:
    """Read the answer of `/api/tags`."""
    return _usable(
        entry.get("name") for entry in entries(listing, "models") if not _makes_vectors(entry)
    )


def openai_models(listing: object) -> tuple[str, ...]:
    """Read the answer of `/v1/models`."""
    return _usable(entry.get("id") for entry in entries(listing, "data"))


def google_models(listing: object) -> tuple[str, ...]:
    """Read the answer of Gemini's `models`."""
    chatting = (
        entry
        for entry in entries(listing, "models")
        if _chats(entry.get("supportedGenerationMethods"))
    )
    return _usable(str(entry.get("name", "")).removeprefix("models/") for entry in chatting)


def _chats(methods: object) -> bool:
    return isinstance(methods, list) and "generateContent" in methods


def entries(listing: object, key: str) -> Iterator[Mapping[str, Any]]:
    """Go through the tables of a list, leaving out what is none."""
    found = listing.get(key) if isinstance(listing, dict) else None
    for entry in found if isinstance(found, list) else ():
        if isinstance(entry, dict):
            yield entry


def _usable(names: Iterator[Any]) -> tuple[str, ...]:
    kept = [name for name in names if isinstance(name, str) and _is_name(name)]
    return tuple(dict.fromkeys(kept))[:MODELS_PER_SERVER_MAX]


def _is_name(name: str) -> bool:
    plain = 0 < len(name) <= MODEL_NAME_CHARS_MAX and name.isprintable() and " " not in name
    return plain and not name.lower().rpartition("/")[2].startswith(_EMBEDDING_NAMES)


def _makes_vectors(entry: Mapping[str, Any]) -> bool:
    details = entry.get("details")
    family = details.get("family") if isinstance(details, dict) else None
    return isinstance(family, str) and "bert" in family
