"""Who may have our model answer for an MCP server: the decision, pure."""

from dataclasses import replace
from typing import Any

import pytest

from dataagent_core.hitl import AutoApproveHandler, HITLHandler
from dataagent_core.permissions import (
    Policy,
    Rule,
    RuleSet,
    RunPermissions,
    RunQuestions,
    judge_sampling,
)
from dataagent_core.permissions.sampling_policy import may_be_offered

NAME = "mcp__local_desk__sampling/createMessage"


def permissions(
    hitl_handler: HITLHandler | None = AutoApproveHandler(),  # noqa: B008 (it holds nothing)
    **more: Any,
) -> RunPermissions:
    questions = RunQuestions(session_id="s", hitl_handler=hitl_handler)
    return RunPermissions(questions=questions, **more)


def policy(*rules: tuple[Any, str], **more: Any) -> Policy:
    person = tuple(Rule(tool, "**", action, "person") for action, tool in rules)
    return Policy(rules=RuleSet(person=person), **more)


@pytest.mark.parametrize("mode", ["ask", "auto"])
@pytest.mark.parametrize("rule", [(), (("allow", "mcp__*"),), (("ask", NAME),)])
def test_a_person_is_asked_unless_a_rule_names_it(mode: Any, rule: Any) -> None:
    assert judge_sampling(NAME, policy(*rule), permissions(mode=mode)).action == "ask"


@pytest.mark.parametrize("tool", [NAME, "mcp__*__sampling/createMessage"])
def test_a_rule_that_names_it_allows_it(tool: str) -> None:
    allowing = policy(("allow", tool))
    assert judge_sampling(NAME, allowing, permissions(hitl_handler=None)).action == "allow"
    assert (
        judge_sampling(NAME, replace(allowing, auto_approve=True), permissions()).action == "allow"
    )


def test_plan_mode_refuses_it_whatever_rules_allow() -> None:
    judged = judge_sampling(NAME, policy(("allow", NAME)), permissions(mode="plan"))
    assert (judged.action, judged.reason) == ("deny", "the session is in plan mode")


@pytest.mark.parametrize("tool", [NAME, "mcp__local_desk__*", "mcp__*"])
def test_a_rule_that_denies_the_server_denies_it(tool: str) -> None:
    assert judge_sampling(NAME, policy(("deny", tool)), permissions()).action == "deny"
    assert not may_be_offered(NAME, policy(("deny", tool)))


def test_where_nobody_is_asked_it_is_refused_and_not_offered() -> None:
    alone = policy(("allow", "mcp__*"), auto_approve=True)
    assert judge_sampling(NAME, alone, permissions()).action == "deny"
    assert judge_sampling(NAME, policy(), permissions(hitl_handler=None)).action == "deny"
    assert not may_be_offered(NAME, alone)
    assert may_be_offered(NAME, policy())
    assert may_be_offered(NAME, policy(("allow", NAME), auto_approve=True))
