"""The application: routes, middleware, errors, and the lifetime of its services.

`create_app` only assembles; services are opened when the server starts and closed when it stops
(`composition/`).
"""

import asyncio
import logging
from collections.abc import AsyncGenerator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError, WebSocketRequestValidationError
from starlette.exceptions import HTTPException

from dataagent_core.errors import DataAgentError
from dataagent_server.api.console import STATIC, add_console, is_built
from dataagent_server.api.mcp.mount import add_mcp, serve_mcp
from dataagent_server.api.middleware.errors.answer_error import answer_error
from dataagent_server.api.middleware.errors.start_failure import START_FAILURE
from dataagent_server.api.middleware.stack import middleware_stack
from dataagent_server.api.openapi import document, operation_id
from dataagent_server.api.pages import home, reference
from dataagent_server.api.sse import agent_chat, session_events
from dataagent_server.api.v1 import PREFIX, routers
from dataagent_server.api.v1 import metrics as metrics_route
from dataagent_server.common.metrics import Metrics
from dataagent_server.common.stop_signals import handle_stop_signals
from dataagent_server.common.version import server_version
from dataagent_server.composition import Services, make_redis, open_services
from dataagent_server.sessions.live.fair_share import FairShare
from dataagent_server.settings import ServerSettings
from dataagent_server.ws import route as ws_route

logger = logging.getLogger(__name__)

_ANSWERED = (
    HTTPException,
    RequestValidationError,
    WebSocketRequestValidationError,
    DataAgentError,
)

OpenServices = Callable[[], AbstractAsyncContextManager[Services]]


def create_app(settings: ServerSettings | None = None, console: Path = STATIC) -> FastAPI:
    """Build an application; two in one process share nothing.

    `console` is the folder of the built console; without one, a page says how to build it.
    """
    settings = settings or ServerSettings()
    metrics = Metrics()
    redis = make_redis(settings)
    share = FairShare()
    app = FastAPI(
        title="DataAgent",
        version=server_version(),
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=operation_id,
        lifespan=_make_lifespan(settings, lambda: open_services(settings, metrics, redis, share)),
        middleware=middleware_stack(settings, metrics, redis, share),
    )
    app.state.settings = settings
    for kind in _ANSWERED:
        app.add_exception_handler(kind, answer_error)
    for router in routers():
        app.include_router(router, prefix=PREFIX)
    for module in (metrics_route, reference, session_events, agent_chat, ws_route):
        app.include_router(module.router)
    add_mcp(app, settings)
    if is_built(console):
        add_console(app, console)
    else:
        app.include_router(home.router)
    app.openapi = lambda: document(app)
    return app


def _make_lifespan(
    settings: ServerSettings, opened: OpenServices
) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncGenerator[None]:
        services = opened()
        try:
            app.state.services = open_now = await services.__aenter__()
        except DataAgentError as error:
            setattr(app.state, START_FAILURE, error)
            raise
        logger.info("the server is ready", extra={"version": app.version})
        try:
            async with serve_mcp(app, open_now):
                with handle_stop_signals(open_now.stopping.set):
                    yield
        finally:
            open_now.stopping.set()
            # Connections had the first half: `timeout_graceful_shutdown`.
            await _close(services, max(1, settings.stop_timeout // 2))

    return lifespan


async def _close(services: AbstractAsyncContextManager[Services], seconds: int) -> None:
    try:
        async with asyncio.timeout(seconds):
            await services.__aexit__(None, None, None)
    except TimeoutError:
        logger.warning("stopping took longer than %d seconds; what was left is given up", seconds)
    else:
        logger.info("the server has stopped")
