"""Failures of a server as sentences for a person, never with a password in them."""

from collections.abc import Generator
from contextlib import contextmanager

from .serving import AskedWronglyError, OwnWordsError

_SECRET_CHARS_MIN = 3


@contextmanager
def told_without(secret: str) -> Generator[None]:
    """Let a failure's text through only after the secret was taken out of it."""
    try:
        yield
    except Exception as error:
        text = str(error)
        if len(secret) < _SECRET_CHARS_MIN or secret not in text:
            raise
        raise AskedWronglyError(text.replace(secret, "***")) from None


def too_slow(seconds: float) -> OwnWordsError:
    """Say that the server stopped a statement because its time was up."""
    return OwnWordsError(
        f"The query ran for {seconds:g} s, which is all it was given, and was stopped. Ask for "
        "less (a filter, fewer columns, an aggregate), or give it more time."
    )


def locked(seconds: float) -> OwnWordsError:
    """Say that somebody else holds what was asked for."""
    return OwnWordsError(
        f"Somebody else holds a lock on what was asked for, and {seconds:g} s of waiting did not "
        "help. Ask again later."
    )


def not_there(text: str) -> AskedWronglyError:
    """Say that a table or column is missing; the catalogue may be older than the table's end."""
    return AskedWronglyError(
        f"{text.strip()}. If it was there a moment ago, the schema was changed: describe the "
        "source again."
    )
