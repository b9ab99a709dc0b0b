"""Builds real agents for the engine's tests: scripted model, real tools, stores in memory."""

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_core.tools import BaseTool, tool

from dataagent_core.config import Settings
from dataagent_core.engine import AgentConfig, AgentExecutor, AgentFactory
from dataagent_core.events import Event
from dataagent_core.hitl import ActionRequest, Decision, HITLHandler
from dataagent_core.models import Script, ScriptedChatModel
from dataagent_core.permissions import RunTerms
from dataagent_core.session.stores.bundle import Stores

HOME = Path(tempfile.mkdtemp(prefix="dataagent-test-"))


def settings(**values: Any) -> Settings:
    values.setdefault("home", HOME)
    values.setdefault("model_retries", 0)
    # Tests share a home: what one of them does must not be a hint for another.
    values.setdefault("pattern_learning", False)
    values.setdefault("memory_learning", False)
    return Settings(**values)


def scripted(
    *steps: dict[str, Any], scripts: list[dict[str, Any]] | None = None
) -> ScriptedChatModel:
    data = {"scripts": scripts} if scripts else {"steps": list(steps)}
    return ScriptedChatModel(script=Script.model_validate(data))


def executor(
    model: Any,
    workspace: Path,
    *,
    handler: HITLHandler | None = None,
    tools: Sequence[BaseTool] = (),
    stores: Stores | None = None,
    chosen: Settings | None = None,
    **config: Any,
) -> AgentExecutor:
    factory = AgentFactory(chosen or settings(), stores=stores)
    return factory.create_executor(
        AgentConfig(
            assistant_id="tester",
            model=model,
            workspace_path=workspace,
            extra_tools=list(tools),
            **config,
        ),
        handler,
    )


async def events_of(
    agent: AgentExecutor, prompt: str = "go", session: str = "s", terms: RunTerms | None = None
) -> list[Any]:
    return [event async for event in agent.execute(prompt, session, terms=terms)]


async def resumed(agent: AgentExecutor, session: str = "s") -> list[Any]:
    return [event async for event in agent.resume(session)]


def types(events: Sequence[Event]) -> list[str]:
    return [event.event_type for event in events]


class Answering:
    """A person who answers with the given decisions, then approves; remembers what was asked."""

    def __init__(self, *decisions: Decision) -> None:
        self._decisions = list(decisions)
        self.asked: list[ActionRequest] = []
        self.told: list[ActionRequest] = []

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:
        self.asked.append(action_request)
        return self._decisions.pop(0) if self._decisions else {"type": "approve"}

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        self.told.append(action_request)


@tool
async def echo(text: str) -> str:
    """Return the text."""
    return text


@tool
async def explode(text: str) -> str:
    """Fail with the text."""
    raise RuntimeError(text)
