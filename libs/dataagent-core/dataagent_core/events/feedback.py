"""What a person says of a finished run. `session/feedback.py` appends and reads it."""

from dataclasses import dataclass
from typing import Literal

from dataagent_core.events.base import ExecutionEvent

# The empty one takes a thumb back, or comes with a correction alone.
Rating = Literal["up", "down", ""]


@dataclass(frozen=True, kw_only=True, slots=True)
class FeedbackEvent(ExecutionEvent):
    """A person rated or corrected a finished run; the last one of each person on a run counts."""

    event_type: Literal["feedback"] = "feedback"
    rating: Rating = ""
    correction: str = ""
    target_run_id: str = ""
    by: str | None = None
