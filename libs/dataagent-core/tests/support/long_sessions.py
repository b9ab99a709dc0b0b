"""Agents in small windows: a model that measures what it is asked, and a tool that says much."""

from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from agents import executor, settings
from langchain_core.exceptions import ContextOverflowError
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, ToolMessage
from langchain_core.tools import tool

from dataagent_core.context.token_counter import message_tokens, tools_tokens
from dataagent_core.engine import AgentExecutor
from dataagent_core.models import Script, ScriptedChatModel
from dataagent_core.session.stores.bundle import Stores

SUMMARY = "They looked at many rows."


@tool
async def rows(count: int) -> str:
    """Return so many rows."""
    return "\n".join(f"row {n} of {count}" for n in range(count))


class Measuring(ScriptedChatModel):
    """Refuses what does not fit its window, in the words of a provider; keeps what it is sent."""

    window: int = 1_000_000
    asked: list[tuple[list[BaseMessage], list[Any]]] = []  # noqa: RUF012 (pydantic copies it)

    async def _astream(self, messages: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        self.asked.append((list(messages), list(kwargs.get("tools") or [])))
        if self.size(-1) > self.window:
            raise ContextOverflowError(f"maximum context length is {self.window} tokens")
        async for chunk in super()._astream(messages, *args, **kwargs):
            yield chunk

    def size(self, position: int) -> int:
        """Measure a request as a provider does: everything in it."""
        messages, tools = self.asked[position]
        return sum(map(message_tokens, messages)) + tools_tokens(tools)

    @property
    def answered(self) -> list[list[BaseMessage]]:
        """The requests that were for the answer, not for a summary."""
        return [sent for sent, _ in self.asked if "concise summary" not in str(sent[-1].text)]


class InOrder(Measuring):
    """Plays its steps one after the other, whatever of the conversation it is shown."""

    played: int = 0

    async def _astream(self, messages: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        if "concise summary" in str(messages[-1].text):
            async for chunk in super()._astream(messages, *args, **kwargs):
                yield chunk
            return
        self.asked.append((list(messages), list(kwargs.get("tools") or [])))
        if self.size(-1) > self.window:
            raise ContextOverflowError(f"maximum context length is {self.window} tokens")
        before = [AIMessage(content="x") for _ in range(self.played)]
        self.played += 1
        asked: list[BaseMessage] = [HumanMessage(content="in order"), *before]
        async for chunk in ScriptedChatModel._astream(self, asked, *args, **kwargs):
            yield chunk


def measuring(
    *steps: dict[str, Any],
    window: int = 1_000_000,
    summary: Any = SUMMARY,
    kind: type[Measuring] = Measuring,
) -> Measuring:
    told = summary if isinstance(summary, dict) else {"text": summary}
    scripts = [
        {"match": "concise summary", "steps": [told]},
        {"steps": list(steps) or [{"text": "ok"}]},
    ]
    return kind(script=Script.model_validate({"scripts": scripts}), window=window, asked=[])


def agent(
    model: Any, folder: Path, window: int, *, stores: Stores | None = None, **more: Any
) -> AgentExecutor:
    # Without a tool of the agent's own the window is the history's.
    chosen = settings(max_context_tokens=window, **more.pop("settings", {}))
    # The list of built-in skills grows with them; these tests count tokens.
    more.setdefault("enable_skills", False)
    return executor(model, folder, tools=[rows], stores=stores, chosen=chosen, **more)


def said_by(sent: Sequence[BaseMessage], kind: type[BaseMessage]) -> list[str]:
    return [str(message.text) for message in sent if isinstance(message, kind)]


def pairs_are_whole(sent: Sequence[BaseMessage]) -> bool:
    asked = {c["id"] for m in sent if isinstance(m, AIMessage) for c in m.tool_calls}
    return asked == {m.tool_call_id for m in sent if isinstance(m, ToolMessage)}


def questions(sent: Sequence[BaseMessage]) -> list[str]:
    return said_by(sent, HumanMessage)
