"""The end points of S0 are there (property 23)."""

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.server.fixtures import app_of

# S0, "REST API 路由", and its cancel end point.
REQUIRED = [
    ("POST", "/api/v1/chat"),
    ("POST", "/api/v1/chat/{session_id}/cancel"),
    ("GET", "/api/v1/sessions"),
    ("GET", "/api/v1/sessions/{session_id}"),
    ("DELETE", "/api/v1/sessions/{session_id}"),
    ("GET", "/api/v1/agents"),
    ("GET", "/api/v1/health"),
]


@pytest.mark.requirement("S0-23")
@given(
    required=st.sampled_from(REQUIRED), session_id=st.from_regex(r"[a-z0-9]{1,64}", fullmatch=True)
)
async def test_s0_23_every_required_end_point_is_registered(
    api: httpx.AsyncClient, required: tuple[str, str], session_id: str
):
    method, path = required
    app = app_of(api)
    assert method.lower() in app.openapi()["paths"][path]
    # Without a key: whoever is not known learns that, not that there is nothing.
    answer = await api.request(method, path.format(session_id=session_id))
    assert answer.status_code in (200, 401, 429)
