"""Parameters that several routes share."""

from typing import Annotated, Final

from fastapi import Header, Path, Query

from dataagent_server.api.limits import IDEMPOTENCY_KEY_CHARS_MAX, SEQ_MAX
from dataagent_server.api.models.fields import ID_PATTERN

SessionPath = Annotated[str, Path(alias="session_id", pattern=ID_PATTERN)]
ConversationPath = Annotated[str, Path(alias="conversation_id", pattern=ID_PATTERN)]
RunPath = Annotated[str, Path(alias="run_id", pattern=ID_PATTERN)]
Seq = Annotated[int, Query(ge=0, le=SEQ_MAX)]

_VISIBLE: Final = rf"^[!-~]{{1,{IDEMPOTENCY_KEY_CHARS_MAX}}}$"
IdempotencyHeader = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        pattern=_VISIBLE,
        description="A text of your choice; the same request under the same key is done once",
    ),
]
