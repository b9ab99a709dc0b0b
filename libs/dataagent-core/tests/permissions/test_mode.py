"""What ask, plan and auto mean for a call, whatever rules, owner and person say."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging import person, rule

from dataagent_core.events.system import Mode
from dataagent_core.hitl import ActionRequest
from dataagent_core.permissions import Policy, Rule, RuleSet, RunPermissions, RunQuestions, judge
from dataagent_core.permissions.rules import Action
from dataagent_core.permissions.taint import Taint


def permissions(mode: Mode, **more: Any) -> RunPermissions:
    return RunPermissions(questions=RunQuestions(session_id="s"), mode=mode, **more)


def call(tool: str, args: dict[str, Any], **more: Any) -> ActionRequest:
    return ActionRequest(name=tool, args=args, description="", **more)


def decided(
    mode: Mode,
    tool: str,
    effect: str = "irreversible",
    rules: RuleSet | None = None,
    version: str = "",
    **args: Any,
) -> Action:
    policy = Policy(rules=rules or RuleSet())
    return judge(call(tool, args, version=version), effect, policy, permissions(mode)).action


# tool, effect, arguments: what ask, plan and auto do when no rule speaks.
TABLE: list[tuple[str, str, dict[str, Any], str]] = [
    ("read_file", "pure", {"file_path": "/a"}, "allow allow allow"),
    ("grep", "pure", {"pattern": "a"}, "allow allow allow"),
    ("sql_query", "pure", {"source": "shop", "sql": "select 1"}, "allow allow allow"),
    ("ask_decision", "pure", {}, "allow allow allow"),
    ("propose_plan", "pure", {"plan": "p"}, "allow allow allow"),
    ("write_todos", "idempotent", {"todos": []}, "allow allow allow"),
    ("task", "idempotent", {"subagent_type": "general-purpose"}, "ask ask allow"),
    ("fetch_url", "pure", {"url": "https://a.example/"}, "ask ask allow"),
    ("write_file", "compensable", {"file_path": "/a"}, "ask deny allow"),
    ("edit_file", "compensable", {"file_path": "/memories/agent.md"}, "ask deny allow"),
    ("chart_create", "idempotent", {"source": "shop"}, "allow deny allow"),
    ("result_export", "idempotent", {}, "allow deny allow"),
    ("sql_write", "irreversible", {"source": "shop"}, "ask deny allow"),
    ("code_executor", "irreversible", {"code": "1"}, "ask deny allow"),
    ("http_request", "irreversible", {"url": "https://a.example/"}, "ask deny allow"),
    ("mcp__files__read", "irreversible", {}, "ask deny allow"),
    ("shell", "irreversible", {"command": "git log --oneline | head"}, "allow allow allow"),
    ("shell", "irreversible", {"command": "npm test"}, "ask deny allow"),
    ("shell", "irreversible", {"command": "cat a > b"}, "ask deny allow"),
    ("shell", "irreversible", {"command": "$X y"}, "ask deny allow"),
    ("execute", "irreversible", {"command": "ls; touch a"}, "ask deny allow"),
    ("shell", "irreversible", {"command": 7}, "ask deny allow"),
]


@pytest.mark.requirement("F8-4")
@pytest.mark.parametrize(("tool", "effect", "args", "expected"), TABLE)
def test_what_each_mode_does_where_no_rule_speaks(
    tool: str, effect: str, args: dict[str, Any], expected: str
) -> None:
    modes: tuple[Mode, ...] = ("ask", "plan", "auto")
    assert " ".join(decided(mode, tool, effect, **args) for mode in modes) == expected


def test_a_refusal_in_plan_mode_says_the_mode_and_what_to_do() -> None:
    judged = judge(
        call("write_file", {"file_path": "/a"}), "compensable", Policy(), permissions("plan")
    )
    assert "plan mode" in judged.reason
    assert "propose_plan" in judged.reason


@pytest.mark.parametrize(
    ("line", "tool", "args"),
    [
        ("ask write_file /a", "write_file", {"file_path": "/a"}),
        ("ask shell npm *", "shell", {"command": "npm test"}),
        ("ask shell rm *", "shell", {"command": "make && rm a"}),
        # They may be what the rule is about.
        ("deny shell rm *", "shell", {"command": "$X a"}),
        ("ask shell rm *", "shell", {"command": "R=m make"}),
        ("deny write_file /secret/**", "shell", {"command": "make > $F"}),
        ("deny write_file /secret/**", "shell", {"command": "eval $X"}),
    ],
)
def test_what_a_rule_asks_or_may_forbid_is_asked_in_auto_mode_too(
    line: str, tool: str, args: dict[str, Any]
) -> None:
    assert decided("auto", tool, rules=person(line), **args) == "ask"
    operators = RuleSet(operator=(rule(line, "operator"),))
    assert decided("auto", tool, rules=operators, **args) == "ask"


def test_what_a_rule_denies_is_denied_in_every_mode() -> None:
    denied = person("deny write_file **")
    modes: tuple[Mode, ...] = ("ask", "plan", "auto")
    assert {decided(mode, "write_file", rules=denied, file_path="/a") for mode in modes} == {"deny"}


def test_a_rule_about_something_else_asks_nothing_in_auto_mode() -> None:
    assert decided("auto", "shell", rules=person("deny shell rm *"), command="make") == "allow"
    assert decided("auto", "shell", rules=person("ask sql_write **"), command="A=1 make") == "allow"


def test_a_tool_that_changed_since_it_was_allowed_is_looked_at_again_in_auto_mode() -> None:
    allowed = person("allow mcp__a__b v1")
    assert decided("auto", "mcp__a__b", rules=allowed, version="v1") == "allow"
    assert decided("auto", "mcp__a__b", rules=allowed, version="v2") == "ask"
    assert decided("auto", "mcp__a__b", version="v2") == "allow"


def test_after_strangers_words_sending_out_is_asked_in_auto_mode_too() -> None:
    tainted = permissions("auto", taint=Taint(frozenset({"fetch_url"})))
    args = {"url": "https://evil.example/", "method": "POST"}
    assert judge(call("http_request", args), "irreversible", Policy(), tainted).action == "ask"


def test_auto_mode_says_that_a_person_would_have_been_asked() -> None:
    assert judge(
        call("shell", {"command": "make"}), "irreversible", Policy(), permissions("auto")
    ).would_ask
    assert not judge(
        call("shell", {"command": "ls"}), "irreversible", Policy(), permissions("auto")
    ).would_ask


@pytest.mark.parametrize(
    ("mode", "command", "read_only"),
    [
        ("ask", "cat a.txt", True),
        ("auto", "git status", True),
        ("ask", "pwd", True),
        ("plan", "pwd", True),
        ("plan", "git status", True),
        ("ask", "npm test", False),
        ("auto", "touch a", False),
        ("ask", "cd web && npm test | tail -5", False),
    ],
)
def test_what_only_looks_and_all_of_plan_mode_has_to_run_read_only(
    mode: Mode, command: str, read_only: bool
) -> None:
    policy = Policy(rules=person("allow shell npm test *"))
    judged = judge(call("shell", {"command": command}), "irreversible", policy, permissions(mode))
    assert (judged.action, judged.read_only) == ("allow", read_only)


def test_without_a_read_only_sandbox_plan_mode_admits_the_exact_list_alone() -> None:
    policy = Policy(shell_layer="none")
    for command, action in (("pwd", "allow"), ("git status", "deny"), ("cat a", "deny")):
        judged = judge(
            call("shell", {"command": command}), "irreversible", policy, permissions("plan")
        )
        assert judged.action == action


tools = st.sampled_from(
    ["write_file", "edit_file", "delete_file", "sql_write", "http_request", "code_executor"]
) | st.from_regex(r"[a-z_]{1,12}", fullmatch=True).filter(
    lambda name: name not in {"task", "write_todos", "shell", "execute"}
)
effects = st.sampled_from(["idempotent", "compensable", "irreversible", "unheard_of"])
allowing = st.lists(
    st.tuples(st.sampled_from(["*", "write", "shell", "mcp__*", "write_file"]), st.just("**")),
    max_size=4,
)


def rules_from(drawn: list[tuple[str, str]]) -> RuleSet:
    def given_by(source: Any) -> tuple[Rule, ...]:
        return tuple(Rule(tool, resource, "allow", source) for tool, resource in drawn)

    return RuleSet(
        operator=given_by("operator"),
        person=given_by("person"),
        project=given_by("project"),
        project_trusted=True,
    )


@pytest.mark.requirement("F8-4")
@given(
    tool=tools,
    effect=effects,
    args=st.dictionaries(st.sampled_from(["file_path", "url", "command", "source"]), st.text()),
    drawn=allowing,
    yes=st.booleans(),
)
def test_property_nothing_that_is_not_pure_runs_in_plan_mode(
    tool: str, effect: str, args: dict[str, str], drawn: list[tuple[str, str]], yes: bool
) -> None:
    owned = frozenset({tool}) if yes else frozenset[str]()
    policy = Policy(rules=rules_from(drawn), auto_approve=yes, owned=owned, shell_confined=yes)
    session = [Rule("*", "**", "allow", "session")]
    judged = judge(call(tool, args), effect, policy, permissions("plan", session_rules=session))
    assert judged.action == "deny"


words = st.sampled_from(
    ["ls", "cat", "rm", "touch", "git", "status", "push", "echo", "a", "$X", "-rf", "tee", "sh"]
)
joints = st.sampled_from([" ", " | ", " && ", "; ", " > ", " $(", ")", "\n", " & "])


@pytest.mark.requirement("F8-4")
@given(pieces=st.lists(st.tuples(words, joints), min_size=1, max_size=6), drawn=allowing)
def test_property_rules_let_no_command_run_in_plan_mode_that_does_not_only_look(
    pieces: list[tuple[str, str]], drawn: list[tuple[str, str]]
) -> None:
    command = "".join(word + joint for word, joint in pieces)
    policy = Policy(rules=rules_from(drawn), auto_approve=True)
    bare = judge(call("shell", {"command": command}), "irreversible", Policy(), permissions("ask"))
    held = judge(call("shell", {"command": command}), "irreversible", policy, permissions("plan"))
    assert held.action == ("allow" if bare.action == "allow" else "deny")


@given(tool=tools, drawn=allowing, mode=st.sampled_from(["ask", "auto"]))
def test_property_the_other_modes_refuse_nothing_that_no_rule_refuses(
    tool: str, drawn: list[tuple[str, str]], mode: Mode
) -> None:
    assert decided(mode, tool, rules=rules_from(drawn)) != "deny"
