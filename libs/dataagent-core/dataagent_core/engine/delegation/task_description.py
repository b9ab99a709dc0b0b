"""The description of a task, all that its sub-agent knows: an empty one is refused at once."""

from typing import Annotated

from pydantic import AfterValidator, Field
from pydantic_core import PydanticCustomError


def _require_text(description: str) -> str:
    if not description.strip():
        raise PydanticCustomError(
            "empty_task", "it is empty; say what the sub-agent has to do, and what it must report"
        )
    return description


NextDescription = Annotated[
    str,
    AfterValidator(_require_text),
    Field(description="What to do with the report of the task before"),
]
TaskDescription = Annotated[
    str,
    AfterValidator(_require_text),
    Field(description="The task with all its context, and what the report must contain"),
]
