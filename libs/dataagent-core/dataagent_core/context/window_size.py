"""Finds the context window of a model that the catalogue does not know.

The price list and LangChain's own data are tried first. Then servers with OpenAI's API are asked
for the model (vLLM, OpenRouter, Groq, Mistral, LM Studio), and Ollama for what it loaded. No answer
in time counts as unknown. `stated_window` reads the size from a provider's error about a request
that is too long, for example "maximum context length is 8192 tokens" (OpenAI, vLLM, DeepSeek) or
"215000 tokens > 200000 maximum" (Anthropic).
"""

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping
from typing import Any

from langchain_core.language_models import BaseChatModel

from dataagent_core.config.limits.context import (
    REFUSAL_CHARS_MAX,
    WINDOW_PROBE_BYTES_MAX,
    WINDOW_PROBE_S,
    WINDOW_TOKENS_MIN,
)
from dataagent_core.config.model_catalog import find_price

_LIMIT = re.compile(
    r"maximum (?:context length|number of tokens allowed)\D{0,12}(\d[\d,]{2,11})\b"
    r"|> ?(\d[\d,]{2,11})\b maximum"
    r"|context limit[^>\n]{0,80}> ?(\d[\d,]{2,11})\b"
    r"|with (\d[\d,]{2,11})\b maximum context",
    re.IGNORECASE,
)


def stated_window(message: str) -> int | None:
    """Read the window from a provider's error; None if it is missing or implausible."""
    found = _LIMIT.search(message[:REFUSAL_CHARS_MAX])
    if found is None:
        return None
    tokens = int(next(group for group in found.groups() if group).replace(",", ""))
    return tokens if tokens >= WINDOW_TOKENS_MIN else None


_WINDOW_KEYS = ("max_model_len", "context_length", "context_window", "max_context_length")


async def ask_for_window(model: BaseChatModel, name: str) -> int | None:
    """Find a model's context length in tokens; None if it is unknown."""
    provider, _, bare = name.partition(":") if ":" in name else ("", "", name)
    price = await asyncio.to_thread(find_price, provider or None, bare)
    if (listed := _plausible_tokens(price.context_length)) is not None:
        return listed
    profile: Mapping[str, Any] = getattr(model, "profile", None) or {}
    if (known := _plausible_tokens(profile.get("max_input_tokens"))) is not None:
        return known
    if type(model).__module__.startswith("langchain_ollama"):
        return of_ollama(await ask_ollama(model, bare))
    if not getattr(model, "openai_api_base", None):
        return None
    return of_listing(await _list_models(model), bare)


def of_listing(listed: Any, name: str) -> int | None:
    """Read the window from a list of models."""
    models = listed.get("data") if isinstance(listed, dict) else None
    for model in models if isinstance(models, list) else []:
        if isinstance(model, dict) and model.get("id") == name:
            windows = (_plausible_tokens(model.get(key)) for key in _WINDOW_KEYS)
            return next((tokens for tokens in windows if tokens is not None), None)
    return None


def of_ollama(shown: Any) -> int | None:
    """Read the window from Ollama's description of a model."""
    info = shown.get("model_info") if isinstance(shown, dict) else None
    for key, value in info.items() if isinstance(info, dict) else ():
        if str(key).endswith(".context_length"):
            return _plausible_tokens(value)
    return None


def _plausible_tokens(value: Any) -> int | None:
    whole = isinstance(value, int) and not isinstance(value, bool)
    return value if whole and value >= WINDOW_TOKENS_MIN else None


# Both use the model's own client: a server guards it against addresses inside its network.
async def _list_models(model: Any) -> Any:
    from openai import OpenAIError

    client = model.root_async_client.with_options(max_retries=0, timeout=WINDOW_PROBE_S)
    try:
        async with client.models.with_streaming_response.list() as response:
            return json.loads(await _read_bounded(response.iter_bytes()))
    except (OpenAIError, OSError, ValueError):
        return None


async def ask_ollama(model: Any, name: str) -> Any:
    """Return what Ollama shows of a model; None if it cannot be reached."""
    import httpx

    try:
        async with model._async_client._client.stream(  # noqa: SLF001 (langchain-ollama offers no other way)
            "POST", "/api/show", json={"model": name}, timeout=WINDOW_PROBE_S
        ) as response:
            response.raise_for_status()
            return json.loads(await _read_bounded(response.aiter_bytes()))
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return None


async def _read_bounded(parts: AsyncIterator[bytes]) -> bytes:
    data = b""
    async for part in parts:
        data += part
        if len(data) > WINDOW_PROBE_BYTES_MAX:
            raise ValueError("too much to be a list of models")
    return data
