"""Loads the pictures and PDF documents that a conversation refers to, right before a model call.

When there are more than a request takes, the newest are loaded. A picture that the model cannot
see, or that its provider refuses, is replaced by a sentence, a PDF by its text. The call is made
all the same, and warnings tell the person what the model was not shown.
"""

import asyncio
import base64
import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from langchain.agents.middleware.types import ModelRequest, ModelResponse
from langchain_core.messages import AnyMessage

from dataagent_core.config.limits.media import (
    MEDIA_BYTES_OF_REQUEST_MAX,
    MEDIA_FILE_BYTES_MAX,
    MEDIA_KEPT_BYTES_MAX,
    MEDIA_KEPT_MAX,
    MEDIA_OF_REQUEST_MAX,
    PDF_TEXT_CHARS_OF_REQUEST_MAX,
    PICTURE_SIDE_PIXELS_DEFAULT,
    PICTURE_SIDE_PIXELS_MAX,
)
from dataagent_core.config.model_catalog import ModelOverride
from dataagent_core.context.window_size import ask_ollama
from dataagent_core.engine.attachments.media.placement import (
    DocumentText,
    NotShown,
    Outcome,
    Shown,
    place_media,
    references_in,
)
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.errors import DataAgentError, ToolExecutionError, ValidationError
from dataagent_core.events import WarningEvent
from dataagent_core.models import ResolvedModel, classify
from dataagent_core.models.retry.classify import read_facts
from dataagent_core.models.vision import BLIND, VisionSupport, stated_sight
from dataagent_core.runs import RunContext
from dataagent_core.session import Run
from dataagent_core.tools.files import Mounts
from dataagent_core.tools.media.media_reference import MediaReference
from dataagent_core.tools.media.pdf_text import PdfText, check_pdf, is_encrypted, read_pdf_text
from dataagent_core.tools.media.picture import Picture, fit_picture

NOT_SHOWN: Final = "PICTURE_NOT_SHOWN"
AS_TEXT: Final = "PDF_AS_TEXT"
# Statuses of a request that the provider understood and refused.
_REFUSAL_STATUSES: Final = frozenset({400, 415, 422})
_ERROR_CHARS_MAX: Final = 300
# With everything, then with PDF documents as text, then with a sentence for every picture too.
_TRIES_MAX: Final = 3
_ENCRYPTED: Final = "the document is encrypted."

# The longest side of a picture; None where the text of a document is read instead.
_SidePixels = int | None
_Key = tuple[str, bool, _SidePixels]
_Content = Picture | PdfText | NotShown
_NotShownThings = dict[MediaReference, NotShown]


@dataclass(frozen=True, slots=True)
class _Loaded:
    request: ModelRequest[Any]
    outcomes: Mapping[MediaReference, Outcome]


