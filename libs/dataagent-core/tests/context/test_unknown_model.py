"""A model the catalogue does not know: its endpoint is asked, else the person is told."""

import json
import threading
from collections.abc import Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from agents import events_of, settings
from langchain_openai import ChatOpenAI
from long_sessions import agent, measuring, rows

from dataagent_core.config.model_catalog import stated_limits
from dataagent_core.context.context_record import REPORT_KEY
from dataagent_core.context.window_size import ask_for_window, of_listing, of_ollama
from dataagent_core.engine import AgentConfig, AgentFactory
from dataagent_core.engine.checkpoints.history import thread
from dataagent_core.models import Script, ScriptedChatModel

LOOK = {"tool_calls": [{"name": "rows", "args": {"count": 3_000}}]}


@contextmanager
def answering(body: bytes, status: int = 200) -> Generator[tuple[str, list[Any]]]:
    """Serve one answer to every request, and note who asked."""
    asked: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append((self.path, self.headers.get("authorization")))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None: ...  # noqa: A002 (its name)

    server = HTTPServer(("127.0.0.1", 0), Handler)
    serving = threading.Thread(target=server.serve_forever)
    serving.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", asked
    finally:
        server.shutdown()
        serving.join()
        server.server_close()


def chat(base_url: str) -> ChatOpenAI:
    return ChatOpenAI(model="house-model", base_url=base_url, api_key="k-1")  # pyright: ignore[reportArgumentType] (a plain key is taken)


@pytest.mark.requirement("F7-1")
@pytest.mark.parametrize("word", ["max_model_len", "context_length", "context_window"])
async def test_an_endpoint_says_how_large_the_window_of_its_model_is(word: str) -> None:
    listing = {"data": [{"id": "other", word: 9_999}, {"id": "house-model", word: 20_480}]}
    with answering(json.dumps(listing).encode()) as (base_url, asked):
        assert await ask_for_window(chat(base_url), "openai:house-model") == 20_480
    assert asked == [("/v1/models", "Bearer k-1")]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b'{"data": []}', 200),
        (b'{"data": [{"id": "house-model"}]}', 200),
        (b'{"data": [{"id": "house-model", "max_model_len": "many"}]}', 200),
        (b'{"data": [{"id": "house-model", "max_model_len": 0}]}', 200),
        (b"[]", 200),
        (b"<html>", 200),
        (b"{}", 401),
        (b" " * 5_000_000, 200),
    ],
)
async def test_an_answer_that_says_nothing_is_none(body: bytes, status: int) -> None:
    with answering(body, status) as (base_url, _):
        assert await ask_for_window(chat(base_url), "openai:house-model") is None


async def test_an_endpoint_that_is_not_there_is_none() -> None:
    assert await ask_for_window(chat("http://127.0.0.1:9/v1"), "openai:house-model") is None


def test_ollama_shows_the_window_of_what_it_loaded() -> None:
    assert of_ollama({"model_info": {"llama.context_length": 8_192}}) == 8_192
    assert of_ollama({"model_info": []}) is None
    assert of_listing(None, "x") is None


def test_what_a_person_says_or_a_preset_knows_is_not_asked_for() -> None:
    said = settings(models={"house-model": {"context_length": 9_000}}).models
    found = stated_limits("openai:house-model", said)
    assert found is not None
    assert found.context_length == 9_000
    assert stated_limits("openai:gpt-4o-2024-08-06") is not None
    assert stated_limits("openai:house-model") is None


class Nameless(ScriptedChatModel):
    """A model of which nobody knows anything."""

    def _resolve_model_profile(self) -> Any:
        return None


def unknown(window: int | None) -> Nameless:
    steps = [LOOK, {"text": "ok"}]
    model = Nameless(script=Script.model_validate({"steps": steps}), model_name="nameless")
    return model if window is None else model.model_copy(
        update={"profile": {"max_input_tokens": window}}
    )  # fmt: skip


async def report_and_warnings(model: Any, folder: Path, **chosen: Any) -> tuple[Any, list[Any]]:
    config = AgentConfig(
        assistant_id="tester", model=model, workspace_path=folder, extra_tools=[rows]
    )
    executor_ = AgentFactory(settings(**chosen)).create_executor(config)
    events = [*await events_of(executor_), *await events_of(executor_)]
    state = await executor_.agent.aget_state(thread(events[-1].run_id))
    return state.values[REPORT_KEY], [e for e in events if e.event_type == "warning"]


@pytest.mark.requirement("F7-1")
async def test_when_nobody_knows_the_window_the_person_is_told_once(tmp_path: Path) -> None:
    report, warnings = await report_and_warnings(unknown(None), tmp_path)
    assert report["window_tokens"] == 128_000
    assert [warning.code for warning in warnings] == ["MODEL_WINDOW_UNKNOWN"]
    assert "128,000 are assumed" in warnings[0].message


async def test_a_window_that_was_asked_for_holds_from_then_on(tmp_path: Path) -> None:
    report, warnings = await report_and_warnings(unknown(40_000), tmp_path)
    assert (report["window_tokens"], warnings) == (40_000, [])


async def test_a_persons_cap_holds_over_what_the_endpoint_says(tmp_path: Path) -> None:
    report, _ = await report_and_warnings(unknown(400_000), tmp_path, max_context_tokens=30_000)
    assert report["window_tokens"] == 30_000


async def test_while_a_conversation_is_short_nobody_is_asked(tmp_path: Path) -> None:
    events = await events_of(agent(measuring({"text": "ok"}), tmp_path, 128_000))
    assert [event for event in events if event.event_type == "warning"] == []
