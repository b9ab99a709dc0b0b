"""`/api/v1/members`: who is in your tenant, with what role."""

from typing import Annotated

from fastapi import APIRouter, Path

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.people.members import MemberAdd, MemberChange, MemberInfo
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Paging, page_of

router = APIRouter(prefix="/members", tags=["users"])

_UserPath = Annotated[str, Path(pattern=ID_PATTERN)]


@router.get("", summary="List members")
async def list_members(
    principal: CurrentPrincipal, services: ServicesDep, page_request: Paging
) -> Page[MemberInfo]:
    """List the people of your tenant, the first who joined first."""
    return page_of(MemberInfo, await services.people.members.list(principal, page_request))


@router.post(
    "", status_code=201, summary="Add a member", responses=errors("CONFLICT", "LIMIT_REACHED")
)
async def add_member(
    body: MemberAdd, principal: CurrentPrincipal, services: ServicesDep
) -> MemberInfo:
    """Make a person in your tenant, with a role no higher than your own."""
    added = await services.people.members.add(
        principal,
        body.username,
        body.role,
        display_name=body.display_name,
        password=body.password.get_secret_value() if body.password else None,
    )
    return MemberInfo.model_validate(added)


@router.get("/{user_id}", summary="One member")
async def get_member(
    user_id: _UserPath, principal: CurrentPrincipal, services: ServicesDep
) -> MemberInfo:
    """Show a person of your tenant."""
    return MemberInfo.model_validate(await services.people.members.get(principal, user_id))


@router.patch("/{user_id}", summary="Change a member's role", responses=errors("CONFLICT"))
async def change_member(
    user_id: _UserPath, body: MemberChange, principal: CurrentPrincipal, services: ServicesDep
) -> MemberInfo:
    """Give another role; the last owner stays one."""
    changed = await services.people.members.change_role(principal, user_id, body.role)
    return MemberInfo.model_validate(changed)


@router.delete(
    "/{user_id}", status_code=204, summary="Remove a member", responses=errors("CONFLICT")
)
async def remove_member(
    user_id: _UserPath, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Take somebody out: their keys and log-ins stop at once, what is remembered of them goes.

    The last owner stays.
    """
    await services.people.members.remove(principal, user_id)
    await services.memory_remover.remove_person(principal.tenant_id, user_id)
