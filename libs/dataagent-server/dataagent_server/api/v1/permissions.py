"""`/api/v1/permissions/rules`: what people allowed for good, by answering "always"."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.rules import KeptRuleInfo
from dataagent_server.api.paging import Paging, page_of

router = APIRouter(prefix="/permissions/rules", tags=["requests"])

_Id = Annotated[str | None, Query(pattern=ID_PATTERN)]


@router.get("", summary="What you allowed for good")
async def list_rules(
    principal: CurrentPrincipal,
    services: ServicesDep,
    wish: Paging,
    *,
    user_id: _Id = None,
    project_id: _Id = None,
) -> Page[KeptRuleInfo]:
    """List what your "always" allow, or as an admin somebody else's, the oldest first."""
    found = await services.runs.rules.list(
        principal, user_id or principal.user_id, project_id, wish
    )
    return page_of(KeptRuleInfo, found)


@router.delete("/{rule_id}", status_code=204, summary="Be asked again")
async def delete_rule(
    rule_id: Annotated[str, Path(pattern=ID_PATTERN)],
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> None:
    """Take an "always" back: runs that begin from now on ask, except in the session it was for."""
    await services.runs.rules.delete(principal, rule_id)
