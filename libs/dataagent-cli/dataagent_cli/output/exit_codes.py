"""The exit codes of the process; those of errors are in core's `errors.CODES`."""

from typing import TYPE_CHECKING, Final

from dataagent_core.errors import CODES

if TYPE_CHECKING:
    from dataagent_core.events.system import DoneReason

DONE: Final = 0
FAILED: Final = 1
WRONG_USE: Final = 2
PERSON_NEEDED: Final = 3
TIMED_OUT: Final = 4
CANCELLED: Final = 130

_BY_REASON: dict[str, int] = {
    "completed": DONE,
    "user_cancelled": CANCELLED,
    "rejected": PERSON_NEEDED,
    "timeout": TIMED_OUT,
    "budget": FAILED,
    "limit": FAILED,
}


def of_error(code: str) -> int:
    """Return the exit code of an error's code."""
    return CODES[code].exit_code if code in CODES else FAILED


def of_run(reason: "DoneReason | None", error_code: str | None) -> int:
    """Return the exit code of a run; one without an end and without an error waits for a person."""
    if reason is not None and reason in _BY_REASON:
        return _BY_REASON[reason]
    if error_code is not None:
        return of_error(error_code)
    return PERSON_NEEDED if reason is None else FAILED
