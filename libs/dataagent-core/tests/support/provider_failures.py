"""Agents whose model is the scripted endpoint, over OpenAI's wire or Anthropic's."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from agents import echo, executor, settings
from langchain_anthropic import ChatAnthropic
from langchain_anthropic._client_utils import (
    _get_default_async_httpx_client,  # pyright: ignore[reportPrivateUsage] (see where it is used)
)

from dataagent_core.engine import AgentExecutor
from dataagent_core.models import resolve_model
from dataagent_core.testing import ScriptedEndpoint


@asynccontextmanager
async def agent_over(
    wire: str, server: ScriptedEndpoint, workspace: Path, named: str = "scripted", **chosen: Any
) -> AsyncGenerator[AgentExecutor]:
    chosen.setdefault("model_retries", 2)
    addresses = {
        "openai": {"openai_base_url": server.base_url, "openai_api_key": "x"},
        "anthropic": {"anthropic_base_url": server.root_url, "anthropic_api_key": "x"},
    }
    own = settings(**addresses[wire], **chosen)
    name = f"{wire}:{named}"
    shared = resolve_model(name, own).model if wire == "anthropic" else None
    agent = executor(shared or name, workspace, tools=[echo], chosen=own)
    try:
        yield agent
    finally:
        await agent.aclose()
        if isinstance(shared, ChatAnthropic):
            # Its package shares clients between models and never closes them. A closed one must
            # not be found again when another endpoint gets the same port.
            await shared._async_client.close()  # pyright: ignore[reportPrivateUsage] (as above)
            _get_default_async_httpx_client.cache_clear()
