"""Routes that fail, wait and echo, to test what wraps a route."""

import asyncio
from collections.abc import AsyncIterator

from fastapi import APIRouter, FastAPI, Request, WebSocket
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from dataagent_core.errors import StorageError
from dataagent_server.api.deps import CurrentPrincipal, WithoutTimeout

router = APIRouter(prefix="/probe", include_in_schema=False)


class Echo(BaseModel):
    text: str
    number: int = 0


def add_probes(app: FastAPI) -> None:
    app.state.probe_waits = asyncio.Event()
    app.include_router(router)


@router.get("/boom")
async def boom() -> None:
    raise RuntimeError("the password is hunter2")


@router.get("/storage")
async def storage() -> None:
    raise StorageError("/var/lib/secret.db is locked")


@router.post("/echo")
async def echo(body: Echo) -> Echo:
    return body


@router.post("/raw")
async def raw(request: Request) -> int:
    return len(await request.body())


@router.get("/me")
async def me(principal: CurrentPrincipal) -> str:
    return principal.user_id


@router.get("/wait")
async def wait(request: Request) -> str:
    await request.app.state.probe_waits.wait()
    return "waited"


@router.get("/mine")
async def mine(request: Request, principal: CurrentPrincipal) -> str:
    await request.app.state.probe_waits.wait()
    return principal.tenant_id


@router.get("/patient", dependencies=[WithoutTimeout])
async def patient(wait_s: float = 0.3) -> str:
    await asyncio.sleep(wait_s)
    return "waited"


@router.get("/stream")
async def stream(break_off: bool = False, wait_s: float = 0.3) -> StreamingResponse:
    async def pieces() -> AsyncIterator[str]:
        yield "one "
        await asyncio.sleep(wait_s)
        if break_off:
            raise RuntimeError("broken")
        yield "two"

    return StreamingResponse(pieces(), media_type="text/plain")


@router.websocket("/socket")
async def socket(websocket: WebSocket, deny: str = "", number: int = 0) -> None:
    if deny == "storage":
        raise StorageError("/var/lib/secret.db is locked")
    await websocket.accept()
    if deny == "late":
        raise RuntimeError("broken")
    await websocket.send_text(await websocket.receive_text())
    await websocket.close()
