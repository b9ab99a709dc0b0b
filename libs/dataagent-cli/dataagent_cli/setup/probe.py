"""Finds model servers on this machine: all usual ports at once, with a short deadline.

Only the list of models is requested; redirects are not followed, responses are limited, and a
response that is not such a list is ignored.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from dataagent_cli.setup.model_servers import Kind, ModelServer, kind_of
from dataagent_core.models.listing.list_parser import ollama_models, openai_models

if TYPE_CHECKING:
    import httpx

    from dataagent_core.config import Settings

PROBE_S_MAX = 1.0
PROBE_BYTES_MAX = 1_000_000

_USUAL_PORTS: tuple[tuple[Kind, int], ...] = (
    ("llama.cpp", 8080),
    ("vLLM", 8000),
    ("LM Studio", 1234),
)


@dataclass(frozen=True, slots=True)
class Candidate:
    """An address to probe, and the program that usually runs there."""

    kind: Kind
    url: str


class NotAListError(Exception):
    """The response is not a list of models; says what it was."""


def usual_candidates(settings: "Settings") -> list[Candidate]:
    """List the usual addresses."""
    from dataagent_core.models.listing.ollama import ollama_url

    here = [Candidate(kind, f"http://127.0.0.1:{port}") for kind, port in _USUAL_PORTS]
    return [Candidate("Ollama", ollama_url(settings.ollama_host)), *here]


async def find_servers(
    candidates: Sequence[Candidate], seconds_max: float = PROBE_S_MAX
) -> list[ModelServer]:
    """Probe all candidates at once; return those that list models in time."""
    async with _client() as client:
        probes = (_probe(client, candidate, seconds_max) for candidate in candidates)
        found = await asyncio.gather(*probes)
    return [server for server in found if server is not None and server.models]


async def server_at(
    url: str, key: str | None = None, seconds_max: float = 5 * PROBE_S_MAX
) -> ModelServer:
    """Probe one address that speaks OpenAI's API, or raise a `NotAListError`."""
    base = url.rstrip("/").removesuffix("/v1")
    async with _client(key) as client:
        try:
            async with asyncio.timeout(seconds_max):
                listing = await _json(client, f"{base}/v1/models")
        except TimeoutError:
            raise NotAListError(f"no answer within {seconds_max:g} s") from None
    models = openai_models(listing)
    if not models:
        raise NotAListError("its list of models is empty, or none")
    return ModelServer(kind_of(listing), base, models)


async def _probe(
    client: "httpx.AsyncClient", candidate: Candidate, seconds_max: float
) -> ModelServer | None:
    try:
        async with asyncio.timeout(seconds_max):
            return await _ask(client, candidate)
    except (NotAListError, TimeoutError):
        return None


async def _ask(client: "httpx.AsyncClient", candidate: Candidate) -> ModelServer:
    if candidate.kind == "Ollama":
        listing = await _json(client, f"{candidate.url}/api/tags")
        return ModelServer("Ollama", candidate.url, ollama_models(listing))
    listing = await _json(client, f"{candidate.url}/v1/models")
    models = openai_models(listing)
    kind = kind_of(listing)
    if kind == "OpenAI-compatible" and candidate.kind == "llama.cpp":
        kind = kind_of(listing, await _props(client, candidate.url))
    return ModelServer(kind, candidate.url, models)


async def _props(client: "httpx.AsyncClient", url: str) -> object:
    try:
        return await _json(client, f"{url}/props")
    except NotAListError:
        return None


async def _json(client: "httpx.AsyncClient", url: str) -> object:
    import httpx

    data = b""
    try:
        async with client.stream("GET", url) as response:
            if not response.is_success:
                raise NotAListError(f"it answers with status {response.status_code}")
            async for part in response.aiter_bytes():
                data += part
                if len(data) > PROBE_BYTES_MAX:
                    raise NotAListError("its answer is too long to be a list of models")
        return json.loads(data)
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        raise NotAListError(str(error) or type(error).__name__) from error
    except (ValueError, RecursionError) as error:
        raise NotAListError("its answer is not JSON") from error


def _client(key: str | None = None) -> "httpx.AsyncClient":
    import httpx

    headers = {"Accept": "application/json"} | ({"Authorization": f"Bearer {key}"} if key else {})
    # A proxy from the environment must not see requests to this machine.
    return httpx.AsyncClient(headers=headers, trust_env=False, follow_redirects=False)
