"""S4's end points, the files beside them, and every error code with its status, over HTTP."""

import os
from collections.abc import AsyncGenerator
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from workspace_calls import SPACES, Caller, caller, code

from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import operator
from tests.server.fixtures import MakeApi, app_of


@pytest.fixture
async def server(make_api: MakeApi) -> AsyncGenerator[httpx.AsyncClient]:
    async with make_api(
        rate_limit_per_minute="0", max_upload_bytes="1000000", workspace_default_max_files="50"
    ) as client:
        yield client


@pytest.fixture
async def ann(server: httpx.AsyncClient) -> Caller:
    return await caller(server, "ann")


async def test_the_seven_end_points_of_s4(ann: Caller):
    assert (await ann.ask("GET", "")).json()["items"] == []
    default = (await ann.ask("GET", "/default")).json()
    assert default["is_default"]
    made = await ann.create(name="Sales", description="all of it", settings={"a": 1})
    assert (made["max_size_bytes"], made["max_files"], made["is_active"]) == (1 << 30, 50, True)
    one = f"/{made['workspace_id']}"
    assert (await ann.ask("GET", one)).json() == made
    changed = (await ann.ask("PATCH", one, json={"name": "Sold"})).json()
    assert (changed["name"], changed["description"]) == ("Sold", "all of it")
    assert (await ann.ask("POST", f"{one}/set-default")).json()["is_default"]
    assert (await ann.ask("GET", "/default")).json()["workspace_id"] == made["workspace_id"]
    assert (await ann.ask("DELETE", one)).status_code == 204
    assert code(await ann.ask("GET", one)) == (404, "WORKSPACE_NOT_FOUND")
    assert (await ann.ask("GET", "/default")).json()["workspace_id"] == default["workspace_id"]


@pytest.mark.requirement("S4-4")
@given(
    name=st.text("aé日 '%;", min_size=1, max_size=128).filter(lambda text: text.strip()),
    description=st.none() | st.text("aé\n", max_size=30),
    settings=st.none() | st.dictionaries(st.text("ab", max_size=3), st.booleans(), max_size=3),
)
async def test_s4_4_a_created_workspace_is_listed(
    ann: Caller, name: str, description: str | None, settings: dict[str, Any] | None
):
    made = await ann.create(name=name, description=description, settings=settings)
    listed: list[dict[str, Any]] = []
    after = None
    while True:
        params = {"limit": 3} | ({"after": after} if after else {})
        page = (await ann.ask("GET", "", params=params)).json()
        listed += page["items"]
        after = page["next"]
        if after is None:
            break
    assert made in listed
    assert len({one["workspace_id"] for one in listed}) == len(listed)
    # So that nobody meets the most a person may have.
    if len(listed) > 5:
        for one in listed:
            await ann.ask("DELETE", f"/{one['workspace_id']}")


async def test_every_error_code_of_s4_with_its_status(server: httpx.AsyncClient, ann: Caller):
    made = (await ann.create(max_size_bytes=100))["workspace_id"]
    bob = await caller(server, "bob")
    services: Services = app_of(server).state.services
    await services.people.tenants.create(operator(DEFAULT_TENANT), "Other", tenant_id="other")
    stranger = await caller(server, "eve", "owner", TenantId("other"))

    missing = await ann.ask("GET", "/" + "0" * 32)
    foreign = await stranger.ask("GET", f"/{made}")
    assert code(missing) == code(foreign) == (404, "WORKSPACE_NOT_FOUND")
    assert code(await bob.ask("GET", f"/{made}")) == (403, "PERMISSION_DENIED")
    assert code(await bob.get(made, "/files/a")) == (403, "PERMISSION_DENIED")
    assert code(await ann.get(made, "/files/../../x")) == (400, "PATH_ESCAPE_ERROR")
    assert code(await ann.put(made, "/files/../../x", b"")) == (400, "PATH_ESCAPE_ERROR")
    refused = await ann.put(made, "/files/a", b"x" * 101)
    assert code(refused) == (400, "QUOTA_EXCEEDED")
    assert refused.json()["details"]["room_bytes"] == 100

    base = services.workspaces.store.directories.base
    base.rename(base.with_name("away"))
    base.write_text("in the way")
    assert code(await ann.ask("POST", "", json={"name": "x"})) == (500, "DIRECTORY_ERROR")
    assert str(base) not in (await ann.get(made, "/files/a")).text
    base.unlink()
    base.with_name("away").rename(base)


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("POST", "", {}),
        ("POST", "", {"name": ""}),
        ("POST", "", {"name": "x" * 129}),
        ("POST", "", {"name": "a\u202eb"}),
        ("POST", "", {"name": "x", "max_files": -1}),
        ("POST", "", {"name": "x", "max_size_bytes": 1 << 63}),
        ("POST", "", {"name": "x", "path": "/etc"}),
        ("POST", "", {"name": "x", "settings": {"a": "x" * 70_000}}),
        ("GET", "?limit=0", None),
        ("GET", "?after=%00", None),
        ("GET", "/..%2f", None),
        ("GET", "/a%00", None),
    ],
)
async def test_bad_values_are_refused(ann: Caller, method: str, path: str, body: Any):
    answer = await ann.ask(method, path, json=body)
    assert answer.status_code in {404, 422}
    assert set(answer.json()) == {"error_code", "message", "details", "request_id"}
    assert (await ann.ask("GET", "")).json()["items"] == []


