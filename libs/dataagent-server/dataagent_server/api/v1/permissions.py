"""`/api/v1/permissions`: what people said for good, and what would become of a call."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from dataagent_core.errors import ConfigurationError, ValidationError
from dataagent_core.permissions.rule_files.load import operator_rules
from dataagent_core.permissions.rule_files.rule_file import check_rule
from dataagent_core.permissions.tool_groups import ALLOWED_BY_DEFAULT, GROUPS
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.rules import (
    ExplainAnswer,
    ExplainAsked,
    KeptRuleInfo,
    PermissionPolicy,
    RuleCreate,
    RuleText,
)
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Paging, page_of
from dataagent_server.composition import Services
from dataagent_server.identity.auth import Principal
from dataagent_server.identity.auth.principal import outranks
from dataagent_server.runs.agents.explain import Explainer

router = APIRouter(prefix="/permissions", tags=["requests"])

_Id = Annotated[str | None, Query(pattern=ID_PATTERN)]


@router.get("/rules", summary="What you said for good")
async def list_rules(
    principal: CurrentPrincipal,
    services: ServicesDep,
    page_request: Paging,
    *,
    user_id: _Id = None,
    project_id: _Id = None,
) -> Page[KeptRuleInfo]:
    """List what you allowed or forbade, or as an admin somebody else did, the oldest first."""
    found = await services.runs.rules.list(
        principal, user_id or principal.user_id, project_id, page_request
    )
    return page_of(KeptRuleInfo, found)


@router.post(
    "/rules",
    status_code=201,
    summary="Write a rule",
    responses=errors("NOT_FOUND", "LIMIT_REACHED"),
)
async def create_rule(
    body: RuleCreate, principal: CurrentPrincipal, services: ServicesDep
) -> KeptRuleInfo:
    """Allow, ask about or deny calls of yours, or as an admin somebody else's.

    A deny holds whatever else is written here; what the operator asks or denies stays so. It
    counts in runs that begin from now on.
    """
    entry = {"action": body.action, "tool": body.tool, "resource": body.resource}
    try:
        rule = check_rule(entry, "The rule", "person")
    except ConfigurationError as error:
        raise ValidationError(str(error)) from None
    user_id = body.user_id or principal.user_id
    await _require_owner(services, principal, user_id, body.project_id)
    kept = await services.runs.rules.add(principal, user_id, body.project_id, rule)
    return KeptRuleInfo.model_validate(kept)


@router.delete("/rules/{rule_id}", status_code=204, summary="Take a rule back")
async def delete_rule(
    rule_id: Annotated[str, Path(pattern=ID_PATTERN)],
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> None:
    """Take a rule back: runs that begin from now on ask, except in the session it was for.

    What holds somebody back is taken back by whoever wrote it, or an admin.
    """
    await services.runs.rules.delete(principal, rule_id)


@router.get("/policy", summary="What holds for everybody")
async def get_policy(principal: CurrentPrincipal, services: ServicesDep) -> PermissionPolicy:
    """Say which tools run without asking; and to admins the operator's rules.

    Those name paths and hosts of the installation. What one does to a call of yours, its refusal
    and `explain` say.
    """
    rules = operator_rules(services.settings)
    shown = rules if outranks(principal.role, "admin") else ()
    return PermissionPolicy(
        operator=[RuleText.of(rule) for rule in shown],
        operator_count=len(rules),
        allowed_by_default=sorted(ALLOWED_BY_DEFAULT),
        groups={name: sorted(tools) for name, tools in GROUPS.items()},
    )


@router.post("/explain", summary="What would become of a call?", responses=errors("NOT_FOUND"))
async def explain(
    body: ExplainAsked, principal: CurrentPrincipal, services: ServicesDep
) -> ExplainAnswer:
    """Judge a call nobody makes, as `dataagent permissions explain` does.

    What only a run knows is left out: its mode, what strangers said in it, its workspace's rules.
    """
    await _require_owner(services, principal, body.user_id, body.project_id)
    explainer = Explainer(services.settings, services.runs.rules)
    explained = await explainer.explain(
        principal, body.user_id or principal.user_id, body.project_id, body.tool, body.resource
    )
    return ExplainAnswer.of(explained)


async def _require_owner(
    services: Services, principal: Principal, user_id: str | None, project_id: str | None
) -> None:
    """Refuse a person or a project that this tenant does not have."""
    if user_id is not None:
        await services.people.members.get(principal, user_id)
    if project_id is not None:
        await services.people.projects.get(principal, project_id)
