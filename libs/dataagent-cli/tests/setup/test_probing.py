"""Finds model servers: their lists, and other responses on a port."""

import socket
import time
from contextlib import ExitStack

import pytest
from model_servers import (
    LLAMACPP_MODELS,
    LLAMACPP_PROPS,
    LM_STUDIO_MODELS,
    OLLAMA_TAGS,
    VLLM_MODELS,
    Reply,
    serving,
)

from dataagent_cli.setup.model_servers import Kind, ModelServer
from dataagent_cli.setup.probe import (
    Candidate,
    NotAListError,
    find_servers,
    server_at,
    usual_candidates,
)
from dataagent_core.config import Settings
from dataagent_core.models.listing.list_parser import openai_models


@pytest.mark.requirement("F8-9-local")
async def test_the_four_are_found_at_once_each_with_its_models():
    with ExitStack() as stack:
        ollama = stack.enter_context(serving({"/api/tags": Reply.of(OLLAMA_TAGS)}))
        llama = stack.enter_context(serving({"/v1/models": Reply.of(LLAMACPP_MODELS)}))
        vllm = stack.enter_context(serving({"/v1/models": Reply.of(VLLM_MODELS)}))
        studio = stack.enter_context(serving({"/v1/models": Reply.of(LM_STUDIO_MODELS)}))
        found = await find_servers(
            [
                Candidate("Ollama", ollama),
                Candidate("llama.cpp", llama),
                Candidate("vLLM", vllm),
                Candidate("LM Studio", studio),
            ]
        )
    assert found == [
        ModelServer("Ollama", ollama, ("qwen3:8b",)),
        ModelServer("llama.cpp", llama, ("/models/qwen3-8b.gguf",)),
        ModelServer("vLLM", vllm, ("Qwen/Qwen3-8B",)),
        ModelServer("LM Studio", studio, ("qwen3-8b",)),
    ]
    assert found[0].model_name("qwen3:8b") == "ollama:qwen3:8b"
    assert (found[2].model_name("m"), found[2].base_url) == ("openai:m", f"{vllm}/v1")


def test_the_usual_places_are_this_machines_and_ollamas_own_setting():
    places = usual_candidates(Settings(ollama_host="example.test:1"))
    assert [place.url for place in places] == [
        "http://example.test:1",
        "http://127.0.0.1:8080",
        "http://127.0.0.1:8000",
        "http://127.0.0.1:1234",
    ]


async def test_a_server_says_itself_what_it_is_whatever_its_port():
    unnamed = {"data": [{"id": "m"}]}
    cases: list[tuple[dict[str, Reply], Kind]] = [
        ({"/v1/models": Reply.of(VLLM_MODELS)}, "vLLM"),
        ({"/v1/models": Reply.of(unnamed)}, "OpenAI-compatible"),
        ({"/v1/models": Reply.of(unnamed), "/props": Reply.of(LLAMACPP_PROPS)}, "llama.cpp"),
    ]
    for replies, kind in cases:
        with serving(replies) as url:
            (found,) = await find_servers([Candidate("llama.cpp", url)])
        assert found.kind == kind


HUGE = Reply(b'{"data": [' + b'{"id": "m"},' * 200_000 + b'{"id": "m"}]}')
HOSTILE = {
    "an html page": Reply(b"<html><body>router</body></html>", content_type="text/html"),
    "another api": Reply.of({"error_code": "UNAUTHENTICATED", "message": "sign in"}),
    "a refusal": Reply(b"{}", status=401),
    "a redirect": Reply(b"", status=302, headers=(("Location", "http://127.0.0.1:9/"),)),
    "too much": HUGE,
    "too late": Reply.of(VLLM_MODELS).__class__(b"{}", wait_s=30.0),
    "not json": Reply(b"{oops"),
    "deep json": Reply(b"[" * 100_000),
    "a number": Reply(b"7"),
    "strange entries": Reply.of({"data": [7, {"id": 7}, {"id": ""}, {"id": "a\x1b[2J"}, {}]}),
    "binary": Reply(b"\xff\xfe\x00"),
    "a list of lists": Reply.of({"data": {"id": "m"}, "models": "m"}),
}


@pytest.mark.requirement("F8-9-local")
@pytest.mark.parametrize("what", HOSTILE)
async def test_whatever_else_answers_on_a_port_is_left_alone(what: str):
    reply = HOSTILE[what]
    began = time.monotonic()
    with serving({"/v1/models": reply, "/api/tags": reply, "/props": reply}) as url:
        found = await find_servers(
            [Candidate("Ollama", url), Candidate("vLLM", url), Candidate("llama.cpp", url)]
        )
        assert found == []
        with pytest.raises(NotAListError):
            await server_at(url, seconds_max=1.0)
    assert time.monotonic() - began < 60


async def test_a_port_that_takes_connections_and_says_nothing_costs_only_the_deadline():
    with socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))
        silent.listen()
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        began = time.monotonic()
        assert await find_servers([Candidate("vLLM", url)] * 4, seconds_max=0.5) == []
    assert time.monotonic() - began < 60  # it never answers


async def test_an_address_may_be_written_with_or_without_v1_and_may_want_a_key():
    with serving({"/v1/models": Reply.of(VLLM_MODELS)}) as url:
        for written in (url, f"{url}/", f"{url}/v1", f"{url}/v1/"):
            assert (await server_at(written, "sk-x")).base_url == f"{url}/v1"


def test_names_are_bounded_in_length_and_number():
    listing = {"data": [{"id": f"m{n}"} for n in range(1000)] + [{"id": "x" * 1000}]}
    assert len(openai_models(listing)) == 200
    assert openai_models({"data": [{"id": "x" * 1000}, {"id": "two words"}]}) == ()
