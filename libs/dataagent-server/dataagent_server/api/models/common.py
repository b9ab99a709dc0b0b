"""What every route may answer: an error, a page of a list."""

from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

T = TypeVar("T")


class ErrorResponse(BaseModel):
    """Every refusal and failure has this form (S0)."""

    model_config = ConfigDict(frozen=True)

    error_code: str = Field(description="What went wrong, for programs", examples=["NOT_FOUND"])
    message: str = Field(description="What went wrong and what to do, for people")
    details: dict[str, Any] | None = Field(default=None, description="More, where there is more")
    request_id: str = Field(default="", description="The request, as the server's log names it")


class Page(BaseModel, Generic[T]):
    """One page of a list; `next` continues it and is empty on the last page."""

    model_config = ConfigDict(frozen=True)

    items: list[T]
    next: str | None = Field(default=None, description="Give it as `after` to get the next page")
    total: int | None = Field(default=None, description="How many there are, where it is counted")
