"""The console is served: its files, its page for every address of its own, and nothing else."""

import gzip
import re
from collections.abc import AsyncGenerator
from pathlib import Path

import httpx
import pytest
from starlette.applications import Starlette
from starlette.routing import Mount

from tests.server.fixtures import MakeApi, app_of

PAGE = """<!doctype html><html><head><base href="/" />
<meta name="csp-nonce" content="" /><script src="./assets/a-1234.js"></script></head></html>"""
SCRIPT = "console.log('hello');" * 100
HTML = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "console"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text(PAGE)
    (folder / "icon.svg").write_text("<svg/>")
    (folder / "secret").write_text("no type of ours")
    (folder / ".hidden.js").write_text("hidden")
    script = folder / "assets" / "a-1234.js"
    script.write_text(SCRIPT)
    script.with_name("a-1234.js.gz").write_bytes(gzip.compress(SCRIPT.encode()))
    (tmp_path / "outside.js").write_text("outside")
    (folder / "assets" / "link.js").symlink_to(tmp_path / "outside.js")
    return folder


def nonce_of(answer: httpx.Response) -> str:
    found = re.search(r'name="csp-nonce" content="([^"]+)"', answer.text)
    assert found
    return found[1]


@pytest.mark.parametrize(
    "path", ["/", "/chat/abc", "/sources/x.y/edit", "/index.html", "/assetsandmore", "/a%2F..%2Fb"]
)
async def test_every_address_of_the_console_gives_its_page(api: httpx.AsyncClient, path: str):
    answer = await api.get(path, headers=HTML)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert answer.headers["cache-control"] == "no-cache"
    assert "etag" not in answer.headers
    assert '<base href="/" />' in answer.text


async def test_the_first_page_is_for_whoever_asks_links_only_for_who_wants_html(
    api: httpx.AsyncClient,
):
    assert "csp-nonce" in (await api.get("/")).text
    answer = await api.get("/chat/abc")
    assert (answer.status_code, answer.json()["error_code"]) == (404, "NOT_FOUND")


@pytest.mark.parametrize(
    "path", ["/api/v1/nothing", "/api", "/ws/nothing", "/mcp/x", "/metrics/x", "/assets/old-99.js"]
)
async def test_what_belongs_to_programs_stays_an_answer_for_programs(
    api: httpx.AsyncClient, path: str
):
    answer = await api.get(path, headers=HTML)
    assert (answer.status_code, answer.json()["error_code"]) == (404, "NOT_FOUND")


async def test_only_reading_is_answered(api: httpx.AsyncClient):
    assert (await api.post("/chat/abc", headers=HTML)).status_code == 404
    head = await api.head("/chat/abc", headers=HTML)
    assert (head.status_code, head.content) == (200, b"")
    head = await api.head("/assets/a-1234.js", headers={"accept-encoding": "identity"})
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(SCRIPT))


async def test_a_nonce_is_used_once_and_the_policy_names_it(api: httpx.AsyncClient):
    first, second = [await api.get("/", headers=HTML) for _ in range(2)]
    assert nonce_of(first) != nonce_of(second)
    for answer in (first, second):
        policy = answer.headers["content-security-policy"]
        assert f"style-src 'self' 'nonce-{nonce_of(answer)}'" in policy
        assert "script-src 'self';" in policy
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["x-frame-options"] == "DENY"


async def test_assets_are_kept_for_a_year_and_others_for_minutes(api: httpx.AsyncClient):
    asset = await api.get("/assets/a-1234.js")
    assert asset.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert asset.headers["content-type"] == "text/javascript; charset=utf-8"
    icon = await api.get("/icon.svg")
    assert icon.headers["cache-control"] == "public, max-age=300"
    again = await api.get("/icon.svg", headers={"if-none-match": icon.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        ("gzip, deflate, br", "gzip"),
        ("identity", None),
        ("gzip;q=0", None),
        ("br, gzip;q=0.5", "gzip"),
    ],
)
async def test_a_compressed_file_goes_to_who_takes_it(
    api: httpx.AsyncClient, accepted: str, encoding: str | None
):
    answer = await api.get("/assets/a-1234.js", headers={"accept-encoding": accepted})
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["vary"] == "Accept-Encoding"
    assert answer.text == SCRIPT


@pytest.mark.parametrize(
    "path",
    [
        "/../outside.js",
        "/..%2foutside.js",
        "/assets/..%2f..%2foutside.js",
        "/assets/%2e%2e/%2e%2e/outside.js",
        "//outside.js",
        "/assets/..\\..\\outside.js",
        "/assets/link.js",
        "/.hidden.js",
        "/secret",
        "/a%00.js",
        "/" + "x" * 5_000 + ".js",
    ],
)
async def test_no_path_leads_out_of_the_folder(api: httpx.AsyncClient, path: str):
    # As it stands: the client would tidy it up.
    url = httpx.URL("http://127.0.0.1:8000").copy_with(raw_path=path.encode())
    answer = await api.get(url)
    assert answer.status_code == 404
    assert answer.json()["error_code"] == "NOT_FOUND"


async def test_behind_a_proxy_the_page_knows_the_path_people_use(make_api: MakeApi):
    async with make_api(public_url="https://example.com/team/agent/") as api:
        answer = await api.get("/chat/abc", headers=HTML)
    assert '<base href="/team/agent/" />' in answer.text


@pytest.fixture
async def mounted(api: httpx.AsyncClient) -> AsyncGenerator[httpx.AsyncClient]:
    outer = Starlette(routes=[Mount("/agent", app_of(api))])
    transport = httpx.ASGITransport(outer)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
        yield client


async def test_below_a_root_path_everything_is_found(mounted: httpx.AsyncClient):
    page = await mounted.get("/agent/chat/abc", headers=HTML)
    assert '<base href="/agent/" />' in page.text
    assert (await mounted.get("/agent/assets/a-1234.js")).text == SCRIPT
    missing = await mounted.get("/agent/api/v1/nothing", headers=HTML)
    assert missing.json()["error_code"] == "NOT_FOUND"
