"""A conversation, as lists and details show it (S0), and what can be asked of it."""

from datetime import datetime
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from dataagent_core.events.system import Mode
from dataagent_core.session import SessionState
from dataagent_core.session.search.text_match import Passage
from dataagent_core.session.state import Role
from dataagent_server.api.models.fields import ChosenId, JsonObject, Name
from dataagent_server.api.models.sessions.planning import SessionPlanning
from dataagent_server.identity.auth.principal import Principal, outranks
from dataagent_server.stores.session_lists import ListedSession
from dataagent_server.stores.session_planning import PLANNING_COLUMNS

Permission = Literal["owner", "admin", "answer", "view"]

_METADATA = "Anything of your own to keep with it, up to 16,000 characters as JSON"


class FoundPassage(BaseModel):
    """A message that holds what was looked for."""

    model_config = ConfigDict(frozen=True)

    message_id: str
    role: Role
    snippet: str = Field(description="A line around the first of the words")

    @classmethod
    def of(cls, passage: Passage) -> Self:
        """Show it."""
        return cls(message_id=passage.message_id, role=passage.role, snippet=passage.snippet)


class SessionInfo(SessionPlanning):
    """Whose it is, when it was made and when it was last used."""

    model_config = ConfigDict(frozen=True)

    session_id: str
    user_id: str
    assistant_id: str
    created_at: datetime
    last_active: datetime
    title: str | None = None
    project_id: str | None = None
    model: str | None = Field(
        default=None, description="What was chosen in it; null: the default of `GET /models`"
    )
    permission: Permission = Field(
        default="owner",
        description="What you are to it: its owner, an admin, or somebody it was shared with, to "
        "view it or to answer its requests too",
    )
    shared: bool = Field(default=False, description="Whether it is shared with anybody")
    last_seq: int | None = Field(
        default=None, description="The newest event's number; not shown in lists"
    )
    metadata: dict[str, Any] | None = Field(
        default=None, description="What its owner keeps with it; not shown in lists"
    )

    mode: Mode | None = Field(
        default=None, description="How much the agent does by itself; not shown in lists"
    )
    found: FoundPassage | None = Field(
        default=None, description="Where a search found something; in the title when unset"
    )

    @classmethod
    def of(
        cls,
        listed: ListedSession,
        reader: Principal,
        last_seq: int | None = None,
        *,
        whole: bool = False,
        mode: Mode | None = None,
    ) -> Self:
        """Show a session to somebody; `whole` and `mode` with what is not shown in lists."""
        session = listed.session
        return cls(
            session_id=session.session_id,
            user_id=session.user_id,
            assistant_id=session.assistant_id,
            created_at=session.created_at,
            last_active=session.last_active,
            title=listed.title,
            project_id=listed.project_id,
            model=listed.model,
            permission=_permission(listed, reader),
            shared=listed.shared,
            last_seq=last_seq,
            metadata=session.metadata if whole else None,
            mode=mode,
            found=None if listed.passage is None else FoundPassage.of(listed.passage),
            **{name: getattr(listed, name) for name in PLANNING_COLUMNS},
        )


def _permission(listed: ListedSession, reader: Principal) -> Permission:
    if listed.session.user_id == reader.user_id:
        return "owner"
    # Whoever sees it and was not given it is an admin; one who was given it may still do more.
    if listed.permission is None or outranks(reader.role, "admin"):
        return "admin"
    return listed.permission


class SessionCreate(SessionPlanning):
    """A new session; everything may be left out."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        json_schema_extra={"examples": [{"title": "Sales, May", "metadata": {"pinned": True}}]},
    )

    session_id: ChosenId | None = Field(default=None, description="An id of your own choice")
    assistant_id: ChosenId | None = Field(default=None, description="The built-in one when unset")
    project_id: ChosenId | None = None
    title: Name | None = Field(default=None, description="The first message when unset")
    metadata: JsonObject = Field(default_factory=dict[str, Any], description=_METADATA)


class SessionUpdate(SessionPlanning):
    """What is to become of a session; what is left out stays."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", json_schema_extra={"examples": [{"title": "Sales, June"}]}
    )

    title: Name | None = Field(default=None, description="null takes the title away")
    project_id: ChosenId | None = Field(default=None, description="null takes it out of a project")
    metadata: JsonObject = Field(default_factory=dict[str, Any], description=_METADATA)


class SessionModeChange(BaseModel):
    """The mode to switch to."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", json_schema_extra={"examples": [{"mode": "plan"}]}
    )

    mode: Mode = Field(description="ask first, only plan (nothing is changed), or work by itself")


class SessionMode(BaseModel):
    """The mode a session is in."""

    model_config = ConfigDict(frozen=True)

    session_id: str
    mode: Mode


class SessionFork(BaseModel):
    """Where another session is to begin."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", json_schema_extra={"examples": [{"title": "Another way"}]}
    )

    message_id: str | None = Field(
        default=None,
        max_length=255,
        description="What comes before this message is taken; after an answer, it too. "
        "Everything that is finished when unset",
    )
    title: Name | None = Field(default=None, description="That of the original when unset")


class CopiedSession(BaseModel):
    """The session that was made, and what of it is history from elsewhere."""

    model_config = ConfigDict(frozen=True)

    session: SessionInfo
    runs: int = Field(description="The runs that were copied")
    left_unfinished: bool = Field(
        default=False, description="Whether a run that is not finished stayed behind"
    )
    workspace_files: int = Field(
        default=0, description="Files in the bundle, which are not taken; upload them yourself"
    )


class SessionStateInfo(BaseModel):
    """S0's `SessionState`, as the log has it."""

    model_config = ConfigDict(frozen=True)

    thread_id: str = Field(description="The session's id, under S0's name")
    auto_approve: bool = Field(description="Whether its mode is `auto`")
    current_todos: list[dict[str, JsonValue]] = Field(
        description="The agent's to-do list as it stands",
        examples=[[{"content": "Read the orders", "status": "in_progress"}]],
    )

    @classmethod
    def of(cls, state: SessionState) -> Self:
        """Show it."""
        return cls(
            thread_id=state.thread_id,
            auto_approve=state.auto_approve,
            current_todos=state.current_todos,
        )
