"""A server of the SDK that offers what a test says, and agents that use it through the manager."""

from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from agents import settings
from mcp.server.lowlevel import Server
from mcp_openers import in_process_opener, plain_opener
from mcp_types import (
    CallToolResult,
    ElicitRequest,
    ElicitRequestFormParams,
    ElicitRequestURLParams,
    GetPromptResult,
    InputRequiredResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    Prompt,
    PromptMessage,
    ReadResourceResult,
    Resource,
    ResourceTemplate,
    TextContent,
    TextResourceContents,
    Tool,
)

from dataagent_core.engine import AgentConfig, AgentExecutor, AgentFactory
from dataagent_core.events import HITLRequestEvent
from dataagent_core.hitl import ActionRequest, Decision
from dataagent_core.mcp.access import MCPAccess
from dataagent_core.mcp.config import MCPConfig, MCPServerConfig
from dataagent_core.mcp.connections import MCPConnectionManager
from dataagent_core.mcp.owner import Owner
from dataagent_core.mcp.ports import OpenTransport
from dataagent_core.mcp.tools import AgentServers
from dataagent_core.session.stores.bundle import Stores

ME = Owner("local", "me")
NAME: dict[str, Any] = {
    "type": "object",
    "properties": {"name": {"type": "string", "minLength": 1}, "age": {"type": "integer"}},
    "required": ["name"],
}

Answer = CallToolResult | InputRequiredResult
Handle = Callable[[Any, Any], Awaitable[Answer]]


def text(*texts: str, **more: Any) -> CallToolResult:
    return CallToolResult(content=[TextContent(text=one) for one in texts], **more)


def listed(name: str, properties: dict[str, Any] | None = None, **more: Any) -> Tool:
    schema = {"type": "object", "properties": properties or {}}
    more = {"description": f"Does {name}.", "input_schema": schema, **more}
    return Tool(name=name, **more)


@dataclass
class Offering:
    """What the server lists and does; a test may change both at any time."""

    tools: list[Tool] = field(default_factory=list[Tool])
    handle: Handle | None = None
    called: list[tuple[str, dict[str, Any]]] = field(
        default_factory=list[tuple[str, dict[str, Any]]]
    )

    # URIs with what reading them gives; a test may put anything beside a text.
    resources: dict[str, Any] = field(default_factory=dict[str, Any])
    # Prompts with the messages they give.
    prompts: list[Prompt] = field(default_factory=list[Prompt])
    messages: list[PromptMessage] = field(default_factory=list[PromptMessage])
    # What was read, and which prompts were filled in with what.
    read: list[str] = field(default_factory=list[str])
    filled: list[tuple[str, dict[str, str]]] = field(
        default_factory=list[tuple[str, dict[str, str]]]
    )

    def server(self) -> Server[Any]:
        async def on_list(_: Any, __: Any) -> ListToolsResult:
            return ListToolsResult(tools=self.tools)

        async def on_call(context: Any, params: Any) -> Any:
            self.called.append((params.name, dict(params.arguments or {})))
            if self.handle is not None:
                return await self.handle(context, params)
            return text(f"{params.name} done")

        more: dict[str, Any] = {}
        if self.resources:
            more |= {
                "on_list_resources": self._list_resources,
                "on_list_resource_templates": self._list_templates,
                "on_read_resource": self._read,
            }
        if self.prompts:
            more |= {"on_list_prompts": self._list_prompts, "on_get_prompt": self._get_prompt}
        return Server("offering", on_list_tools=on_list, on_call_tool=on_call, **more)

    async def _list_resources(self, _: Any, __: Any) -> ListResourcesResult:
        found = [Resource(uri=uri, name=uri.rpartition("/")[2]) for uri in self.resources]
        return ListResourcesResult(resources=found)

    async def _list_templates(self, _: Any, __: Any) -> ListResourceTemplatesResult:
        template = ResourceTemplate(uri_template="row:///{id}", name="rows")
        return ListResourceTemplatesResult(resource_templates=[template])

    async def _read(self, _: Any, params: Any) -> ReadResourceResult:
        self.read.append(params.uri)
        found = self.resources[params.uri]
        if isinstance(found, str):
            found = TextResourceContents(uri=params.uri, text=found)
        return ReadResourceResult(contents=[found])

    async def _list_prompts(self, _: Any, __: Any) -> ListPromptsResult:
        return ListPromptsResult(prompts=self.prompts)

    async def _get_prompt(self, _: Any, params: Any) -> GetPromptResult:
        self.filled.append((params.name, dict(params.arguments or {})))
        return GetPromptResult(messages=self.messages)


