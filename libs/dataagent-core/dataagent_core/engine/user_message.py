"""A user message, and the message that the model gets for it.

`engine/attachments/attachments.py` adds what the message names with `@`.
"""

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from langchain_core.messages import HumanMessage

from dataagent_core.config.limits.history import REWIND_FILES_TOLD_MAX
from dataagent_core.engine.answer_form import ANSWER_SCHEMA_KEY, AnswerForm, check_answer_schema
from dataagent_core.engine.memory.memory_use import wants_memory
from dataagent_core.errors import ValidationError
from dataagent_core.events import Event, FileOperationEvent
from dataagent_core.language.unicode_text import storable
from dataagent_core.planning.plan_terms import read_message_planning
from dataagent_core.runs import BackgroundTask
from dataagent_core.session import NO_RUN, EventLog, Run, check_prompt, read_all
from dataagent_core.session.prompt import SUBAGENTS_KEY, own_words
from dataagent_core.subagents.mentions import read_mentions

_NOTE = (
    "{text}\n\n<workspace-note>\nThe person took the workspace back since your last answer. Your "
    "own changes to these files no longer hold; read them again before you rely on them: {files}\n"
    "</workspace-note>"
)


@dataclass(frozen=True, slots=True)
class UserMessage:
    """The text a user sent, and the form the answer must have, if any."""

    text: str
    form: AnswerForm | None = None
    # The part of the text that the user wrote themselves.
    own_words: str = ""
    # The sub-agents that the user chose and those that they forbid, besides `@name` in the text.
    use: tuple[str, ...] = ()
    forbid: tuple[str, ...] = ()
    # Set if another run sent it as a task for a sub-agent.
    background: BackgroundTask | None = None
    # What the client said about planning.
    planning: Mapping[str, Any] = field(default_factory=dict[str, Any])
    wants_memory: bool = True

    @classmethod
    def of(cls, text: str, context: Mapping[str, Any] | None) -> Self:
        """Make a message from its text and its context, new or stored."""
        schema = (context or {}).get(ANSWER_SCHEMA_KEY)
        form = None if schema is None else AnswerForm(check_answer_schema(schema))
        chosen = (context or {}).get(SUBAGENTS_KEY)
        use, forbid = _read_names(chosen, "use"), _read_names(chosen, "forbid")
        background = BackgroundTask.read(context or {})
        planning = read_message_planning(context).model_dump(exclude_none=True)
        own = own_words(text, context or {})
        wanted = wants_memory(context or {})
        return cls(text, form, own, use, forbid, background, planning, wanted)

    def mode_session(self, session_id: str) -> str:
        """Return the session whose mode counts: of a background task the one that started it."""
        return session_id if self.background is None else self.background.parent_session_id

    def find_named(self, subagents: Collection[str]) -> frozenset[str]:
        """Find which of these sub-agents the user asks for; only their own words count.

        For a background task that is the sub-agent which it was started for.
        """
        if self.background is not None:
            return frozenset({self.background.subagent})
        mentions = read_mentions(self.own_words, subagents)
        return frozenset({*self.use, *mentions.use}.difference(self.forbid, mentions.forbid))

    def for_model(self, message_id: str) -> HumanMessage:
        """Make the model's message; raise for a text that is not worth a call."""
        check_prompt(self.text)
        text = self.form.add_to(self.text) if self.form else self.text
        return HumanMessage(content=storable(text), id=message_id)


def _read_names(chosen: Any, key: str) -> tuple[str, ...]:
    """Read `{"use": [...], "forbid": [...]}`."""
    listed: Any = chosen.get(key, []) if isinstance(chosen, Mapping) else [] if not chosen else None
    if not isinstance(listed, list) or not all(isinstance(name, str) for name in listed):
        raise ValidationError(
            f"subagents must be an object with lists of names under 'use' and 'forbid': "
            f"{chosen!r:.200}"
        )
    return tuple(listed)


async def add_rewind_note(log: EventLog, run: Run, message: HumanMessage) -> HumanMessage:
    """Add to a run's message which files the user rewound before it.

    The note goes to the model only, not into the stored conversation. File names are foreign
    content, so they are quoted and limited.
    """
    rewinds = await read_all(log, run.session_id, run_id=NO_RUN, types=("file_operation",))
    if not rewinds:
        return message
    starts = await read_all(log, run.session_id, types=("start",))
    after, upto = _seqs_before(starts, run.run_id)
    recent = [
        event
        for event in rewinds
        if isinstance(event, FileOperationEvent) and after < (event.seq or 0) < upto
    ]
    if not recent:
        return message
    content = _NOTE.format(text=message.text, files=_format_paths(recent))
    return message.model_copy(update={"content": content})


def _seqs_before(starts: Sequence[Event], run_id: str) -> tuple[int, int]:
    """Return the numbers of the start before the run's, and of the run's start."""
    before = 0
    for event in starts:
        if event.run_id == run_id:
            return before, event.seq or 0
        before = event.seq or 0
    return before, before


def _format_paths(events: Sequence[FileOperationEvent]) -> str:
    paths = list(dict.fromkeys(e.file_path for e in events if e.operation != "more"))
    shown = json.dumps(paths[:REWIND_FILES_TOLD_MAX], ensure_ascii=False).replace("<", r"\u003c")
    is_all = len(paths) <= REWIND_FILES_TOLD_MAX and all(e.operation != "more" for e in events)
    return shown if is_all else f"{shown} and more"
