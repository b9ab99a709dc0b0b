"""Agents whose model is the scripted endpoint, over OpenAI's wire or Anthropic's."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from agents import echo, executor, settings
from langchain_anthropic import ChatAnthropic

from dataagent_core.engine import AgentExecutor
from dataagent_core.models import resolve_model
from dataagent_core.testing import ScriptedEndpoint


@asynccontextmanager
async def agent_over(
    wire: str, server: ScriptedEndpoint, workspace: Path, **chosen: Any
) -> AsyncGenerator[AgentExecutor]:
    chosen.setdefault("model_retries", 2)
    addresses = {
        "openai": {"openai_base_url": server.base_url, "openai_api_key": "x"},
        "anthropic": {"anthropic_base_url": server.root_url, "anthropic_api_key": "x"},
    }
    own = settings(**addresses[wire], **chosen)
    name = f"{wire}:scripted"
    shared = resolve_model(name, own).model if wire == "anthropic" else None
    agent = executor(shared or name, workspace, tools=[echo], chosen=own)
    try:
        yield agent
    finally:
        await agent.aclose()
        if isinstance(shared, ChatAnthropic):
            # Its package shares clients between models and never closes them.
            await shared._async_client.close()  # pyright: ignore[reportPrivateUsage] (as above)
