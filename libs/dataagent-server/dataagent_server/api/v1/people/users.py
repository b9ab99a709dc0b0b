"""`/api/v1/users/{user_id}`: a person; oneself, or for an admin anybody of the tenant (S0)."""

from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Path, Request, Response

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.people.members import (
    PasswordChange,
    SignInUrl,
    UserChange,
    UserInfo,
)
from dataagent_server.api.public_address import public_address_of
from dataagent_server.identity.auth.limits import SIGN_IN_URL_S

router = APIRouter(prefix="/users", tags=["users"])

_UserPath = Annotated[str, Path(pattern=ID_PATTERN)]


@router.get("/{user_id}", summary="One user")
async def get_user(
    user_id: _UserPath, principal: CurrentPrincipal, services: ServicesDep
) -> UserInfo:
    """Show yourself, or as an admin anybody of your tenant."""
    return UserInfo.model_validate(await services.people.users.get(principal, user_id))


@router.patch("/{user_id}", summary="Change a user")
async def change_user(
    user_id: _UserPath, body: UserChange, principal: CurrentPrincipal, services: ServicesDep
) -> UserInfo:
    """Change the name others see; of yourself, also whether your runs are learned from."""
    changed = await services.people.users.change(principal, user_id, **body.model_dump())
    return UserInfo.model_validate(changed)


@router.put("/{user_id}/password", status_code=204, summary="Set a password")
async def set_password(
    user_id: _UserPath, body: PasswordChange, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Set a password and sign the person out everywhere else."""
    current = body.current_password
    await services.people.users.set_password(
        principal,
        user_id,
        body.new_password.get_secret_value(),
        current=current.get_secret_value() if current else None,
    )


@router.post("/{user_id}/sign-in-urls", status_code=201, summary="Make a sign-in URL")
async def make_sign_in_url(
    user_id: _UserPath,
    principal: CurrentPrincipal,
    services: ServicesDep,
    request: Request,
    response: Response,
) -> SignInUrl:
    """Make a URL that signs this person in once: for a first visit, or a forgotten password."""
    token = await services.people.sign_in.sign_in_token(principal, user_id)
    response.headers["cache-control"] = "no-store"
    url = f"{public_address_of(request)}/api/v1/auth/sign-in?token={quote(token)}"
    return SignInUrl(url=url, expires_in=int(SIGN_IN_URL_S))
