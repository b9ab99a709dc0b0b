"""On which terms a model call is made, where they are not those of the conversation's own calls.

They hold for the calls made within `on_terms`: a call goes through many hands before it is paid for
(`spending.py`), none of which has a say in them.
"""

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class CallTerms:
    """How long an answer may be, and whether a run waits for somebody to raise a budget."""

    answer_tokens_max: int | None = None
    waits_for_budget: bool = True


_USUAL = CallTerms()
_TERMS: ContextVar[CallTerms] = ContextVar("model_call_terms", default=_USUAL)


@contextmanager
def on_terms(terms: CallTerms) -> Generator[None]:
    """Let the calls made within be made on these terms."""
    token = _TERMS.set(terms)
    try:
        yield
    finally:
        _TERMS.reset(token)


def call_terms() -> CallTerms:
    """Give the terms of the call that is being made."""
    return _TERMS.get()