@dataclass(slots=True, eq=False)
class MediaLoader:
    """Loads what the conversations of one agent refer to."""

    mounts: Mounts
    overrides: Mapping[str, ModelOverride] | None
    # By hash of the content, whether it is a PDF, and the size it is drawn in.
    _kept: OrderedDict[_Key, _Content] = field(
        default_factory=OrderedDict[_Key, _Content], init=False
    )
    # Content that took too long, with its run: that run does not wait for it again.
    _late: OrderedDict[_Key, tuple[str, NotShown]] = field(
        default_factory=OrderedDict[_Key, tuple[str, NotShown]], init=False
    )
    _sights: dict[str, VisionSupport] = field(default_factory=dict[str, VisionSupport], init=False)
    _refused: dict[str, _NotShownThings] = field(
        default_factory=dict[str, _NotShownThings], init=False
    )

    async def call(
        self,
        context: RunContext,
        model: ResolvedModel,
        handler: ModelHandler,
        request: ModelRequest[Any],
    ) -> ModelResponse[Any]:
        """Make a call that is given the content behind the references."""
        found = [one for message in request.messages for one in references_in(message)]
        references = list(dict.fromkeys(reversed(found)))
        if not references:
            return await handler(request)
        refused = dict(self._refused.get(model.name, {}))
        for _ in range(_TRIES_MAX):
            loaded = await self._load(context, request, references, model, refused)
            try:
                response = await handler(loaded.request)
            except Exception as error:
                newly_refused = _find_refused(loaded, error, model.name)
                if not newly_refused:
                    raise
                refused |= newly_refused
            else:
                self._refused[model.name] = refused
                return response
        raise AssertionError("without anything to look at there is nothing to blame")

    async def _load(
        self,
        context: RunContext,
        request: ModelRequest[Any],
        references: Sequence[MediaReference],
        model: ResolvedModel,
        refused: _NotShownThings,
    ) -> _Loaded:
        sight = stated_sight(model, self.overrides) or await self._ask_for_sight(model)
        outcomes: dict[MediaReference, Outcome] = {}
        left_bytes, left_chars = MEDIA_BYTES_OF_REQUEST_MAX, PDF_TEXT_CHARS_OF_REQUEST_MAX
        for number, reference in enumerate(references):
            refusal = refused.get(reference) or _check_sight(model, sight, reference)
            outcome: Outcome | None = refusal
            if number < MEDIA_OF_REQUEST_MAX and (refusal is None or reference.is_pdf):
                side_pixels = _side_pixels_max(model) if refusal is None else None
                content = await self._read(reference, side_pixels, context.run.run_id)
                outcome = _make_outcome(reference, refusal, content)
            size_bytes = outcome.size_bytes if isinstance(outcome, Shown) else 0
            chars = len(outcome.text) if isinstance(outcome, DocumentText) else 0
            if outcome is None or size_bytes > left_bytes or chars > left_chars:
                outcome = NotShown(
                    "newer ones take the room. Read it again to see it.", is_reported=False
                )
            else:
                left_bytes, left_chars = left_bytes - size_bytes, left_chars - chars
            outcomes[reference] = outcome
        await report_not_shown(context, request.messages, outcomes)
        messages = place_media(request.messages, outcomes, in_results=sight.in_results)
        return _Loaded(request.override(messages=messages), outcomes)

    async def _ask_for_sight(self, model: ResolvedModel) -> VisionSupport:
        if model.name not in self._sights:
            self._sights[model.name] = await ask_for_sight(model)
        return self._sights[model.name]

    async def _read(
        self, reference: MediaReference, side_pixels: _SidePixels, run_id: str
    ) -> _Content:
        key = (reference.sha256, reference.is_pdf, side_pixels)
        if key in self._kept:
            self._kept.move_to_end(key)
            return self._kept[key]
        late_in, late = self._late.get(key, ("", None))
        if late is not None and late_in == run_id:
            return late
        data = await asyncio.to_thread(self._read_file, reference)
        if isinstance(data, NotShown):
            return data
        try:
            self._kept[key] = await _prepare(reference, data, side_pixels)
        except ValidationError as error:
            # Trying again at every call could take the whole time limit each time.
            self._kept[key] = NotShown(str(error))
        except ToolExecutionError as error:
            self._late[key] = (run_id, NotShown(str(error)))
            while len(self._late) > MEDIA_KEPT_MAX:
                self._late.popitem(last=False)
            return self._late[key][1]
        result = self._kept[key]
        while (
            len(self._kept) > MEDIA_KEPT_MAX
            or sum(map(_kept_size, self._kept.values())) > MEDIA_KEPT_BYTES_MAX
        ):
            self._kept.popitem(last=False)
        return result

    def _read_file(self, reference: MediaReference) -> bytes | NotShown:
        try:
            place = self.mounts.locate(reference.path)
            data = place.root.read_bytes(place.path)
        except (DataAgentError, OSError, ValueError):
            return NotShown("it can no longer be read.", is_reported=False)
        if hashlib.sha256(data).hexdigest() != reference.sha256:
            return NotShown(
                "the file has changed since. read_file shows it as it is now.", is_reported=False
            )
        if len(data) > MEDIA_FILE_BYTES_MAX:
            limit = f"{MEDIA_FILE_BYTES_MAX:,}"
            return NotShown(
                f"it has {len(data):,} bytes, and {limit} can be shown. Make it smaller."
            )
        return data


async def _prepare(
    reference: MediaReference, data: bytes, side_pixels: _SidePixels
) -> Picture | PdfText:
    if side_pixels is None or (reference.is_pdf and is_encrypted(data)):
        return await read_pdf_text(data)
    if reference.is_pdf:
        check_pdf(data)
        return Picture(data, reference.media_type)
    return await fit_picture(data, side_pixels)


def _kept_size(one: _Content) -> int:
    match one:
        case Picture(data=data):
            return len(data)
        case PdfText(text=text):
            return len(text)
        case NotShown():
            return 0


def _side_pixels_max(model: ResolvedModel) -> int:
    provider = model.name.partition(":")[0]
    return PICTURE_SIDE_PIXELS_MAX.get(provider, PICTURE_SIDE_PIXELS_DEFAULT)


