"""Patterns: ways of working, learned from runs that people led to a result (S2 §6.5).

read_trace.py         a run as `InteractionTrace` (`trace.py`), read from the event log
pattern_text.py       which words of it may be kept; `scrub.py`, `slots.py`: in which form
signature.py          what kind of task a goal is; `entities.py`: its terms
extract.py            the pattern (`interaction_pattern.py`) of a first success
evolution.py          what it learns from later runs; `lifecycle.py`: who may be used, and how long
similarity.py         how much it is like a message; the numbers are in `pattern_terms.py`
pattern_store.py      the port to stored patterns; `sql/`: its adapters
pattern_library.py    what an engine and its routes need of all this
pattern_note.py       what a model is told of patterns that fit
"""

from dataagent_core.patterns.evolution import learn
from dataagent_core.patterns.extract import extract_pattern
from dataagent_core.patterns.interaction_pattern import (
    InteractionPattern,
    PatternState,
    PatternStep,
)
from dataagent_core.patterns.pattern_library import (
    FoundPattern,
    LearningSwitches,
    PatternFinding,
    PatternLibrary,
)
from dataagent_core.patterns.pattern_note import write_pattern_note
from dataagent_core.patterns.pattern_store import PatternStore
from dataagent_core.patterns.pattern_terms import PatternTerms
from dataagent_core.patterns.read_trace import read_trace
from dataagent_core.patterns.similarity import calculate_similarity
from dataagent_core.patterns.sql.sqlite_pattern_store import open_pattern_store
from dataagent_core.patterns.trace import InteractionTrace

__all__ = [
    "FoundPattern",
    "InteractionPattern",
    "InteractionTrace",
    "LearningSwitches",
    "PatternFinding",
    "PatternLibrary",
    "PatternState",
    "PatternStep",
    "PatternStore",
    "PatternTerms",
    "calculate_similarity",
    "extract_pattern",
    "learn",
    "open_pattern_store",
    "read_trace",
    "write_pattern_note",
]
