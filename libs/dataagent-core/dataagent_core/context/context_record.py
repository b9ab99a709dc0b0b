"""`ContextRecord`: how a history is shown, kept in the state of the agent from run to run.

A record holds no messages. It says which messages are in the view and what replaces the others, so
that the view is a function of the history and the record (`view.py`). `ContextState` is what this
package adds to the state of the agent.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Annotated, Any, Literal, NotRequired

from langchain.agents.middleware.types import AgentState, PrivateStateAttr
from pydantic import TypeAdapter

from dataagent_core.context.pins.pin import ContextPin, PinRange

RECORD_KEY = "context_record"
REPORT_KEY = "context_report"


class ContextState(AgentState[Any]):
    """Plain values, so that a checkpoint of one version can be read by another."""

    context_record: NotRequired[Annotated[dict[str, Any], PrivateStateAttr]]
    context_report: NotRequired[Annotated[dict[str, Any], PrivateStateAttr]]


Strategy = Literal["none", "truncate", "summarize"]


@dataclass(frozen=True, slots=True)
class HistoryCut:
    """A message that is shown with only so many tokens; with 0, as one line."""

    kept_tokens: int
    tokens: int
    seq: int | None = None
    # Only images are left out; the text stays.
    only_images: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextRecord:
    """How a history is shown; without `covered_to`, from its beginning."""

    version: int = 0
    strategy: Strategy = "none"
    # The id of the last message that is no longer shown; `block` replaces it and those before it.
    covered_to: str | None = None
    block: str = ""
    summary: str = ""
    pins: tuple[ContextPin, ...] = ()
    ranges: tuple[PinRange, ...] = ()
    covered: int = 0
    from_seq: int | None = None
    to_seq: int | None = None
    cuts: Mapping[str, HistoryCut] = field(default_factory=dict[str, HistoryCut])
    # The last message when this was made: a provider's count before it is of another view.
    made_after: str | None = None
    # The user message of a turn in which an optional compaction gained nothing: not tried again.
    vain_in: str | None = None

    def to_state(self) -> dict[str, Any]:
        """Return plain values, as a checkpoint holds them."""
        return asdict(self)

    @classmethod
    def from_state(cls, state: Mapping[str, Any] | None) -> "ContextRecord":
        """Read a record back."""
        return _READER.validate_python(state) if state else cls()


_READER = TypeAdapter(ContextRecord)
