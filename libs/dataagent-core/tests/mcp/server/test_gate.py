"""What rules say counts for calls through MCP as it does for the agent's own."""

from typing import Any

import pytest
from langchain_core.tools import StructuredTool
from mcp_services import FakeServices, connect_client, serve_all
from mcp_types import ElicitResult

from dataagent_core.permissions import Rule
from dataagent_core.tools.pipeline.call_forecast import CallForecast

MODES = ("legacy", "auto")


def services(action: str, ran: list[str]) -> FakeServices:
    async def poke(word: str) -> str:
        ran.append(word)
        return f"poked {word}"

    tool = StructuredTool.from_function(coroutine=poke, name="poke", description="Poke.")
    rule = Rule("poke", "**", action, "operator")  # pyright: ignore[reportArgumentType] (an action's name)
    return FakeServices([tool], rules=(rule,))


async def called(place: FakeServices, mode: str, answer: dict[str, Any] | None) -> Any:
    async def elicited(context: Any, params: Any) -> ElicitResult:
        del context, params
        return ElicitResult.model_validate(answer)

    more: dict[str, Any] = {"elicitation_callback": elicited} if answer is not None else {}
    async with connect_client(place, serve_all(place.tools), mode=mode, **more) as client:
        return await client.call_tool("poke", {"word": "it"})


YES = {"action": "accept", "content": {"decision": "approve"}}


@pytest.mark.requirement("F6-6")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("action", "answer", "code"),
    [
        ("allow", None, None),
        ("deny", None, "PERMISSION_DENIED"),
        ("deny", YES, "PERMISSION_DENIED"),
        ("ask", None, "APPROVAL_REQUIRED"),
        ("ask", YES, None),
        ("ask", {"action": "decline"}, "PERMISSION_DENIED"),
        ("ask", {"action": "cancel"}, "PERMISSION_DENIED"),
        ("ask", {"action": "accept", "content": {"decision": "maybe"}}, "PERMISSION_DENIED"),
        ("ask", {"action": "accept", "content": {}}, "PERMISSION_DENIED"),
    ],
)
async def test_a_rule_and_an_answer_decide(
    mode: str, action: str, answer: dict[str, Any] | None, code: str | None
):
    ran: list[str] = []
    result = await called(services(action, ran), mode, answer)
    assert (result.structured_content or {}).get("error_code") == code
    assert ran == ([] if code else ["it"])


async def test_who_cannot_be_asked_is_told_how_to_allow_it():
    result = await called(services("ask", []), "auto", None)
    assert "Ask the operator." in result.content[0].text


async def test_what_a_defect_says_is_not_told():
    async def leak(word: str) -> str:
        raise ValueError(f"password {word}")

    tool = StructuredTool.from_function(coroutine=leak, name="leak", description="Leak.")
    place = FakeServices([tool])
    async with connect_client(place, serve_all([tool])) as client:
        result: Any = await client.call_tool("leak", {"word": "hunter2"})
    assert result.is_error
    assert "hunter2" not in result.content[0].text


async def test_a_long_answer_is_cut_and_says_so():
    async def shout() -> str:
        return "x" * 2_000_000

    tool = StructuredTool.from_function(coroutine=shout, name="shout", description="Shout.")
    place = FakeServices([tool])
    async with connect_client(place, serve_all([tool])) as client:
        result: Any = await client.call_tool("shout", {})
    assert len(result.content[0].text) < 300_000
    assert "more bytes left out" in result.content[0].text
    assert len(place.records[0].answer) < 5_000


@pytest.mark.parametrize("mode", MODES)
async def test_a_yes_to_three_rows_is_no_yes_to_four(mode: str):
    there = 3
    erased: list[int | None] = []
    shown: list[str] = []

    async def erase(table: str, expected_rows: int | None = None) -> str:
        erased.append(expected_rows)
        return f"erased {table}"

    async def foresee(args: dict[str, Any], *_: Any) -> CallForecast:
        return CallForecast({**args, "expected_rows": there}, f"{there} rows go", always=True)

    async def one_more_row_comes(context: Any, params: Any) -> ElicitResult:
        nonlocal there
        del context
        shown.append(params.message)
        there = 4
        return ElicitResult.model_validate(YES)

    tool = StructuredTool.from_function(coroutine=erase, name="erase", description="Erase.")
    allowed = Rule("erase", "**", "allow", "operator")
    place = FakeServices([tool], rules=(allowed,), forecasters={"erase": foresee})
    async with connect_client(
        place, serve_all([tool]), mode=mode, elicitation_callback=one_more_row_comes
    ) as client:
        result: Any = await client.call_tool("erase", {"table": "t"})
    assert not result.is_error, result.content[0].text
    assert ["3 rows go" in shown[0], "4 rows go" in shown[1]] == [True, True]
    assert erased == [4]
