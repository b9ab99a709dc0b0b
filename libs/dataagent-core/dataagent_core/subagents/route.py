"""What the router decides, as values: who was considered, who was chosen, how sure and why."""

from dataclasses import dataclass
from typing import Literal, NamedTuple

from dataagent_core.events.agents import DelegationMode

DecidedBy = Literal["rules", "score", "model", "none"]


class SubAgentScore(NamedTuple):
    """How well a sub-agent fits a message, from 0 to 1 each; `None`: not compared."""

    score: float
    keyword_score: float
    semantic_score: float | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A sub-agent that was considered; `excluded` says why it could not be chosen."""

    id: str
    name: str
    score: float = 0.0
    keyword_score: float = 0.0
    semantic_score: float | None = None
    reason: str = ""
    excluded: str = ""


def make_assigned_id(run_id: str, name: str) -> str:
    """Return the id of the event that says that the router chose a sub-agent for a run.

    A run that begins again after a crash finds the same route: one fact, one id.
    """
    return f"subagent assigned:{run_id}:{name}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Route:
    """Who gets a message. Nobody chosen: the agent does the work itself.

    In the mode `hierarchical` the first one chosen leads and delegates to the others; in
    `sequential` they work in this order.
    """

    mode: DelegationMode
    chosen: tuple[str, ...]
    confidence: float
    decided_by: DecidedBy
    reason: str
    # The best first.
    candidates: tuple[Candidate, ...] = ()
    # Why each of those that a person asked for in vain cannot be chosen.
    refused: tuple[str, ...] = ()
    # What the score says is not enough: a model should be asked (`router_question.py`).
    is_unsure: bool = False
