"""Reads the episodes of earlier runs into the graph, beside the next one: nobody waits for it.

It begins with a run, while a model works on the message, and so delays neither an answer nor the
end of a program. What is not finished is in the store in the state it reached, and goes on with the
run after that.
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
        self._again = False

    def start(self, account: RunAccount) -> None:
        """Begin, or go round once more after the round under way; a run's account pays."""
        self._again = True
        if self._task is None or self._task.done():
            context = copy_context()
            context.run(ACCOUNT.set, account)
            self._task = asyncio.create_task(self._work(), context=context)

    async def aclose(self) -> None:
        """Stop; the next run goes on with it."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._model is not None:
            await self._model.aclose()

    async def _work(self) -> None:
        while self._again:
            self._again = False
            try:
                await self._graph.process_pending()
            except Exception:
                # Of a store or a model: the episodes wait in their states.
                logger.exception("episodes were not read into the graph")
