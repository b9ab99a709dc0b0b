"""Tools are found by words, in English and in Chinese, the best first."""

from langchain_core.tools import BaseTool, StructuredTool

from dataagent_core.language.word_split import split_words
from dataagent_core.tools.catalog import search_tools
from dataagent_core.tools.catalog.catalog_tools import resolve_names


async def run(**_: object) -> str:
    return ""


def made(name: str, description: str) -> BaseTool:
    return StructuredTool(
        name=name, description=description, args_schema={"type": "object"}, coroutine=run
    )


TOOLS = [
    made("mcp__a_github__create_issue", "Create an issue in a repository"),
    made("mcp__a_github__listPullRequests", "List pull requests"),
    made("mcp__a_mail__send", "Send a message to people, for example about an issue"),
    made("mcp__a_erp__orders", "查询订单和库存"),
]


def found(query: str) -> list[str]:
    return [tool.name.split("__")[-1] for tool in search_tools(query, TOOLS)]


def test_a_word_in_the_name_counts_more_than_one_in_the_description() -> None:
    assert found("issue") == ["create_issue", "send"]


def test_plural_and_camel_case_are_found() -> None:
    assert found("issues")[0] == "create_issue"
    assert found("pull request") == ["listPullRequests"]


def test_chinese_is_found_without_spaces() -> None:
    assert found("帮我查一下库存") == ["orders"]


def test_words_that_tell_nothing_find_nothing() -> None:
    assert found("to the") == []
    assert found("") == []


def test_equal_matches_stay_in_the_order_of_the_catalogue() -> None:
    assert found("github") == ["create_issue", "listPullRequests"]


def test_at_most_ten_are_found() -> None:
    assert len(search_tools("thing", [made(f"thing_{n}", "d") for n in range(50)])) == 10


def test_words_are_split_at_every_boundary() -> None:
    assert split_words("listPullRequests_v2 查询订单 the") == [
        "list", "pull", "requests", "v2", "查询", "询订", "订单",
    ]  # fmt: skip


def test_a_name_without_its_prefix_is_understood_when_only_one_tool_fits() -> None:
    assert [t.name for t in resolve_names(["create_issue"], TOOLS).tools] == [TOOLS[0].name]
    twice = [made("mcp__a_x__send", "d"), *TOOLS]
    answer = resolve_names(["send"], twice)
    assert answer.tools == ()
    assert set(answer.unknown["send"]) == {"mcp__a_x__send", "mcp__a_mail__send"}
