"""Every error DataAgent raises on purpose, and the one table that maps codes to the outside.

    DataAgentError
    ├── ValidationError          VALIDATION_ERROR     the caller's value is wrong
    │   └── FrontMatterError     FRONT_MATTER_ERROR   a skill's or sub-agent's file is broken
    ├── ConfigurationError       CONFIGURATION_ERROR  a setting, key or provider is wrong
    ├── NotFoundError            NOT_FOUND            there is no such thing
    ├── ConflictError            CONFLICT             the thing is not in a state that allows this
    ├── SessionBusyError         SESSION_BUSY         another process or run holds the session
    ├── PathEscapeError          PATH_ESCAPE_ERROR    a path leads out of the workspace
    ├── QuotaExceededError       QUOTA_EXCEEDED       a workspace has no room for this
    ├── DirectoryError           DIRECTORY_ERROR      a directory is missing or cannot be made
    ├── StorageError             CHECKPOINT_ERROR     the database cannot be read or written
    ├── ToolExecutionError       TOOL_EXECUTION_ERROR a tool failed
    │   └── MCPServerError       MCP_SERVER_ERROR     an MCP server is down, late or wrong
    │       └── SignInNeededError SIGN_IN_NEEDED      a person must sign in there first
    ├── SandboxUnavailableError  SANDBOX_UNAVAILABLE  commands cannot be kept apart from the host
    ├── ModelError               MODEL_ERROR          the model refused or failed for good
    ├── ModelUnavailableError    MODEL_UNAVAILABLE    the model cannot be reached just now
    ├── ContextOverflowError     CONTEXT_OVERFLOW     the conversation no longer fits the model
    ├── LimitReachedError        LIMIT_REACHED        a per-run limit was hit
    ├── BudgetExceededError      BUDGET_EXCEEDED      a budget is used up and nobody raised it
    ├── RunTimeoutError          TIMEOUT              the run took longer than it was given
    ├── NoOneToAskError          APPROVAL_REQUIRED    a person must decide and none is there
    ├── ApprovalTimeoutError     APPROVAL_TIMEOUT     a person had to decide and did not in time
    ├── QueryRefusedError        QUERY_REFUSED        SQL that may not run, or not like this
    ├── QueryFailedError         QUERY_FAILED         the engine refused, failed or ran too long
    ├── DeniedError              PERMISSION_DENIED    a rule forbids the call
    └── RejectedError            APPROVAL_REJECTED    a person said no and ended the run

A message names what was wrong, with which value, and what to do next. `recoverable` says whether
trying the same thing again later can help; S3 fixes it for the codes it names.
"""

from dataclasses import dataclass
from typing import ClassVar


class DataAgentError(Exception):
    """The root: carries a code from `CODES` and whether a later try can help."""

    code: ClassVar[str] = "INTERNAL"
    recoverable: ClassVar[bool] = False

    def __init__(self, message: str = "", for_person: str | None = None) -> None:
        """`for_person` says what a model, which reads `str()`, must not be told."""
        super().__init__(message)
        self.for_person = for_person or message


class ValidationError(DataAgentError):
    """The caller's value is wrong."""

    code = "VALIDATION_ERROR"


