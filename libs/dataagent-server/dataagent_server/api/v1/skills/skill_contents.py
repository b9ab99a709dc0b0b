"""`/api/v1/skills/{id}/content`, its versions and files, uploads and checks of SKILL.md."""

import asyncio
import re
from pathlib import Path as FilePath
from typing import Annotated, Any, Final

from fastapi import APIRouter, Path, Request, Response

from dataagent_core.config.limits.skills import SKILL_ARCHIVE_BYTES_MAX, SKILL_FILES_MAX
from dataagent_core.errors import ValidationError
from dataagent_core.skills.skill_package import assemble_skill
from dataagent_server.agents.skills.form_files import pack_files
from dataagent_server.agents.skills.skill_view import SkillView
from dataagent_server.api.answers.bytes_answer import bytes_answer, file_answer
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.skills.skills import (
    SkillCheckResult,
    SkillContent,
    SkillDetail,
    SkillInfo,
    SkillProblemInfo,
    SkillToCheck,
    SkillVersionDetail,
    SkillVersionInfo,
    SkillVersionList,
)
from dataagent_server.api.openapi import errors
from dataagent_server.api.request_body import read_form
from dataagent_server.api.v1.skills.skills import WRITING, SkillPath, place_of

router = APIRouter(prefix="/skills", tags=["skills"])

_FORM_BYTES: Final = 64 * 1024
_NUMBER_MAX: Final = 2**31 - 1
_FIELDS: Final = frozenset({"scope", "project_id", "replace"})
_BINARY: Final = {"type": "string", "format": "binary"}
_MARKDOWN: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"text/markdown": {"schema": {"type": "string"}}}}
}
_FILE: Final[dict[int | str, dict[str, Any]]] = {
    200: {"content": {"application/octet-stream": {"schema": _BINARY}}}
}
_FORM: Final = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "properties": {
                        "file": {"type": "array", "items": _BINARY},
                        "scope": {"type": "string", "enum": ["tenant", "project"]},
                        "project_id": {"type": "string"},
                        "replace": {"type": "string", "enum": ["true", "false"]},
                    },
                    "required": ["file"],
                }
            }
        },
    }
}


@router.post(
    "/upload",
    status_code=201,
    summary="Upload a skill",
    responses=WRITING,
    openapi_extra=_FORM,
)
async def upload_skill(
    request: Request, principal: CurrentPrincipal, services: ServicesDep
) -> SkillDetail:
    """Make a skill of a SKILL.md, a zip file or the files of a folder of the skill's name.

    In a zip file the folder may be that of a repository, as `NAME-main` or `NAME-1.2.0`. With
    `replace=true` the skill of the same name in the scope becomes what is sent.
    """
    form = await read_form(
        request, bytes_max=SKILL_ARCHIVE_BYTES_MAX + _FORM_BYTES, files_max=SKILL_FILES_MAX
    )
    unknown = sorted(form.fields.keys() - _FIELDS)
    if unknown:
        raise ValidationError(f"The form has the field {unknown[0][:80]!r}, which is unknown here.")
    scope = form.fields.get("scope") or "tenant"
    if scope not in {"tenant", "project"}:
        raise ValidationError(f"scope is {scope[:80]!r}; it is 'tenant' or 'project'.")
    project_id = place_of(scope, form.fields.get("project_id") or None)
    if project_id is not None and not re.fullmatch(ID_PATTERN, project_id):
        raise ValidationError(f"There is no id {project_id[:80]!r}. Give the project's own.")
    replaces = form.fields.get("replace") or "false"
    if replaces not in {"true", "false"}:
        raise ValidationError(f"replace is {replaces[:80]!r}; it is 'true' or 'false'.")
    upload = await asyncio.to_thread(pack_files, form.files)
    service = services.skills.service
    if replaces == "true":
        return SkillDetail.of_details(await service.replace(principal, project_id, upload))
    made = await service.create(
        principal, project_id, upload.text, {}, upload.files, folder=upload.folder
    )
    return SkillDetail.of_details(made)


@router.post("/validate", summary="Check a SKILL.md")
async def validate_skill(
    body: SkillToCheck, principal: CurrentPrincipal, services: ServicesDep
) -> SkillCheckResult:
    """Say what is wrong with a SKILL.md, and where; nothing is stored."""
    await services.skills.service.require_reader(principal)
    found = await asyncio.to_thread(
        assemble_skill,
        body.content.encode("utf-8", "surrogatepass"),
        (),
        folder_name=body.name or None,
    )
    shown = None if found.skill is None else SkillInfo.of(SkillView(skill=found.skill))
    return SkillCheckResult(
        valid=found.is_usable, problems=SkillProblemInfo.list_of(found.problems), skill=shown
    )


@router.get(
    "/{skill_id}/content",
    summary="A skill's SKILL.md",
    response_class=Response,
    responses=_MARKDOWN,
)
async def get_skill_content(
    skill_id: SkillPath, principal: CurrentPrincipal, services: ServicesDep
) -> Response:
    """Download the SKILL.md of a skill."""
    details = await services.skills.service.get(principal, skill_id)
    answer = bytes_answer("SKILL.md", details.text.encode())
    answer.headers["content-type"] = "text/markdown; charset=utf-8"
    return answer


@router.put(
    "/{skill_id}/content",
    summary="Replace a skill's SKILL.md",
    responses=errors("CONFLICT", "QUOTA_EXCEEDED"),
)
async def put_skill_content(
    skill_id: SkillPath, body: SkillContent, principal: CurrentPrincipal, services: ServicesDep
) -> SkillDetail:
    """Store another SKILL.md as it is; the other files stay."""
    changed = await services.skills.service.change(principal, skill_id, {}, text=body.content)
    return SkillDetail.of_details(changed)


@router.get("/{skill_id}/versions", summary="A skill's versions")
async def list_skill_versions(
    skill_id: SkillPath, principal: CurrentPrincipal, services: ServicesDep
) -> SkillVersionList:
    """List what a skill was, the newest first; the system's have none."""
    found = await services.skills.service.list_versions(principal, skill_id)
    return SkillVersionList(versions=[SkillVersionInfo.model_validate(one) for one in found])


@router.get("/{skill_id}/versions/{number}", summary="One version of a skill")
async def get_skill_version(
    skill_id: SkillPath,
    number: Annotated[int, Path(ge=1, le=_NUMBER_MAX)],
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> SkillVersionDetail:
    """Show the SKILL.md of a version, to compare or to take it back."""
    return SkillVersionDetail.of(
        await services.skills.service.get_version(principal, skill_id, number)
    )


@router.get(
    "/{skill_id}/files/{path:path}",
    summary="A file of a skill",
    response_class=Response,
    responses=_FILE,
)
async def get_skill_file(
    skill_id: SkillPath, path: str, principal: CurrentPrincipal, services: ServicesDep
) -> Response:
    """Download a script, a reference or an asset of a skill."""
    found = await services.skills.service.read_file(principal, skill_id, path)
    name = path.rpartition("/")[2]
    if isinstance(found, FilePath):
        return file_answer(found, name)
    return bytes_answer(name, found)
