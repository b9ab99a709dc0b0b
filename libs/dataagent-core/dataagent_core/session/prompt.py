"""What a person may send; checked here, far from the engine, so that a refusal is instant."""

from collections.abc import Mapping
from typing import Any

from dataagent_core.config.limits import PROMPT_CHARS_MAX
from dataagent_core.errors import ValidationError

# How many characters of a message, from its beginning, the person wrote; the rest was handed in
# with it, from a file or another program, and may be anybody's.
OWN_WORDS_KEY = "own_words_chars"
# Where the rest came from, in a few words for a person.
OTHERS_WORDS_KEY = "others_words_from"


def check_prompt(text: str) -> None:
    """Refuse what is not worth a model call."""
    if not text.strip():
        raise ValidationError("the message is empty. Say what you want done.")
    if len(text) > PROMPT_CHARS_MAX:
        raise ValidationError(
            f"the message is longer than {PROMPT_CHARS_MAX:,} characters. "
            "Put long text into a file in the workspace and name it."
        )


def own_words(text: str, metadata: Mapping[str, Any]) -> str:
    """Give the part of a message that the person wrote themselves."""
    chars = metadata.get(OWN_WORDS_KEY)
    if isinstance(chars, int) and chars >= 0:
        return text[:chars]
    return "" if OWN_WORDS_KEY in metadata else text
