"""What a session's tools made, for those the session is shared with: rows, charts, files."""

import json
from pathlib import Path

import pytest
from shop_server import Asker, Shop

from dataagent_core.errors import NotFoundError
from dataagent_server.api.answers.bytes_answer import open_file
from dataagent_server.api.answers.inline_answer import picture_or_download
from dataagent_server.common.ids import TenantId
from dataagent_server.identity.auth.principal import Principal


@pytest.fixture
async def ann(shop: Shop) -> Asker:
    ann = await shop.asker("ann")
    await shop.add(ann)
    await draw(shop, ann, "x")
    return ann


async def draw(shop: Shop, asker: Asker, session_id: str) -> None:
    await shop.live.session(asker.caller, session_id=session_id)
    await shop.live.chat(asker.caller, "draw it", session_id=session_id)
    await shop.live.reached(asker.caller, session_id, "completed")


async def made(ann: Asker, session_id: str = "x") -> tuple[str, dict[str, str]]:
    events = (await ann.fetch("GET", f"/sessions/{session_id}/events"))["events"]
    results = [one for one in events if one["event_type"] == "tool_result"]
    artifacts = {
        one["name"].partition(".")[2]: one["id"] for r in results for one in r["artifacts"]
    }
    found = (await ann.fetch("GET", "/data/results"))["items"]
    (kept,) = (one for one in found if one["session_id"] == session_id)
    return kept["result_id"], artifacts


async def test_results_and_files_of_a_session_are_shared_with_it(shop: Shop, ann: Asker):
    result_id, files = await made(ann)
    bob = await shop.colleague(ann, "bob")
    eve = await shop.asker("eve")
    places = [
        f"/data/results/{result_id}",
        f"/data/results/{result_id}/rows",
        f"/data/results/{result_id}/export",
        *(f"/sessions/x/artifacts/{one}" for one in files.values()),
    ]
    share = f"/sessions/x/shares/{bob.caller.who.user_id}"
    for method, refused in (("PUT", False), ("DELETE", True)):
        await ann.fetch(method, share, {"permission": "view"} if method == "PUT" else None)
        for place in places:
            told = await bob.ask("GET", place)
            assert (told.status_code in (403, 404)) == refused, (place, told.text)
            assert (await eve.ask("GET", place)).status_code == 404
            assert (await ann.ask("GET", place)).status_code == 200
    await ann.fetch("PUT", share, {"permission": "answer"})
    assert (await bob.fetch("GET", "/data/results"))["items"] == []
    spec = await bob.fetch("POST", f"/data/results/{result_id}/chart/spec", {})
    assert spec["spec"]
    assert (await bob.ask("DELETE", f"/data/results/{result_id}")).status_code == 404


async def test_a_picture_is_shown_and_everything_else_is_a_download(shop: Shop, ann: Asker):
    _, files = await made(ann)
    picture = await ann.ask("GET", f"/sessions/x/artifacts/{files['png']}")
    assert picture.content.startswith(b"\x89PNG")
    assert picture.headers["content-type"] == "image/png"
    assert picture.headers["content-disposition"] == "inline"
    assert picture.headers["x-content-type-options"] == "nosniff"
    spec = await ann.ask("GET", f"/sessions/x/artifacts/{files['vl.json']}")
    assert spec.json()["$schema"]
    assert spec.headers["content-disposition"].startswith("attachment")
    assert (await ann.ask("GET", f"/sessions/x/artifacts/{'0' * 32}")).status_code == 404
    preview = await ann.ask("GET", f"/sessions/x/artifacts/{files['png']}", preview=True)
    assert preview.status_code == 422


async def test_a_file_that_is_gone_is_no_error_to_who_only_wants_to_show_it(shop: Shop, ann: Asker):
    _, files = await made(ann)
    place = f"/sessions/x/artifacts/{files['vl.json']}"
    assert (await ann.ask("GET", place, if_there=True)).status_code == 200
    (spec,) = shop.live.services.settings.home.rglob("charts/*.vl.json")
    spec.unlink()
    gone = await ann.ask("GET", place, if_there=True)
    assert (gone.status_code, gone.content) == (204, b"")
    wanted = await ann.ask("GET", place)
    assert wanted.status_code == 404
    assert wanted.json()["message"].endswith("is not in the workspace any more.")


async def test_others_do_not_get_what_took_a_files_place(shop: Shop, ann: Asker):
    _, files = await made(ann)
    bob = await shop.colleague(ann, "bob")
    await ann.fetch("PUT", f"/sessions/x/shares/{bob.caller.who.user_id}", {"permission": "view"})
    place = f"/sessions/x/artifacts/{files['png']}"
    assert (await bob.ask("GET", place)).status_code == 200
    (picture,) = shop.live.services.settings.home.rglob("charts/*.png")
    picture.write_bytes(b"something else")
    assert (await ann.ask("GET", place)).content == b"something else"
    assert (await bob.ask("GET", place)).status_code == 404


