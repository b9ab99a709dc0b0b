"""Offers of patterns between tenants, as the API takes and shows them (S2 §6.5.8)."""

from datetime import datetime
from typing import Literal, Self

from pydantic import Field

from dataagent_server.agents.patterns.offer_copy import OfferedPattern, PatternOffer
from dataagent_server.api.models.base import RequestModel, ResponseModel
from dataagent_server.api.models.fields import ChosenId
from dataagent_server.api.models.patterns.pattern_info import PatternCallInfo, PatternStepInfo


class PatternShare(RequestModel):
    """Whom a pattern is to be offered to."""

    tenant_id: ChosenId


class OfferedPatternInfo(ResponseModel):
    """What would be copied: no runs, people, counts, decisions or corrections."""

    name: str
    description: str
    steps: list[PatternStepInfo]
    tool_compositions: list[list[PatternCallInfo]]

    @classmethod
    def of(cls, offered: OfferedPattern) -> Self:
        """Show an offered pattern."""
        return cls(
            name=offered.name,
            description=offered.description,
            steps=[PatternStepInfo.model_validate(step) for step in offered.steps],
            tool_compositions=[
                [PatternCallInfo.model_validate(call) for call in chain]
                for chain in offered.tool_chains
            ],
        )


class PatternOfferInfo(ResponseModel):
    """An offer of a pattern from one tenant to another."""

    id: str
    tenant_id: str = Field(description="Who offers it")
    to_tenant_id: str = Field(
        description="Whom it is for; whether there is such a tenant is not said"
    )
    pattern_id: str
    status: Literal["open", "accepted"]
    pattern: OfferedPatternInfo
    created_at: datetime
    decided_at: datetime | None

    @classmethod
    def of(cls, made: PatternOffer) -> Self:
        """Show an offer."""
        return cls(
            id=made.id,
            tenant_id=made.tenant_id,
            to_tenant_id=made.to_tenant_id,
            pattern_id=made.pattern_id,
            status="accepted" if made.status == "accepted" else "open",
            pattern=OfferedPatternInfo.of(made.pattern),
            created_at=made.created_at,
            decided_at=made.decided_at,
        )
