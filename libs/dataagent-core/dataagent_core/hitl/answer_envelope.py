"""The envelope of an answer that goes back into the run: the decision and who gave it.

The log says who answered; a value that a client sends is replaced. `BY_TIMEOUT` replaces the user
when nobody answered in time, `BY_NOBODY` where nobody can be asked.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

_BY_KEY = "answered_by"
BY_TIMEOUT: Final = "timeout"
BY_NOBODY: Final = "no handler"


def make_answer_envelope(decision: Mapping[str, Any], by: str | None) -> dict[str, Any]:
    """Make what the waiting call receives."""
    return {**decision, _BY_KEY: by}


def find_answerer(handed: object) -> str | None:
    """Say who gave an answer; None where nobody is known."""
    by = cast("dict[str, Any]", handed).get(_BY_KEY) if isinstance(handed, dict) else None
    return by if isinstance(by, str) else None