async def test_nothing_else_of_the_owner_is_shared_with_a_session(shop: Shop, ann: Asker):
    result_id, _ = await made(ann)
    await draw(shop, ann, "y")
    other_id, other_files = await made(ann, "y")
    by_hand = (await ann.query("SELECT 1 AS one"))["result_id"]
    bob, cat = await shop.colleague(ann, "bob"), await shop.colleague(ann, "cat", "admin")
    await ann.fetch("PUT", f"/sessions/x/shares/{bob.caller.who.user_id}", {"permission": "view"})
    assert (await bob.fetch("GET", f"/data/results/{result_id}/rows"))["row_count"] == 3
    for kept in (other_id, by_hand):
        for what in ("", "/rows", "/export"):
            assert (await bob.ask("GET", f"/data/results/{kept}{what}")).status_code == 404
        spec = await bob.ask("POST", f"/data/results/{kept}/chart/spec", {})
        assert spec.status_code == 404
    for file in other_files.values():
        # Neither where it is, nor as if it were of the session that is shared.
        assert (await bob.ask("GET", f"/sessions/y/artifacts/{file}")).status_code in (403, 404)
        assert (await bob.ask("GET", f"/sessions/x/artifacts/{file}")).status_code == 404
    # Whom nothing is shared with, and be it an admin, reads nobody's rows.
    assert (await cat.ask("GET", f"/data/results/{result_id}/rows")).status_code == 404


async def test_whoever_a_session_is_shared_with_has_the_kept_rows_and_runs_no_query_again(
    shop: Shop,
):
    ann = await shop.asker("ann")
    await shop.add(ann)
    args = {"source": "shop", "sql": "SELECT id FROM orders ORDER BY id", "max_rows": 1}
    steps = [{"tool_calls": [{"name": "sql_query", "args": args}]}, {"text": "1"}]
    script = json.dumps({"scripts": [{"steps": steps}]})
    (shop.live.services.settings.home / "script.json").write_text(script)
    told = await shop.live.chat(ann.caller, "Which?")
    result_id, _ = await made(ann, told["session_id"])
    place = f"/data/results/{result_id}/export"
    assert len((await ann.ask("GET", place)).text.splitlines()) == 4
    bob = await shop.colleague(ann, "bob")
    share = f"/sessions/{told['session_id']}/shares/{bob.caller.who.user_id}"
    await ann.fetch("PUT", share, {"permission": "view"})
    refused = await bob.ask("GET", place)
    assert refused.status_code == 422
    assert "only the person who asked it" in refused.json()["message"]
    assert (await bob.ask("GET", place, rows="kept")).text.splitlines()[1:] == ["1"]
    # Who may have all rows is said with them, so that nobody else is offered them.
    for what in ("", "/rows"):
        for asker, may_all in ((ann, True), (bob, False)):
            shown = await asker.fetch("GET", f"/data/results/{result_id}{what}")
            assert shown["may_export_all"] is may_all


async def test_all_rows_are_not_offered_of_a_result_whose_project_is_gone(shop: Shop):
    ann = await shop.asker("ann")
    await shop.add(ann)
    projects = shop.live.services.people.projects
    project_id = (await projects.create(ann.caller.who, "Sales")).project_id
    asked = {"source": "shop", "sql": "SELECT id FROM orders", "max_rows": 1}
    kept = await ann.fetch("POST", "/data/query", asked, project_id=project_id)
    place = f"/data/results/{kept['result_id']}"
    assert (await ann.fetch("GET", place))["may_export_all"] is True
    await projects.delete(ann.caller.who, project_id)
    refused = await ann.ask("GET", f"{place}/export")
    assert "There is no project" in refused.json()["message"]
    (listed,) = (await ann.fetch("GET", "/data/results"))["items"]
    for shown in (await ann.fetch("GET", place), listed):
        assert shown["may_export_all"] is False


async def test_a_share_counts_in_its_tenant_only(shop: Shop, ann: Asker):
    result_id, _ = await made(ann)
    bob = (await shop.colleague(ann, "bob")).caller.who
    await ann.fetch("PUT", f"/sessions/x/shares/{bob.user_id}", {"permission": "view"})
    data = shop.live.services.data
    assert await (await data.readable_results(bob, result_id)).get(result_id)
    elsewhere = Principal(TenantId("elsewhere"), bob.user_id, "owner")
    with pytest.raises(NotFoundError):
        await (await data.readable_results(elsewhere, result_id)).get(result_id)


def test_an_svg_is_a_picture_for_the_console_and_no_page(tmp_path: Path):
    (tmp_path / "a.svg").write_text("<svg/>")
    answer = picture_or_download(open_file(tmp_path / "a.svg", "a.svg"), None)
    assert answer.headers["content-type"] == "image/svg+xml"
    assert answer.headers["content-disposition"].startswith("attachment")
    assert answer.headers["content-security-policy"].startswith("sandbox")
