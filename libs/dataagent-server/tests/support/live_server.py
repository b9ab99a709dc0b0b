"""A server to talk to: the real application on a real port, people with keys, a scripted model.

What the model does depends on what it is told; see `SCRIPT`.
"""

import asyncio
import json
import socket
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import httpx
import uvicorn
from eventually import eventually
from fastapi import FastAPI
from websockets.asyncio.client import ClientConnection, connect

from dataagent_server.app import create_app
from dataagent_server.cli.serve.protocol import DenyingProtocol
from dataagent_server.common.ids import DEFAULT_TENANT, TenantId
from dataagent_server.composition import Services
from dataagent_server.identity.auth.principal import Principal, Role, operator
from dataagent_server.runs.history.run_lists import ListedRun
from dataagent_server.settings import ServerSettings
from dataagent_server.settings.limits import FRAME_BYTES_MAX

WRITE = {"name": "write_file", "args": {"file_path": "/a.txt", "content": "hi"}}
PLAN = {"name": "propose_plan", "args": {"plan": "1. Write a.txt."}}
READ = {"name": "ls", "args": {"path": "/"}}
CHOOSE = {
    "name": "ask_decision",
    "args": {
        "decision_type": "method",
        "context": "fast or exact?",
        "options": [{"label": "fast"}, {"label": "exact", "is_recommended": True}],
    },
}
DELEGATE = {
    "name": "task",
    "args": {"description": "look around", "subagent_type": "general-purpose"},
}
ECHO = {"name": "mcp__local_small__echo", "args": {"text": "from far away"}}
SAMPLE = {"name": "mcp__local_small__sample", "args": {"text": "Greet me."}}
NOTE = {"name": "mcp__local_notes__write", "args": {"text": "from far away"}}
ASK = {"name": "sql_query", "args": {"source": "shop", "sql": "SELECT country, amount FROM orders"}}
DRAW = {"name": "chart_create", "args": {"result_id": "{{result:0}}", "name": "sales"}}
TODO = {"content": "Look around", "status": "pending"}
PLANNED, FINISHED = [
    {"name": "write_todos", "args": {"todos": [TODO | {"status": status}]}}
    for status in ("in_progress", "completed")
]
LOOK_TWICE = {"name": "look_twice", "args": {"place": "/"}}
STEPS = [
    {
        "step_number": number,
        "description": f"Do {number}",
        "dependencies": [number - 1][: number - 1],
    }
    for number in (1, 2, 3)
]
SCRIPT: dict[str, Any] = {
    "scripts": [
        # The planner of a message that is to be planned.
        {
            "match": r'^\{"message"',
            "steps": [{"text": json.dumps({"confidence": 1, "steps": STEPS})}],
        },
        {
            "match": "^carry out",
            "steps": [
                {"tool_calls": [WRITE]},
                *({"text": f"{one} is done"} for one in ("one", "two", "three", "four")),
            ],
        },
        {"match": "^look twice", "steps": [{"tool_calls": [LOOK_TWICE]}, {"text": "looked"}]},
        {"match": "slow", "steps": [{"text": "word " * 400, "chunk_delay_s": 0.05}]},
        {"match": "to the notes", "steps": [{"tool_calls": [NOTE]}, {"text": "noted"}]},
        {
            "match": "^propose",
            "steps": [{"tool_calls": [PLAN]}, {"tool_calls": [WRITE]}, {"text": "as planned"}],
        },
        {"match": "write", "steps": [{"tool_calls": [WRITE]}, {"text": "written"}]},
        {"match": "lend the model", "steps": [{"tool_calls": [SAMPLE]}, {"text": "lent"}]},
        {"match": "small server", "steps": [{"tool_calls": [ECHO]}, {"text": "called"}]},
        {
            "match": "^draw",
            "recall": {"result": r"\br_[0-9a-f]{12}\b"},
            "steps": [{"tool_calls": [ASK]}, {"tool_calls": [DRAW]}, {"text": "drawn"}],
        },
        {"match": "^choose", "steps": [{"tool_calls": [CHOOSE]}, {"text": "chosen"}]},
        {
            "match": "^delegate",
            "steps": [{"tool_calls": [DELEGATE]}, {"tool_calls": [CHOOSE]}, {"text": "chosen"}],
        },
        {"match": "^again", "steps": [{"tool_calls": [READ]}] * 3},
        {
            "match": "^todo",
            "steps": [{"tool_calls": [PLANNED]}, {"tool_calls": [FINISHED]}, {"text": "planned"}],
        },
        {"match": "look", "steps": [{"tool_calls": [READ]}, {"text": "looked"}]},
        {"match": "long", "steps": [{"text": "x" * 200_000, "chunk_chars": 1000}]},
        {"match": "fail", "steps": [{"failures": [{"status": 400}] * 9, "text": "never"}]},
        {"steps": [{"text": "hello there"}]},
    ]
}
START_S = 90.0


