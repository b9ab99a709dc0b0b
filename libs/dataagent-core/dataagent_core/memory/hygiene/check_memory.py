"""Checks a new memory against all rules, and says in which form it may be kept. Pure.

The person's own words are looked at first. What only the agent or a tool said is a fact of theirs.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from dataagent_core.language.quotes import find_quotes
from dataagent_core.memory.changes.text_likeness import is_like
from dataagent_core.memory.hygiene.content_check import check_bounds, check_content
from dataagent_core.memory.hygiene.others_words import (
    attribute,
    check_others_words,
    check_personal,
    name_speaker,
    strip_speaker,
)
from dataagent_core.memory.hygiene.recall_mark import holds_recalled
from dataagent_core.memory.hygiene.refusal import MemoryRefusedError
from dataagent_core.memory.hygiene.secret_rule import check_secrets
from dataagent_core.memory.hygiene.source_match import ReadSource, find_ungrounded, read_source
from dataagent_core.memory.hygiene.source_text import SourceText, join_texts
from dataagent_core.memory.memory import MemoryMetadata
from dataagent_core.memory.text_digest import fold_text
from dataagent_core.memory.texts.clauses import split_clauses
from dataagent_core.memory.texts.text_marks import read_marks

AGENT: Final = "the agent"
_TOOL: Final = "a tool"
_SHOWN_CHARS_MAX: Final = 80


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedMemory:
    """A memory that may be kept."""

    content: str
    metadata: MemoryMetadata
    is_tainted: bool


def check_memory(
    content: str,
    metadata: MemoryMetadata,
    source: SourceText | None,
    instructions: Collection[str],
) -> CheckedMemory:
    """Return a memory in the form in which it is kept; raises `MemoryRefusedError`.

    `source` is the text of its span; None where it cannot be read. What a person types in rests on
    them alone. `instructions` are texts that are never a source, whoever repeats them: the system
    prompt, skills, descriptions of tools, and a project's instructions.
    """
    check_content(content)
    check_bounds(metadata)
    _check_texts(content, metadata)
    if metadata.source.kind == "manual":
        return CheckedMemory(content=content, metadata=metadata, is_tainted=False)
    if source is None:
        raise MemoryRefusedError(
            "unchecked",
            f"The source of {content[:_SHOWN_CHARS_MAX]!r} cannot be read: the session "
            f"{metadata.source.session_id!r} has no such events. Name the events it rests on, or "
            "add it as the person's own words.",
        )
    if metadata.source.kind == "conversation":
        own = join_texts(source.parts, "person")
        if _find_missing(content, metadata, own) is None:
            return _keep_own(content, metadata, own, source)
    return _keep_others(content, metadata, source, instructions)


def _check_texts(content: str, metadata: MemoryMetadata) -> None:
    """Refuse what may stand in no memory, and in nothing that is kept with it."""
    kept = {
        "text": content,
        "quote": metadata.source.quote,
        "speaker": metadata.source.speaker,
        "subject": metadata.subject or "",
        **{f"entry {name}": str(value) for name, value in metadata.extra.items()},
    }
    check_secrets({name: text for name, text in kept.items() if text})
    if any(map(holds_recalled, kept.values())):
        raise _make_recalled_error(content)


def _keep_own(
    content: str, metadata: MemoryMetadata, own: Collection[str], source: SourceText
) -> CheckedMemory:
    """Keep the person's own words; what they pasted of a result is not theirs."""
    if not _is_quoted(content, metadata, own, source.results):
        return CheckedMemory(content=content, metadata=metadata, is_tainted=False)
    speaker = name_speaker(metadata.source.speaker, (), _TOOL)
    return _attribute(content, metadata, speaker)


def _keep_others(
    content: str, metadata: MemoryMetadata, source: SourceText, instructions: Collection[str]
) -> CheckedMemory:
    """Keep words of the agent or of a tool, as what they say."""
    named = (metadata.source.tool,) if metadata.source.tool else ()
    by_tool = metadata.source.kind == "tool_result"
    said = join_texts(source.parts, "tool", named) if by_tool else join_texts(source.parts, "agent")
    tools = (part.tool for part in source.parts if part.voice == "tool")
    speaker = name_speaker(
        metadata.source.speaker, named or tools if by_tool else (), _TOOL if by_tool else AGENT
    )
    words = strip_speaker(content, speaker)
    missing = _find_missing(words, metadata, said)
    if missing is not None:
        raise MemoryRefusedError(
            "ungrounded",
            f"{content[:_SHOWN_CHARS_MAX]!r} is not what its source says: "
            f"{missing[:_SHOWN_CHARS_MAX]!r} does not stand there like this. Say it in the "
            "words of the conversation, or name the events it rests on.",
        )
    if any(is_like(words, one) or fold_text(words) in fold_text(one) for one in source.recalled):
        raise _make_recalled_error(content)
    if _is_recalled_in_other_words(words, source):
        raise _make_recalled_error(content)
    if find_quotes({words}, instructions, step_chars=1) or _is_part_of(words, instructions):
        raise MemoryRefusedError(
            "instructions",
            f"{content[:_SHOWN_CHARS_MAX]!r} repeats the agent's instructions, which are known "
            "without being remembered. Leave it out.",
        )
    return _attribute(words, metadata, speaker)


def _attribute(words: str, metadata: MemoryMetadata, speaker: str) -> CheckedMemory:
    check_others_words(words, metadata.type, speaker)
    check_personal(words, speaker)
    content = attribute(words, speaker)
    check_content(content)
    named = replace(metadata, source=replace(metadata.source, speaker=speaker), subject="")
    return CheckedMemory(content=content, metadata=named, is_tainted=True)


def _find_missing(content: str, metadata: MemoryMetadata, said: Collection[str]) -> str | None:
    return find_ungrounded(content, metadata.source.quote, read_source(list(said)))


def _is_quoted(
    content: str, metadata: MemoryMetadata, own: Collection[str], results: Collection[str]
) -> bool:
    """Say whether the person's words that it rests on are those of a result."""
    quoted = find_quotes({content, metadata.source.quote, *own}, results)
    return bool(quoted) and _find_missing(content, metadata, [*(set(own) - quoted)]) is not None


def _is_recalled_in_other_words(words: str, source: SourceText) -> bool:
    """Say whether recalled text alone says all of it: "You live in Berlin", asked where.

    "Well," and "As I said before," say nothing, so they make no other statement of it.
    """
    clauses = [clause.text for clause in split_clauses(words)]
    told = [text for text in clauses if read_marks(text).says_anything] or clauses
    return any(_says_all(read_source([one]), told) for one in source.recalled if one)


def _says_all(source: ReadSource, clauses: Collection[str]) -> bool:
    return all(find_ungrounded(text, "", source) is None for text in clauses)


def _is_part_of(words: str, texts: Collection[str]) -> bool:
    folded = fold_text(words)
    return any(folded in fold_text(one) for one in texts)


def _make_recalled_error(content: str) -> MemoryRefusedError:
    return MemoryRefusedError(
        "recalled",
        f"{content[:_SHOWN_CHARS_MAX]!r} was recalled from memory in this very run: it is known "
        "already. Leave it out, or change the memory that it came from.",
    )
