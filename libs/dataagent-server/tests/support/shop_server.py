"""A server with data to ask: an open folder with a shop in it, and people with keys."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from live_server import Caller, LiveServer, open_live_server

from tests.server.fixtures import MakeSettings

ORDERS = """\
id,country,amount,phone
1,DE,10.5,+49 151 23456789
2,DE,4.5,+49 151 23456780
3,CN,20,+86 139 1234 5678
"""
MODEL = """\
datasets:
- {name: orders, source: shop, primary_key: [id], dimensions: [{name: country}]}
metrics:
- {name: revenue, dataset: orders, expr: sum(amount), description: Money taken}
questions:
- question: How much is it?
  source: shop
  sql: SELECT sum(amount) AS total FROM orders
  owner: ann
  rows: [[35]]
"""


@dataclass
class Asker:
    """Somebody who asks data over REST."""

    live: LiveServer
    caller: Caller

    async def ask(
        self,
        method: str,
        path: str,
        /,
        body: Any = None,
        *,
        headers: Mapping[str, str] | None = None,
        **query: Any,
    ) -> httpx.Response:
        sent = {**self.caller.headers, **(headers or {})}
        return await self.live.http.request(
            method, f"/api/v1{path}", json=body, params=query, headers=sent
        )

    async def fetch(self, method: str, path: str, /, body: Any = None, **query: Any) -> Any:
        """Ask what must succeed."""
        answer = await self.ask(method, path, body, **query)
        assert answer.status_code < 300, answer.text
        return answer.json() if answer.content else None

    async def query(self, sql: str, source: str = "shop", **more: Any) -> dict[str, Any]:
        return await self.fetch("POST", "/data/query", {"source": source, "sql": sql, **more})


@dataclass
class Shop:
    """The running server and where its open folder is."""

    live: LiveServer
    folder: Path

    async def asker(self, name: str, role: Any = "owner", tenant: str | None = None) -> Asker:
        tenant_id = await self.live.tenant(tenant or name)
        return Asker(self.live, await self.live.person(name, role, tenant_id))

    async def colleague(self, of: Asker, name: str, role: Any = "member") -> Asker:
        return Asker(self.live, await self.live.person(name, role, of.caller.who.tenant_id))

    async def add(self, asker: Asker, name: str = "shop", **more: Any) -> Any:
        body = {"name": name, "location": str(self.folder), **more}
        return await asker.fetch("POST", "/data/sources", body)


@asynccontextmanager
async def shop_at(
    make_settings: MakeSettings, folder: Path, vouched: Sequence[str] = (), **settings: str
) -> AsyncGenerator[Shop]:
    """Start a server whose tenants may ask the files of a folder."""
    folder.mkdir()
    (folder / "orders.csv").write_text(ORDERS)
    made = make_settings(data_folders=str(folder), rate_limit_per_minute="0", **settings)
    made = made.model_copy(update={"web_allow_hosts": tuple(vouched)})
    async with open_live_server(made) as live:
        yield Shop(live, folder)
