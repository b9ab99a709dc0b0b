"""S3 properties 5 to 8: what is registered is listed, checked, timed and recorded."""

import asyncio
import json
from keyword import iskeyword
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator
from langchain_core.tools import BaseTool, StructuredTool
from mcp_services import FakeServices, connect_client, serve_all
from pydantic import BaseModel, create_model

from dataagent_core.mcp.server.tool_table import READ_SCOPES, ServedToolRow
from tests.counts import examples

# A server and a client are made for each example.
few = settings(
    max_examples=examples(100), deadline=None, suppress_health_check=[HealthCheck.too_slow]
)

TYPES: dict[type, st.SearchStrategy[Any]] = {
    int: st.integers(-(2**31), 2**31),
    str: st.text(max_size=20),
    bool: st.booleans(),
    list[int]: st.lists(st.integers(0, 9), max_size=3),  # pyright: ignore[reportAssignmentType]
}
# For each type a value that it cannot be made of.
WRONG: dict[Any, Any] = {int: "x", str: 5, bool: "perhaps", list[int]: "x"}
names = st.from_regex(r"[a-z][a-z0-9_]{0,20}", fullmatch=True).filter(lambda n: n != "ask_agent")
fields = st.dictionaries(
    st.from_regex(r"[a-z][a-z0-9]{0,8}", fullmatch=True).filter(
        lambda n: not (iskeyword(n) or hasattr(BaseModel, n) or n in {"config", "args", "kwargs"})
    ),
    st.tuples(st.sampled_from(list(TYPES)), st.booleans()),
    max_size=4,
)
Fields = dict[str, tuple[Any, bool]]


def made(name: str, shape: Fields, ran: list[dict[str, Any]] | None = None) -> BaseTool:
    """Make a tool that gives back what it was given, and notes that it ran."""

    async def echo(**given: Any) -> str:
        if ran is not None:
            ran.append(given)
        return json.dumps(given, sort_keys=True)

    parts: dict[str, Any] = {
        field: (kind, ...) if required else (kind | None, None)
        for field, (kind, required) in shape.items()
    }
    model = create_model(f"Args_{name}", **parts)
    return StructuredTool.from_function(
        coroutine=echo, name=name, description=f"Echo {name}.", args_schema=model
    )


@st.composite
def calls(draw: st.DrawFn) -> tuple[Fields, dict[str, Any]]:
    """Draw a tool's arguments and a call that fits them."""
    shape = draw(fields)
    given = {
        field: draw(TYPES[kind])
        for field, (kind, required) in shape.items()
        if required or draw(st.booleans())
    }
    return shape, given


@pytest.mark.requirement("S3-5")
@few
@given(st.dictionaries(names, fields, max_size=6))
async def test_property_5_every_registered_tool_is_listed_with_a_valid_schema(
    shapes: dict[str, Fields],
):
    tools = [made(name, shape) for name, shape in shapes.items()]
    async with connect_client(FakeServices(tools), serve_all(tools)) as client:
        listed = {tool.name: tool for tool in (await client.list_tools()).tools}
    assert set(listed) == {*shapes, "ask_agent"}
    for name, shape in shapes.items():
        schema = listed[name].input_schema
        Draft202012Validator.check_schema(schema)
        assert schema["type"] == "object"
        assert set(schema.get("properties", {})) == set(shape)
        assert set(schema.get("required", [])) == {f for f, (_, must) in shape.items() if must}


@pytest.mark.requirement("S3-6")
@few
@given(calls())
async def test_property_6_fitting_arguments_run(call: tuple[Fields, dict[str, Any]]):
    shape, arguments = call
    tools = [made("echo", shape)]
    async with connect_client(FakeServices(tools), serve_all(tools)) as client:
        answer: Any = await client.call_tool("echo", arguments)
    assert not answer.is_error, answer
    echoed = json.loads(answer.content[0].text)
    assert {name: echoed[name] for name in arguments} == arguments


