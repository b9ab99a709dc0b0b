"""Embeddings of an OpenAI-compatible address: asked over HTTP, bounded, and refused clearly."""

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from pydantic import SecretStr

from dataagent_core.config import Settings
from dataagent_core.config.limits.match import (
    EMBEDDING_TEXTS_PER_REQUEST_MAX,
    MATCH_RETRY_S,
)
from dataagent_core.errors import ConfigurationError, ModelUnavailableError
from dataagent_core.language.chinese import in_chinese
from dataagent_core.models.embeddings import HybridIndex, MatchDocument, resolve_embedder
from dataagent_core.models.embeddings.embedding_breaker import EmbeddingBreaker
from dataagent_core.models.embeddings.openai_embedder import OpenAIEmbedder


class Address:
    """An HTTP address that answers each request for embeddings by a function of its texts."""

    def __init__(self) -> None:
        self.requests: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        self.status = 200
        self.answer: Callable[[list[str]], Any] = lambda texts: {
            # In another order than asked for: the index counts.
            "data": [{"index": n, "embedding": embed(t)} for n, t in enumerate(texts)][::-1]
        }
        address = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                address.requests.append({"path": self.path, **body})
                address.keys.append(self.headers["authorization"])
                content = json.dumps(address.answer(body["input"])).encode()
                self.send_response(address.status)
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
                """Say nothing."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"


def embed(text: str) -> list[float]:
    """A vector by which word a text has."""
    return [2.0 * ("bill" in text or "invoice" in text), 2.0 * ("bird" in text), 0.5]


@pytest.fixture
def address() -> Iterator[Address]:
    made = Address()
    thread = threading.Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield made
    made.server.shutdown()
    thread.join()
    made.server.server_close()


def embedder(address: Address, **options: Any) -> OpenAIEmbedder:
    return OpenAIEmbedder(base_url=address.url, model="m", key=SecretStr("sk-1"), **options)


async def test_many_texts_are_asked_for_in_batches_and_come_back_in_order(address: Address):
    texts = [f"bill {n}" if n % 2 else f"bird {n}" for n in range(EMBEDDING_TEXTS_PER_REQUEST_MAX)]
    vectors = await embedder(address).embed([*texts, "bird"])
    assert [len(each["input"]) for each in address.requests] == [len(texts), 1]
    assert [vector[0] > vector[1] for vector in vectors] == [*map(bool, [0, 1] * 64), False]
    assert address.keys[0] == "Bearer sk-1"
    assert address.requests[0]["path"] == "/v1/embeddings"
    assert sum(value * value for value in vectors[0]) == pytest.approx(1.0)


async def test_half_a_character_is_sent_as_something_unknown(address: Address):
    embedder = OpenAIEmbedder(base_url=address.url, model="m", key=SecretStr("k"))
    await embedder.embed(["a \ud800 bill"])
    assert address.requests[0]["input"] == ["a ? bill"]


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"data": []}, "OpenAI's format"),
        ([], "OpenAI's format"),
        ({"data": [{"embedding": ["x"]}]}, "OpenAI's format"),
        ({"data": [{"embedding": []}]}, "length"),
        ({"data": "x" * 3_000}, "more than 2000 bytes"),
    ],
)
async def test_an_answer_that_is_wrong_is_told(address: Address, answer: Any, told: str):
    address.answer = lambda texts: answer
    with pytest.raises(ModelUnavailableError, match=told):
        await embedder(address, answer_bytes_max=2_000).embed(["a"])


async def test_a_refusal_and_a_dead_address_are_told(address: Address):
    address.status = 401
    with pytest.raises(ModelUnavailableError, match="status 401"):
        await embedder(address).embed(["a"])
    nobody = OpenAIEmbedder(base_url="http://127.0.0.1:9/v1", model="m", key=SecretStr("k"))
    with pytest.raises(ModelUnavailableError, match="cannot be reached"):
        await nobody.embed(["a"])


async def test_the_settings_name_model_and_address(address: Address, load: Callable[..., Settings]):
    settings = load(
        DATAAGENT_EMBEDDING_MODEL="openai:embed-3",
        DATAAGENT_EMBEDDING_BASE_URL=address.url,
        OPENAI_API_KEY="sk-2",
    )
    found = resolve_embedder(settings)
    await found.embed(["bird", "bird"])
    await found.embed(["bird"])
    assert [each["input"] for each in address.requests] == [["bird"]]
    assert (address.requests[0]["model"], address.keys[0]) == ("embed-3", "Bearer sk-2")


@pytest.mark.parametrize("name", ["openai", "openai:", "other:x"])
def test_an_unknown_embedding_model_names_its_setting(name: str, load: Callable[..., Settings]):
    with pytest.raises(ConfigurationError, match="DATAAGENT_EMBEDDING_MODEL"):
        resolve_embedder(load(DATAAGENT_EMBEDDING_MODEL=name))


async def test_a_match_goes_on_with_words_when_the_address_fails(address: Address):
    documents = [
        MatchDocument(key="bills", description="Handles bills of suppliers"),
        MatchDocument(key="birds", description="Knows every bird"),
    ]
    index = HybridIndex(documents, embedder(address))
    (best, *_) = await index.rank("pay the invoice")
    assert (best.document.key, best.keyword_score < 0.1) == ("bills", True)
    assert best.semantic_score == pytest.approx(1.0, abs=0.02)

    address.status = 503
    (best,) = await index.rank("which bird sings?")
    assert (best.document.key, best.semantic_score) == ("birds", None)
    assert "Only words were compared." in best.reason
    assert "status 503" in best.reason


async def test_an_address_that_hangs_holds_up_one_message_until_it_answers_again(
    address: Address, caplog: pytest.LogCaptureFixture
):
    may_answer = threading.Event()
    answer = address.answer

    def wait(texts: list[str]) -> Any:
        may_answer.wait()
        return answer(texts)

    address.answer = wait
    now, told = [0.0], "have not answered for 0.01 s."
    breaker = EmbeddingBreaker(late_s=0.01, clock=lambda: now[0])
    asked = embedder(address, breaker=breaker)
    bills = MatchDocument(key="bills", description="Handles bills of suppliers")
    first = HybridIndex([bills], asked, clock=lambda: now[0])
    try:
        (found,) = await first.rank("a bill", wait_s=0.2)
        assert found.reason.endswith("Only words were compared. Comparing meanings took too long.")
        # Neither the same index waits again, nor another one, nor is the address asked.
        for index in (first, HybridIndex([bills], asked, clock=lambda: now[0])):
            (found,) = await index.rank("a bill", wait_s=3_600)
            assert found.semantic_score is None
        assert told in found.reason
        assert "0.01 秒未回答" in in_chinese(found.reason)
        assert len(address.requests) == 1
    finally:
        may_answer.set()
    # What was late goes on, and its answer ends the waiting time.
    (found,) = await first.rank("pay the invoice")
    assert found.semantic_score is not None
    now[0] += MATCH_RETRY_S
    (found,) = await index.rank("pay the invoice")
    assert found.semantic_score is not None
    assert [told in one.message for one in caplog.records].count(True) == 1


async def test_an_address_that_fails_is_asked_again_after_a_while_and_a_text_stops_nothing(
    address: Address,
):
    now = [0.0]
    asked = embedder(address, breaker=EmbeddingBreaker(clock=lambda: now[0]))
    for status, requests in ((400, 2), (503, 3)):
        address.status = status
        for _ in range(2):
            with pytest.raises(ModelUnavailableError, match=f"status {status}"):
                await asked.embed(["a"])
        assert len(address.requests) == requests
    address.status, now[0] = 200, MATCH_RETRY_S
    assert len(await asked.embed(["a"])) == 1
