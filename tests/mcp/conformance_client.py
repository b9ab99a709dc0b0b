"""Our client, as the conformance suite starts it: `python conformance_client.py URL`.

Everything goes through what an agent uses: the connection manager, our transports, our sign-in
(whose browser follows the redirects by itself). Which scenario it is, and what it wants called, is
in the environment.
"""

import asyncio
import json
import os
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2

from dataagent_core.errors import MCPServerError, SignInNeededError
from dataagent_core.mcp.config import MCPServerConfig, OAuthSettings
from dataagent_core.mcp.connections import MCPConnectionManager
from dataagent_core.mcp.oauth import CallbackAnswer, FileTokenStore, MemoryFlows, SignIn, auth_for
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import Elicitation, ElicitationResult
from dataagent_core.mcp.transports.open import transport_opener
from dataagent_core.secrets import Cipher, open_keyring

SCENARIO = os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
CONTEXT: dict[str, Any] = json.loads(os.environ.get("MCP_CONFORMANCE_CONTEXT") or "{}")
OWNER = Owner("conformance", "somebody")
# What the suite takes for the address of a client-id document, and a way back that can be named in
# one: it speaks for a server with a public address, not for a port of somebody's machine.
DOCUMENT_URL = "https://conformance-test.local/client-metadata.json"
PUBLIC_REDIRECT_URI = "https://conformance-test.local/callback"
REDIRECT_URI = "http://localhost:3030/callback"
CALL_S = 30.0
# A server that asks for more scopes again and again is given up.
SIGN_INS_MAX = 3

Work = Callable[["Visit"], Awaitable[None]]


class Visit:
    """One server and one user, who signs in on request."""

    def __init__(self, config: MCPServerConfig, folder: Path) -> None:
        store = FileTokenStore(folder / "tokens.json", lambda: Cipher(open_keyring(folder / "key")))
        public = SCENARIO == "auth/basic-cimd"
        self._redirect_uri = PUBLIC_REDIRECT_URI if public else REDIRECT_URI
        document = DOCUMENT_URL if public else ""
        self._sign_in = SignIn(store=store, flows=MemoryFlows(), document_url=document)
        self._config = config
        opener = transport_opener(policy=None, auth=auth_for(store))
        self.manager = MCPConnectionManager(opener)
        self._server = self.manager.connection(OWNER, config)

    async def tools(self) -> dict[str, dict[str, Any]]:
        """List tools by name, with their schemas."""
        return {tool.name: tool.input_schema for tool in await self._signed(self._server.tools)}

    async def call(self, tool: str, **arguments: Any) -> Any:
        """Call a tool; whatever a form asks for gets its default, or yes."""
        return await self._signed(
            lambda: self._server.call(tool, arguments, timeout_s=CALL_S, elicit=_filled_in)
        )

    async def _signed(self, act: Callable[[], Awaitable[Any]]) -> Any:
        for _ in range(SIGN_INS_MAX):
            try:
                return await act()
            except SignInNeededError as needed:
                await self._person_signs_in(needed.scopes)
        return await act()

    async def _person_signs_in(self, scopes: str) -> None:
        begun = await self._sign_in.begin(OWNER, self._config, self._redirect_uri, scopes)
        async with httpx2.AsyncClient() as browser:
            page = await browser.get(begun.authorization_url, follow_redirects=False)
        back = page.headers["location"]
        await self._sign_in.finish(OWNER, CallbackAnswer.from_query(urlsplit(back).query))


async def _filled_in(question: Elicitation) -> ElicitationResult:
    fields = question.schema.get("properties", {})
    defaults = {name: one["default"] for name, one in fields.items() if "default" in one}
    yes = {name: True for name, one in fields.items() if one.get("type") == "boolean"}
    return ElicitationResult("accept", {**yes, **defaults})


async def _only_list(visit: Visit) -> None:
    await visit.tools()


async def _add(visit: Visit) -> None:
    await visit.tools()
    await visit.call("add_numbers", a=5, b=3)


async def _reconnect(visit: Visit) -> None:
    await visit.tools()
    await visit.call("test_reconnection")


async def _every_tool(visit: Visit) -> None:
    stubs = {"string": "x", "integer": 0, "number": 0, "boolean": False, "object": {}, "array": []}
    for name, schema in (await visit.tools()).items():
        fields = schema.get("properties", {})
        needed = {
            n: stubs.get(fields.get(n, {}).get("type"), "x") for n in schema.get("required", ())
        }
        await visit.call(name, **needed)


async def _given_calls(visit: Visit) -> None:
    known = await visit.tools()
    for call in CONTEXT.get("toolCalls", []):
        if call["name"] in known:
            await visit.call(call["name"], **(call.get("arguments") or {}))


async def _form(visit: Visit) -> None:
    await visit.tools()
    await visit.call("test_client_elicitation_defaults")


async def _several_rounds(visit: Visit) -> None:
    await visit.tools()
    for name in ("echo_state", "unrelated", "no_state", "no_result_type"):
        await visit.call(f"test_mrtr_{name}")


async def _authorized(visit: Visit) -> None:
    known = await visit.tools()
    await visit.call("test-tool" if "test-tool" in known else next(iter(known)))


WORK: dict[str, Work] = {
    "tools_call": _add,
    "http-standard-headers": _every_tool,
    "sse-retry": _reconnect,
    "http-invalid-tool-headers": _every_tool,
    "http-custom-headers": _given_calls,
    "elicitation-sep1034-client-defaults": _form,
    "sep-2322-client-request-state": _several_rounds,
}


async def main(url: str) -> None:
    """Run the scenario."""
    oauth = None
    if "client_id" in CONTEXT:
        oauth = OAuthSettings(
            client_id=CONTEXT["client_id"], client_secret=CONTEXT.get("client_secret", "")
        )
    config = MCPServerConfig(name="suite", transport="http", url=url, oauth=oauth)
    work = WORK.get(SCENARIO, _authorized if SCENARIO.startswith("auth/") else _only_list)
    with tempfile.TemporaryDirectory() as folder:
        visit = Visit(config, Path(folder))
        try:
            await work(visit)
        except MCPServerError as error:
            sys.exit(str(error))
        finally:
            await visit.manager.aclose()


def run() -> None:
    asyncio.run(main(sys.argv[-1]))


if __name__ == "__main__":
    run()
