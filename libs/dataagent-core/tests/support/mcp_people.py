"""People who sign in and call tools, with the real parts a command line has."""

import re
import time
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from mcp import Client, MCPError
from mcp_auth_server import REDIRECT_URI, AuthServer
from mcp_types import TextContent

from dataagent_core.errors import MCPServerError
from dataagent_core.mcp.config import MCPServerConfig
from dataagent_core.mcp.oauth import (
    FileTokenStore,
    MemoryFlows,
    OAuthTokens,
    SignIn,
    TokenStore,
    auth_for,
)
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.transports.open import transport_opener
from dataagent_core.mcp.transports.problems import problem_of
from dataagent_core.secrets import Cipher, Keyring, SecretKey

ADA = Owner("local", "ada")
BOB = Owner("local", "bob")
KEYRING = Keyring((SecretKey("one", b"1" * 32),))


@dataclass
class Clock:
    """A clock a test moves."""

    now: float

    def __call__(self) -> float:
        return self.now


def a_store(folder: Path, keyring: Keyring = KEYRING) -> FileTokenStore:
    return FileTokenStore(folder / "mcp-auth.json", lambda: Cipher(keyring))


def a_sign_in(store: TokenStore, **more: object) -> SignIn:
    return SignIn(store=store, flows=MemoryFlows(), **more)  # pyright: ignore[reportArgumentType]


async def signed_in(
    server: AuthServer,
    store: TokenStore,
    owner: Owner,
    config: MCPServerConfig | None = None,
    scopes: str = "",
) -> OAuthTokens:
    """Sign in as a person with a browser does, the user at the server named as the owner's."""
    sign_in = a_sign_in(store)
    url, _ = await sign_in.begin(owner, config or server.config(), REDIRECT_URI, scopes)
    return await sign_in.finish(owner, await server.consent(url, owner.user_id))


@asynccontextmanager
async def connected(
    config: MCPServerConfig,
    store: TokenStore,
    owner: Owner,
    clock: Callable[[], float] = time.time,
    mode: str = "auto",
) -> AsyncGenerator[Client]:
    """Connect the SDK's own client over our transport, its requests signed by us."""
    auth = auth_for(store, spread=lambda: 0.0, clock=clock)
    opened = transport_opener(policy=None, auth=auth)(owner, config)
    async with Client(opened, mode=mode) as client:
        yield client


async def called(client: Client, tool: str, **arguments: str) -> str:
    result = await client.call_tool(tool, arguments)
    (content,) = result.content
    assert isinstance(content, TextContent)
    return content.text


async def result_of(
    config: MCPServerConfig, store: TokenStore, owner: Owner, tool: str, **arguments: str
) -> str:
    async with connected(config, store, owner) as client:
        return await called(client, tool, **arguments)


@contextmanager
def raised(kind: type[MCPServerError], match: str) -> Generator[None]:
    """Expect what a connection makes of the SDK's errors."""
    try:
        yield
    except (MCPError, MCPServerError, ExceptionGroup) as error:
        problem = problem_of(error, "notes")
        assert isinstance(problem, kind), problem
        assert re.search(match, str(problem))
    else:
        pytest.fail(f"{kind.__name__} was not raised")
