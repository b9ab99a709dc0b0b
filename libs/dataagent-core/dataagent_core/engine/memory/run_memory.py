"""What the executor has of memory: it learns from each run that ends."""

from collections.abc import Sequence
from dataclasses import dataclass

from dataagent_core.engine.memory.episode_work import EpisodeWork
from dataagent_core.engine.memory.learn_memories import learn_memories
from dataagent_core.engine.memory.memory_use import MemoryUse
from dataagent_core.events import Event
from dataagent_core.runs import RunContext
from dataagent_core.usage import RunAccount


@dataclass(frozen=True, slots=True, repr=False)
class RunMemory:
    """The memories of an agent's runs; `work` is None where others read its episodes."""

    use: MemoryUse
    work: EpisodeWork | None

    async def learn(self, context: RunContext) -> Sequence[Event]:
        """Learn from what the person said in a run; the events belong before its last one."""
        return await learn_memories(self.use, context)

    def read_episodes(self, account: RunAccount) -> None:
        """Begin to read what earlier runs left into the graph, at this run's expense."""
        if self.work is not None:
            self.work.start(account)

    async def stop_reading(self, account: RunAccount) -> None:
        """Read no more at the expense of a run that was stopped."""
        if self.work is not None:
            await self.work.stop(account)

    async def aclose(self) -> None:
        """End the work on episodes."""
        if self.work is not None:
            await self.work.aclose()