class FrontMatterError(ValidationError):
    """A file of a skill or a sub-agent cannot be read; lines and columns count from 1."""

    code = "FRONT_MATTER_ERROR"

    def __init__(self, message: str, *, line: int | None = None, column: int | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.column = column


class ConfigurationError(DataAgentError):
    """A setting, key or provider is wrong or missing."""

    code = "CONFIGURATION_ERROR"


class NotFoundError(DataAgentError):
    """There is no such thing, or not for this person."""

    code = "NOT_FOUND"


class ConflictError(DataAgentError):
    """The thing is not in a state that allows this."""

    code = "CONFLICT"


class SessionBusyError(DataAgentError):
    """Another process or run holds the session."""

    code = "SESSION_BUSY"
    recoverable = True


class PathEscapeError(DataAgentError):
    """A path leads out of the workspace."""

    code = "PATH_ESCAPE_ERROR"


class QuotaExceededError(DataAgentError):
    """A workspace has no room for this (S4)."""

    code = "QUOTA_EXCEEDED"


class DirectoryError(DataAgentError):
    """A directory is missing or cannot be made."""

    code = "DIRECTORY_ERROR"


class StorageError(DataAgentError):
    """The database cannot be read or written."""

    code = "CHECKPOINT_ERROR"


class ToolExecutionError(DataAgentError):
    """A tool failed; `retryable` (S3) says that the same call may succeed in a moment."""

    code = "TOOL_EXECUTION_ERROR"
    recoverable = True

    def __init__(
        self, message: str = "", for_person: str | None = None, *, retryable: bool = False
    ) -> None:
        super().__init__(message, for_person)
        self.retryable = retryable


class MCPServerError(ToolExecutionError):
    """An MCP server is down, late, refused to start, or answered nonsense."""

    code = "MCP_SERVER_ERROR"

    def __init__(self, server: str, problem: str) -> None:
        super().__init__(f"the MCP server {server!r} {problem}")
        self.server = server


class SignInNeededError(MCPServerError):
    """A person must sign in at the server, for the first time or for more rights."""

    code = "SIGN_IN_NEEDED"

    def __init__(self, server: str, scopes: str = "") -> None:
        wanted = f" with the scopes {scopes!r}" if scopes else ""
        super().__init__(server, f"needs you to sign in{wanted} before its tools can be used.")
        self.scopes = scopes


class SandboxUnavailableError(DataAgentError):
    """Commands cannot be kept apart from the host, so none is run."""

    code = "SANDBOX_UNAVAILABLE"


class ModelError(DataAgentError):
    """The model refused or failed for good."""

    code = "MODEL_ERROR"


class ModelUnavailableError(DataAgentError):
    """The model cannot be reached just now."""

    code = "MODEL_UNAVAILABLE"
    recoverable = True


class ContextOverflowError(DataAgentError):
    """The conversation no longer fits the model."""

    code = "CONTEXT_OVERFLOW"


class LimitReachedError(DataAgentError):
    """A per-run limit was hit."""

    code = "LIMIT_REACHED"


class BudgetExceededError(DataAgentError):
    """A budget is used up and nobody raised it; a later period has another."""

    code = "BUDGET_EXCEEDED"
    recoverable = True


class RunTimeoutError(DataAgentError):
    """The run took longer than it was given."""

    code = "TIMEOUT"
    recoverable = True


class NoOneToAskError(DataAgentError):
    """A person must decide and none is there; the run waits."""

    code = "APPROVAL_REQUIRED"
    recoverable = True


class ApprovalTimeoutError(DataAgentError):
    """Nobody answered in time, which counts as a no. A handler of approvals may raise it."""

    code = "APPROVAL_TIMEOUT"


class QueryRefusedError(DataAgentError):
    """SQL that may not run. `for_person` says what a model must not be told, if anything."""

    code = "QUERY_REFUSED"


class QueryFailedError(DataAgentError):
    """The engine refused the SQL, failed on it, or ran out of time, memory or room.

    `said` is the part of the message that is the engine's own, which may quote what it read.
    """

    code = "QUERY_FAILED"

    def __init__(self, message: str, for_person: str | None = None, *, said: str = "") -> None:
        super().__init__(message, for_person)
        self.said = said


class DeniedError(DataAgentError):
    """A rule forbids the call; nobody was asked."""

    code = "PERMISSION_DENIED"


class RejectedError(DataAgentError):
    """A person said no to the call and ended the run."""

    code = "APPROVAL_REJECTED"


# S3's names.
AgentError = DataAgentError
PermissionDeniedError = DeniedError
CheckpointError = StorageError


@dataclass(frozen=True, slots=True)
class CodeMapping:
    """What one error code looks like outside."""

    http_status: int
    websocket_close: int
    exit_code: int


def _code(http_status: int, exit_code: int = 1, websocket_close: int = 1011) -> CodeMapping:
    return CodeMapping(http_status, websocket_close, exit_code)


# Exit codes: 1 failed, 2 wrong use, 3 a person is needed or said no, 4 time-out.
CODES: dict[str, CodeMapping] = {
    "VALIDATION_ERROR": _code(422, 2, 1008),
    "FRONT_MATTER_ERROR": _code(422, 2, 1008),
    "CONFIGURATION_ERROR": _code(400, 2, 1008),
    "UNAUTHENTICATED": _code(401, 1, 1008),
    "PERMISSION_DENIED": _code(403, 1, 1008),
    "NOT_FOUND": _code(404, 1, 1008),
    "WORKSPACE_NOT_FOUND": _code(404, 1, 1008),
    "CONFLICT": _code(409, 1, 1008),
    "SESSION_BUSY": _code(409, 1, 1013),
    "PATH_ESCAPE_ERROR": _code(400, 1, 1008),
    "QUOTA_EXCEEDED": _code(400, 1, 1008),
    "DIRECTORY_ERROR": _code(500, 2),
    "CHECKPOINT_ERROR": _code(503, 1, 1013),
    "TOOL_EXECUTION_ERROR": _code(500),
    "MCP_SERVER_ERROR": _code(502),
    "SIGN_IN_NEEDED": _code(409),
    "MODEL_ERROR": _code(502),
    "MODEL_UNAVAILABLE": _code(503, 1, 1013),
    "CONTEXT_OVERFLOW": _code(413),
    "SANDBOX_UNAVAILABLE": _code(503),
    "QUERY_REFUSED": _code(400, 1, 1008),
    "QUERY_FAILED": _code(422, 1, 1008),
    "LIMIT_REACHED": _code(429),
    "BUDGET_EXCEEDED": _code(402),
    "RATE_LIMITED": _code(429, 1, 1013),
    "OVERLOADED": _code(503, 1, 1013),
    "TIMEOUT": _code(504, 4),
    "APPROVAL_TIMEOUT": _code(408, 3),
    "APPROVAL_REQUIRED": _code(409, 3),
    "APPROVAL_REJECTED": _code(403, 3, 1008),
    "APPROVAL_CORRECTED": _code(403, 1, 1008),
    "INTERNAL": _code(500),
}
