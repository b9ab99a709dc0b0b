"""`/memory`: the texts of what an answer used are read by id, and a forgotten one says so."""

from pathlib import Path
from typing import Any

from dataagent_cli.commands.learned.memory.stored_memories import (
    find_owner,
    find_scopes,
    open_memories,
)
from dataagent_cli.messages import Messages
from dataagent_cli.output.streams import Output
from dataagent_cli.remote.sessions import read_recalled as read_recalled_on_server
from dataagent_cli.sessions.memories import read_recalled
from dataagent_cli.wiring import App
from dataagent_core.config import Settings
from dataagent_core.errors import NotFoundError
from dataagent_core.events import MemoryRecalledEvent, RunStartedEvent
from dataagent_core.memory.memory import MemoryMetadata
from dataagent_core.session.stores.bundle import Stores

EPISODE = {"id": "e1", "type": "episode"}


async def test_memories_are_read_as_they_are_now_and_episodes_are_none(tmp_path: Path):
    app, stores = (
        App(Settings(home=tmp_path), Messages("en"), Output.of_process()),
        Stores.in_memory(),
    )
    service = open_memories(app, stores).service
    scope = find_scopes(app)["user"]
    kept = await service.add("I live in Basel", MemoryMetadata(scope=scope))
    named: list[Any] = [{"id": "m0", "type": "fact"}, {"id": kept.id, "type": "fact"}, EPISODE]
    await stores.log.append(
        "s", "r", [RunStartedEvent(message_id="r:m0"), MemoryRecalledEvent(memories=named)]
    )
    gone, shown = await read_recalled(app, stores, "s")
    assert gone == {"id": "m0", "is_gone": True}
    assert (shown["id"], shown["content"]) == (kept.id, "I live in Basel")
    await service.delete(kept.id, find_owner())
    assert all(one["is_gone"] for one in await read_recalled(app, stores, "s"))


class Server:
    """Answers as a server of one session does."""

    async def ask(self, method: str, path: str, **_: Any) -> Any:
        assert method == "GET"
        match path:
            case "/sessions/s":
                return {
                    "session_id": "s",
                    "user_id": "ada",
                    "assistant_id": "a",
                    "last_seq": 2,
                    "last_active": "",
                }
            case "/sessions/s/events":
                named = [{"id": "m/0"}, {"id": "m1"}, EPISODE, {"id": "m1"}]
                return {
                    "events": [
                        {"event_type": "start", "message_id": "r:m0", "run_id": "r"},
                        {"event_type": "memory_recalled", "memories": named},
                    ]
                }
            case "/memories/m1":
                return {"memory": {"id": "m1", "content": "I live in Basel"}, "history": []}
            case _:
                raise NotFoundError(path)


async def test_on_a_server_they_are_read_over_rest():
    client: Any = Server()
    assert await read_recalled_on_server(client, "s") == [
        {"id": "m/0", "is_gone": True},
        {"id": "m1", "content": "I live in Basel"},
    ]
