"""The suite's tools that ask the client: by a request before 2026-07-28, by their result since."""

import json
from typing import Any

import mcp_types as types
from fastmcp import Context, FastMCP
from mcp.shared.exceptions import MCPError
from mcp_types.jsonrpc import MISSING_REQUIRED_CLIENT_CAPABILITY

_TEXT = {"type": "string"}


def form(**properties: Any) -> dict[str, Any]:
    """Write a schema whose fields are all required."""
    return {"type": "object", "properties": properties, "required": list(properties)}


def elicit(message: str, **properties: Any) -> types.ElicitRequest:
    """Ask for fields."""
    params = types.ElicitRequestFormParams(message=message, requested_schema=form(**properties))
    return types.ElicitRequest(params=params)


def sample(text: str, tokens: int = 100) -> types.CreateMessageRequest:
    """Ask for a completion."""
    content = types.TextContent(type="text", text=text)
    said = types.SamplingMessage(role="user", content=content)
    return types.CreateMessageRequest(
        params=types.CreateMessageRequestParams(messages=[said], max_tokens=tokens)
    )


def needs(state: str | None = None, **asked: Any) -> types.InputRequiredResult:
    """Answer with what is needed."""
    return types.InputRequiredResult(input_requests=asked, request_state=state)


def answered(ctx: Context, name: str, kind: type[Any]) -> Any:
    """Give what the client answered under a name, if it is that."""
    said = (ctx.input_responses or {}).get(name)
    return said if isinstance(said, kind) else None


