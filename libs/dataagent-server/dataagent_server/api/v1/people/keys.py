"""`/api/v1/keys`: API keys."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.people.keys import KeyCreate, KeyCreated, KeyInfo
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Paging, page_of

router = APIRouter(prefix="/keys", tags=["keys"])

_KeyPath = Annotated[str, Path(pattern=ID_PATTERN)]


@router.get("", summary="List API keys")
async def list_keys(
    principal: CurrentPrincipal,
    services: ServicesDep,
    page_request: Paging,
    user_id: Annotated[
        str | None, Query(pattern=ID_PATTERN, description="Whose; by default yours")
    ] = None,
) -> Page[KeyInfo]:
    """List your keys, or as an admin somebody else's; revoked ones are shown as such."""
    return page_of(
        KeyInfo, await services.people.keys.list(principal, page_request, user_id=user_id)
    )


@router.post("", status_code=201, summary="Create an API key", responses=errors("LIMIT_REACHED"))
async def create_key(
    body: KeyCreate, principal: CurrentPrincipal, services: ServicesDep, response: Response
) -> KeyCreated:
    """Make a key of your own; its secret is in this answer and nowhere else."""
    made = await services.people.keys.create(
        principal, body.name, scopes=body.scopes, expires_at=body.expires_at
    )
    response.headers["cache-control"] = "no-store"
    return KeyCreated.model_validate(made)


@router.get("/{key_id}", summary="One API key")
async def get_key(key_id: _KeyPath, principal: CurrentPrincipal, services: ServicesDep) -> KeyInfo:
    """Show a key, without its secret."""
    return KeyInfo.model_validate(await services.people.keys.get(principal, key_id))


@router.delete("/{key_id}", status_code=204, summary="Revoke an API key")
async def revoke_key(key_id: _KeyPath, principal: CurrentPrincipal, services: ServicesDep) -> None:
    """Stop a key at once: yours, or as an admin anybody's."""
    await services.people.keys.revoke(principal, key_id)
