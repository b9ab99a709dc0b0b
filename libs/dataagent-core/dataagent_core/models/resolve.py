"""Resolves and builds a chat model from a name, from the settings, or from a model of the caller.

Names are parsed in `spec.py`, defaults are found in `model_detection.py`; an unknown provider is
left to LangChain. Keys and addresses come from `Settings` (they may be in `.env`, which the SDKs do
not read), the SDK is imported when its model is built, its own retries are off because ours emit
events, and answers stream.

`close_model` closes the connections of a model we built: LangChain's models have no close, so the
clients are listed by provider. Anthropic's are shared by the process and stay open.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Any

import httpx
from langchain_core.language_models import BaseChatModel

from dataagent_core.config.limits import (
    MODEL_CALL_TIMEOUT_S,
    MODEL_CONNECT_TIMEOUT_S,
    MODEL_SILENCE_S,
)
from dataagent_core.config.resolve.provenance import setting_error
from dataagent_core.config.settings import Settings
from dataagent_core.errors import ConfigurationError, DataAgentError
from dataagent_core.models.listing.ollama import ollama_url
from dataagent_core.models.model_detection import DetectedModel, detect_model
from dataagent_core.models.providers import PROVIDERS
from dataagent_core.models.scripted.demo import demo_model
from dataagent_core.models.scripted.script import Script
from dataagent_core.models.scripted.scripted_model import ScriptedChatModel
from dataagent_core.models.spec import ModelSpec, parse_spec

# Connecting has a short limit: an address that drops packets must not cost ten minutes.
_TIMEOUTS_S = (
    MODEL_CONNECT_TIMEOUT_S,
    MODEL_CALL_TIMEOUT_S,
    MODEL_CALL_TIMEOUT_S,
    MODEL_CALL_TIMEOUT_S,
)


def _openai_options(name: str, settings: Settings, provider: str) -> dict[str, Any]:
    """Return the options of every model with OpenAI's API."""
    return {
        "model": name,
        "api_key": PROVIDERS[provider].required_key(settings),
        "timeout": httpx.Timeout(_TIMEOUTS_S),
        "stream_chunk_timeout": MODEL_SILENCE_S,
        "max_retries": 0,
        "streaming": True,
        "stream_usage": True,
    }


def _build_openai(name: str, settings: Settings) -> BaseChatModel:
    from dataagent_core.models.openai.plain_openai import PlainChatOpenAI, make_plain

    options = _openai_options(name, settings, "openai")
    if settings.openai_base_url is not None:
        # Others offer chat completions; the Responses API would be chosen by the model's name.
        options |= {"base_url": settings.openai_base_url, "use_responses_api": False}
    return make_plain(PlainChatOpenAI(**options))


def _build_dashscope(name: str, settings: Settings) -> BaseChatModel:
    from dataagent_core.models.openai.plain_openai import PlainChatOpenAI, make_plain

    options = _openai_options(name, settings, "dashscope")
    options |= {"base_url": settings.dashscope_base_url, "use_responses_api": False}
    return make_plain(PlainChatOpenAI(**options))


def _build_deepseek(name: str, settings: Settings) -> BaseChatModel:
    from dataagent_core.models.openai.plain_deepseek import PlainChatDeepSeek
    from dataagent_core.models.openai.plain_openai import make_plain

    options = _openai_options(name, settings, "deepseek")
    if settings.deepseek_base_url is not None:
        options["base_url"] = settings.deepseek_base_url
    return make_plain(PlainChatDeepSeek(**options))


def _build_anthropic(name: str, settings: Settings) -> BaseChatModel:
    from langchain_anthropic import ChatAnthropic

    options: dict[str, Any] = {
        "model": name,
        "api_key": PROVIDERS["anthropic"].required_key(settings),
        "timeout": MODEL_CALL_TIMEOUT_S,
        "max_retries": 0,
        "streaming": True,
    }
    if settings.anthropic_base_url is not None:
        options["base_url"] = settings.anthropic_base_url
    return ChatAnthropic(**options)


def _build_google(name: str, settings: Settings) -> BaseChatModel:
    from langchain_google_genai import ChatGoogleGenerativeAI

    return ChatGoogleGenerativeAI(
        model=name,
        google_api_key=PROVIDERS["google_genai"].required_key(settings),
        timeout=MODEL_CALL_TIMEOUT_S,
        # Google's SDK counts the first try: 1 means no second one, 0 its own default.
        max_retries=1,
    )


def _build_ollama(name: str, settings: Settings) -> BaseChatModel:
    from langchain_ollama import ChatOllama

    return ChatOllama(
        model=name,
        base_url=ollama_url(settings.ollama_host),
        client_kwargs={"timeout": httpx.Timeout(_TIMEOUTS_S)},
    )


def _build_demo(name: str, settings: Settings) -> BaseChatModel:
    del name, settings
    return demo_model()


def _build_scripted(name: str, settings: Settings) -> BaseChatModel:
    del settings
    path = Path(name).expanduser()
    return ScriptedChatModel(script=Script.read(path), model_name=path.name)


BUILDERS: Mapping[str, Callable[[str, Settings], BaseChatModel]] = {
    "anthropic": _build_anthropic,
    "openai": _build_openai,
    "google_genai": _build_google,
    "deepseek": _build_deepseek,
    "dashscope": _build_dashscope,
    "ollama": _build_ollama,
    "demo": _build_demo,
    "scripted": _build_scripted,
}
_OPENAI_CLIENTS = ("root_async_client", "root_client")
_CLIENTS = {
    "openai": _OPENAI_CLIENTS,
    "deepseek": _OPENAI_CLIENTS,
    "dashscope": _OPENAI_CLIENTS,
    "google_genai": ("client.aio", "client"),
    "ollama": ("_async_client", "_client"),
}


async def close_model(provider: str, model: BaseChatModel) -> None:
    """Close the model's clients; call it on the event loop the model was used on."""
    for path in _CLIENTS.get(provider, ()):
        client = attrgetter(path)(model)
        close = getattr(client, "aclose", None) or getattr(client, "close", None)
        closing = close() if close is not None else None
        if inspect.isawaitable(closing):
            await closing


@dataclass(frozen=True, slots=True)
class ResolvedModel:
    """A model ready to use, its full name, and a notice for a person about the choice."""

    model: BaseChatModel
    name: str
    notice: str | None = None
    ours: bool = True

    async def aclose(self) -> None:
        """Close the model's connections, unless the caller built it."""
        if self.ours:
            await close_model(self.name.partition(":")[0], self.model)


def resolve_model(spec: str | BaseChatModel | None, settings: Settings) -> ResolvedModel:
    """Return the named model; without a name, that of the settings or a detected one."""
    if isinstance(spec, BaseChatModel):
        return ResolvedModel(spec, _name_of(spec), ours=False)
    wanted = spec or settings.model
    found = DetectedModel(_parse_name(wanted, settings)) if wanted else detect_model(settings)
    return ResolvedModel(_build(found.spec, settings), str(found.spec), found.notice)


def _parse_name(wanted: str, settings: Settings) -> ModelSpec:
    """Parse a model's name; an error names its setting."""
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
