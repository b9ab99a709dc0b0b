"""A sign-in on one machine: the page a browser comes back to, and the address pasted over SSH."""

import asyncio
import re
import socket
from dataclasses import replace
from urllib.parse import urlsplit

import httpx2
import pytest
from mcp_auth_server import AuthServer
from mcp_people import ADA, a_sign_in, result_of

from dataagent_core.errors import ConflictError, MCPServerError
from dataagent_core.mcp.config import OAuthSettings
from dataagent_core.mcp.oauth import FileTokenStore, sign_in_here
from dataagent_core.mcp.oauth.callback_server import (
    PATH,
    CallbackServer,
    failure_page,
    success_page,
)


class Browser:
    """Follows the authorization page back to this machine, as a person's would."""

    def __init__(self, server: AuthServer) -> None:
        self._server = server
        self._tasks: list[asyncio.Task[httpx2.Response]] = []
        self._loop = asyncio.get_running_loop()

    def open(self, url: str) -> None:
        self._loop.call_soon_threadsafe(
            lambda: self._tasks.append(self._loop.create_task(self._visit(url)))
        )

    async def _visit(self, url: str) -> httpx2.Response:
        back = await self._server.visited(url)
        async with httpx2.AsyncClient() as browser:
            return await browser.get(back)

    async def page(self) -> httpx2.Response:
        return await self._tasks[-1]


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


@pytest.mark.requirement("S2-10.3.3-callback")
async def test_a_person_signs_in_with_the_browser_of_this_machine(
    server: AuthServer, store: FileTokenStore
):
    browser, shown = Browser(server), list[str]()
    await sign_in_here(
        a_sign_in(store),
        ADA,
        replace(server.config(), name="<b>notes</b>"),
        open_browser=browser.open,
        show=shown.append,
        port=free_port(),
    )
    page = await browser.page()
    assert page.status_code == 200
    assert "Signed in · 登录成功" in page.text
    assert "&lt;b&gt;notes&lt;/b&gt;" in page.text
    assert "<script" not in page.text
    assert "<b>" not in page.text
    assert page.headers["content-security-policy"].startswith("default-src 'none'")
    assert server.url("/authorize") in shown[0]
    assert await result_of(server.config(), store, ADA, "whoami") == "ada"


async def test_a_refused_code_is_told_in_the_page_and_in_the_terminal(
    server: AuthServer, store: FileTokenStore
):
    server.does.wrong_iss = "https://evil.example/<script>"
    browser = Browser(server)
    with pytest.raises(MCPServerError, match="should come from"):
        await sign_in_here(
            a_sign_in(store),
            ADA,
            server.config(),
            open_browser=browser.open,
            show=lambda _: None,
            port=free_port(),
        )
    page = (await browser.page()).text
    assert "Not signed in · 登录失败" in page
    assert "&lt;script&gt;" in page
    assert "<script" not in page


async def test_over_ssh_the_address_of_the_last_page_is_pasted(
    server: AuthServer, store: FileTokenStore
):
    shown, lines, begun = list[str](), asyncio.Queue[str](), asyncio.Event()

    def show(text: str) -> None:
        shown.append(text)
        begun.set()

    async def person() -> None:
        await begun.wait()
        back = await server.visited(shown[0].splitlines()[-1])
        for line in (
            "what?",
            back.replace("state=", "state=x"),
            back.replace("127", "126"),
            f" {back}\n",
        ):
            lines.put_nowait(line)

    typing = asyncio.create_task(person())
    await sign_in_here(
        a_sign_in(store),
        ADA,
        server.config(),
        open_browser=None,
        show=show,
        paste=lines.get,
        port=free_port(),
    )
    await typing
    assert sum("not the last page of this sign-in" in line for line in shown) == 3
    assert await result_of(server.config(), store, ADA, "whoami") == "ada"


async def test_a_keyboard_that_is_gone_does_not_keep_the_browser_out(
    server: AuthServer, store: FileTokenStore
):
    async def gone() -> str:
        return ""

    browser, shown = Browser(server), list[str]()
    await sign_in_here(
        a_sign_in(store),
        ADA,
        server.config(),
        open_browser=browser.open,
        show=shown.append,
        paste=gone,
        port=free_port(),
    )
    assert (await browser.page()).status_code == 200
    assert len(shown) < 30