def add_requests(server: FastMCP[Any]) -> None:
    """Add tools that send a request and wait."""

    @server.tool
    async def test_sampling(prompt: str, ctx: Context) -> str:
        """Ask the client's model."""
        content = types.TextContent(type="text", text=prompt)
        message = types.SamplingMessage(role="user", content=content)
        said = await ctx.session.create_message(  # pyright: ignore[reportDeprecated] (the older revision has it)
            messages=[message], max_tokens=100, related_request_id=ctx.request_id
        )
        return f"LLM response: {said.content}"

    async def ask(ctx: Context, message: str, schema: dict[str, Any]) -> str:
        said = await ctx.session.elicit_form(message, schema, related_request_id=ctx.request_id)
        return f"action={said.action}, content={json.dumps(said.content or {})}"

    @server.tool
    async def test_elicitation(message: str, ctx: Context) -> str:
        """Ask for a name and an address."""
        fields = form(username=_TEXT, email=_TEXT)
        return f"User response: {await ask(ctx, message, fields)}"

    @server.tool
    async def test_elicitation_sep1034_defaults(ctx: Context) -> str:
        """Ask with a default of each type."""
        status = {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"}
        fields = {
            "name": {"type": "string", "default": "John Doe"},
            "age": {"type": "integer", "default": 30},
            "score": {"type": "number", "default": 95.5},
            "status": status,
            "verified": {"type": "boolean", "default": True},
        }
        schema = {"type": "object", "properties": fields, "required": []}
        return f"Elicitation completed: {await ask(ctx, 'Defaults', schema)}"

    @server.tool
    async def test_elicitation_sep1330_enums(ctx: Context) -> str:
        """Ask with each kind of choice."""
        plain = ["option1", "option2", "option3"]
        named = [{"const": f"value{n}", "title": f"Choice {n}"} for n in (1, 2, 3)]
        many = {"type": "array", "items": {"type": "string", "enum": plain}}
        fields = {
            "untitledSingle": {"type": "string", "enum": plain},
            "titledSingle": {"type": "string", "oneOf": named},
            "legacyEnum": {
                "type": "string",
                "enum": ["opt1", "opt2", "opt3"],
                "enumNames": ["Option One", "Option Two", "Option Three"],
            },
            "untitledMulti": many,
            "titledMulti": {"type": "array", "items": {"anyOf": named}},
        }
        schema = {"type": "object", "properties": fields, "required": []}
        return f"Elicitation completed: {await ask(ctx, 'Choices', schema)}"


def add_rounds(server: FastMCP[Any]) -> None:
    """Add tools that answer with what they need and are called again."""

    @server.tool
    async def test_input_required_result_elicitation(
        ctx: Context,
    ) -> str | types.InputRequiredResult:
        """Ask for a name."""
        said = answered(ctx, "user_name", types.ElicitResult)
        if said is None or not (said.content or {}).get("name"):
            return needs(user_name=elicit("What is your name?", name=_TEXT))
        return f"Hello, {said.content['name']}!"

    @server.tool
    async def test_input_required_result_sampling(
        ctx: Context,
    ) -> str | types.InputRequiredResult:
        """Ask the client's model."""
        said = answered(ctx, "capital_question", types.CreateMessageResult)
        if said is None:
            return needs(capital_question=sample("What is the capital of France?"))
        return str(said.content)

    @server.tool
    async def test_input_required_result_list_roots(
        ctx: Context,
    ) -> str | types.InputRequiredResult:
        """Ask for the client's roots."""
        said = answered(ctx, "client_roots", types.ListRootsResult)
        if said is None:
            return needs(client_roots=types.ListRootsRequest())
        return ", ".join(str(root.uri) for root in said.roots)

    @server.tool
    async def test_input_required_result_multiple_inputs(
        ctx: Context,
    ) -> str | types.InputRequiredResult:
        """Ask three things at once."""
        asked: dict[str, Any] = {
            "user_name": elicit("What is your name?", name=_TEXT),
            "greeting": sample("Generate a greeting", 50),
            "client_roots": types.ListRootsRequest(),
        }
        if set(asked) - set(ctx.input_responses or {}):
            return needs("several", **asked)
        return "All answered."


def add_states(server: FastMCP[Any]) -> None:
    """Add tools that keep something between two rounds."""
    for name in (
        "test_input_required_result_request_state",
        "test_input_required_result_tampered_state",
    ):
        _add_confirmation(server, name, "Please confirm")

    @server.tool
    async def test_input_required_result_multi_round(
        ctx: Context,
    ) -> str | types.InputRequiredResult:
        """Ask twice."""
        match ctx.request_state:
            case "first" if answered(ctx, "step1", types.ElicitResult):
                asked = elicit("Step 2: What is your favorite color?", color=_TEXT)
                return needs("second", step2=asked)
            case "second" if answered(ctx, "step2", types.ElicitResult):
                return "Both answered."
            case _:
                return needs("first", step1=elicit("Step 1: What is your name?", name=_TEXT))

    @server.prompt
    async def test_input_required_result_prompt(ctx: Context) -> str | types.InputRequiredResult:
        """Ask for a context."""
        said = answered(ctx, "user_context", types.ElicitResult)
        if said is None:
            asked = elicit("What context should the prompt use?", context=_TEXT)
            return needs(user_context=asked)
        return f"Context: {(said.content or {}).get('context')}"


def add_capabilities(server: FastMCP[Any]) -> None:
    """Add tools that need what a client may not have."""

    @server.tool
    async def test_missing_capability(ctx: Context) -> str:
        """Need sampling."""
        _require(ctx, types.ClientCapabilities(sampling=types.SamplingCapability()))
        return "It can sample."

    @server.tool
    async def test_input_required_result_capabilities(
        ctx: Context,
    ) -> str | types.InputRequiredResult:
        """Ask only what the client can answer."""
        offered = ctx.session.client_capabilities
        asked: dict[str, Any] = {}
        if offered is not None and offered.elicitation is not None:
            asked["user_name"] = elicit("What is your name?", name=_TEXT)
        if offered is not None and offered.sampling is not None:
            asked["greeting"] = sample("Generate a greeting")
        if not asked or ctx.input_responses:
            return "Nothing to ask."
        return needs("asked", **asked)

    @server.tool
    async def test_streaming_elicitation(ctx: Context) -> str | types.InputRequiredResult:
        """Say something, then ask."""
        await ctx.report_progress(1, 2)
        if answered(ctx, "user_name", types.ElicitResult) is None:
            return needs(user_name=elicit("What is your name?", name=_TEXT))
        return "Answered."


def _add_confirmation(server: FastMCP[Any], name: str, message: str) -> None:
    async def confirm(ctx: Context) -> str | types.InputRequiredResult:
        """Ask for a yes, and check what was kept meanwhile."""
        said = answered(ctx, "confirm", types.ElicitResult)
        if said is None or ctx.request_state != name:
            return needs(name, confirm=elicit(message, ok={"type": "boolean"}))
        return "state-ok"

    server.tool(confirm, name=name)


def _require(ctx: Context, needed: types.ClientCapabilities) -> None:
    if not ctx.session.check_client_capability(needed):
        capabilities = needed.model_dump(by_alias=True, exclude_none=True)
        raise MCPError(
            MISSING_REQUIRED_CLIENT_CAPABILITY,
            "The client lacks a capability.",
            {"requiredCapabilities": capabilities},
        )
