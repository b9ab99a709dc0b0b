"""Makes memories of one turn of a conversation that was held elsewhere. Pure.

The turn is kept as context in the words it was said in. What the person said of themselves becomes
facts, preferences and decisions as well; what others said is a fact of theirs at most.
"""

from collections import Counter
from dataclasses import astuple, dataclass, field, replace
from datetime import UTC
from hashlib import sha256
from typing import Final

from dataagent_core.config.limits.memory import MEMORY_CONTENT_CHARS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.language.prompt_line import make_prompt_line
from dataagent_core.memory.changes.merge import SAID_AT_KEY
from dataagent_core.memory.graph.extraction.memory_rules import Turn, extract_memories
from dataagent_core.memory.graph.extraction.proposed_memory import ProposedMemory
from dataagent_core.memory.hygiene.check_memory import CheckedMemory, check_memory
from dataagent_core.memory.hygiene.recall_mark import remove_recalled
from dataagent_core.memory.hygiene.refusal import MemoryRefusedError, RefusalRule
from dataagent_core.memory.hygiene.secret_rule import find_mask, holds_secret
from dataagent_core.memory.hygiene.source_text import SaidPart, SourceText
from dataagent_core.memory.memory import MemoryMetadata, MemoryScope, MemorySource

_SPEAKER_CHARS_MAX: Final = 80
_KEY_CHARS: Final = 32


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPlace:
    """Which turn it is: the scope, the name of the conversation, and its number from 1."""

    scope: MemoryScope
    conversation_id: str
    number: int
    # Made of where the turn stands, not of what it says: nothing of it is left in an id.
    key: str

    @property
    def episode_id(self) -> str:
        """The id of its episode."""
        return f"turn-{self.key}"

    def context_id(self, part: int) -> str:
        """Give the id of its context; a long turn has several parts."""
        return f"turn-{self.key}-{part}"


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnMemories:
    """What a turn becomes: its text without unclean lines, and what it says."""

    # Empty: nothing of it may be kept.
    text: str
    context: tuple[CheckedMemory, ...] = ()
    statements: tuple[CheckedMemory, ...] = ()
    refused: Counter[RefusalRule] = field(default_factory=Counter[RefusalRule])


def make_place(scope: MemoryScope, conversation_id: str, number: int) -> TurnPlace:
    """Give the place of a turn, under ids that are the same each time it is imported."""
    named = (*astuple(scope), conversation_id, str(number))
    key = sha256("\0".join(named).encode()).hexdigest()[:_KEY_CHARS]
    return TurnPlace(scope=scope, conversation_id=conversation_id, number=number, key=key)


def read_turn(turn: Turn, place: TurnPlace) -> TurnMemories:
    """Make memories of a turn."""
    if turn.at.tzinfo is None:
        raise ValidationError(
            f"The turn {place.number} was said at {turn.at.isoformat()}, without a time zone: add "
            "one, such as Z."
        )
    refused = Counter[RefusalRule]()
    text = _keep_clean_lines(turn.text, refused)
    if not text.strip():
        return TurnMemories(text="", refused=refused)
    speaker = make_prompt_line(turn.speaker)[:_SPEAKER_CHARS_MAX]
    clean = replace(turn, text=text, speaker=speaker)
    statements: list[CheckedMemory] = []
    for proposed in extract_memories(clean):
        try:
            statements.append(_check_statement(proposed, clean, place))
        except MemoryRefusedError as error:
            refused[error.rule] += 1
    return TurnMemories(
        text=f"{speaker}: {text}" if speaker else text,
        context=tuple(_make_context(clean, place)),
        statements=tuple(statements),
        refused=refused,
    )


def _keep_clean_lines(text: str, refused: Counter[RefusalRule]) -> str:
    kept: list[str] = []
    for line in remove_recalled(text).replace("\0", " ").split("\n"):
        if holds_secret(line):
            refused["secret"] += 1
        elif find_mask(line) is not None:
            refused["masked"] += 1
        else:
            kept.append(line)
    return "\n".join(kept).strip()


def _make_context(turn: Turn, place: TurnPlace) -> list[CheckedMemory]:
    """Make the context of a turn; a long one becomes several."""
    prefix = f"{turn.speaker}: " if turn.speaker else ""
    size = MEMORY_CONTENT_CHARS_MAX - len(prefix)
    parts = [turn.text[at : at + size] for at in range(0, len(turn.text), size)]
    metadata = _make_metadata(turn, place, quote="")
    return [
        CheckedMemory(
            content=prefix + part,
            metadata=replace(metadata, type="context", subject=""),
            is_tainted=bool(turn.speaker),
        )
        for part in parts
        if part.strip()
    ]


def _check_statement(proposed: ProposedMemory, turn: Turn, place: TurnPlace) -> CheckedMemory:
    metadata = replace(
        _make_metadata(turn, place, quote=proposed.quote),
        type=proposed.type,
        confidence=proposed.confidence,
        subject=proposed.subject or None,
    )
    own = proposed.content == proposed.quote
    said = SaidPart(voice="person" if own else "agent", text=turn.text, seq=place.number)
    if own:
        return check_memory(proposed.content, metadata, SourceText(parts=(said,)), ())
    # Somebody else's: a fact that they say so.
    by, _, words = proposed.content.partition(": ")
    source = replace(metadata.source, speaker=by)
    fact = replace(metadata, type="fact", source=source)
    return check_memory(words, fact, SourceText(parts=(said,)), ())


def _make_metadata(turn: Turn, place: TurnPlace, quote: str) -> MemoryMetadata:
    said_at = turn.at.astimezone(UTC)
    return MemoryMetadata(
        scope=place.scope,
        source=MemorySource(
            kind="conversation",
            session_id=place.conversation_id,
            seq_first=place.number,
            seq_last=place.number,
            speaker=turn.speaker,
            quote=quote,
        ),
        valid_from=said_at,
        episode_id=place.episode_id,
        extra={SAID_AT_KEY: said_at.isoformat()},
    )