async def test_a_file_goes_in_and_comes_out_and_never_as_a_page(ann: Caller):
    made = (await ann.create())["workspace_id"]
    page = b"<script>alert(document.cookie)</script>"
    stored = await ann.put(made, '/uploads/deep/ünï"x.html', page)
    assert (stored.status_code, stored.json()["size_bytes"]) == (201, len(page))
    answer = await ann.get(made, '/uploads/deep/ünï"x.html')
    assert (answer.status_code, answer.content) == (200, page)
    headers = answer.headers
    assert headers["content-type"] == "application/octet-stream"
    assert headers["content-security-policy"].startswith("sandbox")
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["content-disposition"] == (
        "attachment; filename=\"_n__x.html\"; filename*=UTF-8''%C3%BCn%C3%AF%22x.html"
    )
    used = (await ann.ask("GET", f"/{made}")).json()
    assert (used["current_size_bytes"], used["current_file_count"]) == (len(page), 2)
    gone = await ann.ask("DELETE", f"/{made}/files", params={"path": "/uploads/deep"})
    assert gone.json() == {"size_bytes": len(page), "files": 2}
    assert code(await ann.get(made, '/uploads/deep/ünï"x.html')) == (404, "NOT_FOUND")


@given(
    data=st.binary(max_size=50),
    wanted=st.from_regex(r"bytes=[0-9]{0,3}-[0-9]{0,3}", fullmatch=True)
    | st.sampled_from(["bytes=0-1,3-4", "lines=1-2", "bytes=x-", "bytes=99999999999999999999-"]),
)
async def test_a_range_is_part_of_the_file_or_all_of_it(ann: Caller, data: bytes, wanted: str):
    items = (await ann.ask("GET", "")).json()["items"]
    made = items[0]["workspace_id"] if items else (await ann.create())["workspace_id"]
    await ann.put(made, "/files/r.bin", data)
    answer = await ann.get(made, "/files/r.bin", Range=wanted)
    if answer.status_code == 206:
        first, _, rest = answer.headers["content-range"].removeprefix("bytes ").partition("-")
        last, _, size = rest.partition("/")
        assert int(size) == len(data)
        assert answer.content == data[int(first) : int(last) + 1] != b""
    else:
        assert (answer.status_code, answer.content) == (200, data)


async def test_a_form_with_several_files_is_all_or_nothing(ann: Caller):
    made = (await ann.create(max_size_bytes=1_000))["workspace_id"]
    good = [("file", (name, b"x" * 100)) for name in ("a.txt", "sub/b.txt", "日本.txt")]
    answer = await ann.ask("POST", f"/{made}/files", params={"path": "/files"}, files=good)
    assert answer.status_code == 201, answer.text
    assert [one["path"] for one in answer.json()] == [
        "/files/a.txt",
        "/files/sub/b.txt",
        "/files/日本.txt",
    ]
    bad = [("file", ("c.txt", b"new")), ("file", ("d.txt", b"x" * 1_000))]
    refused = await ann.ask("POST", f"/{made}/files", params={"path": "/files"}, files=bad)
    assert code(refused) == (400, "QUOTA_EXCEEDED")
    escape = [("file", ("c.txt", b"new")), ("file", ("../../d.txt", b"x"))]
    refused = await ann.ask("POST", f"/{made}/files", params={"path": "/files"}, files=escape)
    assert code(refused) == (400, "PATH_ESCAPE_ERROR")
    listed = (await ann.ask("GET", f"/{made}/files", params={"recursive": "true"})).json()["items"]
    assert [one["path"] for one in listed] == [
        "/files", "/files/a.txt", "/files/sub", "/files/sub/b.txt", "/files/日本.txt", "/outputs",
        "/uploads",
    ]  # fmt: skip
    assert (await ann.ask("GET", f"/{made}")).json()["current_size_bytes"] == 300


