"""Chat models shared between agents: a model's connections cost more than the agent around it."""

import asyncio
import hashlib
import logging
from collections import OrderedDict
from contextlib import suppress
from dataclasses import replace

from langchain_core.language_models import BaseChatModel

from dataagent_core.config import Settings
from dataagent_core.config.provider_settings import ProviderSettings
from dataagent_core.errors import DataAgentError
from dataagent_core.models import ResolvedModel, resolve_model
from dataagent_server.runs.limits import MODELS_KEPT_MAX

logger = logging.getLogger(__name__)


class SharedModels:
    """Models by what they are made from; agents use them and never close them."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, ResolvedModel] = OrderedDict()

    def resolve(self, spec: str | BaseChatModel | None, settings: Settings) -> ResolvedModel:
        """Do what core's `resolve_model` does, once for the same name and settings."""
        if isinstance(spec, BaseChatModel):
            return resolve_model(spec, settings)
        key = _make_digest(spec, settings)
        if key not in self._kept:
            found = resolve_model(spec, settings)
            self._kept[key] = ResolvedModel(found.model, found.name, found.notice, ours=False)
            if len(self._kept) > MODELS_KEPT_MAX:
                # Not closed: a run may use it. Its connections close when the last run releases it.
                self._kept.popitem(last=False)
        self._kept.move_to_end(key)
        return self._kept[key]

    async def aclose(self) -> None:
        """Close the connections of all of them, also when one cannot be closed."""
        kept = [replace(one, ours=True) for one in self._kept.values()]
        self._kept.clear()
        closed = await asyncio.gather(*(one.aclose() for one in kept), return_exceptions=True)
        for model, error in zip(kept, closed, strict=True):
            if isinstance(error, Exception):
                logger.warning("cannot close the connections of %s", model.name, exc_info=error)


def load_code(settings: Settings) -> None:
    """Import the code of the configured model, so that its first run does not delay all others.

    A model that cannot be set up is reported by the run that wants it, not here.
    """
    if settings.model:
        with suppress(DataAgentError):
            resolve_model(settings.model, settings)


def _make_digest(spec: str | None, settings: Settings) -> str:
    """Identify what a model is made from: its name, and the providers' keys and addresses."""

    def plain(value: object) -> object:
        reveal = getattr(value, "get_secret_value", None)
        return reveal() if reveal is not None else value

    names = [*ProviderSettings.model_fields, "model", "models"]
    parts = [spec, *(repr(plain(getattr(settings, name))) for name in names)]
    return hashlib.sha256(repr(parts).encode("utf-8", "surrogatepass")).hexdigest()
