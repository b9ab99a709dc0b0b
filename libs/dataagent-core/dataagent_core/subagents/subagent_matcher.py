"""Compares messages with sub-agents by words and meaning, and routes them.

    matcher = SubAgentMatcher(subagents, embedder)
    found = await matcher.route(message, ask=ask_model)

The decision is in `router.py` and `router_question.py`; here are the effects: the embedder, and the
model that is asked when the score is unsure.
"""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence

from dataagent_core.config.limits.match import MATCH_WAIT_S_MAX
from dataagent_core.config.limits.subagents import SUBAGENT_STEPS_MAX
from dataagent_core.errors import DataAgentError, StorageError
from dataagent_core.models.embeddings import (
    Embedder,
    MatchDocument,
    WeightedPattern,
    find_index,
)
from dataagent_core.subagents.message_parts import split_message
from dataagent_core.subagents.route import Route, SubAgentScore
from dataagent_core.subagents.router import Scores, route
from dataagent_core.subagents.router_question import (
    RouterQuestion,
    keep_score,
    make_router_question,
    read_router_answer,
)
from dataagent_core.subagents.subagent import SubAgent

AskRouter = Callable[[RouterQuestion], Awaitable[str]]


class SubAgentMatcher:
    """The sub-agents of one agent, indexed at the first message; those `by_name` are not."""

    def __init__(
        self,
        subagents: Sequence[SubAgent],
        embedder: Embedder | None,
        by_name: Sequence[SubAgent] = (),
    ) -> None:
        self._subagents = (*subagents, *by_name)
        self._index = find_index(tuple(map(_to_document, subagents)), embedder)

    @property
    def names(self) -> frozenset[str]:
        """The names that a person may choose or forbid."""
        return frozenset(one.name for one in self._subagents)

    async def route(
        self,
        message: str,
        *,
        use: Sequence[str] = (),
        forbid: Collection[str] = (),
        tools: Collection[str] | None = None,
        idle_tools: Collection[str] = (),
        ask: AskRouter | None = None,
    ) -> Route:
        """Choose who gets a message; `ask` asks a model when the score is unsure."""
        split = split_message(message)
        # A message of more parts is scored as a whole.
        is_scored = split.order is not None and len(split.parts) <= SUBAGENT_STEPS_MAX
        parts = split.parts if is_scored else ()
        scores, *part_scores = await asyncio.gather(*map(self._score, (message, *parts)))
        found = route(
            message,
            self._subagents,
            scores,
            part_scores=part_scores,
            use=use,
            forbid=forbid,
            tools=tools,
            idle_tools=idle_tools,
        )
        if not found.is_unsure or ask is None:
            return found
        try:
            answer = await ask(make_router_question(message, found, self._subagents))
        except StorageError:
            # A run whose store fails stays open; it does not go on without it.
            raise
        except DataAgentError as error:
            return keep_score(found, str(error).rstrip("."))
        return read_router_answer(answer, message, found, self._subagents)

    async def _score(self, message: str) -> Scores:
        return {
            one.document.key: SubAgentScore(
                one.score, one.keyword_score, one.semantic_score, one.reason
            )
            for one in await self._index.rank(message, wait_s=MATCH_WAIT_S_MAX)
        }


def _to_document(subagent: SubAgent) -> MatchDocument:
    trigger = subagent.trigger
    return MatchDocument(
        key=subagent.name,
        name=subagent.name,
        description=trigger.description,
        phrases=trigger.examples,
        patterns=tuple(WeightedPattern(pattern=word) for word in trigger.keywords),
    )
