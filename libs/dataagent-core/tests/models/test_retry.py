"""Whether a failed model call is tried again, and what a person is told."""

import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import anthropic
import httpx
import openai
import pytest
from google.genai import errors as google_errors
from hypothesis import given
from hypothesis import strategies as st
from langchain_openai.chat_models._client_utils import StreamChunkTimeoutError

from dataagent_core.errors import (
    ContextOverflowError,
    DataAgentError,
    LimitReachedError,
    ModelError,
    ModelUnavailableError,
)
from dataagent_core.models import classify
from dataagent_core.models.retry.classify import retry_after_s
from dataagent_core.models.scripted.script import ScriptedFailure
from dataagent_core.models.scripted.scripted_failures import (
    ScriptedDisconnectError,
    ScriptedHTTPError,
)

NOW = datetime(2026, 11, 15, 12, 0, tzinfo=UTC)
REQUEST = httpx.Request("POST", "https://api.example.com/v1/chat?key=hidden")
RETRIED = {408, 409, 425, 429, *range(500, 600)}


def http_error(status: int, body: object = None, **headers: str) -> openai.APIStatusError:
    headers = {name.replace("_", "-"): value for name, value in headers.items()}
    response = httpx.Response(status, request=REQUEST, headers=headers)
    return openai.APIStatusError(f"Error code: {status}", response=response, body=body)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({}, None),
        ({"Retry-After": "3"}, 3.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "-4"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "99999999999"}, 86_400.0),
        ({"retry-after": format_datetime(NOW + timedelta(seconds=90), usegmt=True)}, 90.0),
        ({"retry-after": "Sun, 15 Nov 2026 12:00:30 -0000"}, 30.0),
        ({"retry-after": format_datetime(NOW - timedelta(days=1), usegmt=True)}, 0.0),
    ],
)
def test_what_the_server_asks_for_is_read_as_seconds(
    headers: dict[str, str], expected: float | None
) -> None:
    assert retry_after_s(headers, NOW) == expected


@given(text=st.text())
def test_any_header_is_survived(text: str) -> None:
    wait = retry_after_s({"Retry-After": text}, NOW)
    assert wait is None or 0 <= wait <= 86_400


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_a_passing_http_failure_is_tried_again(status: int) -> None:
    verdict = classify(http_error(status, retry_after="2"), "openai:gpt-4o")
    assert verdict.kind == "retry"
    assert isinstance(verdict.error, ModelUnavailableError)
    assert verdict.retry_after_s == 2.0
    assert (
        f"openai:gpt-4o at https://api.example.com is not available just now (HTTP {status})"
        in (str(verdict.error))
    )
    assert "hidden" not in str(verdict.error)


