"""LangChain's DeepSeek model with less to do for each call, as `plain_openai.py`."""

from langchain_deepseek import ChatDeepSeek

from dataagent_core.models.openai.tool_schemas import ToolSchemaCache


class PlainChatDeepSeek(ToolSchemaCache, ChatDeepSeek):
    """Works out each tool's description once."""
