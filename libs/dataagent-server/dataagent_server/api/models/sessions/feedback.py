"""What people say of a finished run."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Annotated, Self

from pydantic import AfterValidator, Field, StringConstraints

from dataagent_core.config.limits import FEEDBACK_CHARS_MAX
from dataagent_core.events import FeedbackEvent
from dataagent_core.events.feedback import Rating
from dataagent_core.language.unicode_text import storable
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import without_nul

_Correction = Annotated[
    str,
    StringConstraints(max_length=FEEDBACK_CHARS_MAX),
    AfterValidator(without_nul),
    AfterValidator(storable),
]


class FeedbackBody(RequestModel):
    """A thumb, a correction, or both; both empty take back what you said."""

    rating: Rating = ""
    correction: _Correction = Field(
        default="", description="What should have been different; patterns take it over"
    )


class FeedbackInfo(ResponseModel):
    """The last word of one person."""

    user_id: str | None
    rating: Rating
    correction: str
    created_at: datetime


class RunFeedbackInfo(ResponseModel):
    """What people say of a run, one entry for each person."""

    run_id: str
    feedback: list[FeedbackInfo]

    @classmethod
    def of(cls, run_id: str, said: Iterable[FeedbackEvent]) -> Self:
        """Show feedback; of who took it back nothing."""
        return cls(
            run_id=run_id,
            feedback=[
                FeedbackInfo(
                    user_id=one.by,
                    rating=one.rating,
                    correction=one.correction,
                    created_at=datetime.fromtimestamp(one.timestamp, UTC),
                )
                for one in said
                if one.rating or one.correction
            ],
        )
