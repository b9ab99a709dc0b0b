"""The router with the real offline embedder: who the built-in sub-agents are chosen for."""

import pytest

from dataagent_core.config import Settings
from dataagent_core.errors import ModelUnavailableError
from dataagent_core.models.embeddings import resolve_embedder
from dataagent_core.subagents.built_in_subagents import built_in_subagents
from dataagent_core.subagents.router_question import RouterQuestion
from dataagent_core.subagents.subagent_matcher import SubAgentMatcher

TOOLS = {
    "read_file", "write_file", "edit_file", "grep", "fetch_url", "shell", "http_request",
    "memory_search",
}  # fmt: skip
UNSURE_MESSAGE = "the parser crashes on empty input, repair it"
# Not sentences of the examples.
SURE = {
    "why does the nginx service keep restarting": "operator-agent",
    "部署到测试环境": "operator-agent",
    "please do a code review": "code-reviewer",
    "是否有潜在的安全问题,看下 auth.py": "code-reviewer",
    "用 Python 写一个爬虫脚本": "coder-agent",
    "hi": "",
    "thanks, that is all": "",
    "今天天气不错": "",
    "what is 12 * 9": "",
    "sum the revenue by month from sales.csv": "",
    "write a report about last quarter's orders": "",
    "research the best CSV library, then write a script that uses it": "web-researcher coder-agent",
    # Questions about data, which memory does not answer.
    "tell me more about the orders of this customer": "",
    "which people are in this project?": "",
    "which customers bought most last month?": "",
    "我们上个月的数据库开销是多少": "",
    "这个客户上个月下了多少订单": "",
    "上次运行为什么失败了": "",
    "What do you remember about Mia?": "memory-explorer",
    "what did I say about the deadline in an earlier session?": "memory-explorer",
    "还记得我的计划吗": "memory-explorer",
    "先做代码审查,然后部署服务": "code-reviewer operator-agent",
    "review this change and at the same time look up the latest docs online": (
        "code-reviewer web-researcher"
    ),
}
# A model is asked about these, and told of the right one first.
UNSURE = {
    UNSURE_MESSAGE: "coder-agent",
    "change the code of the parser": "coder-agent",
}
# Nobody is sure enough for a call: the agent decides by the descriptions of the tool `task`.
LEFT_TO_THE_AGENT = ("磁盘快满了,清一下", "how do I get to Oslo", "write it", "review this", "审查")


@pytest.fixture
def matcher() -> SubAgentMatcher:
    return SubAgentMatcher(built_in_subagents(), resolve_embedder(Settings()))


@pytest.mark.requirement("S2-16.6-routing")
async def test_messages_reach_the_right_one(matcher: SubAgentMatcher):
    found = {text: await matcher.route(text, tools=TOOLS) for text in SURE}
    assert {text: " ".join(one.chosen) for text, one in found.items()} == SURE
    assert not any(one.is_unsure for one in found.values())
    asked = {text: await matcher.route(text, tools=TOOLS) for text in UNSURE}
    assert {text: one.candidates[0].name for text, one in asked.items()} == UNSURE
    assert all(one.is_unsure for one in asked.values())
    left = [await matcher.route(text, tools=TOOLS) for text in LEFT_TO_THE_AGENT]
    assert not any(one.is_unsure or one.chosen for one in left)


async def test_a_model_is_asked_only_when_the_score_is_unsure(matcher: SubAgentMatcher):
    asked: list[RouterQuestion] = []

    async def ask(question: RouterQuestion) -> str:
        asked.append(question)
        return '{"subagents": ["coder-agent"], "confidence": 0.9, "reason": "It is code."}'

    await matcher.route("部署到测试环境", ask=ask)
    assert asked == []
    found = await matcher.route(UNSURE_MESSAGE, ask=ask)
    assert (found.chosen, found.decided_by, len(asked)) == (("coder-agent",), "model", 1)


async def test_a_model_that_cannot_be_asked_leaves_the_score(matcher: SubAgentMatcher):
    async def ask(_: RouterQuestion) -> str:
        raise ModelUnavailableError("the model is away.")

    found = await matcher.route(UNSURE_MESSAGE, ask=ask)
    assert (found.decided_by, found.is_unsure) == ("score", False)
    assert found.reason.endswith("The model's answer could not be used: the model is away.")
