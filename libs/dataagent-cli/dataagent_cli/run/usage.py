"""Which arguments of `dataagent run` go together. Pure."""

from dataagent_cli.messages import Messages
from dataagent_core.errors import ValidationError


def check_combination(
    prompt: str | None, resume: str | None, session: str | None, say: Messages
) -> None:
    """Refuse an order that says two things or nothing."""
    if resume is not None and prompt is not None:
        raise ValidationError(say("prompt_or_resume"))
    if resume is not None and session is not None:
        raise ValidationError(say("resume_and_session"))
    if resume is None and prompt is None:
        raise ValidationError(say("prompt_missing"))
