"""A complete sign-in on one machine: `dataagent mcp login NAME`.

The browser is redirected to a port of this machine. Over SSH that fails; then the person pastes the
address of the page that did not open.
"""

import asyncio
from collections.abc import Awaitable, Callable

from dataagent_core.config.limits.mcp import (
    MCP_CALLBACK_PORT,
    MCP_CALLBACK_PORTS_TRIED,
    MCP_CALLBACK_WAIT_S,
    MCP_PASTES_MAX,
)
from dataagent_core.errors import DataAgentError, MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.oauth.callback_server import (
    CallbackAnswer,
    CallbackServer,
    failure_page,
    is_answer_to,
    success_page,
)
from dataagent_core.mcp.oauth.sign_in import SignIn
from dataagent_core.mcp.oauth.tokens import OAuthTokens
from dataagent_core.mcp.owner import Owner

Show = Callable[[str], None]
# Waits for a line from the person.
Paste = Callable[[], Awaitable[str]]


async def sign_in_here(
    sign_in: SignIn,
    owner: Owner,
    config: MCPServerConfig,
    *,
    open_browser: Callable[[str], object] | None,
    show: Show,
    paste: Paste | None = None,
    scopes: str = "",
    port: int = MCP_CALLBACK_PORT,
    wait_s: float = MCP_CALLBACK_WAIT_S,
) -> OAuthTokens:
    """Sign a person in. `show` displays a message, `paste` waits for a typed line."""
    async with CallbackServer(_choose_ports(config, port)) as server:
        url, flow = await sign_in.begin(owner, config, server.redirect_uri, scopes)
        server.expect(flow.state)
        show(f"Sign in to {config.name!r} here:\n{url}")
        if open_browser is not None:
            await asyncio.to_thread(open_browser, url)
        try:
            answer = await _wait_for_answer(server, flow.state, wait_s, show, paste)
        except TimeoutError:
            # The page may not have known our registration.
            await sign_in.store.delete_client(owner, flow.key)
            raise MCPServerError(
                config.name,
                f"was not signed in at: nobody came back from the page in {wait_s:g} seconds. "
                "Try again.",
            ) from None
        try:
            tokens = await sign_in.finish(owner, answer)
        except DataAgentError as error:
            await server.show(failure_page(str(error)))
            raise
        await server.show(success_page(config.name))
        return tokens


def _choose_ports(config: MCPServerConfig, port: int) -> range:
    # A configured client has one redirect URI; otherwise another can be registered.
    fixed = config.oauth is not None and bool(config.oauth.client_id)
    return range(port, port + (1 if fixed else MCP_CALLBACK_PORTS_TRIED))


async def _wait_for_answer(
    server: CallbackServer, state: str, wait_s: float, show: Show, paste: Paste | None
) -> CallbackAnswer:
    tasks = [asyncio.create_task(server.answer(wait_s))]
    if paste is not None:
        show(
            "If the browser is on another machine, its last page will not open: paste that page's "
            "address here."
        )
        tasks.append(
            asyncio.create_task(_read_pasted_answer(server.redirect_uri, state, show, paste))
        )
    try:
        done, _ = await asyncio.wait(tasks, timeout=wait_s, return_when=asyncio.FIRST_COMPLETED)
        if not done:
            raise TimeoutError
        return next(iter(done)).result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _read_pasted_answer(
    redirect_uri: str, state: str, show: Show, paste: Paste
) -> CallbackAnswer:
    """Read addresses until one belongs to this sign-in, or they are too many.

    A closed input gives empty lines without end; the browser may still answer.
    """
    for _ in range(MCP_PASTES_MAX):
        address = (await paste()).strip()
        answer = CallbackAnswer.from_query(address.partition("?")[2])
        if address.partition("?")[0] == redirect_uri and is_answer_to(state, answer):
            return answer
        show(f"That is not the last page of this sign-in. Its address begins with {redirect_uri}?")
    return await asyncio.get_running_loop().create_future()
