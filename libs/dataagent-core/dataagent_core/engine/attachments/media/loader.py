"""Right before a model call: reads what the conversation refers to, and makes it fit the model.

The newest comes first where there is more than a request takes. What the model cannot see, or its
provider refuses, becomes a sentence, and a PDF its text; the call is made all the same, and the
person is told.
"""

import asyncio
import base64
import hashlib
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from langchain.agents.middleware.types import ModelRequest, ModelResponse

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
from dataagent_core.engine.attachments.media.notices import report
from dataagent_core.engine.attachments.media.ollama_sight import ask_for_sight
from dataagent_core.engine.attachments.media.outcome import DocumentText, NotShown, Outcome, Shown
from dataagent_core.engine.attachments.media.placement import place_media, references_in
from dataagent_core.engine.middleware.middleware_chain import ModelHandler
from dataagent_core.errors import DataAgentError, ToolExecutionError, ValidationError
from dataagent_core.models import ResolvedModel, classify
from dataagent_core.models.retry.classify import read_facts
from dataagent_core.models.vision import VisionSupport, stated_sight
from dataagent_core.runs import RunContext
from dataagent_core.tools.files import Mounts
from dataagent_core.tools.media.media_reference import MediaReference
from dataagent_core.tools.media.pdf_text import PdfText, check_pdf, is_encrypted, read_pdf_text
from dataagent_core.tools.media.picture import Picture, fit_picture

# A provider's words for a request that it understands and does not take.
_REFUSALS: Final = frozenset({400, 415, 422})
_ERROR_CHARS_MAX: Final = 300
# All of it, then a PDF as its text, then a sentence for every picture too.
_TRIES_MAX: Final = 3
_ENCRYPTED: Final = "the document is encrypted."

# The longest side of what is drawn; None where the text of a document is read instead.
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
    # By the content's hash, whether it is called a PDF, and what is made of it.
    _kept: OrderedDict[_Key, _Content] = field(
        default_factory=OrderedDict[_Key, _Content], init=False
    )
    # What took too long, with the run in which it did: that run does not wait for it again.
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
        wanted = list(dict.fromkeys(reversed(found)))
        if not wanted:
            return await handler(request)
        refused = dict(self._refused.get(model.name, {}))
        for _ in range(_TRIES_MAX):
            loaded = await self._loaded(context, request, wanted, model, refused)
            try:
                response = await handler(loaded.request)
            except Exception as error:
                blamed = _blamed(loaded, error, model.name)
                if not blamed:
                    raise
                refused |= blamed
            else:
                self._refused[model.name] = refused
                return response
        raise AssertionError("without anything to look at there is nothing to blame")

    async def _loaded(
        self,
        context: RunContext,
        request: ModelRequest[Any],
        wanted: Sequence[MediaReference],
        model: ResolvedModel,
        refused: _NotShownThings,
    ) -> _Loaded:
        sight = stated_sight(model, self.overrides) or await self._asked_sight(model)
        outcomes: dict[MediaReference, Outcome] = {}
        room_bytes, room_chars = MEDIA_BYTES_OF_REQUEST_MAX, PDF_TEXT_CHARS_OF_REQUEST_MAX
        for number, reference in enumerate(wanted):
            refusal = refused.get(reference) or _unseen_by(model, sight, reference)
            outcome: Outcome | None = refusal
            if number < MEDIA_OF_REQUEST_MAX and (refusal is None or reference.is_pdf):
                side_pixels = _side(model) if refusal is None else None
                ready = await self._read(reference, side_pixels, context.run.run_id)
                outcome = _outcome(reference, refusal, ready)
            size_bytes = outcome.size_bytes if isinstance(outcome, Shown) else 0
            chars = len(outcome.text) if isinstance(outcome, DocumentText) else 0
            if outcome is None or size_bytes > room_bytes or chars > room_chars:
                outcome = NotShown(
                    "newer ones take the room. Read it again to see it.", is_reported=False
                )
            else:
                room_bytes, room_chars = room_bytes - size_bytes, room_chars - chars
            outcomes[reference] = outcome
        await report(context, request.messages, outcomes)
        messages = place_media(request.messages, outcomes, in_results=sight.in_results)
        return _Loaded(request.override(messages=messages), outcomes)

    async def _asked_sight(self, model: ResolvedModel) -> VisionSupport:
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
        data = await asyncio.to_thread(self._content, reference)
        if isinstance(data, NotShown):
            return data
        try:
            self._kept[key] = await _ready(reference, data, side_pixels)
        except ValidationError as error:
            # Trying again at every call could take the whole time limit each time.
            self._kept[key] = NotShown(str(error))
        except ToolExecutionError as error:
            self._late[key] = (run_id, NotShown(str(error)))
            while len(self._late) > MEDIA_KEPT_MAX:
                self._late.popitem(last=False)
            return self._late[key][1]
        result = self._kept[key]
        while len(self._kept) > MEDIA_KEPT_MAX or self._kept_bytes() > MEDIA_KEPT_BYTES_MAX:
            self._kept.popitem(last=False)
        return result

    def _kept_bytes(self) -> int:
        return sum(map(_kept_size, self._kept.values()))

    def _content(self, reference: MediaReference) -> bytes | NotShown:
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


async def _ready(
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


def _side(model: ResolvedModel) -> int:
    provider = model.name.partition(":")[0]
    return PICTURE_SIDE_PIXELS_MAX.get(provider, PICTURE_SIDE_PIXELS_DEFAULT)


def _unseen_by(
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


def _blamed(loaded: _Loaded, error: Exception, name: str) -> _NotShownThings:
    """Name what a call was refused for, if it may have been what was shown: PDF first."""
    is_refusal = read_facts(error).status in _REFUSALS
    if not is_refusal or classify(error, name).error_class != "refused":
        return {}
    shown = [one for one, outcome in loaded.outcomes.items() if isinstance(outcome, Shown)]
    if not shown:
        return {}
    only_pdf = any(reference.is_pdf for reference in shown)
    why = f"the provider refused it: {read_facts(error).message:.{_ERROR_CHARS_MAX}}"
    return {one: NotShown(why) for one in loaded.outcomes if one.is_pdf or not only_pdf}


def _outcome(reference: MediaReference, refusal: NotShown | None, ready: _Content) -> Outcome:
    """Say what becomes of content; a refusal is of the document, whose text may be given."""
    match ready:
        case NotShown():
            if refusal is None:
                return ready
            told = f"{refusal.why} Nor is its text: {ready.why}"
            return NotShown(told, refusal.way_out, is_reported=ready.is_reported)
        case PdfText():
            why = _ENCRYPTED if refusal is None else refusal.why
            return DocumentText(ready.text, why, ready.missing)
        case Picture():
            return Shown(_block(reference, ready), len(ready.data))


def _block(reference: MediaReference, ready: Picture) -> dict[str, Any]:
    block: dict[str, Any] = {
        "type": "file" if reference.is_pdf else "image",
        "base64": base64.b64encode(ready.data).decode("ascii"),
        "mime_type": ready.media_type,
    }
    return {**block, "extras": {"filename": reference.name}} if reference.is_pdf else block
