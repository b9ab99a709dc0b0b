"""LangChain's OpenAI model without the SDK's types: plain dictionaries in and out.

Converting messages and tools through the SDK's parameter types took a tenth of a turn, and building
a typed object from each chunk a seventh of the time of a chunk. Addresses, keys, timeouts, decoding
and errors stay the SDK's. LangChain calls `async_client.create`, which `PlainCompletions` replaces.
"""

from collections.abc import Mapping
from typing import Any, cast

from langchain_openai import ChatOpenAI
from langchain_openai.chat_models.base import BaseChatOpenAI
from openai import AsyncOpenAI, AsyncStream, NotGiven, Omit
from openai.resources.chat import AsyncCompletions

from dataagent_core.models.openai.tool_schemas import ToolSchemaCache

# What `create` takes beside the body, and the name it has in the options of a request.
_BESIDE_THE_BODY = {
    "extra_headers": "headers",
    "extra_query": "params",
    "extra_body": "extra_json",
    "timeout": "timeout",
}


class PlainCompletions:
    """Stands in for the SDK's completions; what is not streamed goes there unchanged."""

    def __init__(self, client: AsyncOpenAI, typed: AsyncCompletions) -> None:
        self._client = client
        self._typed = typed

    def __getattr__(self, name: str) -> Any:
        return getattr(self._typed, name)

    async def create(self, **payload: Any) -> Any:
        """Ask for a completion; a stream of it gives dictionaries."""
        if payload.get("stream") is not True or not _is_plain(payload):
            return await self._typed.create(**payload)
        options = {
            option: payload.pop(name)
            for name, option in _BESIDE_THE_BODY.items()
            if payload.get(name) is not None
        }
        return await self._client.post(
            "/chat/completions",
            body={name: value for name, value in payload.items() if name not in _BESIDE_THE_BODY},
            # The SDK's word for "leave the answer as it is".
            cast_to=object,
            options=cast("Any", options),
            stream=True,
            stream_cls=AsyncStream[object],
        )


def _is_plain(payload: Mapping[str, Any]) -> bool:
    """Say whether all of it goes into the body; the SDK's markers for "not given" do not."""
    return not any(isinstance(value, NotGiven | Omit) for value in payload.values())


class PlainChatOpenAI(ToolSchemaCache, ChatOpenAI):
    """Works out each tool's description once."""


def make_plain(model: BaseChatOpenAI) -> BaseChatOpenAI:
    """Let a model stream dictionaries; one that was built in an unexpected way stays as it is."""
    client, typed = model.root_async_client, model.async_client
    if isinstance(client, AsyncOpenAI) and isinstance(typed, AsyncCompletions):
        model.async_client = PlainCompletions(client, typed)
    return model
