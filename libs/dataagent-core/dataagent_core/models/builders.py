"""Building a chat model of each provider we know, with its SDK imported only then.

The same for all: keys and addresses come from `Settings` (they may stand in `.env`, which the SDKs
do not read), the SDK's own retries are off because ours emit events, and answers stream.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx
from langchain_core.language_models import BaseChatModel

from dataagent_core.config.limits import (
    MODEL_CALL_TIMEOUT_S,
    MODEL_CONNECT_TIMEOUT_S,
    MODEL_SILENCE_S,
)
from dataagent_core.config.settings import Settings
from dataagent_core.models.listing.ollama import ollama_url
from dataagent_core.models.providers import PROVIDERS
from dataagent_core.models.scripted.demo import demo_model
from dataagent_core.models.scripted.script import Script
from dataagent_core.models.scripted.scripted_model import ScriptedChatModel

# Connecting has its own, short limit: an address that swallows packets must not cost ten minutes.
_TIMEOUTS_S = (
    MODEL_CONNECT_TIMEOUT_S,
    MODEL_CALL_TIMEOUT_S,
    MODEL_CALL_TIMEOUT_S,
    MODEL_CALL_TIMEOUT_S,
)


def _openai_options(name: str, settings: Settings, provider: str) -> dict[str, Any]:
    """Return what every model behind OpenAI's wire is given."""
    return {
        "model": name,
        "api_key": PROVIDERS[provider].required_key(settings),
        "timeout": httpx.Timeout(_TIMEOUTS_S),
        "stream_chunk_timeout": MODEL_SILENCE_S,
        "max_retries": 0,
        "streaming": True,
        "stream_usage": True,
    }


def _openai(name: str, settings: Settings) -> BaseChatModel:
    from dataagent_core.models.openai.plain_openai import PlainChatOpenAI, make_plain

    options = _openai_options(name, settings, "openai")
    if settings.openai_base_url is not None:
        # Others speak chat completions; the Responses API would be chosen by the model's name.
        options |= {"base_url": settings.openai_base_url, "use_responses_api": False}
    return make_plain(PlainChatOpenAI(**options))


def _dashscope(name: str, settings: Settings) -> BaseChatModel:
    from dataagent_core.models.openai.plain_openai import PlainChatOpenAI, make_plain

    options = _openai_options(name, settings, "dashscope")
    options |= {"base_url": settings.dashscope_base_url, "use_responses_api": False}
    return make_plain(PlainChatOpenAI(**options))


def _deepseek(name: str, settings: Settings) -> BaseChatModel:
    from dataagent_core.models.openai.plain_deepseek import PlainChatDeepSeek
    from dataagent_core.models.openai.plain_openai import make_plain

    options = _openai_options(name, settings, "deepseek")
    if settings.deepseek_base_url is not None:
        options["base_url"] = settings.deepseek_base_url
    return make_plain(PlainChatDeepSeek(**options))


def _anthropic(name: str, settings: Settings) -> BaseChatModel:
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


def _google(name: str, settings: Settings) -> BaseChatModel:
    from langchain_google_genai import ChatGoogleGenerativeAI

    return ChatGoogleGenerativeAI(
        model=name,
        google_api_key=PROVIDERS["google_genai"].required_key(settings),
        timeout=MODEL_CALL_TIMEOUT_S,
        # Google's SDK counts the first try: 1 means no second one, 0 its own default.
        max_retries=1,
    )


def _ollama(name: str, settings: Settings) -> BaseChatModel:
    from langchain_ollama import ChatOllama

    return ChatOllama(
        model=name,
        base_url=ollama_url(settings.ollama_host),
        client_kwargs={"timeout": httpx.Timeout(_TIMEOUTS_S)},
    )


def _demo(name: str, settings: Settings) -> BaseChatModel:
    del name, settings
    return demo_model()


def _scripted(name: str, settings: Settings) -> BaseChatModel:
    del settings
    path = Path(name).expanduser()
    return ScriptedChatModel(script=Script.read(path), model_name=path.name)


BUILDERS: Mapping[str, Callable[[str, Settings], BaseChatModel]] = {
    "anthropic": _anthropic,
    "openai": _openai,
    "google_genai": _google,
    "deepseek": _deepseek,
    "dashscope": _dashscope,
    "ollama": _ollama,
    "demo": _demo,
    "scripted": _scripted,
}
