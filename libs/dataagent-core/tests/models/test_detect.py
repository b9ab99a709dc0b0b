"""Choosing a model when nobody named one."""

import json
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from dataagent_core.config import Settings, lookup
from dataagent_core.models import PROVIDERS, detect_model, resolve_model
from dataagent_core.models.listing.ollama import first_ollama_model, ollama_url
from dataagent_core.models.model_detection import NO_MODEL_NOTICE

Load = Callable[..., Settings]


@contextmanager
def ollama(answer: bytes, status: int = 200) -> Generator[str]:
    """Answer every GET with these bytes, as an Ollama (or something else on its port) would."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status)
            self.send_header("Content-Length", str(len(answer)))
            self.end_headers()
            self.wfile.write(answer)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield f"127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


@pytest.mark.requirement("F2-model-detection")
def test_keys_are_tried_in_the_order_of_the_table(load: Load) -> None:
    keyed = [provider for provider in PROVIDERS.values() if provider.key_variable]
    assert [one.name for one in keyed] == [
        "anthropic",
        "openai",
        "google_genai",
        "deepseek",
        "dashscope",
    ]
    environment: dict[str, str] = {}
    for provider in reversed(keyed):
        environment[str(provider.key_variable)] = "k"
        assert detect_model(load(**environment)).spec.provider == provider.name


@pytest.mark.parametrize("name", ["anthropic", "openai", "google_genai", "deepseek"])
def test_the_models_we_start_with_are_known_to_the_price_list(name: str) -> None:
    assert lookup(f"{name}:{PROVIDERS[name].default_model}").input_cost_per_1m


def test_without_a_key_the_first_model_of_a_local_ollama_is_taken(load: Load) -> None:
    listing = {"models": [{"name": "qwen3:8b"}, {"name": "llama3"}]}
    with ollama(json.dumps(listing).encode()) as host:
        assert str(detect_model(load(OLLAMA_HOST=host)).spec) == "ollama:qwen3:8b"


@pytest.mark.parametrize(
    "answer",
    [b"", b"hello", b"[]", b'{"models": []}', b'{"models": [{}]}', b'{"models": 3}', b"\xff"],
)
def test_something_else_on_ollamas_port_is_not_ollama(answer: bytes) -> None:
    with ollama(answer) as host:
        assert first_ollama_model(host) is None


def test_an_ollama_that_answers_with_an_error_or_too_much_is_passed_over() -> None:
    listing = b'{"models": [{"name": "a"}]}'
    with ollama(listing, status=500) as host:
        assert first_ollama_model(host) is None
    with ollama(listing + b" " * 1_100_000) as host:
        assert first_ollama_model(host) is None


@pytest.mark.requirement("F2-model-detection")
def test_with_nothing_at_all_the_demo_answers_and_one_line_says_so(load: Load) -> None:
    resolved = resolve_model(None, load())
    assert resolved.name == "demo:demo"
    assert resolved.notice == NO_MODEL_NOTICE
    assert "\n" not in NO_MODEL_NOTICE
    assert "DATAAGENT_MODEL=provider:name" in NO_MODEL_NOTICE


@pytest.mark.parametrize(
    ("host", "url"),
    [
        (None, "http://127.0.0.1:11434"),
        ("0.0.0.0", "http://127.0.0.1:11434"),
        ("box:99", "http://box:99"),
        (":99", "http://127.0.0.1:99"),
        ("http://box", "http://box:80"),
        ("https://box/ollama/", "https://box:443/ollama"),
        ("[::1]", "http://[::1]:11434"),
        ("[::1]:99", "http://[::1]:99"),
    ],
)
def test_ollamas_address_is_read_as_ollama_reads_it(host: str | None, url: str) -> None:
    assert ollama_url(host) == url
