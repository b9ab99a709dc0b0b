"""Messages with how much work they are, labelled by hand before the classifier was written.

Words and weights may be chosen on the first set. Those that are held out are only for printing; the
second one of them has another author.
"""

from dataclasses import dataclass
from pathlib import Path

import yaml

from dataagent_core.planning.complexity import QueryComplexity

FOLDER = Path(__file__).parents[1] / "planning" / "corpus"


@dataclass(frozen=True)
class LabelledMessage:
    """A message, its language and how much work a person says it is."""

    language: str
    level: QueryComplexity
    text: str


def load_messages(name: str = "complexity") -> tuple[LabelledMessage, ...]:
    """Load the messages of `complexity`, or of one that is held out."""
    read = yaml.safe_load((FOLDER / f"{name}.yaml").read_text())
    return tuple(
        LabelledMessage(language, QueryComplexity(level), row["message"])
        for language, levels in read.items()
        for level, rows in levels.items()
        for row in rows
    )
