"""The audit log over REST: for admins, of their own tenant."""

from live_server import Caller, LiveServer


async def test_an_admin_reads_filters_pages_and_checks_it(live: LiveServer):
    boss, ann = await live.person("boss", "admin"), await live.person()
    eve = await live.person("eve", "owner", tenant_id=await live.tenant("elsewhere"))
    await live.chat(ann, "look around")

    async def get(path: str, who: Caller = boss, status: int = 200):
        answer = await live.http.get(f"/api/v1/audit{path}", headers=who.headers)
        assert answer.status_code == status, answer.text
        return answer.json()

    whole = (await get("?limit=1000"))["items"]
    assert [row["seq"] for row in whole] == list(range(len(whole), 0, -1))
    assert {"member.add", "session.create", "tool.call"} <= {row["action"] for row in whole}
    (call,) = (await get("?action=tool.*"))["items"]
    assert call["detail"]["tool"] == "ls"
    mine = (await get(f"?actor=user:{ann.who.user_id}"))["items"]
    assert [row["action"] for row in mine] == ["session.create"]
    assert (await get("?since=2999-01-01T00:00:00Z"))["items"] == []
    assert (await get("?until=2999-01-01T00:00:00%2B02:00&limit=1000"))["items"] == whole
    page = await get("?limit=2")
    assert (await get(f"?limit=2&after={page['next']}"))["items"] == whole[2:4]
    check = await get("/verify")
    assert (check["whole"], check["rows"]) == (True, len(whole))
    assert (await get(f"/verify?expect={check['head']}"))["whole"] is True
    assert (await get(f"/verify?expect={len(whole)}:00"))["whole"] is False
    for bad in (
        "?since=0001-01-01T00:00:00%2B09:00",
        "?since=yesterday",
        "?since=2030-01-01T00:00:00",
        "/verify?expect=x",
        "?after=0",
    ):
        await get(bad, status=422)
    for path in ("", "/verify"):
        assert (await get(path, who=ann, status=403))["error_code"] == "PERMISSION_DENIED"
    theirs = (await get("?limit=1000", who=eve))["items"]
    assert not {row["mac"] for row in theirs} & {row["mac"] for row in whole}