@dataclass(frozen=True)
class Caller:
    """A person with a key."""

    who: Principal
    key: str

    @property
    def headers(self) -> dict[str, str]:
        return {"X-API-Key": self.key}


@dataclass
class LiveServer:
    """The running server."""

    app: FastAPI
    port: int
    http: httpx.AsyncClient

    @property
    def services(self) -> Services:
        return self.app.state.services

    async def tenant(self, tenant_id: str) -> TenantId:
        tenants = self.services.people.tenants
        await tenants.create(operator(DEFAULT_TENANT), tenant_id, tenant_id=tenant_id)
        return TenantId(tenant_id)

    async def person(
        self, name: str = "ann", role: Role = "member", tenant_id: TenantId = DEFAULT_TENANT
    ) -> Caller:
        people = self.services.people
        member = await people.members.add(operator(tenant_id), name, role)
        made = await people.keys.create(operator(tenant_id), "test", user_id=member.user_id)
        return Caller(Principal(tenant_id, member.user_id, role), made.secret)

    async def session(self, caller: Caller, **body: Any) -> str:
        answer = await self.http.post("/api/v1/sessions", json=body, headers=caller.headers)
        assert answer.status_code == 201, answer.text
        return answer.json()["session_id"]

    async def chat(self, caller: Caller, message: str = "hi", **body: Any) -> dict[str, Any]:
        answer = await self.http.post(
            "/api/v1/chat", json={"message": message, **body}, headers=caller.headers
        )
        assert answer.status_code == 200, answer.text
        return answer.json()

    def socket(self, session_id: str, caller: Caller | None = None, query: str = "", **more: Any):
        headers = caller.headers if caller else {}
        url = f"ws://127.0.0.1:{self.port}/ws/chat/{session_id}{query}"
        return connect(url, additional_headers=headers | more.pop("headers", {}), **more)

    async def run_of(self, caller: Caller, session_id: str) -> ListedRun:
        found: list[ListedRun] = []

        async def there() -> bool:
            service = self.services.runs.service
            found[:] = await service.runs(caller.who.tenant_id, session_id, only_open=False)
            return bool(found)

        await eventually(there)
        return found[-1]

    async def reached(self, caller: Caller, session_id: str, *statuses: str) -> ListedRun:
        found: list[ListedRun] = []

        async def there() -> bool:
            found[:] = [await self.run_of(caller, session_id)]
            return found[0].status in statuses

        await eventually(there)
        return found[0]


async def say(socket: ClientConnection, kind: str, **payload: Any) -> None:
    await socket.send(json.dumps({"type": kind, "payload": payload}))


async def hear(socket: ClientConnection) -> dict[str, Any]:
    async with asyncio.timeout(START_S):
        return json.loads(await socket.recv())


async def hear_until(socket: ClientConnection, *kinds: str) -> list[dict[str, Any]]:
    frames: list[dict[str, Any]] = []
    while not frames or frames[-1]["event_type"] not in kinds:
        frames.append(await hear(socket))
    return frames


def text_in(events: list[dict[str, Any]]) -> str:
    """Join the pieces of an answer as events of the log tell it."""
    return "".join(
        event["content"]
        for event in events
        if event["event_type"] == "text" and not event["is_final"]
    )


@asynccontextmanager
async def open_live_server(settings: ServerSettings) -> AsyncGenerator[LiveServer]:
    """Start the server on a free port of this machine, in this loop."""
    app = create_app(with_script(settings))
    with socket.create_server(("127.0.0.1", 0)) as listener:
        # asyncio sees to it only for sockets that name their protocol; uvloop always does.
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        config = uvicorn.Config(
            app,
            http="httptools",
            ws=DenyingProtocol,
            lifespan="on",
            log_config=None,
            access_log=False,
            ws_max_size=FRAME_BYTES_MAX,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=5,
        )
        server = uvicorn.Server(config)
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        port = listener.getsockname()[1]
        try:
            await eventually(lambda: server.started or serving.done())
            address = f"http://127.0.0.1:{port}"
            async with httpx.AsyncClient(
                base_url=address, timeout=60, trust_env=False, verify=False
            ) as http:
                yield LiveServer(app, port, http)
        finally:
            server.should_exit = True
            await serving


def with_script(settings: ServerSettings) -> ServerSettings:
    """Let every agent's model play `SCRIPT`."""
    settings.home.mkdir(parents=True, exist_ok=True)
    file = settings.home / "script.json"
    file.write_text(json.dumps(SCRIPT))
    return settings.model_copy(update={"model": f"scripted:{file}", "model_retries": 0})
