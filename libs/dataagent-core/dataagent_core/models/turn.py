"""Which step of a script answers a request. Pure and without memory.

The step is the number of answers already given since the last human message, so a process that
resumes a conversation goes on where the one before it was killed.
"""

import hashlib
import re
from dataclasses import dataclass

from dataagent_core.models.recall import recalled
from dataagent_core.models.script import Script, Step

FINAL_TEXT = "The script has no further step."


@dataclass(frozen=True, slots=True)
class Turn:
    """What the script needs to know of a request; `origin` tells equal texts apart."""

    text: str
    origin: str
    answered: int
    # What tools have said since, the first first.
    told: tuple[str, ...] = ()

    @property
    def key(self) -> str:
        """A short name of the human message that is being answered."""
        digest = hashlib.sha256(f"{self.origin}\0{self.text}".encode(errors="replace"))
        return digest.hexdigest()[:12]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The step to play, and a name of it that no other step of the conversation has."""

    step: Step
    name: str

    def call_id(self, position: int) -> str:
        """Return the id of a tool call: the script's own, or one made from the name."""
        return self.step.tool_calls[position].id or f"call_{self.name}_{position}"


def choose(script: Script, turn: Turn) -> Chosen:
    """Pick the first scenario that matches and its next step; past the end, a fixed answer."""
    for number, scenario in enumerate(script.scripts):
        if scenario.match is None or re.search(scenario.match, turn.text):
            name = f"{turn.key}_{number}_{turn.answered}"
            if turn.answered < len(scenario.steps):
                step = recalled(scenario.steps[turn.answered], scenario.recall, turn.told)
                return Chosen(step, name)
            return Chosen(Step(text=FINAL_TEXT), name)
    return Chosen(Step(text=FINAL_TEXT), f"{turn.key}_x_{turn.answered}")
