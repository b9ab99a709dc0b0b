"""`/api/v1/audit`: what was changed in the tenant, by whom, and whether the record is whole."""

from typing import Annotated

from fastapi import APIRouter, Query

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep, WithoutTimeout
from dataagent_server.api.limits import SEQ_MAX
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import Moment
from dataagent_server.api.models.people.audit import AuditCheck, AuditEntry
from dataagent_server.identity.tenants.audit_log import (
    PAGE_ROWS_DEFAULT,
    PAGE_ROWS_MAX,
    AuditFilter,
)

router = APIRouter(prefix="/audit", tags=["audit"])

_Words = Annotated[str | None, Query(max_length=255, pattern=r"^[^\x00]*$")]


_Moment = Annotated[Moment | None, Query(examples=["2030-01-31T12:00:00Z"])]


@router.get("", summary="Read the audit log")
async def list_audit(
    principal: CurrentPrincipal,
    services: ServicesDep,
    *,
    actor: Annotated[
        _Words, Query(description="As `actor` shows it; without its key: with whichever key")
    ] = None,
    action: Annotated[_Words, Query(description="One, or all of a kind: `session.*`")] = None,
    since: _Moment = None,
    until: _Moment = None,
    after: Annotated[
        int | None, Query(ge=1, le=SEQ_MAX, description="`next` of the page before")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=PAGE_ROWS_MAX)] = PAGE_ROWS_DEFAULT,
) -> Page[AuditEntry]:
    """List what happened in your tenant, the newest first; for its owners and admins."""
    which = AuditFilter(actor=actor, action=action, since=since, until=until)
    found = await services.audit.page(principal, which, before=after, limit=limit + 1)
    shown = [AuditEntry.of(row) for row in found[:limit]]
    return Page(items=shown, next=str(shown[-1].seq) if len(found) > limit else None)


@router.get("/verify", summary="Check the audit log", dependencies=[WithoutTimeout])
async def verify_audit(
    principal: CurrentPrincipal,
    services: ServicesDep,
    expect: Annotated[
        str | None,
        Query(
            max_length=100,
            pattern=r"^[0-9]{1,18}:[0-9a-f]{1,64}$",
            description="A `head` that an earlier check answered",
        ),
    ] = None,
) -> AuditCheck:
    """Walk the whole chain, as `dataagent-server audit verify` does; a long one takes a while."""
    return AuditCheck.model_validate(await services.audit.verify(principal, expect))
