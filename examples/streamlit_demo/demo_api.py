"""DataAgent's public REST API, as far as the page needs it.

Whatever goes wrong, on the way or at the server, is an `ApiProblem` with a sentence for a person.
"""

import json
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from functools import cached_property
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx
from demo_texts import Texts

TIMEOUT_S = 15.0
# A run may be silent while it works; the server says something every 15 seconds.
STREAM_TIMEOUT_S = 60.0
MESSAGE_CHARS_MAX = 500


class ApiProblem(Exception):  # noqa: N818 (it is told to a person, not handled)
    """What to tell a person."""


class Api:
    """A server and a key."""

    def __init__(self, url: str, api_key: str, texts: Texts) -> None:
        self._url = url.strip().rstrip("/")
        self._key = api_key.strip()
        self._texts = texts
        self._client = httpx.Client(timeout=TIMEOUT_S, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.close()

    def mcp_servers(self) -> list[dict[str, Any]]:
        """List your own MCP servers."""
        found = self._ask("GET", f"/users/{self._me}/mcp-servers")
        if not isinstance(found, list):
            raise ApiProblem(self._texts["strange"])
        for one in found:
            if not isinstance(one, dict) or not isinstance(one.get("name"), str):
                raise ApiProblem(self._texts["strange"])
        return found

    def add_mcp_server(self, server: dict[str, Any]) -> None:
        self._ask("POST", f"/users/{self._me}/mcp-servers", server)

    def delete_mcp_server(self, name: str) -> None:
        self._ask("DELETE", f"/users/{self._me}/mcp-servers/{quote(name, safe='')}")

    def requests(self, session_id: str) -> list[dict[str, Any]]:
        """List what the agent waits for."""
        found = self._object("GET", f"/sessions/{quote(session_id, safe='')}/requests")
        requests = found.get("requests")
        if not isinstance(requests, list) or not all(isinstance(one, dict) for one in requests):
            raise ApiProblem(self._texts["strange"])
        return requests

    def answer(self, interrupt_id: str, decision: dict[str, Any]) -> None:
        path = f"/requests/{quote(interrupt_id, safe='')}"
        self._ask("POST", path, {"decision": decision})

    def chat(self, message: str, session_id: str | None, key: str) -> Iterator[dict[str, Any]]:
        """Say something and give the run's events; the same `key` never starts it twice."""
        body: dict[str, Any] = {"message": message}
        if session_id:
            body["conversation_id"] = session_id
        headers = {"Idempotency-Key": key}
        yield from self._events("POST", "/agent/chat", json=body, headers=headers)

    def events_after(self, session_id: str, after: str) -> Iterator[dict[str, Any]]:
        """Give a session's events as they happen."""
        path = f"/sessions/{quote(session_id, safe='')}/events/stream"
        yield from self._events("GET", path, params={"after": after})

    @cached_property
    def _me(self) -> str:
        user_id = self._object("GET", "/auth/me").get("user_id")
        if not isinstance(user_id, str):
            raise ApiProblem(self._texts["strange"])
        return quote(user_id, safe="")

    def _object(self, method: str, path: str) -> dict[str, Any]:
        found = self._ask(method, path)
        if not isinstance(found, dict):
            raise ApiProblem(self._texts["strange"])
        return found

    def _ask(self, method: str, path: str, body: Any = None) -> Any:
        with self._told():
            answer = self._client.request(
                method, self._url + "/api/v1" + path, json=body, headers=self._headers()
            )
            self._check(answer)
            return _read(answer.text) if answer.content else None

    def _events(self, method: str, path: str, **options: Any) -> Iterator[dict[str, Any]]:
        options["headers"] = self._headers() | options.get("headers", {})
        with (
            self._told(),
            self._client.stream(
                method, self._url + "/api/v1" + path, timeout=STREAM_TIMEOUT_S, **options
            ) as answer,
        ):
            if not answer.is_success:
                answer.read()
            self._check(answer)
            number = ""
            for line in answer.iter_lines():
                name, _, value = line.partition(": ")
                if name == "id":
                    number = value
                elif name == "data":
                    yield _event(value, number)

    def _headers(self) -> dict[str, str]:
        return {"X-API-Key": self._key} if self._key else {}

    @contextmanager
    def _told(self) -> Generator[None]:
        """Turn whatever goes wrong on the way into a sentence."""
        try:
            yield
        except httpx.HTTPError as error:
            why = str(error) or type(error).__name__
            raise ApiProblem(self._texts["cannot_reach"].format(url=self._url, why=why)) from error
        except httpx.InvalidURL as error:
            told = self._texts["cannot_reach"].format(url=self._url, why=error)
            raise ApiProblem(told) from error
        # Also a key with letters that no header can carry, and JSON without an end.
        except (ValueError, RecursionError) as error:
            raise ApiProblem(self._texts["strange"]) from error

    def _check(self, answer: httpx.Response) -> None:
        if answer.is_success:
            return
        match answer.status_code:
            case 401:
                raise ApiProblem(self._texts["key_wrong"])
            case 404:
                raise ApiProblem(self._texts["no_such"])
            case 429 | 503:
                raise ApiProblem(self._texts["overloaded"])
            case status:
                message = _message(answer.text) or answer.reason_phrase
                raise ApiProblem(self._texts["server_wrong"].format(status=status, message=message))


def _read(text: str) -> Any:
    """Read JSON; half characters, which a page cannot show, become question marks."""
    written = json.dumps(json.loads(text), ensure_ascii=False)
    return json.loads(written.encode("utf-8", "replace"))


def _event(text: str, number: str) -> dict[str, Any]:
    event = _read(text)
    if not isinstance(event, dict) or not isinstance(event.get("data"), dict):
        raise ValueError(f"not an event: {text[:100]}")  # noqa: TRY004 (JSON of another shape)
    return event | {"id": number}


def _message(text: str) -> str:
    """Find what the server says went wrong."""
    try:
        body = _read(text)
    except (ValueError, RecursionError):
        return ""
    message = body.get("message") if isinstance(body, dict) else None
    return message[:MESSAGE_CHARS_MAX] if isinstance(message, str) else ""
