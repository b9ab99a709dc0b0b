"""A pattern as the API shows it, with what the reader may do with it."""

from typing import Annotated

from fastapi import Path

from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.patterns.pattern_info import PatternDetailInfo
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal

PatternPath = Annotated[str, Path(alias="pattern_id", pattern=ID_PATTERN)]


async def show_pattern(
    services: Services, principal: Principal, pattern_id: str
) -> PatternDetailInfo:
    """Return a pattern with its runs."""
    detail = await services.patterns.show(principal, pattern_id)
    rights = await services.workflows.list_rights(principal, [detail.pattern])
    return PatternDetailInfo.of_detail(detail, rights[pattern_id])
