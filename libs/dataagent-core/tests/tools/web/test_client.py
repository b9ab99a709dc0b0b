"""The client against a real server: what it sends, follows and refuses."""

import pytest
from web_site import HOST, Site

from dataagent_core.errors import ToolExecutionError, ValidationError
from dataagent_core.tools.web.web_client import WebClient
from dataagent_core.tools.web.web_policy import WebPolicy


async def test_a_server_is_reached_only_if_the_operator_allows_it(site: Site) -> None:
    url = site.page("/", b"hello", "text/plain")
    assert (await site.client().request(url)).body == b"hello"
    with pytest.raises(ToolExecutionError, match="not reached"):
        await WebClient(WebPolicy()).request(url)
    assert len(site.seen) == 1


async def test_a_request_says_who_we_are_and_carries_no_more(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = site.page("/", b"hello", Set_Cookie="session=1")
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    monkeypatch.setenv("ALL_PROXY", "http://127.0.0.1:1")
    client = site.client()
    await client.request(url)
    await client.request(url)
    for seen in site.seen:
        assert set(seen.headers) == {"host", "user-agent", "accept", "accept-encoding"}
        assert seen.headers["user-agent"].startswith("DataAgent/")


async def test_a_post_sends_its_body_and_headers(site: Site) -> None:
    url = site.page("/", b"{}", "application/json")
    response = await site.client().request(
        url, method="post", headers={"Content-Type": "text/csv"}, body=b"a,b"
    )
    assert response.status == 200
    assert (site.seen[0].method, site.seen[0].body) == ("POST", b"a,b")
    assert site.seen[0].headers["content-type"] == "text/csv"


@pytest.mark.parametrize(
    ("method", "body"),
    [("GET", b"x"), ("HEAD", b"x"), ("TRACE", None), ("CONNECT", None), ("G\r\n", None)],
)
async def test_a_method_or_body_that_makes_no_sense_is_refused(
    method: str, body: bytes | None, site: Site
) -> None:
    with pytest.raises(ValidationError):
        await site.client().request(site.url(), method=method, body=body)
    assert site.seen == []


async def test_a_body_that_is_too_large_is_not_sent(site: Site) -> None:
    with pytest.raises(ValidationError, match="can be sent"):
        await site.client().request(site.url(), method="POST", body=bytes(1_000_001))


@pytest.mark.parametrize("timeout_s", [0, -1, 121, float("nan"), float("inf")])
async def test_a_time_out_outside_its_range_is_refused(timeout_s: float, site: Site) -> None:
    with pytest.raises(ValidationError, match="timeout_s"):
        await site.client().request(site.url(), timeout_s=timeout_s)


async def test_a_redirect_is_followed_to_an_allowed_host(site: Site) -> None:
    site.redirect("/start", site.url("/end", host="localhost"))
    site.page("/end", b"arrived", "text/plain")
    client = site.client(HOST, "localhost")
    response = await client.request(site.url("/start"), headers={"Authorization": "secret"})
    assert response.body == b"arrived"
    assert response.url.host == "localhost"
    assert "authorization" in site.seen[0].headers
    assert "authorization" not in site.seen[1].headers


@pytest.mark.requirement("F3-7")
@pytest.mark.parametrize(
    "target",
    [
        "http://127.0.0.1/",
        # Not a metadata address: a guard that broke would really ask the machine's own. Those are
        # judged, and never dialled, in test_addresses.py.
        "http://192.0.2.1/latest/meta-data/",
        "http://[::ffff:127.0.0.1]/",
        "http://2130706433/",
        "http://localhost:{port}/end",
        "http://127.1:{port}/end",
        "http://good.example@127.0.0.1:{port}/end",
        "file:///etc/passwd",
    ],
)
async def test_a_redirect_to_a_private_address_is_refused(target: str, site: Site) -> None:
    site.redirect("/start", target.format(port=site.port))
    site.page("/end", b"secret")
    with pytest.raises((ToolExecutionError, ValidationError)):
        await site.client().request(site.url("/start"))
    assert [seen.path for seen in site.seen] == ["/start"]


async def test_a_redirect_loop_ends(site: Site) -> None:
    site.redirect("/loop", "/loop")
    with pytest.raises(ToolExecutionError, match="more than 5 times"):
        await site.client().request(site.url("/loop"))
    assert len(site.seen) == 6


async def test_five_redirects_are_followed(site: Site) -> None:
    for number in range(5):
        site.redirect(f"/{number}", f"/{number + 1}")
    site.page("/5", b"arrived")
    assert (await site.client().request(site.url("/0"))).body == b"arrived"


async def test_what_is_not_text_is_not_read(site: Site) -> None:
    url = site.page("/", bytes(100), "image/png")
    response = await site.client().request(url)
    assert (response.body, response.header("content-length")) == (None, "100")


async def test_a_server_that_is_not_there_is_named(site: Site) -> None:
    client = WebClient(WebPolicy(frozenset({(HOST, 1)})))
    with pytest.raises(ToolExecutionError, match=r"GET http://127\.0\.0\.1:1/ failed"):
        await client.request("http://127.0.0.1:1/")


async def test_a_name_that_does_not_exist_is_named() -> None:
    with pytest.raises(ToolExecutionError, match=r"'nothing\.invalid' cannot be resolved"):
        await WebClient(WebPolicy()).request("http://nothing.invalid/", timeout_s=20)
