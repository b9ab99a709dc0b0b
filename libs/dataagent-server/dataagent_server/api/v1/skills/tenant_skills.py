"""`/api/v1/tenant/skills`: a tenant disables and overrides the system's skills (S2 §14.4.2)."""

from fastapi import APIRouter

from dataagent_core.skills import TenantSkillConfig
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.skills.skills import (
    SkillConfigInfo,
    SkillConfigList,
    SystemSkillName,
    SystemSkillOverride,
)
from dataagent_server.api.openapi import errors

router = APIRouter(prefix="/tenant/skills", tags=["skills"])


@router.get("/config", summary="What the tenant says of the system's skills")
async def get_skill_config(principal: CurrentPrincipal, services: ServicesDep) -> SkillConfigList:
    """List the system skills that the tenant disabled or overrode."""
    return _show(await services.skills.configs.list_configs(principal))


@router.post("/disable", summary="Disable a system skill", responses=errors("NOT_FOUND"))
async def disable_skill(
    body: SystemSkillName, principal: CurrentPrincipal, services: ServicesDep
) -> SkillConfigList:
    """Take a system skill out of the tenant's agents; for admins."""
    return _show(await services.skills.configs.disable(principal, body.skill_name))


@router.post("/enable", summary="Enable a system skill", responses=errors("NOT_FOUND"))
async def enable_skill(
    body: SystemSkillName, principal: CurrentPrincipal, services: ServicesDep
) -> SkillConfigList:
    """Give a system skill back that was disabled or overridden; for admins."""
    return _show(await services.skills.configs.enable(principal, body.skill_name))


@router.post(
    "/override",
    summary="Override a system skill",
    responses=errors("NOT_FOUND", "OVERRIDE_REFUSED"),
)
async def override_skill(
    body: SystemSkillOverride, principal: CurrentPrincipal, services: ServicesDep
) -> SkillConfigList:
    """Put a skill of the tenant in the place of a system skill; for admins."""
    return _show(
        await services.skills.configs.override(principal, body.skill_name, body.override_skill_id)
    )


def _show(configs: list[TenantSkillConfig]) -> SkillConfigList:
    return SkillConfigList(configs=[SkillConfigInfo.model_validate(one) for one in configs])
