"""Starts a run for a message: finds or makes the session, and claims the idempotency key.

All three are written in one transaction. `POST /chat`, `POST /agent/chat` and the WebSocket use it,
and `POST /sessions/{id}/compact`, which is a run without a question.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from sqlalchemy import Connection

from dataagent_core.errors import ValidationError
from dataagent_core.events import Event
from dataagent_core.events.system import Mode, RunKind
from dataagent_core.planning.plan_terms import PLANNING_KEY
from dataagent_core.session.titles import title_from
from dataagent_server.api.chat.live_events import log_of
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal
from dataagent_server.runs.idempotency import IdempotencyKey, RepeatedError
from dataagent_server.runs.idempotency.idempotency_rows import EarlierRequest, claim, find_known
from dataagent_server.runs.run_row import NewRun, RunRow
from dataagent_server.sessions.session_rows import change_session, note_message
from dataagent_server.sessions.session_service import NewSession
from dataagent_server.stores.session_lists import ListedSession
from dataagent_server.stores.session_planning import merge_planning


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageRequest:
    """A user's message, and where it goes; an empty one is the goal of its workflow."""

    text: str
    session_id: str | None = None
    assistant_id: str | None = None
    project_id: str | None = None
    # The session's model from now on; "": the default; unset: unchanged.
    model: str | None = None
    # The session's new mode; unset: unchanged.
    mode: Mode | None = None
    # The id of a new session.
    new_session_id: str | None = None
    # The text of a compaction says what to keep of the session's history.
    kind: RunKind = "message"
    # Stored with the message: which sub-agents a person chose or forbade.
    context: dict[str, Any] = field(default_factory=dict[str, Any])
    # How it is planned, above what the session says.
    planning: dict[str, Any] = field(default_factory=dict[str, Any])
    key: IdempotencyKey | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedRun:
    """A run, the number before its first event, and the earlier answer of a repeated request."""

    run: RunRow
    after: int
    answer: dict[str, Any] | None = None


async def start_run(
    services: Services, principal: Principal, request: MessageRequest
) -> StartedRun:
    """Start a run for a message, or find the one an earlier identical request started."""
    if (known := await _find_earlier(services, request)) is not None:
        return await _repeat(services, principal, known)
    filled = await services.workflows.fill(principal, request.planning)
    request = replace(request, planning=filled.planning, text=request.text or filled.goal)
    session, is_new = await _find_session(services, principal, request)
    assistant_id = request.assistant_id or session.session.assistant_id
    model = (session.model if request.model is None else request.model) or None
    if model is not None:
        # Checked with every message: an earlier choice may no longer be offered.
        model = await services.people.models.require_choosable(principal, model)
    new = NewRun(
        session_id=session.session.session_id,
        user_id=session.session.user_id,
        assistant_id=await services.assistants.resolve_id(principal, assistant_id),
        project_id=session.project_id,
        text=request.text,
        context=_make_context(request, session),
        model=model,
        kind=request.kind,
    )

    switched: list[Event] = []

    def also(connection: Connection, run: RunRow) -> None:
        switched.clear()
        if request.key is not None:
            claim(connection, request.key, run_id=run.run_id)
        if is_new:
            services.sessions.insert(connection, principal, replace(session, model=model))
        else:
            named_after = None if request.kind == "compaction" else request.text
            note_message(connection, principal.tenant_id, new.session_id, named_after)
            if model != session.model:
                chosen = {"model": model}
                change_session(connection, principal.tenant_id, new.session_id, chosen)
        if request.mode is not None:
            switched.extend(
                services.sessions.insert_mode(connection, principal, new.session_id, request.mode)
            )

    log = log_of(services, principal.tenant_id)
    after = 0 if is_new else await log.last_seq(new.session_id)
    try:
        run = await services.runs.service.execute(principal, new, also)
    except RepeatedError:
        known = await _find_earlier(services, request)
        assert known is not None
        return await _repeat(services, principal, known)
    if is_new:
        await services.sessions.settle(principal, session.session)
    services.runs.hub.publish(principal.tenant_id, new.session_id, switched)
    return StartedRun(run=run, after=after)


def _make_context(request: MessageRequest, session: ListedSession) -> dict[str, Any]:
    planning = merge_planning(session, request.planning) if request.kind == "message" else {}
    return request.context | ({PLANNING_KEY: planning} if planning else {})


async def _find_earlier(services: Services, request: MessageRequest) -> EarlierRequest | None:
    if (key := request.key) is None:
        return None
    return await services.database.read(lambda c: find_known(c, key))


async def _repeat(services: Services, principal: Principal, known: EarlierRequest) -> StartedRun:
    run = await services.runs.service.run(principal, known.run_id or "")
    log = log_of(services, principal.tenant_id)
    last = await log.last_seq(run.session_id)
    # In this order: an event in between has a number after `last`.
    begun = await log.read_lines(run.session_id, 0, 1, run_id=run.run_id, types=("start",))
    return StartedRun(run=run, after=begun[0][0] - 1 if begun else last, answer=known.answer)


async def _find_session(
    services: Services, principal: Principal, request: MessageRequest
) -> tuple[ListedSession, bool]:
    if request.session_id is None:
        return await prepare_session(
            services,
            principal,
            session_id=request.new_session_id,
            assistant_id=request.assistant_id,
            project_id=request.project_id,
            title=title_from(request.text),
        ), True
    session = await services.sessions.get(principal, request.session_id)
    if request.project_id is not None and request.project_id != session.project_id:
        raise ValidationError(
            f"session {request.session_id!r} is not in project {request.project_id!r}. Move it "
            "there first, or leave the project out."
        )
    return session, False


async def prepare_session(
    services: Services,
    principal: Principal,
    *,
    session_id: str | None = None,
    assistant_id: str | None = None,
    project_id: str | None = None,
    title: str | None = None,
    metadata: dict[str, Any] | None = None,
    **planning: Any,
) -> ListedSession:
    """Make a session that is not written yet, of an existing assistant and project.

    `planning` are S2's columns of it (`stores/session_planning.py`).
    """
    usable = await services.assistants.resolve_id(principal, assistant_id)
    if project_id is not None:
        await services.people.projects.get(principal, project_id)
    new = NewSession(
        assistant_id=usable,
        session_id=session_id,
        project_id=project_id,
        title=title,
        metadata=metadata or {},
        **planning,
    )
    return services.sessions.prepare(principal, new)
