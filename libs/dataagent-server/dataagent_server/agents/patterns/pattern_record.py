"""What a person writes of a pattern, and what is shown beside it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from dataagent_core.config.limits.patterns import PATTERN_NAME_CHARS_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.patterns import InteractionPattern, PatternStep, PatternTerms
from dataagent_core.patterns.entities import find_entities
from dataagent_core.patterns.extract import make_pattern_id
from dataagent_core.patterns.interaction_pattern import ToolChain
from dataagent_core.patterns.lifecycle import find_state, with_query
from dataagent_core.patterns.pattern_library import check_steps
from dataagent_core.patterns.pattern_text import is_tool_name, make_pattern_text
from dataagent_core.patterns.scrub import scrub
from dataagent_core.patterns.signature import sign_terms
from dataagent_server.identity.auth import Principal


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPattern:
    """A pattern that an admin writes."""

    name: str
    # A message as a person would write it; it decides for which messages the pattern is.
    goal: str
    description: str = ""
    steps: Sequence[PatternStep] = ()
    tool_chains: Sequence[ToolChain] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternChange:
    """The changes of a pattern; None keeps what there is."""

    # The one that was looked at.
    version: int
    name: str | None = None
    description: str | None = None
    steps: Sequence[PatternStep] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternRun:
    """A run that a pattern was learned from; of one the reader may not see only how it went."""

    run_id: str | None
    session_id: str | None
    success: bool
    at: datetime
    # Whether it worked by the pattern, and was not only like it.
    worked_by_it: bool
    # The share of successes of the runs that are shown, up to this one.
    rate: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternDetail:
    """A pattern with the runs it remembers, the oldest first."""

    pattern: InteractionPattern
    runs: Sequence[PatternRun]


def make_pattern(new: NewPattern, principal: Principal, now: datetime) -> InteractionPattern:
    """Make the pattern an admin wrote: a draft, until runs have shown that it works."""
    goal = find_entities(new.goal)
    signature = sign_terms(goal)
    if not signature:
        raise ValidationError(
            f"The goal {new.goal[:80]!r} has no word that says what to do. Write it as a person "
            "would ask for it."
        )
    if not (new.steps or new.tool_chains):
        raise ValidationError("A pattern needs steps or tool_compositions: say how it is done.")
    for tool in (call.tool for chain in new.tool_chains for call in chain):
        if not is_tool_name(tool):
            raise ValidationError(f"{tool!r:.100} is no name of a tool: use letters, digits and _.")
    return InteractionPattern(
        id=make_pattern_id(principal.tenant_id, signature),
        tenant_id=principal.tenant_id,
        name=require_name(scrub(new.name, PATTERN_NAME_CHARS_MAX)),
        description=scrub(new.description) or make_pattern_text(new.goal),
        signature=signature,
        entities=goal.terms,
        steps=check_steps(new.steps),
        tool_chains=tuple(new.tool_chains),
        user_id=principal.user_id,
        created_at=now,
        updated_at=now,
        metadata={"made_by": "hand"},
    )


def require_name(name: str) -> str:
    """Refuse a name of which nothing is left."""
    if not name.strip():
        raise ValidationError("The name of a pattern is empty: say what it is for.")
    return name


def is_in_use(pattern: InteractionPattern, now: datetime, terms: PatternTerms) -> bool:
    """Say whether runs of everybody in the tenant may use it, once somebody asks for such work."""
    return find_state(with_query(pattern, now), now, terms) == "trusted"
