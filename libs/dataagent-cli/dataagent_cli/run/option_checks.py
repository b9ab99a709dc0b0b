"""Checks combinations of arguments of `dataagent run`. Pure."""

from dataagent_cli.messages import Messages
from dataagent_cli.run.run_request import RunRequest
from dataagent_core.errors import ValidationError


def check_combination(
    prompt: str | None,
    resume: str | None,
    session: str | None,
    say: Messages,
    *,
    schema: bool,
    planning: bool,
) -> None:
    """Refuse arguments that contradict each other, or that ask for nothing."""
    if resume is not None and prompt is not None:
        raise ValidationError(say("prompt_or_resume"))
    if resume is not None and session is not None:
        raise ValidationError(say("resume_and_session"))
    if resume is not None and schema:
        raise ValidationError(say("resume_and_schema"))
    if resume is not None and planning:
        raise ValidationError(say("resume_and_planning"))
    if resume is None and prompt is None:
        raise ValidationError(say("prompt_missing"))


def check_for_server(request: RunRequest, say: Messages) -> None:
    """Refuse what only this machine can do."""
    given = {
        "--model": request.model is not None,
        "--workspace": request.workspace is not None,
        "--timeout": request.timeout_s is not None,
        "--sandbox": request.sandbox_type is not None,
        "--sandbox-id": request.sandbox_id is not None,
        "--unsafe-host-shell": request.unsafe_host_shell,
        "--schema": request.answer_schema is not None,
    }
    for option, is_given in given.items():
        if is_given:
            raise ValidationError(say("remote_not_with", option=option))
