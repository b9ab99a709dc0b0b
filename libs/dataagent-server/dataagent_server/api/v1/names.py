"""`/api/v1/names`: what the people of your tenant are called, for everybody in it."""

from fastapi import APIRouter

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.people import NameInfo
from dataagent_server.api.paging import Paging

router = APIRouter(prefix="/names", tags=["users"])


@router.get("", summary="Names of people")
async def list_names(
    principal: CurrentPrincipal, services: ServicesDep, wish: Paging
) -> Page[NameInfo]:
    """List what the people of your tenant are called: logs and lists hold their ids.

    Viewers may ask too; roles and all else about people is under `/members`.
    """
    found = await services.people.members.names(principal, wish)
    names = [
        NameInfo(user_id=one.user_id, name=one.display_name or one.username or one.user_id)
        for one in found.items
    ]
    return Page(items=names, next=found.next)
