"""Servers that mean harm: endless, slow, bombs, lies."""

import gzip
import threading
import time

import pytest
from web_site import Handler, Site

from dataagent_core.config.limits import WEB_RESPONSE_BYTES_MAX
from dataagent_core.errors import ToolExecutionError

released = threading.Event()


def endless(handler: Handler) -> None:
    handler.stream("text/plain")
    while True:
        handler.wfile.write(b"x" * 65_536)


def dripping(handler: Handler) -> None:
    handler.stream("text/plain")
    for _ in range(200):
        handler.wfile.write(b"x")
        handler.wfile.flush()
        released.wait(0.05)


def dripping_headers(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for number in range(200):
        handler.wfile.write(f"X-{number}: y\r\n".encode())
        handler.wfile.flush()
        released.wait(0.05)


def endless_headers(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        handler.wfile.write(b"X: " + b"y" * 65_536 + b"\r\n")


def endless_hints(handler: Handler) -> None:
    while True:
        handler.wfile.write(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100)


def not_http(handler: Handler) -> None:
    handler.wfile.write(b"SSH-2.0-OpenSSH_9.6\r\n")


def cut_short(handler: Handler) -> None:
    handler.send_response(200)
    handler.send_header("Content-Type", "text/plain")
    handler.send_header("Content-Length", "1000")
    handler.end_headers()
    handler.wfile.write(b"only this")


@pytest.mark.requirement("F3-7")
async def test_an_endless_answer_is_cut_at_the_limit(site: Site) -> None:
    site.routes["/"] = endless
    response = await site.client().request(site.url())
    assert response.cut
    assert response.body is not None
    assert len(response.body) == WEB_RESPONSE_BYTES_MAX


async def test_a_bomb_is_cut_at_the_limit(site: Site) -> None:
    bomb = gzip.compress(bytes(100_000_000), 9)
    url = site.page("/", bomb, "text/plain", Content_Encoding="gzip")
    response = await site.client().request(url)
    assert response.cut
    assert response.body is not None
    assert len(response.body) == WEB_RESPONSE_BYTES_MAX


@pytest.mark.parametrize("behaviour", [dripping, dripping_headers, endless_hints])
async def test_a_slow_server_is_left_in_time(behaviour: object, site: Site) -> None:
    site.routes["/"] = behaviour  # type: ignore[assignment]
    began = time.monotonic()
    with pytest.raises(ToolExecutionError, match=r"took longer than 0\.5 s"):
        await site.client().request(site.url(), timeout_s=0.5)
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("behaviour", [endless_headers, not_http, cut_short])
async def test_a_broken_answer_is_an_error_that_names_the_address(
    behaviour: object, site: Site
) -> None:
    site.routes["/"] = behaviour  # type: ignore[assignment]
    with pytest.raises(ToolExecutionError, match=r"GET http://127\.0\.0\.1:\d+/ failed"):
        await site.client().request(site.url(), timeout_s=10)


async def test_a_redirect_whose_location_holds_a_line_break_splits_nothing(site: Site) -> None:
    def splitting(handler: Handler) -> None:
        handler.wfile.write(
            b"HTTP/1.1 302 Found\r\nLocation: /a%0d%0aX-Evil: 1\r\nContent-Length: 0\r\n\r\n"
        )

    site.routes["/"] = splitting
    site.page("/a%0d%0aX-Evil:%201", b"arrived")
    assert (await site.client().request(site.url())).body == b"arrived"
    assert "x-evil" not in site.seen[1].headers
