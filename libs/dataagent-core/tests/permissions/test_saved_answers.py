"""What "always" saves: the command shown, and nothing wider."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging import NO_RULES, decide, person, shell
from nasty_lines import ASKED, DENIED

from dataagent_core.permissions.decision import evaluate
from dataagent_core.permissions.policy import make_answer_rules
from dataagent_core.permissions.request import PermissionRequest
from dataagent_core.permissions.rules import RuleSet


def saved(line: str) -> list[str]:
    return [rule.resource for rule in make_answer_rules(shell(line), NO_RULES)]


def after_always(line: str) -> RuleSet:
    return RuleSet(session=tuple(make_answer_rules(shell(line), NO_RULES)))


@pytest.mark.parametrize(
    ("line", "resources"),
    [
        ("git commit -m x", ["git commit -m <args>"]),
        ("npm run build", ["npm run build <args>"]),
        ("npm install left-pad", ["npm install <args>"]),
        ("docker compose up -d", ["docker compose up -d <args>"]),
        ("gh pr list", ["gh pr list <args>"]),
        ("make test", ["make test <args>"]),
        ("rm a.txt", ["rm a.txt"]),
        ("rm 'a b' '*'", [r"rm a\ b \*"]),
        ("python x.py", ["python x.py"]),
        ("sudo ls", ["sudo ls"]),
        ("find . -delete", ["find . -delete"]),
        ("ls; make test && rm x", ["make test <args>", "rm x"]),
        ("echo x > out.txt", ["/out.txt"]),
        ("git -c a=b log", ["git -c a=b log"]),
        ("git commit a.py -m x", ["git commit <args> -m <args>"]),
        ("git push origin :main", ["git push <args> :main <args>"]),
        ("git rebase -x make main", ["git rebase -x make main"]),
        ("make CC=x test", ["make CC=x test"]),
        ("npm test -- --watch", ["npm test -- --watch <args>"]),
        ("make '<args>'", [r"make \<args> <args>"]),
        ("cat a > b", ["/b", "cat a"]),
        ("rm $x", []),
        ("$x", []),
        ("bash", []),
        ("ls", []),
        ("PATH=. make test", []),
    ],
)
def test_always_saves_exactly_what_was_shown(line: str, resources: list[str]):
    assert saved(line) == resources


@pytest.mark.parametrize(
    ("line", "same", "other"),
    [
        ("git commit -m x", "git commit -m 'another one'", "git commit -m x --amend"),
        ("git commit -m x", "git commit -m x a.py", "git commit --no-verify -m x"),
        ("git push origin main", "git push origin feature", "git push --force origin main"),
        ("git push origin main", "git push origin", "git push origin +main"),
        ("git push origin main", "git push", "git push origin :main"),
        ("git push origin main", "git push origin x", "git push ext::sh"),
        ("git rebase main", "git rebase other", "git rebase -x make main"),
        ("git fetch origin", "git fetch upstream", "git fetch 'ext::sh -c x'"),
        ("make test", "make test lint", "make test SHELL=./x"),
        ("make test", "make test", "make test -f x"),
        ("npm run build", "npm run build web", "npm run build --script-shell=x"),
        ("npm install left-pad", "npm install x", "npm install --prefix=/ x"),
        ("docker compose up -d", "docker compose up -d web", "docker compose up -d --build"),
        ("make '<args>'", "make '<args>' b", "make c"),
        ("make test", "make test", "make test $x"),
    ],
)
def test_always_covers_the_options_that_were_seen_and_no_others(line: str, same: str, other: str):
    assert decide(same, after_always(line)) == "allow"
    assert decide(other, after_always(line)) == "ask"


@pytest.mark.requirement("S2-C.2.2-always")
def test_after_always_the_same_line_is_allowed():
    lines = [line for line in [*ASKED, *DENIED] if saved(line)]
    assert len(lines) > 100
    assert [line for line in lines if decide(line, after_always(line)) != "allow"] == []


@pytest.mark.requirement("F3-8")
def test_always_about_one_command_says_nothing_about_another():
    rules = after_always("make test; rm -rf build; echo x > log")
    others = [line for line in [*ASKED, *DENIED] if "make" not in line]
    assert [line for line in others if decide(line, rules) != decide(line)] == []


@given(st.sampled_from([*ASKED, *DENIED]))
def test_always_never_loosens_what_the_person_denied(line: str):
    rules = person("deny shell **", "deny write **")
    session = tuple(make_answer_rules(shell(line), NO_RULES))
    found = RuleSet(person=rules.person, session=session)
    assert decide(line, found) != "allow"


def test_a_denied_call_saves_nothing():
    assert make_answer_rules(shell("rm x"), person("deny shell rm *")) == []


@pytest.mark.parametrize(
    ("tool", "args", "resource"),
    [
        ("write_file", {"file_path": "/a"}, "**"),
        ("delete_file", {"file_path": "/a*"}, r"/a\*"),
        ("fetch_url", {"url": "https://Example.org/x"}, "example.org"),
        ("mcp__a__b", {}, "**"),
        ("task", {"subagent_type": "x"}, "x"),
    ],
)
def test_other_tools_save_the_tool_the_file_to_delete_the_host_or_the_sub_agent(
    tool: str, args: dict[str, str], resource: str
):
    request = PermissionRequest(tool=tool, args=args)
    (rule,) = make_answer_rules(request, NO_RULES)
    assert (rule.tool, rule.resource, rule.action, rule.source) == (
        tool,
        resource,
        "allow",
        "session",
    )
    assert evaluate(request, RuleSet(session=(rule,))).action == "allow"


@pytest.mark.parametrize("tool", ["task", "start_task"])
def test_an_always_about_a_task_covers_its_sub_agents_and_no_other(tool: str) -> None:
    then = [{"description": "x", "subagent_type": "two"}]
    args = {"description": "x", "subagent_type": "one", "then": then}
    request = PermissionRequest(tool=tool, args=args)
    rules = make_answer_rules(request, NO_RULES)
    assert [(rule.tool, rule.resource) for rule in rules] == [(tool, "one"), (tool, "two")]
    other = PermissionRequest(tool=tool, args={"description": "x", "subagent_type": "three"})
    assert evaluate(request, RuleSet(session=tuple(rules))).action == "allow"
    assert evaluate(other, RuleSet(session=tuple(rules))).action == "ask"
