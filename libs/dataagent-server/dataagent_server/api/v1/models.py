"""`/api/v1/models`: which models the tenant can use, what they cost, and whether they answer."""

from typing import Annotated

from fastapi import APIRouter, Query

from dataagent_server.api.deps import CurrentPrincipal, ServicesDep, WithoutTimeout
from dataagent_server.api.models.fields import ID_PATTERN
from dataagent_server.api.models.models import (
    ModelInfo,
    ModelList,
    ModelPut,
    ModelTestAnswer,
    ModelTestAsked,
)
from dataagent_server.api.openapi import errors

router = APIRouter(prefix="/models", tags=["credentials"])
_Id = Annotated[str | None, Query(pattern=ID_PATTERN)]


@router.get("", summary="Models you can use", responses=errors("NOT_FOUND"))
async def list_models(
    principal: CurrentPrincipal,
    services: ServicesDep,
    assistant_id: _Id = None,
    project_id: _Id = None,
) -> ModelList:
    """List what runs may use with the tenant's and the operator's keys, the default first.

    An endpoint may have more: a test lists them.
    """
    assistants = None
    if assistant_id is not None:
        assistants = (await services.assistants.get(principal, assistant_id)).model
    if project_id is not None:
        await services.people.projects.get(principal, project_id)
    found = await services.people.models.list(
        principal, assistants=assistants, project_id=project_id
    )
    return ModelList.model_validate(found)


@router.put("", summary="Offer or correct a model", responses=errors("LIMIT_REACHED"))
async def put_model(
    body: ModelPut, principal: CurrentPrincipal, services: ServicesDep
) -> ModelInfo:
    """Put a model on the list with the tenant's own figures; they count from the next run on.

    Prices of models that run on the operator's key are the operator's.
    """
    put = await services.people.models.put(principal, body.model, body.override)
    return ModelInfo.model_validate(put)


@router.delete("", status_code=204, summary="Take a correction back", responses=errors("NOT_FOUND"))
async def delete_model(
    principal: CurrentPrincipal,
    services: ServicesDep,
    model: Annotated[str, Query(min_length=1, max_length=200, pattern=r"^[^\x00]*$")],
) -> None:
    """Forget what the tenant said of a model; the catalogue's figures count again."""
    await services.people.models.delete(principal, model)


@router.post("/test", summary="Does a model answer?", dependencies=[WithoutTimeout])
async def try_model(
    body: ModelTestAsked, principal: CurrentPrincipal, services: ServicesDep
) -> ModelTestAnswer:
    """Ask the endpoint for its models, and one for a tiny answer with a tool call.

    What goes wrong is told in `error`. It costs a few tokens.
    """
    tested = await services.model_tester.test(principal, body.provider, body.model)
    return ModelTestAnswer.model_validate(tested)
