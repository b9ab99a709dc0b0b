"""Closing the connections that a model built by us keeps open.

LangChain's models have no close of their own, so the clients inside are named here by provider.
Anthropic's are absent: its LangChain package shares them between all models of the process.
"""

import inspect
from operator import attrgetter

from langchain_core.language_models import BaseChatModel

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
