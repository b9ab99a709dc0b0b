"""`/api/v1/data/questions`: SQL with its source and chart, saved under a name to be asked again."""

from typing import Annotated

from fastapi import APIRouter, Path, Query

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models import Page
from dataagent_server.api.models.data.questions import (
    DataQuestionChange,
    DataQuestionCreate,
    DataQuestionInfo,
)
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.openapi import errors
from dataagent_server.api.page_params import Paging, page_of

router = APIRouter(prefix="/data/questions", tags=["data"])

QuestionPath = Annotated[str, Path(pattern=ID_PATTERN)]
_Project = Annotated[
    str | None,
    Query(alias="project_id", pattern=ID_PATTERN, description="Those of a project; else your own"),
]


@router.get("", summary="List saved questions", responses=errors("NOT_FOUND"))
async def list_data_questions(
    principal: CurrentPrincipal,
    services: ServicesDep,
    page_request: Paging,
    project_id: _Project = None,
) -> Page[DataQuestionInfo]:
    """List a project's questions, or your own that are in none; the oldest first."""
    found = await services.data.questions.list(principal, project_id, page_request)
    return page_of(DataQuestionInfo, found)


@router.post(
    "", status_code=201, summary="Save a question", responses=errors("NOT_FOUND", "LIMIT_REACHED")
)
async def create_data_question(
    body: DataQuestionCreate,
    principal: CurrentPrincipal,
    services: ServicesDep,
    project_id: _Project = None,
) -> DataQuestionInfo:
    """Keep a question under a name, for yourself or for everybody in a project."""
    made = await services.data.questions.create(principal, project_id, body.wishes())
    return DataQuestionInfo.model_validate(made)


@router.get("/{question_id}", summary="One saved question")
async def get_data_question(
    question_id: QuestionPath, principal: CurrentPrincipal, services: ServicesDep
) -> DataQuestionInfo:
    """Show a question; `POST /data/query` asks it again."""
    return DataQuestionInfo.model_validate(
        await services.data.questions.get(principal, question_id)
    )


@router.patch("/{question_id}", summary="Change a saved question", responses=errors("CONFLICT"))
async def change_data_question(
    question_id: QuestionPath,
    body: DataQuestionChange,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> DataQuestionInfo:
    """Change what is given of a question of your own, or as an admin of anybody's."""
    changed = await services.data.questions.change(
        principal, question_id, body.wishes(), body.version
    )
    return DataQuestionInfo.model_validate(changed)


@router.delete("/{question_id}", status_code=204, summary="Delete a saved question")
async def delete_data_question(
    question_id: QuestionPath, principal: CurrentPrincipal, services: ServicesDep
) -> None:
    """Forget a question; the results it gave stay."""
    await services.data.questions.delete(principal, question_id)
