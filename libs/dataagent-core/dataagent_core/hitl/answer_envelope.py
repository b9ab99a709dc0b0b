"""An answer on its way back into the run: what was said, and by whom.

`BY_TIMEOUT` stands where a person would, when nobody answered in time.

Who said it is the log's to know, not the client's: what a client writes there is replaced.
"""

from collections.abc import Mapping
from typing import Any, Final, cast

_BY_KEY = "answered_by"
BY_TIMEOUT: Final = "timeout"


def handed_back(decision: Mapping[str, Any], by: str | None) -> dict[str, Any]:
    """Give what the waiting call receives."""
    return {**decision, _BY_KEY: by}


def answered_by(handed: object) -> str | None:
    """Say who gave an answer; None where nobody is known."""
    by = cast("dict[str, Any]", handed).get(_BY_KEY) if isinstance(handed, dict) else None
    return by if isinstance(by, str) else None
