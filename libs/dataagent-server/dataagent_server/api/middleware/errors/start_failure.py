"""Says why the server could not start in one sentence, where the reason is one of ours.

Starlette sends the whole trace, a frame for each router; a defect is still shown with it.
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dataagent_core.errors import DataAgentError

# Under this name the reason stands in the lifespan's state, where whoever runs uvicorn reads it.
START_FAILURE = "start_failure"


class StartFailureMiddleware:
    """Replaces the trace of a failed start by the error's own sentence."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "lifespan":
            await self._app(scope, receive, send)
            return

        async def send_reason(message: Message) -> None:
            error = getattr(scope["app"].state, START_FAILURE, None)
            if message["type"] == "lifespan.startup.failed" and isinstance(error, DataAgentError):
                scope.get("state", {})[START_FAILURE] = error
                message = {**message, "message": error.for_person}
            await send(message)

        await self._app(scope, receive, send_reason)
