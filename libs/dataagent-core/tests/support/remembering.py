"""An agent of a person with memories of their own: what it is told, and what it learns."""

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from agents import executor, settings
from langchain_core.messages import BaseMessage
from langchain_core.outputs import ChatGenerationChunk
from pydantic import Field
from subagent_scripts import RememberingModel

from dataagent_core.engine.assembly.local_memory import OpenMemory, open_memory
from dataagent_core.engine.assembly.memory_scopes import list_person_scopes
from dataagent_core.memory.memory import Memory, MemoryMetadata
from dataagent_core.memory.memory_results import MemoryOwner, MemoryQueryOptions
from dataagent_core.models import Script
from dataagent_core.session.stores.bundle import Stores

TENANT, USER, ASSISTANT = "local", "ada", "tester"
OWNER = MemoryOwner(tenant_id=TENANT, user_id=USER)


class SeenModel(RememberingModel):
    """A model that keeps all that was sent to it, beside the messages."""

    tools: list[Any] = Field(default_factory=list[Any])

    async def _astream(
        self, messages: list[BaseMessage], *args: Any, **kwargs: Any
    ) -> AsyncIterator[ChatGenerationChunk]:
        offered = [(tool.name, tool.description) for tool in kwargs.get("tools", ())]
        self.tools.append(offered)
        async for chunk in super()._astream(messages, *args, **kwargs):
            yield chunk


def model(*steps: dict[str, Any]) -> SeenModel:
    return SeenModel(script=Script.model_validate({"steps": steps}))


class Person:
    """Sends messages to agents that share a home, each in a session of its own."""

    def __init__(self, tmp_path: Path, **chosen: Any) -> None:
        self.home = tmp_path / "home"
        self.files = tmp_path / "files"
        self.files.mkdir(parents=True, exist_ok=True)
        self.home.mkdir(exist_ok=True)
        self.settings = settings(home=self.home, **{"memory_learning": True, **chosen})
        self.stores = Stores.in_memory()
        self.opened: OpenMemory = open_memory(self.settings, TENANT, self.home, self.stores)

    def agent(self, played: SeenModel, **config: Any) -> Any:
        values: dict[str, Any] = {
            "home": self.home,
            "user_id": USER,
            "auto_approve": True,
            **config,
        }
        return executor(
            played,
            self.files,
            chosen=self.settings,
            stores=self.stores,
            **values,
        )

    async def say(
        self, text: str, session: str, *steps: dict[str, Any], **config: Any
    ) -> tuple[list[Any], SeenModel]:
        """Return the events of a message and the model that answered it."""
        played = model(*(steps or ({"text": "ok"},)))
        context = config.pop("context", None)
        agent = self.agent(played, **config)
        try:
            return [event async for event in agent.execute(text, session, context)], played
        finally:
            await agent.aclose()

    async def remember(self, content: str, **values: Any) -> Memory:
        scope = list_person_scopes(TENANT, USER, ASSISTANT)["user"]
        return await self.opened.service.add(content, MemoryMetadata(scope=scope, **values))

    async def memories(self, *, with_past: bool = False) -> list[Memory]:
        return await self.opened.service.get_by_user(OWNER, MemoryQueryOptions(with_past=with_past))
