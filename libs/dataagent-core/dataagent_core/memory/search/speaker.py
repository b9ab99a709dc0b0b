"""Who said a memory, and whether a query names them. Pure."""

from dataagent_core.language.common_words import is_common
from dataagent_core.language.word_split import is_han, split_runs
from dataagent_core.memory.memory import Memory
from dataagent_core.memory.search.speaker_prefix import split_speaker


def find_speaker(memory: Memory) -> str:
    """Return who said a memory, or nothing."""
    return memory.source.speaker or split_speaker(memory.content)[0]


def find_named(speaker: str, query: str) -> list[str]:
    """List the words of a speaker's name that a query has."""
    words = set(split_runs(query))
    lowered = query.lower()
    return [
        word
        for word in split_runs(speaker)
        if (word in lowered if is_han(word[0]) else word in words) and not is_common(word)
    ]