def form(message: str, schema: dict[str, Any], state: str = "asked") -> InputRequiredResult:
    params = ElicitRequestFormParams(message=message, requested_schema=schema)
    return InputRequiredResult(
        input_requests={"q": ElicitRequest(params=params)}, request_state=state
    )


def page(message: str, url: str) -> InputRequiredResult:
    params = ElicitRequestURLParams(message=message, url=url, elicitation_id="e")
    return InputRequiredResult(
        input_requests={"q": ElicitRequest(params=params)}, request_state="asked"
    )


def config(name: str = "desk", **more: Any) -> MCPServerConfig:
    return MCPServerConfig(name=name, command="in-process", **more)


def opener(offering: Offering) -> OpenTransport:
    return in_process_opener(lambda _owner, _config: offering.server())


@asynccontextmanager
async def managed(
    offering: Offering | None = None, folder: Path | None = None
) -> AsyncGenerator[MCPConnectionManager]:
    """Manage an offering within this process, or programs started in a folder."""
    made = opener(offering) if offering is not None else plain_opener(folder or Path())
    manager = MCPConnectionManager(made)
    try:
        yield manager
    finally:
        await manager.aclose()


@asynccontextmanager
async def agent_servers(
    offering: Offering, *servers: MCPServerConfig, **more: Any
) -> AsyncGenerator[AgentServers]:
    async with managed(offering) as manager:
        made = AgentServers(manager, ME, MCPConfig(servers=list(servers or (config(),))), **more)
        try:
            yield made
        finally:
            await made.held.aclose()


def agent(
    model: Any,
    workspace: Path,
    access: MCPAccess,
    *,
    servers: Sequence[MCPServerConfig] = (),
    handler: Any = None,
    stores: Stores | None = None,
    home: Path | None = None,
    **more: Any,
) -> AgentExecutor:
    """Build an agent that has the servers' tools beside its own."""
    chosen = settings(home=home) if home else settings()
    factory = AgentFactory(chosen, stores=stores, mcp=access)
    wanted = MCPConfig(servers=list(servers or (config(),)))
    return factory.create_executor(
        AgentConfig(
            assistant_id="tester",
            model=model,
            workspace_path=workspace,
            mcp_config=wanted,
            **more,
        ),
        handler,
    )


class Person:
    """Approves calls, and answers questions with what a test says; remembers both."""

    def __init__(self, *answers: Decision) -> None:
        self._answers = list(answers)
        self.approved: list[ActionRequest] = []
        self.questions: list[HITLRequestEvent] = []
        self.decisions: list[Decision] = []

    async def request_approval(self, action_request: ActionRequest, session_id: str) -> Decision:
        self.approved.append(action_request)
        return self.decisions.pop(0) if self.decisions else {"type": "approve"}

    async def notify_auto_approved(self, action_request: ActionRequest, session_id: str) -> None:
        """Nothing to note."""

    async def answer_question(self, request: HITLRequestEvent, session_id: str) -> Decision:
        self.questions.append(request)
        return self._answers.pop(0)


def using(tool: str, **args: Any) -> dict[str, Any]:
    return {"tool_calls": [{"name": tool, "args": args}]}


def results(events: Sequence[Any]) -> list[Any]:
    return [event for event in events if event.event_type == "tool_result"]
