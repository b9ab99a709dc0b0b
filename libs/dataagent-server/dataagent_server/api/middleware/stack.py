"""The ordered list of middleware, outermost first."""

from typing import TYPE_CHECKING

from starlette.middleware import Middleware

from dataagent_server.api.middleware import cors
from dataagent_server.api.middleware.access_log import AccessLogMiddleware
from dataagent_server.api.middleware.body_limit import BodyLimitMiddleware
from dataagent_server.api.middleware.capacity import CapacityMiddleware
from dataagent_server.api.middleware.deadline import DeadlineMiddleware
from dataagent_server.api.middleware.errors.last_resort import ErrorsMiddleware
from dataagent_server.api.middleware.errors.start_failure import StartFailureMiddleware
from dataagent_server.api.middleware.local_only import LocalOnlyMiddleware
from dataagent_server.api.middleware.rate_limit.limiters import make_limiters
from dataagent_server.api.middleware.rate_limit.rate_limit import RateLimitMiddleware
from dataagent_server.api.middleware.request_id import RequestIdMiddleware
from dataagent_server.api.middleware.security_headers import SecurityHeadersMiddleware
from dataagent_server.common.metrics import Metrics
from dataagent_server.sessions.live.fair_share import FairShare
from dataagent_server.settings import ServerSettings

if TYPE_CHECKING:
    from redis.asyncio import Redis


def middleware_stack(
    settings: ServerSettings, metrics: Metrics, redis: "Redis | None", share: FairShare
) -> list[Middleware]:
    """Order the middleware; `ErrorsMiddleware` above them answers what one refuses."""
    https = (settings.public_url or "").startswith("https://")
    stack = [
        Middleware(StartFailureMiddleware),
        Middleware(RequestIdMiddleware),
        Middleware(AccessLogMiddleware, metrics=metrics),
        Middleware(SecurityHeadersMiddleware, https=https),
    ]
    if settings.cors_origins:
        stack.append(_make_cors(settings.cors_origins))
    stack.append(Middleware(ErrorsMiddleware, home=str(settings.home)))
    if settings.auth_disabled:
        stack.append(Middleware(LocalOnlyMiddleware))
    if settings.rate_limit_per_minute:
        limiters = make_limiters(settings.rate_limit_per_minute, settings.rate_limit_burst, redis)
        stack.append(
            Middleware(
                RateLimitMiddleware,
                limiters=limiters,
                metrics=metrics,
                public_url=settings.public_url,
            )
        )
    return [
        *stack,
        Middleware(
            CapacityMiddleware, requests_max=settings.max_requests, share=share, metrics=metrics
        ),
        Middleware(DeadlineMiddleware, seconds=settings.request_timeout),
        Middleware(
            BodyLimitMiddleware,
            body_bytes_max=settings.max_body_bytes,
            upload_bytes_max=settings.max_upload_bytes,
        ),
    ]


def _make_cors(origins: list[str]) -> Middleware:
    return Middleware(
        cors.CorsMiddleware,
        allow_origins=origins,
        allow_credentials=True,
        allow_methods=cors.METHODS,
        allow_headers=cors.REQUEST_HEADERS,
        expose_headers=cors.ANSWER_HEADERS,
    )
