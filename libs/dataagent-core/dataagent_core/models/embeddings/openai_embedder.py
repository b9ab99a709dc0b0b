"""Embeddings from any address that speaks OpenAI's API (`POST {base_url}/embeddings`).

Requests are batched and limited in time and size. A failure is a `ModelUnavailableError`: whoever
matches goes on with words alone and says so. One of the address stops requests for a while
(`embedding_breaker.py`), one of a text does not: a message must not take meanings from the others.
"""

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Final

import httpx
from pydantic import SecretStr

from dataagent_core.config.limits.match import (
    EMBEDDING_ANSWER_BYTES_MAX,
    EMBEDDING_TEXTS_PER_REQUEST_MAX,
    EMBEDDING_TIMEOUT_S,
)
from dataagent_core.errors import ModelUnavailableError
from dataagent_core.models.embeddings.embedder import Vector, make_unit
from dataagent_core.models.embeddings.embedding_breaker import EmbeddingBreaker

# The address works, but not with these texts.
_OF_THE_TEXTS: Final = frozenset({400, 413, 422})


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIEmbedder:
    """Asks an address for the vectors of a named model."""

    base_url: str
    model: str
    key: SecretStr = field(repr=False)
    timeout_s: float = EMBEDDING_TIMEOUT_S
    answer_bytes_max: int = EMBEDDING_ANSWER_BYTES_MAX
    breaker: EmbeddingBreaker = field(default_factory=EmbeddingBreaker, repr=False, compare=False)

    @property
    def name(self) -> str:
        """The name of the model, as in the setting `embedding_model`."""
        return f"openai:{self.model}"

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Embed the texts, in several requests where they are many."""
        vectors: list[Vector] = []
        for start in range(0, len(texts), EMBEDDING_TEXTS_PER_REQUEST_MAX):
            part = texts[start : start + EMBEDDING_TEXTS_PER_REQUEST_MAX]
            status, answer = await self.breaker.run(partial(self._request, part), self.base_url)
            if status in _OF_THE_TEXTS:
                raise self._refused(status)
            vectors += _read_vectors(answer, len(part))
        return vectors

    async def _request(self, texts: Sequence[str]) -> tuple[int, bytes]:
        """Return status and content of an answer; raises where the address is at fault."""
        try:
            async with (
                # httpx limits each step of a request, not all of it.
                asyncio.timeout(self.timeout_s),
                httpx.AsyncClient(timeout=self.timeout_s) as client,
            ):
                return await self._send(client, texts)
        except TimeoutError as error:
            raise self._unreachable(f"no answer within {self.timeout_s:g} s") from error
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise self._unreachable(str(error) or type(error).__name__) from error

    async def _send(self, client: httpx.AsyncClient, texts: Sequence[str]) -> tuple[int, bytes]:
        # An empty text is refused there, and half a character cannot be sent.
        sent = [text.strip().encode("utf-8", "replace").decode() or "." for text in texts]
        body = {"model": self.model, "input": sent}
        headers = {"authorization": f"Bearer {self.key.get_secret_value()}"}
        url = f"{self.base_url.rstrip('/')}/embeddings"
        async with client.stream("POST", url, json=body, headers=headers) as response:
            if response.status_code in _OF_THE_TEXTS:
                return response.status_code, b""
            if not response.is_success:
                raise self._refused(response.status_code)
            answer = bytearray()
            async for chunk in response.aiter_bytes():
                answer += chunk
                if len(answer) > self.answer_bytes_max:
                    raise ModelUnavailableError(
                        f"The embeddings at {self.base_url} answered with more than "
                        f"{self.answer_bytes_max} bytes."
                    )
        return response.status_code, bytes(answer)

    def _unreachable(self, reason: str) -> ModelUnavailableError:
        return ModelUnavailableError(
            f"The embeddings at {self.base_url} cannot be reached: {reason}."
        )

    def _refused(self, status: int) -> ModelUnavailableError:
        return ModelUnavailableError(
            f"The embeddings at {self.base_url} answered with status {status}: check "
            "DATAAGENT_EMBEDDING_MODEL and its key."
        )


def _read_vectors(answer: bytes, count: int) -> list[Vector]:
    """Read an answer; the vectors may be in any order."""
    try:
        rows: list[dict[str, Any]] = json.loads(answer)["data"]
        numbered = {int(row.get("index", place)): row for place, row in enumerate(rows)}
        vectors = [make_unit([float(x) for x in numbered[n]["embedding"]]) for n in range(count)]
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelUnavailableError(
            "The answer to a request for embeddings cannot be read: it is not OpenAI's format."
        ) from error
    if len({len(vector) for vector in vectors}) > 1 or not all(vectors):
        raise ModelUnavailableError("The embeddings of one request differ in their length.")
    return vectors
