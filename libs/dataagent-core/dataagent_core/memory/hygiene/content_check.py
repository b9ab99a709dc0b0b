"""What every memory must be, wherever it comes from: a text that can be stored and read."""

from dataagent_core.config.limits.memory import MEMORY_CONTENT_CHARS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.language.unicode_text import storable


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
