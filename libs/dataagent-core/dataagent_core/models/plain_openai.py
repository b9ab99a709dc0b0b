"""LangChain's OpenAI model with less to do for each call: see the two it is made from."""

from langchain_openai import ChatOpenAI
from langchain_openai.chat_models.base import BaseChatOpenAI
from openai import AsyncOpenAI
from openai.resources.chat import AsyncCompletions

from dataagent_core.models.plain_completions import PlainCompletions
from dataagent_core.models.tool_schemas import SchemasOnce


class PlainChatOpenAI(SchemasOnce, ChatOpenAI):
    """Works out each tool's description once."""


def made_plain(model: BaseChatOpenAI) -> BaseChatOpenAI:
    """Let a model stream dictionaries; one that was built in an unexpected way stays as it is."""
    client, typed = model.root_async_client, model.async_client
    if isinstance(client, AsyncOpenAI) and isinstance(typed, AsyncCompletions):
        model.async_client = PlainCompletions(client, typed)
    return model
