"""What a person may send; checked here, far from the engine, so that a refusal is instant."""

from dataagent_core.config.limits import PROMPT_CHARS_MAX
from dataagent_core.errors import ValidationError


def check_prompt(text: str) -> None:
    """Refuse what is not worth a model call."""
    if not text.strip():
        raise ValidationError("the message is empty. Say what you want done.")
    if len(text) > PROMPT_CHARS_MAX:
        raise ValidationError(
            f"the message is longer than {PROMPT_CHARS_MAX:,} characters. "
            "Put long text into a file in the workspace and name it."
        )
