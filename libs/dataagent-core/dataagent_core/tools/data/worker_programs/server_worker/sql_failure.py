"""Makes the errors of a server for a person, without passwords."""

from collections.abc import Generator
from contextlib import contextmanager

from ..question_server import OwnQuestionError, QuestionError

_SECRET_CHARS_MIN = 3


@contextmanager
def hide_secret(secret: str) -> Generator[None]:
    """Remove a secret from the text of any error."""
    try:
        yield
    except Exception as error:
        text = str(error)
        if len(secret) < _SECRET_CHARS_MIN or secret not in text:
            raise
        raise QuestionError(text.replace(secret, "***")) from None


def make_timeout_error(seconds: float) -> OwnQuestionError:
    """Make the error of a statement that exceeded its time."""
    return OwnQuestionError(
        f"The query ran for {seconds:g} s, which is all it was given, and was stopped. Ask for "
        "less (a filter, fewer columns, an aggregate), or give it more time."
    )


def make_locked_error(seconds: float) -> OwnQuestionError:
    """Make the error of a lock that another session holds."""
    return OwnQuestionError(
        f"Somebody else holds a lock on what was asked for, and {seconds:g} s of waiting did not "
        "help. Ask again later."
    )


def make_missing_error(text: str) -> QuestionError:
    """Make the error of a missing table or column; the catalogue may be outdated."""
    return QuestionError(
        f"{text.strip()}. If it was there a moment ago, the schema was changed: describe the "
        "source again."
    )
