"""Reads an episode with a model: one call for each part, and a second one that looks for more.

What an episode may cost is bounded in calls and in tokens. Over the budget the second look is left
out first, then the parts that are left; both is said in the notes.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from typing import Final

from dataagent_core.config.limits.graph import (
    EPISODE_ANSWER_TOKENS,
    EPISODE_CALLS_MAX,
    EPISODE_PART_CHARS,
    EPISODE_PARTS_MAX,
    EPISODE_TOKENS_MAX,
)
from dataagent_core.errors import DataAgentError
from dataagent_core.memory.graph.extraction.extraction import ExtractedEntity, Extraction
from dataagent_core.memory.graph.extraction.extraction_prompt import (
    INSTRUCTIONS,
    REFLEXION,
    write_question,
)
from dataagent_core.memory.graph.extraction.model_answer import UnreadableAnswerError, read_answer
from dataagent_core.memory.graph.extraction.model_call import ModelCall
from dataagent_core.memory.graph.graph_values import Entity

_BYTES_PER_TOKEN: Final = 3
# Where a part may end, the best first.
_BREAKS: Final = ("\n\n", "\n", "。", ". ", " ")


class EpisodeBudget:
    """What is left of the calls and tokens of one episode."""

    def __init__(
        self, calls_max: int = EPISODE_CALLS_MAX, tokens_max: int = EPISODE_TOKENS_MAX
    ) -> None:
        self._calls = calls_max
        self._tokens = tokens_max

    def take(self, *texts: str) -> bool:
        """Take a call from the budget if it is enough for the worst case."""
        asked = sum(len(text.encode("utf-8", "replace")) for text in texts) // _BYTES_PER_TOKEN
        cost = asked + EPISODE_ANSWER_TOKENS
        if self._calls < 1 or self._tokens < cost:
            return False
        self._calls -= 1
        self._tokens -= cost
        return True


class ModelExtractor:
    """Asks a model what an episode says."""

    def __init__(self, call: ModelCall, *, reflexion: bool) -> None:
        self._call = call
        self._reflexion = reflexion

    async def extract(
        self,
        text: str,
        *,
        speaker: str,
        find_known: Callable[[str], Awaitable[Sequence[Entity]]],
        budget: EpisodeBudget | None = None,
    ) -> Extraction:
        """Return what the text says.

        Raises `UnreadableAnswerError` or the error of the call. What fails after the first reading
        of a part is a note only: what was paid for is kept.
        """
        budget = budget or EpisodeBudget()
        parts, notes = cut_in_parts(text)
        found: list[Extraction] = []
        for number, part in enumerate(parts, start=1):
            known = await find_known(part)
            question = write_question(part, speaker, known)
            if not budget.take(INSTRUCTIONS, question):
                notes.append(f"over the budget: {number - 1} of {len(parts)} parts were read")
                break
            first = read_answer(
                await self._ask(INSTRUCTIONS, question), part, speaker=speaker, known=known
            )
            found.append(await self._look_again(first, part, speaker, known, budget))
        joined = join_extractions(found)
        return replace(joined, notes=(*dict.fromkeys((*notes, *joined.notes)),))

    async def _look_again(
        self,
        first: Extraction,
        part: str,
        speaker: str,
        known: Sequence[Entity],
        budget: EpisodeBudget,
    ) -> Extraction:
        if not self._reflexion:
            return first
        instructions = INSTRUCTIONS + REFLEXION
        question = write_question(part, speaker, known, first.entities)
        if not budget.take(instructions, question):
            return _add_note(first, "the second look was left out: over the budget")
        try:
            answer = await self._ask(instructions, question)
            more = read_answer(answer, part, speaker=speaker, known=known, found=first.entities)
        except (UnreadableAnswerError, DataAgentError) as error:
            return _add_note(first, f"the second look failed: {error}")
        return Extraction(
            entities=more.entities,
            relations=(*first.relations, *more.relations),
            notes=(*first.notes, *more.notes),
        )

    async def _ask(self, instructions: str, question: str) -> str:
        return await self._call(instructions, question, answer_tokens_max=EPISODE_ANSWER_TOKENS)


def cut_in_parts(text: str) -> tuple[list[str], list[str]]:
    """Cut a text where a paragraph, a line or a sentence ends; notes say what is left out."""
    parts: list[str] = []
    start = 0
    while start < len(text) and len(parts) < EPISODE_PARTS_MAX:
        end = start + EPISODE_PART_CHARS
        if end < len(text):
            places = (text.rfind(sign, start + EPISODE_PART_CHARS // 2, end) for sign in _BREAKS)
            end = next((place + 1 for place in places if place > 0), end)
        parts.append(text[start:end])
        start = end
    left = len(text) - start
    notes = [f"the last {left:,} of {len(text):,} characters were not read"] if left > 0 else []
    return parts, notes


def join_extractions(found: Sequence[Extraction]) -> Extraction:
    """Join what parts say; their relations point into one list of entities."""
    entities: list[ExtractedEntity] = []
    relations = [
        replace(one, source=one.source + offset, target=one.target + offset)
        for offset, part in _with_offsets(found)
        for one in part.relations
    ]
    for part in found:
        entities += part.entities
    return Extraction(
        entities=tuple(entities),
        relations=tuple(relations),
        notes=tuple(note for part in found for note in part.notes),
    )


def _with_offsets(found: Sequence[Extraction]) -> list[tuple[int, Extraction]]:
    offsets = [0]
    for part in found:
        offsets.append(offsets[-1] + len(part.entities))
    return list(zip(offsets, found, strict=False))


def _add_note(extraction: Extraction, note: str) -> Extraction:
    return replace(extraction, notes=(*extraction.notes, note))
