"""The kinds of values a request may carry, each with its bounds.

NUL is refused everywhere: PostgreSQL cannot store it, and no person means it.
"""

from typing import Annotated, Final

from pydantic import AfterValidator, StringConstraints

from dataagent_core.config.limits import PROMPT_CHARS_MAX

ID_PATTERN: Final = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"
_NAME_CHARS_MAX: Final = 200
_TEXT_CHARS_MAX: Final = 10_000


def without_nul(text: str) -> str:
    """Refuse the one character a database cannot hold."""
    if "\x00" in text:
        message = "it holds the character NUL, which cannot be stored"
        raise ValueError(message)
    return text


ChosenId = Annotated[str, StringConstraints(pattern=ID_PATTERN)]
Name = Annotated[
    str,
    StringConstraints(min_length=1, max_length=_NAME_CHARS_MAX, strip_whitespace=True),
    AfterValidator(without_nul),
]
# Empty: none of one's own choice.
ModelName = Annotated[
    str,
    StringConstraints(max_length=_NAME_CHARS_MAX, strip_whitespace=True),
    AfterValidator(without_nul),
]
Text = Annotated[str, StringConstraints(max_length=_TEXT_CHARS_MAX), AfterValidator(without_nul)]
Prompt = Annotated[
    str, StringConstraints(min_length=1, max_length=PROMPT_CHARS_MAX), AfterValidator(without_nul)
]
