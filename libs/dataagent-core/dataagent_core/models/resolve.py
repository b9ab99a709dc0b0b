"""Resolves a chat model from a name, from a model that the caller built, or from the settings.

Names are parsed in `spec.py`, defaults are found in `model_detection.py`, models are built in
`builders.py`; an unknown provider is left to LangChain. `close_model` closes the connections of a
model we built: LangChain's models have no close, so the clients are listed by provider. Anthropic's
are shared by the process and stay open.
"""

import inspect
from dataclasses import dataclass
from operator import attrgetter

from langchain_core.language_models import BaseChatModel

from dataagent_core.config.resolve.provenance import setting_error
from dataagent_core.config.settings import Settings
from dataagent_core.errors import ConfigurationError, DataAgentError
from dataagent_core.models.builders import BUILDERS
from dataagent_core.models.model_detection import DetectedModel, detect_model
from dataagent_core.models.providers import PROVIDERS
from dataagent_core.models.spec import ModelSpec, parse_spec

_OPENAI_CLIENTS = ("root_async_client", "root_client")
_CLIENTS = {
    "openai": _OPENAI_CLIENTS,
    "deepseek": _OPENAI_CLIENTS,
    "dashscope": _OPENAI_CLIENTS,
    "google_genai": ("client.aio", "client"),
    "ollama": ("_async_client", "_client"),
}


async def close_model(provider: str, model: BaseChatModel) -> None:
    """Close what the model holds; call it on the event loop the model was used on."""
    for path in _CLIENTS.get(provider, ()):
        client = attrgetter(path)(model)
        close = getattr(client, "aclose", None) or getattr(client, "close", None)
        closing = close() if close is not None else None
        if inspect.isawaitable(closing):
            await closing


@dataclass(frozen=True, slots=True)
class ResolvedModel:
    """A model ready to use, its full name, and what a person should be told about the choice."""

    model: BaseChatModel
    name: str
    notice: str | None = None
    ours: bool = True

    async def aclose(self) -> None:
        """Close the model's connections, unless someone else built it."""
        if self.ours:
            await close_model(self.name.partition(":")[0], self.model)


def resolve_model(spec: str | BaseChatModel | None, settings: Settings) -> ResolvedModel:
    """Return the named model; without a name, that of the settings or one that can be found."""
    if isinstance(spec, BaseChatModel):
        return ResolvedModel(spec, _name_of(spec), ours=False)
    wanted = spec or settings.model
    found = DetectedModel(_parsed(wanted, settings)) if wanted else detect_model(settings)
    return ResolvedModel(_build(found.spec, settings), str(found.spec), found.notice)


def _parsed(wanted: str, settings: Settings) -> ModelSpec:
    """Read a model's name; an error names the setting that it stands in."""
    try:
        return parse_spec(wanted)
    except ConfigurationError as error:
        if wanted == settings.model:
            raise setting_error(settings, "model", error) from None
        if wanted in (each.strip() for each in (settings.fallback_model or "").split(",")):
            raise setting_error(settings, "fallback_model", error) from None
        raise


def _build(spec: ModelSpec, settings: Settings) -> BaseChatModel:
    builder = BUILDERS.get(spec.provider)
    try:
        return builder(spec.name, settings) if builder else _build_with_langchain(spec)
    except DataAgentError:
        raise
    except ImportError as error:
        package = "langchain-" + spec.provider.replace("_", "-")
        raise ConfigurationError(
            f"The model {spec} needs a package that is not installed ({error}). "
            f"Install it, usually with: pip install {package}"
        ) from error
    except Exception as error:
        raise ConfigurationError(
            f"The model {spec} cannot be set up: {error}. Check its name and its provider's "
            "key and address."
        ) from error


def _build_with_langchain(spec: ModelSpec) -> BaseChatModel:
    from langchain.chat_models import init_chat_model

    try:
        model = init_chat_model(spec.name, model_provider=spec.provider)
    except ValueError as error:
        if "Unsupported provider" not in str(error):
            raise
        raise ConfigurationError(
            f"{spec.provider!r} in {str(spec)!r} is not a provider. Known here: "
            f"{', '.join(PROVIDERS)}, and those of LangChain. A model of Ollama is written "
            f"ollama:{spec}."
        ) from error
    if "max_retries" in type(model).model_fields:
        return init_chat_model(spec.name, model_provider=spec.provider, max_retries=0)
    return model


def _name_of(model: BaseChatModel) -> str:
    name = getattr(model, "model_name", None) or getattr(model, "model", None)
    package = type(model).__module__.partition(".")[0]
    provider = package.removeprefix("langchain_") if package != "dataagent_core" else "scripted"
    return f"{provider}:{name or type(model).__name__}"
