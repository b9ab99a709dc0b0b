"""The signature of a task: what kind it is and what kinds of things it is about (S2 §6.5.3). Pure.

Equal for goals that differ only in dates, numbers, names, files, order and polite words. It is a
digest, so that it fits S2's VARCHAR(64) and shows nothing of a goal.
"""

import hashlib
import json
from typing import Final

from dataagent_core.patterns.entities import GoalTerms, find_entities

_PARTS_MIN: Final = 2


def sign_goal(goal: str) -> str:
    """Return the signature of a goal; empty for one that does not say what to do."""
    return sign_terms(find_entities(goal))


def sign_terms(goal: GoalTerms) -> str:
    """Return the signature of a goal whose terms are known; one term alone is no task.

    "Continue", "fix it" or "the second one" means what the conversation was about, each time
    something else.
    """
    if not goal.terms or len(goal.terms) + goal.has_values < _PARTS_MIN:
        return ""
    text = json.dumps([sorted(goal.terms), goal.kinds])
    return hashlib.sha256(text.encode()).hexdigest()
