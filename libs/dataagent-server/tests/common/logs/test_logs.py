"""Log lines are JSON, carry what was given, and no secret."""

import io
import json
import logging
import sys
import threading
import traceback

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_server.common.logs.background_handler import LINES_WAITING_MAX, BackgroundHandler
from dataagent_server.common.logs.formats import JsonLines, PlainLines
from dataagent_server.common.logs.redact import redact_query
from dataagent_server.settings.limits import LOG_TEXT_CHARS_MAX

SECRET = "s3cr3t-Value_42"


def line(message: str, **extra: object) -> dict[str, object]:
    record = logging.LogRecord("test", logging.INFO, __file__, 1, message, None, None)
    vars(record).update(extra)
    text = JsonLines().format(record)
    assert "\n" not in text
    return json.loads(text)


def test_a_line_carries_its_facts():
    told = line("it happened", run_id="r1", count=3)
    assert (told["message"], told["run_id"], told["count"]) == ("it happened", "r1", 3)
    assert told["level"] == "info"


def test_a_trace_stays_on_one_line():
    try:
        raise RuntimeError(f"password={SECRET}")  # noqa: TRY301 (there must be a trace)
    except RuntimeError:
        told = line("failed", exc_info=sys.exc_info())
    assert "RuntimeError" in str(told["trace"])
    assert SECRET not in str(told["trace"])


def test_words_are_for_people():
    record = logging.LogRecord("test", logging.WARNING, __file__, 1, "slow", None, None)
    record.count = 3
    assert PlainLines().format(record).endswith("warning slow  count=3")


def test_a_huge_message_is_cut():
    assert len(str(line("x" * 100_000)["message"])) < 10_000


@pytest.mark.parametrize("frames", [3, 60, 2_000])
def test_a_long_trace_keeps_its_beginning_and_its_reason(frames: int):
    # Two functions in turn: Python itself shortens equal frames.
    def deeper(left: int) -> None:
        if left == 0:
            raise RuntimeError("the reason")
        between(left)

    def between(left: int) -> None:
        deeper(left - 1)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + 3 * frames)
    try:
        with pytest.raises(RuntimeError) as raised:
            deeper(frames)
    finally:
        sys.setrecursionlimit(limit)
    error = raised.value
    given = "".join(traceback.format_exception(error))
    told = line("failed", exc_info=(type(error), error, error.__traceback__))
    for text in (told["trace"], line(given)["message"], line("x", why=given)["why"]):
        assert str(text).startswith("Traceback (most recent call last)")
        assert str(text).rstrip().endswith("RuntimeError: the reason")
        assert len(str(text)) < LOG_TEXT_CHARS_MAX + 100


@given(st.text(st.characters(exclude_characters="&="), min_size=1))
def test_a_query_keeps_only_its_names(value: str):
    assert redact_query(f"after=1&q={value}") == "after=***&q=***"


async def test_the_access_log_names_the_request_and_no_secret(
    api: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.INFO, "dataagent_server.access"):
        await api.get(
            f"/nothing?ticket={SECRET}",
            headers={"x-api-key": SECRET, "authorization": f"Bearer {SECRET}", "cookie": SECRET},
        )
    (record,) = [each for each in caplog.records if each.name == "dataagent_server.access"]
    told = JsonLines().format(record)
    assert SECRET not in told
    facts = json.loads(told)
    assert (facts["method"], facts["status"]) == ("GET", 404)
    assert facts["path"] == "/nothing?ticket=***"
    assert facts["duration_ms"] >= 0


async def test_a_path_cannot_forge_a_log_line(
    api: httpx.AsyncClient, caplog: pytest.LogCaptureFixture
):
    with caplog.at_level(logging.INFO, "dataagent_server.access"):
        await api.get("/a%0a%1b[31mforged")
    record = next(each for each in caplog.records if each.name == "dataagent_server.access")
    assert "\n" not in record.getMessage()
    assert "\x1b" not in record.getMessage()


class Stuck(io.StringIO):
    """A reader that does not read until told to."""

    def __init__(self) -> None:
        super().__init__()
        self.go = threading.Event()

    def write(self, text: str, /) -> int:
        self.go.wait()
        return super().write(text)


def test_a_reader_that_does_not_read_blocks_nobody_and_costs_only_lines():
    stream = Stuck()
    handler = BackgroundHandler(stream)
    handler.setFormatter(logging.Formatter("%(message)s"))
    for number in range(LINES_WAITING_MAX + 500):
        handler.emit(logging.makeLogRecord({"msg": f"line {number}"}))
    stream.go.set()
    handler.close()
    assert "line 0\n" in stream.getvalue()
    assert "log lines were dropped" in stream.getvalue()
