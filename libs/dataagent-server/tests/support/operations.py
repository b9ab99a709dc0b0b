"""Requests to any operation of the API, drawn from its OpenAPI document."""

import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from hypothesis import strategies as st

# As committed: a test of the API holds it to the code. Building it takes seconds in every worker.
_DOCUMENT: Final = Path(__file__).parents[4] / "web/openapi.json"
METHODS: Final = ("GET", "POST", "PUT", "PATCH", "DELETE")
# No id of anything: whatever is asked for under it is not there.
_missing = st.from_regex(r"[a-z0-9]{8,40}", fullmatch=True)


@dataclass(frozen=True)
class Operation:
    """One method of one path."""

    method: str
    path: str
    takes_json: bool


@dataclass(frozen=True)
class Asked:
    """A request, as `httpx` takes it."""

    method: str
    path: str
    content: bytes | None = None
    headers: dict[str, str] = field(default_factory=dict[str, str])


def described_paths() -> dict[str, dict[str, Any]]:
    """Give the paths of the API's description, each with its methods."""
    return json.loads(_DOCUMENT.read_text())["paths"]


def _operations() -> list[Operation]:
    return [
        Operation(
            method.upper(),
            path,
            "application/json" in one.get("requestBody", {}).get("content", {}),
        )
        for path, methods in described_paths().items()
        for method, one in methods.items()
        if method.upper() in METHODS
    ]


OPERATIONS: Final = _operations()


@st.composite
def requests(draw: st.DrawFn) -> Asked:
    """Ask any operation about things that are not there; where it takes a body, a wrong one."""
    one = draw(st.sampled_from(OPERATIONS))
    path = re.sub(r"\{[^}]*\}", lambda _: draw(_missing), one.path)
    if not one.takes_json:
        return Asked(one.method, path)
    body = draw(st.sampled_from([b"{", b"[]", b'"x"', b"null", b'{"no_such_field": 1}']))
    return Asked(one.method, path, body, {"content-type": "application/json"})
