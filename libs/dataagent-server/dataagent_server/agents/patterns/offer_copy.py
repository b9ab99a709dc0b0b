"""What of a pattern another tenant may have: the way of working, scrubbed once more. Pure.

What people said and chose, who they are, the runs and the counts stay at home. The other tenant's
copy begins as a draft, and its own runs have to show that it works there.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Final, Literal

from pydantic import TypeAdapter

from dataagent_core.config.limits.patterns import PATTERN_NAME_CHARS_MAX
from dataagent_core.patterns import InteractionPattern, PatternStep
from dataagent_core.patterns.extract import make_pattern_id
from dataagent_core.patterns.interaction_pattern import ToolChain
from dataagent_core.patterns.pattern_text import with_words_of_others
from dataagent_core.patterns.scrub import scrub
from dataagent_server.common.ids import TenantId

OfferStatus = Literal["open", "accepted", "declined"]


@dataclass(frozen=True, slots=True, kw_only=True)
class OfferedPattern:
    """The copy as it is offered."""

    name: str
    description: str
    signature: str
    entities: tuple[str, ...]
    steps: tuple[PatternStep, ...]
    tool_chains: tuple[ToolChain, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PatternOffer:
    """One tenant offers a pattern to another."""

    id: str
    tenant_id: TenantId
    to_tenant_id: TenantId
    pattern_id: str
    pattern: OfferedPattern
    status: OfferStatus
    offered_by: str
    copy_id: str | None
    created_at: datetime
    decided_at: datetime | None


_ADAPTER: Final = TypeAdapter(OfferedPattern)


def offer(pattern: InteractionPattern) -> OfferedPattern:
    """Take what another tenant may have of a pattern."""
    return OfferedPattern(
        name=scrub(pattern.name, PATTERN_NAME_CHARS_MAX),
        description=scrub(pattern.description),
        signature=pattern.signature,
        entities=pattern.entities,
        steps=tuple(
            replace(
                step,
                description=scrub(step.description),
                expected_output=scrub(step.expected_output),
                decision_points=(),
                corrections=(),
            )
            for step in pattern.steps
        ),
        tool_chains=pattern.tool_chains,
    )


def dump_offered(offered: OfferedPattern) -> dict[str, Any]:
    """Write an offered pattern as JSON."""
    return _ADAPTER.dump_python(offered, mode="json")


def read_offered(stored: Mapping[str, Any]) -> OfferedPattern:
    """Read an offered pattern."""
    return _ADAPTER.validate_python(stored)


def make_copy(
    made: PatternOffer, tenant_id: TenantId, user_id: str, now: datetime
) -> InteractionPattern:
    """Make the pattern of the tenant that accepts an offer."""
    offered = made.pattern
    copied = InteractionPattern(
        id=make_pattern_id(tenant_id, offered.signature),
        tenant_id=tenant_id,
        name=offered.name,
        description=offered.description,
        signature=offered.signature,
        entities=offered.entities,
        steps=offered.steps,
        tool_chains=offered.tool_chains,
        user_id=user_id,
        created_at=now,
        updated_at=now,
        metadata={"origin": {"tenant_id": made.tenant_id, "pattern_id": made.pattern_id}},
    )
    return with_words_of_others(copied)
