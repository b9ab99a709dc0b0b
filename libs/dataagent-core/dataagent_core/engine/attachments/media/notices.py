"""Tells the person what the model is not shown of this run's own, each once."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Final

from langchain_core.messages import AnyMessage

from dataagent_core.engine.attachments.media.outcome import DocumentText, NotShown, Outcome, Shown
from dataagent_core.engine.attachments.media.placement import references_in
from dataagent_core.events import WarningEvent
from dataagent_core.runs import RunContext
from dataagent_core.session import Run
from dataagent_core.tools.media.media_reference import MediaReference

NOT_SHOWN: Final = "PICTURE_NOT_SHOWN"
AS_TEXT: Final = "PDF_AS_TEXT"


async def report(
    context: RunContext, messages: Sequence[AnyMessage], outcomes: Mapping[MediaReference, Outcome]
) -> None:
    """Say what is not shown of this run's own; of what came before, an earlier run has."""
    new = dict.fromkeys(
        reference
        for message in _of_this_run(context.run, messages)
        for reference in references_in(message)
    )
    found = (_notice(context.run, reference, outcomes[reference]) for reference in new)
    notices = [notice for notice in found if notice is not None]
    if notices:
        await context.recorder.commit(*notices)


def _of_this_run(run: Run, messages: Sequence[AnyMessage]) -> Sequence[AnyMessage]:
    ids = [message.id for message in messages]
    return messages[ids.index(run.message_id) :] if run.message_id in ids else messages


def _notice(run: Run, reference: MediaReference, outcome: Outcome) -> WarningEvent | None:
    path = reference.path
    match outcome:
        case NotShown(why=why, way_out=way_out, is_reported=True):
            told = f"{why} {way_out}".strip()
            return _warning(run, NOT_SHOWN, message=f"{path} is not shown to the model: {told}")
        case DocumentText(why=why, missing=missing):
            told = f"{why} {missing}".strip()
            return _warning(run, AS_TEXT, message=f"{path} is given as text: {told}")
        case NotShown() | Shown():
            return None


def _warning(run: Run, code: str, *, message: str) -> WarningEvent:
    # The same fact at every call of the run is one event.
    name = hashlib.sha256(message.encode(errors="replace")).hexdigest()[:32]
    return WarningEvent(event_id=f"media:{run.run_id}:{name}", code=code, message=message)
