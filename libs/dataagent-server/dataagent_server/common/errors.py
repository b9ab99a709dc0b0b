"""The errors only a server raises; they stand in core's tree, so one handler knows them all.

    DataAgentError (core)
    ├── ServerError                              carries `details` for the error's body
    │   ├── UnauthenticatedError     UNAUTHENTICATED         nobody known is asking
    │   ├── RateLimitedError         RATE_LIMITED            too many requests from one caller
    │   ├── OverloadedError          OVERLOADED              the server has no room just now
    │   ├── RequestTimeoutError      TIMEOUT                 the answer took too long
    │   ├── MethodNotAllowedError    METHOD_NOT_ALLOWED      the path exists, not with this method
    │   ├── PayloadTooLargeError     PAYLOAD_TOO_LARGE       the body is larger than allowed
    │   ├── UnsupportedMediaError    UNSUPPORTED_MEDIA_TYPE  the body is in the wrong format
    │   ├── WorkspaceNotFoundError   WORKSPACE_NOT_FOUND     there is no such workspace
    │   ├── QuotaExceededError       QUOTA_EXCEEDED          the workspace is full
    │   ├── ExpensiveQueryError      CONFLICT                a query waits for a person's yes
    │   ├── PlanVersionError         CONFLICT                a plan was changed by somebody else
    │   ├── PatternVersionError      CONFLICT                a pattern was changed by somebody else
    │   ├── MemoryVersionError       CONFLICT                a memory was changed elsewhere
    │   ├── OverrideError            OVERRIDE_REFUSED        a skill cannot override another (S2)
    │   └── InvalidRequestError      VALIDATION_ERROR        a request's fields are wrong
    └── StorageError (core)
        └── LeaseLostError           CHECKPOINT_ERROR        another process has taken the run over

Everything else a service refuses is core's: `NotFoundError`, `ConflictError`, `DeniedError`
(PERMISSION_DENIED), `ValidationError`, `SessionBusyError`, `PathEscapeError`, `DirectoryError`.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

from dataagent_core import errors
from dataagent_core.errors import DataAgentError, StorageError


class ServerError(DataAgentError):
    """Carries the details of an error's body."""

    def __init__(self, message: str, details: Mapping[str, Any] | None = None) -> None:
        super().__init__(message)
        self.details: dict[str, Any] | None = dict(details) if details is not None else None


class UnauthenticatedError(ServerError):
    """The request is not authenticated: no key, a wrong one, an expired one."""

    code = "UNAUTHENTICATED"


class _LaterError(ServerError):
    """Carries after how many seconds a retry can help."""

    recoverable: ClassVar[bool] = True

    def __init__(
        self,
        message: str,
        details: Mapping[str, Any] | None = None,
        *,
        retry_after_s: float = 1.0,
    ) -> None:
        super().__init__(message, details)
        self.retry_after_s = retry_after_s


class RateLimitedError(_LaterError):
    """Too many requests from one caller."""

    code = "RATE_LIMITED"


class OverloadedError(_LaterError):
    """The server has no capacity now, or is stopping."""

    code = "OVERLOADED"


class RequestTimeoutError(_LaterError):
    """The answer took longer than a request may."""

    code = "TIMEOUT"


class MethodNotAllowedError(ServerError):
    """The path exists, but not with this method."""

    code = "METHOD_NOT_ALLOWED"


class PayloadTooLargeError(ServerError):
    """The body is larger than allowed."""

    code = "PAYLOAD_TOO_LARGE"


class UnsupportedMediaError(ServerError):
    """The body is in a format this path does not take."""

    code = "UNSUPPORTED_MEDIA_TYPE"


class WorkspaceNotFoundError(ServerError):
    """There is no such workspace, or not for this user (S4)."""

    code = "WORKSPACE_NOT_FOUND"


class QuotaExceededError(ServerError, errors.QuotaExceededError):
    """The workspace has no space for this (S4), with how much there is."""


class ExpensiveQueryError(ServerError):
    """A query was not run: it is expensive and needs a confirmation; `details` says why."""

    code = "CONFLICT"


class PlanVersionError(ServerError):
    """Somebody else has changed the plan; `details` has it as it is now."""

    code = "CONFLICT"


class PatternVersionError(ServerError):
    """Somebody else has changed the pattern; `details` has it as it is now."""

    code = "CONFLICT"


class MemoryVersionError(ServerError):
    """The memory was changed meanwhile, by its person or by a run; `details` has it as it is."""

    code = "CONFLICT"


class OverrideError(ServerError):
    """The skill that is to override one of the system is missing or of the wrong tier (S2)."""

    code = "OVERRIDE_REFUSED"


class InvalidRequestError(ServerError):
    """A request's fields are wrong; `details` names each."""

    code = "VALIDATION_ERROR"


class LeaseLostError(StorageError):
    """Another process has taken the run over: writes of this one are refused."""
