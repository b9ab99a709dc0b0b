"""`/api/v1/model-credentials`: the tenant's own keys of model providers."""

from typing import Annotated

from fastapi import APIRouter, Path

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.people.credentials import CredentialInfo, CredentialPut
from dataagent_server.api.openapi import errors

router = APIRouter(prefix="/model-credentials", tags=["credentials"])

_Provider = Annotated[str, Path(pattern=ID_PATTERN, examples=["openai"])]


@router.get("", summary="List model credentials")
async def list_model_credentials(
    principal: CurrentPrincipal, services: ServicesDep
) -> Page[CredentialInfo]:
    """List what the tenant says of each provider; there are few, so this is the only page."""
    found = await services.people.credentials.list(principal)
    return Page(items=[CredentialInfo.model_validate(one) for one in found])


@router.get("/{provider}", summary="One provider's credentials")
async def get_model_credential(
    provider: _Provider, principal: CurrentPrincipal, services: ServicesDep
) -> CredentialInfo:
    """Show what the tenant says of a provider; of the key only its end."""
    found = await services.people.credentials.get(principal, provider)
    return CredentialInfo.model_validate(found)


@router.put("/{provider}", summary="Set a provider's credentials", responses=errors("CONFLICT"))
async def put_model_credential(
    provider: _Provider, body: CredentialPut, principal: CurrentPrincipal, services: ServicesDep
) -> CredentialInfo:
    """Set key, address and default model together; another address takes the key again."""
    stored = await services.people.credentials.put(
        principal,
        provider,
        key=body.key.get_secret_value() if body.key else None,
        base_url=body.base_url,
        default_model=body.default_model,
        version=body.version,
    )
    return CredentialInfo.model_validate(stored)


@router.delete("/{provider}", status_code=204, summary="Delete a provider's credentials")
async def delete_model_credential(
    provider: _Provider, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Forget the tenant's key and address; runs then use the operator's, if there are any."""
    await services.people.credentials.delete(principal, provider)
