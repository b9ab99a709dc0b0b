"""`/api/v1/auth`: signing browsers in and out, and who one is."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import RedirectResponse

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.people.auth import Login, Me, SignIn, TenantSwitch
from dataagent_server.api.openapi import PUBLIC, errors
from dataagent_server.api.public_address import base_path
from dataagent_server.composition import Services
from dataagent_server.identity.auth.cookies import cleared_cookie, is_secure, session_cookie
from dataagent_server.identity.auth.csrf import csrf_token
from dataagent_server.identity.auth.limits import TOKEN_CHARS_MAX
from dataagent_server.identity.auth.principal import SCOPES, Principal
from dataagent_server.identity.users.user import SignInResult

router = APIRouter(prefix="/auth", tags=["auth"])


@router.get("/me", summary="Who am I?")
async def get_me(principal: CurrentPrincipal, services: ServicesDep, response: Response) -> Me:
    """Say who asks; a browser finds its CSRF token here."""
    response.headers["cache-control"] = "no-store"
    return await _make_me(services, principal, await services.people.sign_in.tenants_of(principal))


@router.post(
    "/login",
    summary="Sign in by password",
    openapi_extra=PUBLIC,
    responses=errors("UNAUTHENTICATED"),
)
async def login(body: Login, services: ServicesDep, request: Request, response: Response) -> Me:
    """Sign this browser in; the cookie comes with the answer."""
    signed_in = await services.people.sign_in.login(
        body.username,
        body.password.get_secret_value(),
        address=request.client.host if request.client else "",
        tenant_id=body.tenant_id,
    )
    return await _sign_in_answer(services, request, response, signed_in)


@router.get(
    "/sign-in",
    summary="Open a sign-in URL",
    status_code=303,
    response_class=RedirectResponse,
    openapi_extra=PUBLIC,
    responses=errors("UNAUTHENTICATED"),
)
async def open_sign_in_url(
    token: Annotated[str, Query(max_length=TOKEN_CHARS_MAX)],
    services: ServicesDep,
    request: Request,
) -> RedirectResponse:
    """Sign in by a one-time URL and go on to the first page."""
    signed_in = await services.people.sign_in.redeem(token)
    # Not kept, not passed on: the address holds a secret, if a used one.
    headers = {"cache-control": "no-store", "referrer-policy": "no-referrer"}
    response = RedirectResponse(base_path(request), status_code=303, headers=headers)
    await _sign_in_answer(services, request, response, signed_in)
    return response


@router.post(
    "/sign-in",
    summary="Sign in by a one-time token",
    openapi_extra=PUBLIC,
    responses=errors("UNAUTHENTICATED"),
)
async def sign_in(body: SignIn, services: ServicesDep, request: Request, response: Response) -> Me:
    """Use the token of a sign-in URL up; the cookie comes with the answer."""
    signed_in = await services.people.sign_in.redeem(body.token.get_secret_value())
    return await _sign_in_answer(services, request, response, signed_in)


@router.post("/logout", status_code=204, summary="Sign out")
async def logout(
    principal: CurrentPrincipal, services: ServicesDep, request: Request, response: Response
) -> None:
    """Sign this browser out."""
    await services.people.sign_in.log_out(principal)
    _clear(services, request, response)


@router.post("/logout-everywhere", status_code=204, summary="Sign out everywhere")
async def logout_everywhere(
    principal: CurrentPrincipal, services: ServicesDep, request: Request, response: Response
) -> None:
    """Sign out every browser of yours."""
    await services.people.sign_in.log_out(principal, everywhere=True)
    _clear(services, request, response)


@router.post("/tenant", summary="Go over to another tenant", responses=errors("NOT_FOUND"))
async def switch_tenant(
    body: TenantSwitch,
    principal: CurrentPrincipal,
    services: ServicesDep,
    request: Request,
    response: Response,
) -> Me:
    """Work in another tenant you are a member of; the cookie changes."""
    signed_in = await services.people.sign_in.switch_tenant(principal, body.tenant_id)
    return await _sign_in_answer(services, request, response, signed_in)


async def _sign_in_answer(
    services: Services, request: Request, response: Response, signed_in: SignInResult
) -> Me:
    secure = is_secure(request.url.scheme, services.settings.public_url)
    response.set_cookie(**asdict(session_cookie(signed_in.token, secure=secure)))
    response.headers["cache-control"] = "no-store"
    return await _make_me(services, signed_in.principal, [signed_in.principal.tenant_id])


def _clear(services: Services, request: Request, response: Response) -> None:
    secure = is_secure(request.url.scheme, services.settings.public_url)
    response.set_cookie(**asdict(cleared_cookie(secure=secure)))


async def _make_me(services: Services, principal: Principal, tenants: Sequence[str]) -> Me:
    scopes, login_id = principal.scopes, principal.login_id
    return Me(
        tenant_id=principal.tenant_id,
        user_id=principal.user_id,
        name=await services.people.sign_in.name_of(principal),
        role=principal.role,
        scopes=None if scopes is None else [scope for scope in SCOPES if scope in scopes],
        via=principal.via,
        key_id=principal.key_id,
        csrf_token=csrf_token(services.keyring, login_id) if login_id else None,
        tenants=list(tenants),
    )