@pytest.mark.requirement("S2-10.3.3-callback-timeout")
async def test_who_does_not_come_back_is_not_waited_for_for_ever(
    server: AuthServer, store: FileTokenStore
):
    port = free_port()
    for paste in (None, asyncio.Event().wait):
        with pytest.raises(MCPServerError, match=r"nobody came back from the page in 0\.1 seconds"):
            await sign_in_here(
                a_sign_in(store),
                ADA,
                server.config(),
                open_browser=None,
                show=lambda _: None,
                paste=paste,  # pyright: ignore[reportArgumentType]
                port=port,
                wait_s=0.1,
            )
    # The page may have shown that it does not know us: the next try is registered anew.
    assert len(server.registrations) == 2


async def test_a_port_in_use_is_passed_over_when_another_can_be_registered(
    server: AuthServer, store: FileTokenStore
):
    port = free_port()
    async with CallbackServer([port]):
        browser = Browser(server)
        await sign_in_here(
            a_sign_in(store),
            ADA,
            server.config(),
            open_browser=browser.open,
            show=lambda _: None,
            port=port,
        )
    (registered,) = server.registrations
    assert urlsplit(registered["redirect_uris"][0]).port != port


async def test_a_client_registered_beforehand_needs_its_own_port(
    server: AuthServer, store: FileTokenStore
):
    port = free_port()
    config = server.config(oauth=OAuthSettings(client_id="known"))
    async with CallbackServer([port]):
        with pytest.raises(ConflictError, match=f"port {port} .*another program uses"):
            await sign_in_here(
                a_sign_in(store), ADA, config, open_browser=None, show=lambda _: None, port=port
            )


@pytest.mark.requirement("S2-10.3.3-callback-state")
async def test_only_the_right_state_is_let_in_and_only_once():
    async with CallbackServer([free_port()]) as callback, httpx2.AsyncClient() as browser:
        url = callback.redirect_uri
        assert url.endswith(PATH)
        # Before anybody is expected, an empty state is not the right one.
        assert (await browser.get(f"{url}?code=a&state=")).status_code == 400
        callback.expect("right")
        for wrong in ("?code=a&state=wrong", "?code=a", "?code=a&state=right&state=right"):
            assert (await browser.get(url + wrong)).status_code == 400
        assert (await browser.get(url.replace("callback", "other"))).status_code == 404
        assert (await browser.post(f"{url}?state=right")).status_code == 404
        first = asyncio.create_task(browser.get(f"{url}?code=a&state=right"))
        assert (await callback.answer(10)).code == "a"
        assert (await browser.get(f"{url}?code=b&state=right")).status_code == 400
        await callback.show(success_page("notes"))
        assert (await first).status_code == 200


@pytest.mark.parametrize(
    "sent", [b"\r\n\r\n", b"GET\r\n\r\n", b"GET //[ HTTP/1.1\r\n\r\n", b"\xff" * 40_000, b"GET / H"]
)
async def test_nonsense_at_the_port_harms_nobody(sent: bytes):
    async with CallbackServer([free_port()]) as callback, httpx2.AsyncClient() as browser:
        callback.expect("right")
        reader, writer = await asyncio.open_connection(
            "127.0.0.1", urlsplit(callback.redirect_uri).port
        )
        writer.write(sent)
        writer.write_eof()
        assert b"200 OK" not in await reader.read()
        writer.close()
        page = asyncio.create_task(browser.get(f"{callback.redirect_uri}?code=a&state=right"))
        assert (await callback.answer(10)).code == "a"
        await callback.show(success_page("notes"))
        assert (await page).status_code == 200


@pytest.mark.requirement("S2-10.3.3-pages")
def test_pages_hold_no_scripts_whatever_they_quote():
    hostile = "<script>alert(1)</script>\" onload='x' {title}"
    for page in (success_page(hostile), failure_page(hostile)):
        assert "<script" not in page
        assert "&lt;script&gt;" in page
        assert not re.search(r"\son\w+='", page)
        assert 'lang="zh"' in page
