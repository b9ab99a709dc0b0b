"""A tenant's features over REST: set by who runs the installation, felt by people and agents."""

import pytest
from talking import Caller, Talk

from dataagent_server.runs.run_row import RunRow


@pytest.mark.requirement("S2-4.1-tenant-config")
async def test_what_is_switched_off_is_refused_and_not_offered_to_agents(talk: Talk):
    root = await talk.person("root", "owner")
    acme = await talk.tenant("acme")
    ann = await talk.person("ann", "admin", tenant_id=acme)

    async def set_features(features: object, who: Caller = root):
        body = {"limits": {"features_enabled": features}}
        path = f"/api/v1/tenants/{acme}"
        return await talk.http.patch(path, json=body, headers=who.headers)

    assert (await set_features({"shells": False})).status_code == 422
    assert (await set_features({"web": False}, who=ann)).status_code == 403
    off = {"web": False, "code_execution": False, "api_keys": False, "assistants": False}
    changed = await set_features(off)
    assert changed.json()["limits"]["features_enabled"] == off
    for path, body in (("/keys", {"name": "k"}), ("/agents", {"name": "Helper"})):
        refused = await talk.http.post(f"/api/v1{path}", json=body, headers=ann.headers)
        assert refused.status_code == 403
        assert refused.json()["error_code"] == "PERMISSION_DENIED"
        assert "does not have the feature" in refused.json()["message"]
    await talk.chat(ann, "hi")
    builder = talk.services.runs.agents._builder  # pyright: ignore[reportPrivateUsage]
    run = await _run(talk, ann)
    plan = await builder.plan(run)
    assert {"shell", "code_executor", "web_search"} <= plan.config.withheld_tools
    assert (await set_features({})).status_code == 200
    assert (await builder.plan(run)).config.withheld_tools == frozenset()
    made = await talk.http.post("/api/v1/keys", json={"name": "k"}, headers=ann.headers)
    assert made.status_code == 201


async def _run(talk: Talk, who: Caller) -> RunRow:
    service = talk.services.runs.service
    (run,) = await service.history(who.who, who.who.user_id, before=None, limit=1)
    return await service.run(who.who, run.run_id)
