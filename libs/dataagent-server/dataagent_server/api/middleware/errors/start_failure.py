"""Reports a failed start in one sentence if the reason is one of our errors.

Starlette prints the whole trace; a defect is still shown with it.
"""

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from dataagent_core.errors import DataAgentError

# The key of the reason in the lifespan's state, where the code that runs uvicorn reads it.
START_FAILURE = "start_failure"


class StartFailureMiddleware:
    """Replaces the trace of a failed start by the error's sentence."""

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
