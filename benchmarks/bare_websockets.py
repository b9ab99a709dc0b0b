"""A bare Starlette WebSocket under the same uvicorn settings, to measure ours beside."""

import socket

import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket


async def ready(_request: object) -> PlainTextResponse:
    return PlainTextResponse("ready")


async def wait(websocket: WebSocket) -> None:
    await websocket.accept()
    async for _ in websocket.iter_text():
        pass


def main() -> None:
    app = Starlette(routes=[Route("/ready", ready), WebSocketRoute("/ws/chat/{session}", wait)])
    with socket.create_server(("127.0.0.1", 0), backlog=1024) as listener:
        print(f"running at http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
        config = uvicorn.Config(
            app,
            loop="uvloop",
            ws="websockets-sansio",
            ws_per_message_deflate=False,
            access_log=False,
            log_level="warning",
        )
        uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    main()