@pytest.mark.requirement("S3-6")
@few
@given(calls(), st.data())
async def test_property_6_other_arguments_get_a_structured_error(
    call: tuple[Fields, dict[str, Any]], data: st.DataObject
):
    shape, arguments = call
    # Wrong in one way: a wrong type, a missing field, or a field there is not.
    ways = ["unknown", *(f"wrong {name}" for name in shape)]
    ways += [f"missing {name}" for name, (_, required) in shape.items() if required]
    way, _, name = data.draw(st.sampled_from(ways)).partition(" ")
    match way:
        case "wrong":
            arguments = {**arguments, name: WRONG[shape[name][0]]}
        case "missing":
            arguments = {field: value for field, value in arguments.items() if field != name}
        case _:
            name = "not_an_argument"
            arguments = {**arguments, name: 1}
    ran: list[dict[str, Any]] = []
    tools = [made("echo", shape, ran)]
    services = FakeServices(tools)
    async with connect_client(services, serve_all(tools)) as client:
        answer: Any = await client.call_tool("echo", arguments)
    assert answer.is_error
    assert answer.structured_content["error_code"] == "VALIDATION_ERROR"
    errors = answer.structured_content["details"]["errors"]
    assert any(name in error for error in errors)
    assert not ran
    assert [record.outcome for record in services.records] == ["invalid"]


@pytest.mark.requirement("S3-7")
@few
@given(st.floats(0.001, 0.05))
async def test_property_7_a_tool_that_takes_longer_than_its_time_fails(timeout_s: float):
    begun: list[str] = []
    ended: list[str] = []

    async def forever() -> str:
        begun.append("forever")
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("forever")
        return "never"

    async def quick() -> str:
        return "done"

    tools = [
        StructuredTool.from_function(coroutine=function, name=name, description=name)
        for name, function in (("forever", forever), ("quick", quick))
    ]
    services = FakeServices(tools)
    served = {
        "forever": ServedToolRow("data:read", timeout_s),
        "quick": ServedToolRow("data:read", 10),
    }
    async with connect_client(services, served) as client:
        late: Any = await client.call_tool("forever", {})
        in_time: Any = await client.call_tool("quick", {})
    assert late.structured_content["error_code"] == "TIMEOUT"
    assert f"{timeout_s:g} seconds" in late.content[0].text
    # On a busy machine a millisecond may be over before the tool begins.
    assert ended == begun
    assert not in_time.is_error
    assert [record.outcome for record in services.records] == ["timeout", "ok"]
    assert services.records[0].duration_ms >= int(timeout_s * 1000)


async def say(word: str) -> str:
    return f"said {word}"


async def fail(word: str) -> str:
    raise ValueError(word)


@pytest.mark.requirement("S3-8")
@few
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["say", "fail", "hidden", "no_such_tool"]),
            st.one_of(st.text(max_size=30), st.integers()),
        ),
        max_size=8,
    )
)
async def test_property_8_every_call_is_recorded_with_input_output_and_duration(
    drawn: list[tuple[str, Any]],
):
    tools = [
        StructuredTool.from_function(coroutine=function, name=name, description=name)
        for name, function in (("say", say), ("fail", fail), ("hidden", say))
    ]
    services = FakeServices(tools, READ_SCOPES)
    served = {**serve_all(tools), "hidden": ServedToolRow("data:write", 10)}
    async with connect_client(services, served) as client:
        for name, word in drawn:
            await client.call_tool(name, {"word": word})
    assert [record.tool for record in services.records] == [name for name, _ in drawn]
    for record, (name, word) in zip(services.records, drawn, strict=True):
        assert record.arguments == {"word": word}
        assert record.duration_ms >= 0
        fits = isinstance(word, str)
        match name:
            case "say":
                assert record.outcome == ("ok" if fits else "invalid")
                assert not fits or record.answer == f"said {word}"
            case "fail":
                assert record.outcome == ("error" if fits else "invalid")
            case "hidden":
                assert record.outcome == "denied"
                assert "data:write" in record.answer
            case _:
                assert record.outcome == "unknown"
