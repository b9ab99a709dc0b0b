"""What happened in a session: our form, and S2's."""

from typing import Any

from pydantic import BaseModel, ConfigDict, Field


class EventList(BaseModel):
    """Events in the order of their numbers, each as the log has it."""

    model_config = ConfigDict(
        frozen=True,
        json_schema_extra={
            "examples": [
                {
                    "events": [
                        {"event_type": "text", "content": "Hello", "seq": 2, "run_id": "9f..."}
                    ],
                    "has_more": False,
                }
            ]
        },
    )

    events: list[dict[str, Any]]
    has_more: bool


class ConversationEvent(BaseModel):
    """One event as S2's clients read it."""

    model_config = ConfigDict(frozen=True)

    id: str
    event_type: str = Field(examples=["text_delta"])
    event_data: dict[str, Any]
    sequence_number: int
    created_at: str


class ConversationEventList(BaseModel):
    """Events in the order of their numbers (S2 §14.5)."""

    model_config = ConfigDict(frozen=True)

    events: list[ConversationEvent]
    has_more: bool
