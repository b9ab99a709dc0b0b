"""What every memory must be, wherever it comes from: a text that can be stored and read."""

import json

from dataagent_core.config.limits.memory import (
    MEMORY_CONTENT_CHARS_MAX,
    MEMORY_EXTRA_CHARS_MAX,
    MEMORY_QUOTE_CHARS_MAX,
    MEMORY_SUBJECT_CHARS_MAX,
)
from dataagent_core.errors import ValidationError
from dataagent_core.language.unicode_text import storable
from dataagent_core.memory.memory import MemoryMetadata


def check_content(content: str) -> None:
    """Refuse a text that is empty, too long, or that no database holds."""
    if not content.strip():
        raise ValidationError("The text of a memory is empty: say what is to be remembered.")
    if len(content) > MEMORY_CONTENT_CHARS_MAX:
        raise ValidationError(
            f"The text of a memory has {len(content):,} characters; at most "
            f"{MEMORY_CONTENT_CHARS_MAX:,} are kept. Say it in fewer words, or as several memories."
        )
    if "\0" in content or storable(content) != content:
        raise ValidationError(
            f"The text {content[:80]!r} of a memory holds signs that are no characters: leave them "
            "out."
        )


def check_bounds(metadata: MemoryMetadata) -> None:
    """Refuse what is kept beside the text and is too long."""
    kept = {
        "quote": (len(metadata.source.quote), MEMORY_QUOTE_CHARS_MAX),
        "subject": (len(metadata.subject or ""), MEMORY_SUBJECT_CHARS_MAX),
        "extra": (len(json.dumps(dict(metadata.extra))), MEMORY_EXTRA_CHARS_MAX),
    }
    for name, (count, limit) in kept.items():
        if count > limit:
            raise ValidationError(
                f"{name!r} of a memory has {count:,} characters; at most {limit:,} are kept. Leave "
                "some out."
            )
