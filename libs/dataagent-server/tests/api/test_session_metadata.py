"""A session's metadata over REST, on a server that keeps it elsewhere than in its database."""

import pytest
from talking import talking

from tests.server.fixtures import MakeSettings


@pytest.mark.parametrize("store", ["sqlite", "memory", "redis"])
async def test_metadata_is_kept_shown_and_replaced(
    make_settings: MakeSettings, store: str, request: pytest.FixtureRequest
):
    more = {"redis_url": request.getfixturevalue("redis_url")} if store == "redis" else {}
    async with talking(make_settings(session_store=store, **more)) as talk:
        ann = await talk.person()
        session_id = await talk.session(ann, metadata={"pinned": True})
        path = f"/api/v1/sessions/{session_id}"
        await talk.chat(ann, session_id=session_id)
        shown = await talk.http.get(path, headers=ann.headers)
        assert shown.json()["metadata"] == {"pinned": True}
        patched = await talk.http.patch(path, json={"metadata": {"n": 1}}, headers=ann.headers)
        assert patched.json()["metadata"] == {"n": 1}
        listed = await talk.http.get("/api/v1/sessions", headers=ann.headers)
        assert listed.json()["items"][0]["metadata"] is None
        deep = '{"metadata": ' + '{"a":' * 5_000 + "1" + "}" * 5_000 + "}"
        for body in ('{"metadata": {"n": NaN}}', '{"metadata": []}', deep):
            headers = ann.headers | {"content-type": "application/json"}
            refused = await talk.http.patch(path, content=body, headers=headers)
            assert refused.status_code == 422, refused.text
        assert (await talk.http.get(path, headers=ann.headers)).json()["metadata"] == {"n": 1}
