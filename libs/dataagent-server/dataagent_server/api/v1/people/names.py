"""`/api/v1/names`: what the people of your tenant are called, for everybody in it."""

from fastapi import APIRouter

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.people.members import NameInfo
from dataagent_server.api.page_params import Paging
from dataagent_server.common.names import name_of

router = APIRouter(prefix="/names", tags=["users"])


@router.get("", summary="Names of people")
async def list_names(
    principal: CurrentPrincipal, services: ServicesDep, page_request: Paging
) -> Page[NameInfo]:
    """List what the people of your tenant are called: logs and lists hold their ids.

    Viewers may ask too; roles and all else about people is under `/members`.
    """
    found = await services.people.members.names(principal, page_request)
    names = [NameInfo(user_id=one.user_id, name=name_of(one)) for one in found.items]
    return Page(items=names, next=found.next)
