"""A process that brings episodes on and is killed at one of their writes.

`episode_victim.py FOLDER POINT WHEN` (`tests/warm`): the graph is in FOLDER; the process ends with
SIGKILL before or after the first write of the point.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from dataagent_core.memory.graph.graph_service import NewEpisode
from dataagent_core.memory.graph.graph_terms import GraphTerms
from dataagent_core.memory.graph.graph_values import Community, Episode, EpisodeLinks
from dataagent_core.memory.graph.native_graph_adapter import NativeGraphAdapter
from dataagent_core.memory.graph.sql.sql_graph_store import SqlGraphStore
from dataagent_core.memory.memory import MemoryScope, MemorySource
from dataagent_core.memory.sql.memory_file import MemoryFile

SCOPE = MemoryScope.of_user("one", "ada", "assistant")
EPISODES = 3
# Each write of an episode's life, in order.
POINTS = ("received", "extracted", "linked", "communities", "synced")
ENTITIES = [
    {"id": number, "name": name, "type": "person"}
    for number, name in enumerate(("Ann", "Bea", "Cy"), start=101)
]
RELATIONS = [
    {"source": 101, "target": 102, "name": "knows", "fact": "Ann knows Bea"},
    {"source": 102, "target": 103, "name": "knows", "fact": "Bea knows Cy"},
]


class DeadlyStore(SqlGraphStore):
    """A store whose process dies at a write."""

    point = ""
    when = ""

    async def add_episodes(self, episodes: Sequence[tuple[Episode, object]]) -> list[Episode]:  # pyright: ignore[reportIncompatibleMethodOverride]
        self._die("received", "before")
        added = await super().add_episodes(episodes)  # pyright: ignore[reportArgumentType]
        self._die("received", "after")
        return added

    async def save_episode(self, episode: Episode) -> Episode:
        self._die(episode.state, "before")
        saved = await super().save_episode(episode)
        self._die(episode.state, "after")
        return saved

    async def link_many(self, links: Sequence[EpisodeLinks]) -> list[Episode]:
        self._die(links[0].episode.state, "before")
        linked = await super().link_many(links)
        self._die(links[0].episode.state, "after")
        return linked

    async def save_communities(
        self, scope: MemoryScope, communities: Sequence[tuple[Community, Sequence[str]]]
    ) -> None:
        self._die("communities", "before")
        await super().save_communities(scope, communities)
        self._die("communities", "after")

    def _die(self, point: str, when: str) -> None:
        if (point, when) == (self.point, self.when):
            os.kill(os.getpid(), signal.SIGKILL)


def make_model(log: Path) -> Callable[..., object]:
    """Make a model that finds the same every time, and notes that it was asked."""

    async def call(instructions: str, text: str, *, answer_tokens_max: int) -> str:
        del instructions, answer_tokens_max
        asked = json.loads(text)
        if "text" not in asked:
            return "no summary"
        with log.open("a") as file:
            file.write(f"{asked['text'][:10]}\n")
        return json.dumps({"entities": ENTITIES, "relations": RELATIONS})

    return call


def open_graph(folder: Path, store: SqlGraphStore | None = None) -> NativeGraphAdapter:
    """Open the graph of a folder."""
    return NativeGraphAdapter(
        store or SqlGraphStore(MemoryFile(folder / "memory.db"), "one"),
        embedder=None,
        terms=GraphTerms(enable_reflexion=False),
        call=make_model(folder / "asked"),  # pyright: ignore[reportArgumentType]
    )


async def bring_on(graph: NativeGraphAdapter) -> None:
    """Add the episodes, as whoever reads a conversation again does, and bring them to their end."""
    await graph.add_episodes(
        [
            NewEpisode(
                scope=SCOPE,
                content=f"Episode {number}: Ann knows Bea, and Bea knows Cy.",
                source=MemorySource(kind="conversation", session_id="s", seq_first=number),
                id=f"e{number}",
            )
            for number in range(EPISODES)
        ]
    )
    await graph.process_pending()


def main() -> None:
    """Run as the process that is killed."""
    folder, point, when = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    store = DeadlyStore(MemoryFile(folder / "memory.db"), "one")
    store.point, store.when = point, when
    asyncio.run(bring_on(open_graph(folder, store)))


if __name__ == "__main__":
    main()
