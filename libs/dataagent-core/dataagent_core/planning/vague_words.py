"""Finds the words by which a message leaves open what is wanted (S2 §6.4.2): "maybe", "可能". Pure.

A plan of such a message is worth a question. What is quoted, pasted or a name is not read
(`own_text.py`).
"""

from dataagent_core.planning.own_text import keep_own_text
from dataagent_core.planning.planning_words import VAGUE


def find_vague_words(message: str) -> tuple[str, ...]:
    """List the vague words of a message in its order, each once and in lower case."""
    found = VAGUE.finditer(keep_own_text(message).lower())
    return tuple(dict.fromkeys(one[1] for one in found if one[1]))
