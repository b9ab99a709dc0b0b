"""People who ask for workspaces over HTTP, with keys of their own."""

from dataclasses import dataclass
from typing import Any

import httpx

from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal, Role, operator
from tests.server.fixtures import app_of

SPACES = "/api/v1/workspaces"


@dataclass
class Caller:
    """Somebody with a key."""

    client: httpx.AsyncClient
    key: str
    user_id: str

    async def ask(self, method: str, path: str, **values: Any) -> httpx.Response:
        headers = {"X-API-Key": self.key, **values.pop("headers", {})}
        return await self.client.request(method, f"{SPACES}{path}", headers=headers, **values)

    async def create(self, **body: Any) -> dict[str, Any]:
        answer = await self.ask("POST", "", json={"name": "One", **body})
        assert answer.status_code == 201, answer.text
        return answer.json()

    async def put(self, space: str, path: str, data: Any, **headers: str) -> httpx.Response:
        return await self.ask(
            "PUT", f"/{space}/files/content", params={"path": path}, content=data,
            headers={"content-type": "application/octet-stream", **headers},
        )  # fmt: skip

    async def get(self, space: str, path: str, **headers: str) -> httpx.Response:
        return await self.ask(
            "GET", f"/{space}/files/content", params={"path": path}, headers=headers
        )


async def caller(
    client: httpx.AsyncClient, name: str, role: Role = "member", tenant: TenantId = DEFAULT_TENANT
) -> Caller:
    services: Services = app_of(client).state.services
    member = await services.people.members.add(operator(tenant), name, role)
    made = await services.people.keys.create(Principal(tenant, member.user_id, role), "test")
    return Caller(client, made.secret, member.user_id)


def code(answer: httpx.Response) -> tuple[int, str]:
    body = answer.json()
    assert set(body) == {"error_code", "message", "details", "request_id"}
    return answer.status_code, body["error_code"]
