"""`/api/v1/skills`: the skills of the system, of the tenant and of projects (S2 §14.4.1)."""

from typing import Annotated, Final, Literal

from fastapi import APIRouter, Path, Query, Response

from dataagent_core.errors import ValidationError
from dataagent_core.skills import SkillScope
from dataagent_server.agents.skills.skill_service import SkillService
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.skills.skills import (
    SkillChange,
    SkillCreate,
    SkillDetail,
    SkillEvalReport,
    SkillInfo,
    SkillList,
    SkillMatchInfo,
    SkillMatchList,
    SkillMessage,
)
from dataagent_server.api.openapi import errors
from dataagent_server.identity.auth.principal import Principal

router = APIRouter(prefix="/skills", tags=["skills"])

SkillPath = Annotated[str, Path(alias="skill_id", pattern=ID_PATTERN)]
ProjectQuery = Annotated[
    str | None,
    Query(alias="project_id", pattern=ID_PATTERN, description="Those of a project too"),
]
WRITING: Final = errors("NOT_FOUND", "CONFLICT", "LIMIT_REACHED", "QUOTA_EXCEEDED")


@router.get("", summary="List skills", responses=errors("NOT_FOUND"))
async def list_skills(
    principal: CurrentPrincipal,
    services: ServicesDep,
    scope: Literal["system", "tenant", "project", "all"] = "all",
    project_id: ProjectQuery = None,
) -> SkillList:
    """List the skills of a scope, each with what keeps it from being offered."""
    wanted = None if scope == "all" else SkillScope(scope)
    return await _list(services.skills.service, principal, project_id, wanted)


@router.get("/system", summary="List the system's skills")
async def list_system_skills(principal: CurrentPrincipal, services: ServicesDep) -> SkillList:
    """List the skills that come with DataAgent; nobody changes them."""
    return await _list(services.skills.service, principal, None, SkillScope.SYSTEM)


@router.post("", status_code=201, summary="Create a skill", responses=WRITING)
async def create_skill(
    body: SkillCreate, principal: CurrentPrincipal, services: ServicesDep
) -> SkillDetail:
    """Make a skill for the tenant's agents or a project's; for admins and its owner."""
    made = await services.skills.service.create(
        principal,
        place_of(body.scope, body.project_id),
        body.content or "",
        body.fields(),
        enabled=body.enabled is not False,
    )
    return SkillDetail.of_details(made)


@router.post("/match", summary="Which skills fit a message", responses=errors("NOT_FOUND"))
async def match_skills(
    body: SkillMessage, principal: CurrentPrincipal, services: ServicesDep
) -> SkillMatchList:
    """List the skills an agent would be offered for a message, with scores and reasons."""
    found = await services.skills.match(principal, body.project_id, body.message, body.limit)
    return SkillMatchList(matches=[SkillMatchInfo.of(one) for one in found])


@router.post("/{skill_id}/test", summary="Test a skill", responses=errors("CONFLICT"))
async def run_skill_test(
    skill_id: SkillPath, principal: CurrentPrincipal, services: ServicesDep
) -> SkillEvalReport:
    """Match the prompts of `evals/evals.json` against all skills that are offered."""
    return SkillEvalReport.model_validate(await services.skills.test(principal, skill_id))


@router.get("/{skill_id}", summary="One skill")
async def get_skill(
    skill_id: SkillPath, principal: CurrentPrincipal, services: ServicesDep
) -> SkillDetail:
    """Show a skill with its SKILL.md."""
    return SkillDetail.of_details(await services.skills.service.get(principal, skill_id))


@router.put("/{skill_id}", summary="Change a skill", responses=errors("CONFLICT", "QUOTA_EXCEEDED"))
async def change_skill(
    skill_id: SkillPath, body: SkillChange, principal: CurrentPrincipal, services: ServicesDep
) -> SkillDetail:
    """Change what is given, by a new version of SKILL.md where it says something else.

    A field counts before what `content` names, and that before what the skill has.
    """
    changed = await services.skills.service.change(
        principal, skill_id, body.fields(), content=body.content, enabled=body.enabled
    )
    return SkillDetail.of_details(changed)


@router.delete(
    "/{skill_id}", status_code=204, summary="Delete a skill", responses=errors("CONFLICT")
)
async def delete_skill(
    skill_id: SkillPath, principal: CurrentPrincipal, services: ServicesDep
) -> Response:
    """Delete a skill with its versions; runs in progress keep their copy."""
    await services.skills.service.delete(principal, skill_id)
    return Response(status_code=204)


def place_of(scope: str, project_id: str | None) -> str | None:
    """Return the project of a scope; None: the tenant."""
    if scope == "project" and project_id is None:
        raise ValidationError("Give the project_id of the project that is to have the skill.")
    if scope == "tenant" and project_id is not None:
        raise ValidationError("A skill of the tenant has no project_id; say scope 'project'.")
    return project_id


async def _list(
    service: SkillService,
    principal: Principal,
    project_id: str | None,
    scope: SkillScope | None,
) -> SkillList:
    views = await service.list_skills(principal, project_id)
    return SkillList(
        skills=[SkillInfo.of(one) for one in views if scope is None or one.skill.scope is scope]
    )
