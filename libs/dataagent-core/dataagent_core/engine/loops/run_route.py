"""How a run is worked on, as it was decided when it began: private state of its graph. Pure."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Self

from dataagent_core.planning.complexity import QueryComplexity, classify
from dataagent_core.planning.plan_terms import PlanTerms
from dataagent_core.runs import RunContext

PLANNED: Final = "planned"
MODERATE: Final = "moderate"

_MODERATE_NOTE: Final = (
    "<planning-note>\nThis takes several steps: keep a list of them with `write_todos`.\n"
    "</planning-note>"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRoute:
    """The route of one run; a simple message has none."""

    # Empty for a simple message.
    level: str = ""
    # The number of the last event before the run's first turn.
    since: int = 0
    # The id of a pattern that is put to the person.
    offer: str = ""
    # What the model is told of patterns.
    hints: str = ""
    # The id of the pattern whose workflow the run follows, and its file as it was at the beginning.
    workflow: str = ""
    workflow_file: str = ""

    @classmethod
    def read(cls, state: Mapping[str, Any] | None) -> Self:
        """Read it from the state of a graph."""
        return cls(**(state or {}))

    def to_state(self) -> dict[str, Any]:
        """Return plain values, as a checkpoint holds them."""
        return asdict(self)

    @property
    def is_planned(self) -> bool:
        """Whether the run works by a plan."""
        return self.level == PLANNED

    @property
    def takes_turns(self) -> bool:
        """Whether turns may be taken in the model's place."""
        return self.is_planned or bool(self.offer or self.workflow)

    @property
    def note(self) -> str:
        """What stands behind the person's message for the model."""
        notes = (self.hints, _MODERATE_NOTE if self.level == MODERATE else "")
        return "\n\n".join(note for note in notes if note)


def may_plan(context: RunContext) -> bool:
    """Say whether a run is one of those that may work by a plan."""
    message = context.message
    return (
        context.run.kind == "message"
        and bool(message.text)
        and message.background is None
        and context.permissions.mode != "plan"
    )


def choose_level(context: RunContext, terms: PlanTerms) -> str:
    """Say how a message is worked on; a simple one has no level."""
    if terms.loop == "staged" or terms.mode == "always":
        return PLANNED
    if terms.mode == "never":
        return ""
    match classify(context.message.text, terms.complexity).level:
        case QueryComplexity.COMPLEX:
            return PLANNED
        case QueryComplexity.MODERATE:
            return MODERATE
        case QueryComplexity.SIMPLE:
            return ""
