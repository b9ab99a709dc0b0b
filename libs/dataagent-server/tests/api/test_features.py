"""A tenant's features over REST: set by who runs the installation, felt by people and agents."""

import pytest
from live_server import Caller, LiveServer

from dataagent_server.runs.run_row import RunRow


@pytest.mark.requirement("S2-4.1-tenant-config")
async def test_what_is_switched_off_is_refused_and_not_offered_to_agents(live: LiveServer):
    root = await live.person("root", "owner")
    acme = await live.tenant("acme")
    ann = await live.person("ann", "admin", tenant_id=acme)

    async def set_features(features: object, who: Caller = root):
        body = {"limits": {"features_enabled": features}}
        path = f"/api/v1/tenants/{acme}"
        return await live.http.patch(path, json=body, headers=who.headers)

    assert (await set_features({"shells": False})).status_code == 422
    assert (await set_features({"web": False}, who=ann)).status_code == 403
    off = {"web": False, "code_execution": False, "api_keys": False, "assistants": False}
    changed = await set_features(off)
    assert changed.json()["limits"]["features_enabled"] == off
    for path, body in (("/keys", {"name": "k"}), ("/agents", {"name": "Helper"})):
        refused = await live.http.post(f"/api/v1{path}", json=body, headers=ann.headers)
        assert refused.status_code == 403
        assert refused.json()["error_code"] == "PERMISSION_DENIED"
        assert "does not have the feature" in refused.json()["message"]
    await live.chat(ann, "hi")
    builder = live.services.runs.agents._builder  # pyright: ignore[reportPrivateUsage]
    run = await _run(live, ann)
    plan = await builder.plan(run)
    assert {"shell", "code_executor", "web_search"} <= plan.config.withheld_tools
    assert (await set_features({})).status_code == 200
    assert (await builder.plan(run)).config.withheld_tools == frozenset()
    made = await live.http.post("/api/v1/keys", json={"name": "k"}, headers=ann.headers)
    assert made.status_code == 201


async def _run(live: LiveServer, who: Caller) -> RunRow:
    service = live.services.runs.service
    (run,) = await service.history(who.who, who.who.user_id, before=None, limit=1)
    return await service.run(who.who, run.run_id)