@pytest.mark.parametrize(
    "error",
    [
        openai.APIConnectionError(request=REQUEST),  # pyright: ignore[reportArgumentType]
        openai.APITimeoutError(request=REQUEST),  # pyright: ignore[reportArgumentType]
        anthropic.APIConnectionError(request=REQUEST),  # pyright: ignore[reportArgumentType]
        httpx.ConnectError("refused"),
        TimeoutError("slow"),
        ConnectionResetError("gone"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_endpoint_that_cannot_be_reached_is_tried_again(error: Exception) -> None:
    verdict = classify(error, "openai:gpt-4o")
    assert (verdict.kind, type(verdict.error)) == ("retry", ModelUnavailableError)
    assert "cannot be reached" in str(verdict.error)
    assert not verdict.may_have_cost


@pytest.mark.parametrize(
    "error",
    [
        httpx.ReadTimeout("slow"),
        httpx.RemoteProtocolError("peer closed connection"),
        ScriptedDisconnectError("cut"),
        StreamChunkTimeoutError(1.0, model_name="m", chunks_received=3),
    ],
    ids=lambda error: type(error).__name__,
)
def test_an_answer_that_broke_off_is_tried_again_and_counted(error: Exception) -> None:
    verdict = classify(error, "openai:gpt-4o")
    assert (verdict.kind, verdict.may_have_cost) == ("retry", True)
    assert "broke off before its answer was whole" in str(verdict.error)


@pytest.mark.parametrize("status", [429, 500, 503, 529])
def test_the_last_word_has_one_way_on(status: int) -> None:
    verdict = classify(http_error(status, retry_after="12"), "openai:gpt-4o")
    assert "Ask again" not in str(verdict.error)
    assert str(verdict.last_word).endswith(
        "Ask again in 12 s, or name models to fall back to in DATAAGENT_FALLBACK_MODEL."
    )
    assert isinstance(verdict.last_word, ModelUnavailableError)


def test_the_cause_an_sdk_hides_is_told() -> None:
    error = openai.APIConnectionError(request=REQUEST)  # pyright: ignore[reportArgumentType]
    error.__cause__ = httpx.ConnectError("Name or service not known")
    assert "Connection error: Name or service not known." in str(classify(error).error)


@pytest.mark.parametrize("status", [401, 403])
@pytest.mark.parametrize(
    ("model", "variable"),
    [
        ("openai:gpt-4o", "OPENAI_API_KEY"),
        ("dashscope:qwen-max", "DASHSCOPE_API_KEY"),
        ("xai:grok", "the provider's API key"),
        (None, "the provider's API key"),
    ],
)
def test_a_refused_key_names_the_variable(status: int, model: str | None, variable: str) -> None:
    verdict = classify(http_error(status), model)
    assert (verdict.kind, type(verdict.error)) == ("fail", ModelError)
    assert str(verdict.error).endswith(f"Check {variable}.")


def test_a_key_repeated_in_an_error_is_masked() -> None:
    error = Exception("Incorrect API key provided: sk-proj-abcdefghijklmnop.")
    assert "abcdefghijklmnop" not in str(classify(error).error)


def test_a_model_that_does_not_exist_is_final() -> None:
    verdict = classify(http_error(404), "openai:gpt-99")
    assert (verdict.kind, type(verdict.error)) == ("fail", ModelError)
    assert "openai:gpt-99" in str(verdict.error)
    assert "was not found" in str(verdict.error)


@pytest.mark.parametrize(
    "error",
    [
        http_error(400, {"code": "context_length_exceeded"}),
        openai.BadRequestError(
            "This model's maximum context length is 8192 tokens",
            response=httpx.Response(400, request=REQUEST),  # pyright: ignore[reportArgumentType]
            body=None,
        ),
        anthropic.BadRequestError(
            "prompt is too long: 210000 tokens > 200000 maximum",
            response=httpx.Response(400, request=REQUEST),  # pyright: ignore[reportArgumentType]
            body=None,
        ),
        google_errors.ClientError(
            400, {"error": {"message": "The input token count (9) exceeds the maximum"}}
        ),
    ],
    ids=["code", "openai", "anthropic", "google"],
)
def test_a_conversation_that_is_too_long_is_its_own_error(error: Exception) -> None:
    verdict = classify(error)
    assert (verdict.kind, type(verdict.error)) == ("fail", ContextOverflowError)


def test_an_empty_account_is_not_a_rate_limit() -> None:
    verdict = classify(http_error(429, {"code": "insufficient_quota"}), "openai:gpt-4o")
    assert (verdict.kind, type(verdict.error)) == ("fail", ModelError)


def test_an_overload_reported_inside_a_stream_is_tried_again() -> None:
    body = {"error": {"type": "overloaded_error", "message": "Overloaded"}}
    response = httpx.Response(200, request=REQUEST)
    error = anthropic.APIStatusError("Overloaded", response=response, body=body)  # pyright: ignore[reportArgumentType]
    assert classify(error).kind == "retry"


def test_googles_errors_are_read_by_their_code() -> None:
    response = {"error": {"message": "quota", "status": "RESOURCE_EXHAUSTED"}}
    assert classify(google_errors.ClientError(429, response)).kind == "retry"
    assert classify(google_errors.ServerError(503, response)).kind == "retry"
    assert classify(google_errors.ClientError(400, response)).kind == "fail"


def test_a_scripted_failure_counts_like_the_real_one() -> None:
    verdict = classify(ScriptedHTTPError(ScriptedFailure(status=429, retry_after_s=1.5)))
    assert (verdict.kind, verdict.retry_after_s) == ("retry", 1.5)
    assert classify(ScriptedHTTPError(ScriptedFailure(status=400))).kind == "fail"


def test_our_own_errors_pass_unchanged() -> None:
    error: DataAgentError = LimitReachedError("enough")
    assert classify(error).error is error


@given(message=st.text(), status=st.none() | st.integers(-1000, 1000))
def test_any_error_gets_a_verdict(message: str, status: int | None) -> None:
    error = Exception(message)
    error.status_code = status  # pyright: ignore[reportAttributeAccessIssue]
    verdict = classify(error)
    assert verdict.kind == ("retry" if status in RETRIED else "fail")
    assert str(verdict.error)


def test_a_message_without_end_is_cut() -> None:
    assert len(str(classify(Exception("x" * 1_000_000)).error)) < 5_000


def test_a_circle_of_causes_ends() -> None:
    first, second = ValueError("a"), ValueError("b")
    first.__cause__, second.__cause__ = second, first
    assert classify(first).kind == "fail"


async def test_an_error_of_the_event_loop_is_readable() -> None:
    with pytest.raises(TimeoutError) as caught:
        await asyncio.wait_for(asyncio.Event().wait(), 0)
    assert classify(caught.value).kind == "retry"