def _check_sight(
    model: ResolvedModel, sight: VisionSupport, reference: MediaReference
) -> NotShown | None:
    if sight.pdf if reference.is_pdf else sight.pictures:
        return None
    if reference.is_pdf:
        why, word = f"the model {model.name} takes no PDF documents.", "pdf"
    else:
        why, word = f"the model {model.name} takes no pictures.", "vision"
    return NotShown(
        why,
        f"Choose a model that does. If this one does, say so in config.toml: "
        f'[models."{model.name}"] capabilities = ["chat", "tools", "{word}"].',
    )


def _find_refused(loaded: _Loaded, error: Exception, name: str) -> _NotShownThings:
    """List the references that may have caused a refusal, PDF documents first."""
    is_refusal = read_facts(error).status in _REFUSAL_STATUSES
    if not is_refusal or classify(error, name).error_class != "refused":
        return {}
    shown = [one for one, outcome in loaded.outcomes.items() if isinstance(outcome, Shown)]
    if not shown:
        return {}
    only_pdf = any(reference.is_pdf for reference in shown)
    why = f"the provider refused it: {read_facts(error).message:.{_ERROR_CHARS_MAX}}"
    return {one: NotShown(why) for one in loaded.outcomes if one.is_pdf or not only_pdf}


def _make_outcome(
    reference: MediaReference, refusal: NotShown | None, content: _Content
) -> Outcome:
    """Combine content and refusal; the text of a refused document may still be given."""
    match content:
        case NotShown():
            if refusal is None:
                return content
            reason = f"{refusal.why} Nor is its text: {content.why}"
            return NotShown(reason, refusal.way_out, is_reported=content.is_reported)
        case PdfText():
            why = _ENCRYPTED if refusal is None else refusal.why
            return DocumentText(content.text, why, content.missing)
        case Picture():
            return Shown(_content_block(reference, content), len(content.data))


def _content_block(reference: MediaReference, content: Picture) -> dict[str, Any]:
    block: dict[str, Any] = {
        "type": "file" if reference.is_pdf else "image",
        "base64": base64.b64encode(content.data).decode("ascii"),
        "mime_type": content.media_type,
    }
    return {**block, "extras": {"filename": reference.name}} if reference.is_pdf else block


async def report_not_shown(
    context: RunContext, messages: Sequence[AnyMessage], outcomes: Mapping[MediaReference, Outcome]
) -> None:
    """Warn once of each reference of this run that is not shown; earlier runs warned of theirs."""
    new = dict.fromkeys(
        reference
        for message in _messages_of_run(context.run, messages)
        for reference in references_in(message)
    )
    found = (_notice(context.run, reference, outcomes[reference]) for reference in new)
    notices = [notice for notice in found if notice is not None]
    if notices:
        await context.recorder.commit(*notices)


def _messages_of_run(run: Run, messages: Sequence[AnyMessage]) -> Sequence[AnyMessage]:
    ids = [message.id for message in messages]
    return messages[ids.index(run.message_id) :] if run.message_id in ids else messages


def _notice(run: Run, reference: MediaReference, outcome: Outcome) -> WarningEvent | None:
    path = reference.path
    match outcome:
        case NotShown(why=why, way_out=way_out, is_reported=True):
            reason = f"{why} {way_out}".strip()
            return _warning(run, NOT_SHOWN, message=f"{path} is not shown to the model: {reason}")
        case DocumentText(why=why, missing=missing):
            reason = f"{why} {missing}".strip()
            return _warning(run, AS_TEXT, message=f"{path} is given as text: {reason}")
        case NotShown() | Shown():
            return None


def _warning(run: Run, code: str, *, message: str) -> WarningEvent:
    # The same fact at every call of the run is one event.
    name = hashlib.sha256(message.encode(errors="replace")).hexdigest()[:32]
    return WarningEvent(event_id=f"media:{run.run_id}:{name}", code=code, message=message)


async def ask_for_sight(model: ResolvedModel) -> VisionSupport:
    """Ask Ollama whether its model takes pictures; any other unlisted model counts as blind."""
    if not type(model.model).__module__.startswith("langchain_ollama"):
        return BLIND
    shown: Any = await ask_ollama(model.model, model.name.partition(":")[2])
    listed = shown.get("capabilities") if isinstance(shown, dict) else None
    has_vision = isinstance(listed, list) and "vision" in listed
    return VisionSupport(pictures=has_vision, pdf=False, in_results=False)
