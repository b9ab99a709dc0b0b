"""Reads the episodes of earlier runs into the graph, beside the next one: nobody waits for it.

It begins with a run, while a model works on the message, and so delays neither an answer nor the
end of a program. It ends with a run that is stopped, which pays for nothing more. What is not
finished is in the store in the state it reached, and goes on with the run after that.
"""

import asyncio
import logging
from contextvars import copy_context

from dataagent_core.engine.memory.extraction_model import ACCOUNT, ExtractionModel
from dataagent_core.memory.graph.graph_service import GraphServicePort
from dataagent_core.usage import RunAccount

logger = logging.getLogger(__name__)


class EpisodeWork:
    """Works on waiting episodes, one round at a time."""

    def __init__(self, graph: GraphServicePort, model: ExtractionModel | None = None) -> None:
        self._graph = graph
        self._model = model
        self._task: asyncio.Task[None] | None = None
        self._payer: RunAccount | None = None
        # Of the run that asked for another round while one was under way.
        self._again: RunAccount | None = None

    def start(self, account: RunAccount) -> None:
        """Begin, or go round once more after the round under way; a run's account pays."""
        if self._task is None or self._task.done():
            self._begin(account)
        else:
            self._again = account

    async def stop(self, account: RunAccount) -> None:
        """End what a run pays for; what another one asked for begins at its expense."""
        if self._again is account:
            self._again = None
        task = self._task
        if task is None or self._payer is not account:
            return
        await _cancel(task)
        if self._again is not None and self._task is task:
            self._begin(self._again)

    async def aclose(self) -> None:
        """Stop; the next run goes on with it."""
        self._again = None
        if self._task is not None:
            await _cancel(self._task)
        if self._model is not None:
            await self._model.aclose()

    def _begin(self, account: RunAccount) -> None:
        context = copy_context()
        context.run(ACCOUNT.set, account)
        self._payer, self._again = account, None
        self._task = asyncio.create_task(self._work(), context=context)

    async def _work(self) -> None:
        while True:
            try:
                await self._graph.process_pending()
            except Exception:
                # Of a store or a model: the episodes wait in their states.
                logger.exception("episodes were not read into the graph")
            if self._again is None:
                self._payer = None
                return
            self._payer, self._again = self._again, None
            ACCOUNT.set(self._payer)


async def _cancel(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
