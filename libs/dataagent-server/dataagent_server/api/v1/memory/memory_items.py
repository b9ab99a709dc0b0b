"""`/api/v1/memories/{memory_id}`: one memory of the person who asks."""

from fastapi import APIRouter

from dataagent_core.errors import ConflictError
from dataagent_server.api.deps import CurrentPrincipal, ServicesDep
from dataagent_server.api.models.memory.memory_answers import ForgetReceiptInfo, MemoryCorrected
from dataagent_server.api.models.memory.memory_bodies import MemoryUpdate, MemoryWrong
from dataagent_server.api.models.memory.memory_info import MemoryDetail, MemoryItem
from dataagent_server.api.openapi import errors
from dataagent_server.api.v1.memory.shared import MemoryPath
from dataagent_server.common.errors import MemoryVersionError
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal

router = APIRouter(prefix="/memories", tags=["memories"])


@router.get("/{memory_id}", summary="One memory")
async def get_memory(
    memory_id: MemoryPath, principal: CurrentPrincipal, services: ServicesDep
) -> MemoryDetail:
    """Show a memory with those of the same subject before and after it."""
    return MemoryDetail.model_validate(await services.memories.show(principal, memory_id))


@router.patch("/{memory_id}", summary="Change a memory", responses=errors("CONFLICT"))
async def change_memory(
    memory_id: MemoryPath,
    body: MemoryUpdate,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> MemoryItem:
    """Change a memory; 409 with the newer one when it has changed."""
    try:
        changed = await services.memories.change(principal, memory_id, body.change())
    except ConflictError as error:
        raise await _with_newer(services, principal, memory_id, error) from None
    return MemoryItem.model_validate(changed)


@router.delete("/{memory_id}", summary="Forget a memory")
async def forget_memory(
    memory_id: MemoryPath, principal: CurrentPrincipal, services: ServicesDep
) -> ForgetReceiptInfo:
    """Remove it with everything that rests on it alone, and say what a scan still finds."""
    receipt = await services.memories.forget(principal, memory_id)
    return ForgetReceiptInfo.model_validate(receipt)


@router.post(
    "/{memory_id}/wrong", summary="Say that a memory is wrong", responses=errors("CONFLICT")
)
async def mark_memory_wrong(
    memory_id: MemoryPath,
    body: MemoryWrong,
    principal: CurrentPrincipal,
    services: ServicesDep,
) -> MemoryCorrected:
    """Say that it was never true; with a correction, remember that instead."""
    try:
        corrected = await services.memories.mark_wrong(
            principal, memory_id, version=body.version, correction=body.correction or ""
        )
    except ConflictError as error:
        raise await _with_newer(services, principal, memory_id, error) from None
    return MemoryCorrected.model_validate(corrected)


async def _with_newer(
    services: Services, principal: Principal, memory_id: str, error: ConflictError
) -> MemoryVersionError:
    shown = MemoryDetail.model_validate(await services.memories.show(principal, memory_id))
    return MemoryVersionError(str(error), {"memory": shown.memory.model_dump(mode="json")})