@pytest.mark.parametrize(
    ("kind", "body", "status"),
    [
        ("application/json", b"{}", 415),
        ("multipart/form-data", b"x", 415),
        ("multipart/form-data; boundary=" + "x" * 100, b"x", 415),
        ("multipart/form-data; boundary=b", b"garbage", 422),
        ("multipart/form-data; boundary=b", b'--b\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nhalf', 422),
        ("multipart/form-data; boundary=b", b'--b\r\nContent-Disposition: form-data; name="f"\r\n\r\nx\r\n--b--\r\n', 422),
        ("multipart/form-data; boundary=b", b'--b\r\nContent-Disposition: form-data; name="f"; filename=""\r\n\r\nx\r\n--b--\r\n', 400),
        ("multipart/form-data; boundary=b", b'--b\r\nContent-Disposition: form-data; name="f"; filename="\xff"\r\n\r\nx\r\n--b--\r\n', 422),
    ],
)  # fmt: skip
async def test_forms_that_cannot_be_read_change_nothing(
    ann: Caller, kind: str, body: bytes, status: int
):
    made = (await ann.create())["workspace_id"]
    answer = await ann.ask("POST", f"/{made}/files", content=body, headers={"content-type": kind})
    assert answer.status_code == status, answer.text
    now = (await ann.ask("GET", f"/{made}")).json()
    assert (now["current_size_bytes"], now["current_file_count"]) == (0, 0)


async def test_an_upload_of_unknown_length_is_counted_as_it_comes(ann: Caller):
    made = (await ann.create(max_size_bytes=500_000))["workspace_id"]

    async def pieces(count: int):
        for _ in range(count):
            yield b"x" * 10_000

    assert (await ann.put(made, "/files/big", pieces(50))).status_code == 201
    assert code(await ann.put(made, "/files/more", pieces(1))) == (400, "QUOTA_EXCEEDED")
    assert code(await ann.put(made, "/files/huge", pieces(200))) in {
        (400, "QUOTA_EXCEEDED"), (413, "PAYLOAD_TOO_LARGE"),
    }  # fmt: skip
    assert (await ann.ask("GET", f"/{made}")).json()["current_size_bytes"] == 500_000


async def test_names_that_are_not_utf_8_travel_both_ways(ann: Caller):
    made = await ann.create()
    services: Services = app_of(ann.client).state.services
    directory = services.workspaces.store.directories.base / made["path"]
    with open(os.fsencode(directory) + b"/outputs/\xffa b+\x01", "wb") as file:  # noqa: ASYNC230, PTH123
        file.write(b"odd")
    one = f"/{made['workspace_id']}"
    (entry,) = (await ann.ask("GET", f"{one}/files?path=/outputs")).json()["items"]
    assert entry["name"] == "\ufffda b+\x01"
    where = f"path={entry['encoded_path']}"
    answer = await ann.ask("GET", f"{one}/files/content?{where}")
    assert answer.content == b"odd"
    assert "\ufffd" not in answer.headers["content-disposition"].split("filename*")[0]
    assert (await ann.ask("DELETE", f"{one}/files?{where}")).json() == {"size_bytes": 3, "files": 1}


async def test_lists_go_on_page_by_page(ann: Caller):
    made = (await ann.create())["workspace_id"]
    for number in range(7):
        await ann.put(made, f"/files/f{number}", b"")
    seen: list[str] = []
    params = {"path": "/files", "limit": "3"}
    while True:
        page = (await ann.ask("GET", f"/{made}/files", params=params)).json()
        seen += [one["name"] for one in page["items"]]
        if page["next"] is None:
            break
        params["after"] = page["next"]
    assert seen == [f"f{number}" for number in range(7)]


async def test_sharing_over_http(server: httpx.AsyncClient, ann: Caller):
    bob = await caller(server, "bob")
    made = (await ann.create())["workspace_id"]
    await ann.put(made, "/files/a", b"hers")
    member = f"/{made}/members/{bob.user_id}"
    shared = await ann.ask("PUT", member, json={"permission": "read"})
    assert [one["permission"] for one in shared.json()["items"]] == ["read_write", "read"]
    assert (await bob.get(made, "/files/a")).content == b"hers"
    assert code(await bob.put(made, "/files/b", b"x")) == (403, "PERMISSION_DENIED")
    assert code(await bob.ask("DELETE", f"/{made}/files?path=/files/a")) == (
        403,
        "PERMISSION_DENIED",
    )
    assert made in {one["workspace_id"] for one in (await bob.ask("GET", "")).json()["items"]}
    assert (await ann.ask("DELETE", member)).status_code == 204
    assert code(await bob.get(made, "/files/a")) == (403, "PERMISSION_DENIED")
    assert code(await ann.ask("PUT", f"/{made}/members/nobody", json={})) == (404, "NOT_FOUND")


async def test_a_folder_can_be_made(ann: Caller):
    made = (await ann.create())["workspace_id"]
    for _ in range(2):
        answer = await ann.ask("POST", f"/{made}/folders", params={"path": "/files/a/b"})
        assert answer.status_code == 204
    assert (await ann.ask("GET", f"/{made}")).json()["current_file_count"] == 2


async def test_nobody_unknown_gets_in(server: httpx.AsyncClient):
    for method, path in (("GET", ""), ("GET", "/default"), ("GET", "/x/files"), ("DELETE", "/x")):
        assert (await server.request(method, SPACES + path)).status_code == 401
