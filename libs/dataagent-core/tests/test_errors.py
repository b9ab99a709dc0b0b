"""The error tree and the table that maps its codes to the outside."""

import re

import pytest

from dataagent_core import errors
from dataagent_core.errors import CODES, DataAgentError

# Each once: some have S3's name too.
ERROR_CLASSES = list(
    dict.fromkeys(
        value
        for value in vars(errors).values()
        if isinstance(value, type) and issubclass(value, DataAgentError)
    )
)
# PROTOCOL.md, "Errors": S4's, S3's, and the platform's own.
PROTOCOL_CODES = [
    "WORKSPACE_NOT_FOUND",
    "PERMISSION_DENIED",
    "PATH_ESCAPE_ERROR",
    "QUOTA_EXCEEDED",
    "DIRECTORY_ERROR",
    "TOOL_EXECUTION_ERROR",
    "CHECKPOINT_ERROR",
    "TIMEOUT",
    "APPROVAL_TIMEOUT",
    "VALIDATION_ERROR",
    "UNAUTHENTICATED",
    "NOT_FOUND",
    "CONFLICT",
    "SESSION_BUSY",
    "RATE_LIMITED",
    "OVERLOADED",
    "BUDGET_EXCEEDED",
    "MODEL_ERROR",
    "MODEL_UNAVAILABLE",
    "CONTEXT_OVERFLOW",
    "SANDBOX_UNAVAILABLE",
    "QUERY_REFUSED",
    "INTERNAL",
]
# Whatever is not listed here is a plain failure: 1.
EXIT_CODES = {
    "VALIDATION_ERROR": 2,
    "FRONT_MATTER_ERROR": 2,
    "CONFIGURATION_ERROR": 2,
    "DIRECTORY_ERROR": 2,
    "APPROVAL_REJECTED": 3,
    "APPROVAL_REQUIRED": 3,
    "APPROVAL_TIMEOUT": 3,
    "TIMEOUT": 4,
}


@pytest.mark.parametrize("cls", ERROR_CLASSES)
def test_every_error_has_a_code_that_is_mapped_to_the_outside(cls: type[DataAgentError]):
    assert cls.code in CODES


@pytest.mark.parametrize("code", PROTOCOL_CODES)
def test_every_code_of_the_protocol_is_mapped_to_the_outside(code: str):
    assert code in CODES


@pytest.mark.requirement("F16-B6-recoverable")
@pytest.mark.parametrize(
    ("code", "recoverable"),
    [
        ("TOOL_EXECUTION_ERROR", True),
        ("PERMISSION_DENIED", False),
        ("CHECKPOINT_ERROR", False),
        ("TIMEOUT", True),
        ("APPROVAL_TIMEOUT", False),
    ],
)
def test_what_is_recoverable_is_as_s3_says(code: str, *, recoverable: bool):
    (cls,) = [cls for cls in ERROR_CLASSES if cls.code == code]
    assert cls.recoverable is recoverable


def test_no_two_errors_share_a_code():
    codes = [cls.code for cls in ERROR_CLASSES]
    assert sorted(codes) == sorted(set(codes))


def test_the_drawn_tree_names_every_error_with_its_code():
    drawn = re.findall(r"[├└]── (\w+) +([A-Z_]+) ", errors.__doc__ or "")
    assert dict(drawn) == {
        cls.__name__: cls.code for cls in ERROR_CLASSES if cls is not DataAgentError
    }


@pytest.mark.parametrize("code", sorted(CODES))
def test_exit_codes_are_those_of_the_command_line(code: str):
    assert CODES[code].exit_code == EXIT_CODES.get(code, 1)


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("UNAUTHENTICATED", 401),
        ("PERMISSION_DENIED", 403),
        ("NOT_FOUND", 404),
        ("WORKSPACE_NOT_FOUND", 404),
        ("CONFLICT", 409),
        ("PATH_ESCAPE_ERROR", 400),
        ("QUOTA_EXCEEDED", 400),
        ("DIRECTORY_ERROR", 500),
        ("CHECKPOINT_ERROR", 503),
        ("OVERLOADED", 503),
    ],
)
def test_http_statuses_are_those_of_the_documents(code: str, status: int):
    assert CODES[code].http_status == status


@pytest.mark.parametrize("code", sorted(CODES))
def test_every_code_is_a_failure_on_every_wire(code: str):
    mapping = CODES[code]
    assert 400 <= mapping.http_status <= 599
    assert mapping.websocket_close in {1008, 1011, 1013}
