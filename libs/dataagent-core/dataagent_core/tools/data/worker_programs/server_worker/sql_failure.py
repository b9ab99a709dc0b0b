"""Failures of a server as sentences for a person, never with a password in them."""

from collections.abc import Generator
from contextlib import contextmanager

from ..question_server import OwnQuestionError, QuestionError

_SECRET_CHARS_MIN = 3


@contextmanager
def hide_secret(secret: str) -> Generator[None]:
    """Let a failure's text through only after the secret was taken out of it."""
    try:
        yield
    except Exception as error:
        text = str(error)
        if len(secret) < _SECRET_CHARS_MIN or secret not in text:
            raise
        raise QuestionError(text.replace(secret, "***")) from None


def make_timeout_error(seconds: float) -> OwnQuestionError:
    """Say that the server stopped a statement because its time was up."""
    return OwnQuestionError(
        f"The query ran for {seconds:g} s, which is all it was given, and was stopped. Ask for "
        "less (a filter, fewer columns, an aggregate), or give it more time."
    )


def make_locked_error(seconds: float) -> OwnQuestionError:
    """Say that somebody else holds what was asked for."""
    return OwnQuestionError(
        f"Somebody else holds a lock on what was asked for, and {seconds:g} s of waiting did not "
        "help. Ask again later."
    )


def make_missing_error(text: str) -> QuestionError:
    """Say that a table or column is missing; the catalogue may be older than the table's end."""
    return QuestionError(
        f"{text.strip()}. If it was there a moment ago, the schema was changed: describe the "
        "source again."
    )
