"""Paths, hosts and names: one thing has one spelling, and patterns fit it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging import decide, decide_call, person

from dataagent_core.permissions.patterns import PatternMatch, escape_pattern, fits_name, fits_path
from dataagent_core.permissions.policy import Policy, judge
from dataagent_core.permissions.rules import RuleSet
from dataagent_core.permissions.run_permissions import RunPermissions, RunQuestions


@pytest.mark.parametrize(
    "path", ["/src/a.py", "src/a.py", "//src//a.py", "/x/../src/./a.py", "../../src/a.py", "/src/"]
)
def test_every_spelling_of_a_path_is_the_same_path(path: str):
    assert decide_call("edit_file", person("deny edit_file /src/**"), file_path=path) == "deny"


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        ("/src/**", "/src", True),
        ("/src/**", "/src/a/b", True),
        ("/src/**", "/srcs", False),
        ("src/*", "/src/a", True),
        ("src/*", "/src/a/b", False),
        ("**/.env", "/.env", True),
        ("**/.env", "/a/b/.env", True),
        ("**/.env", "/a/x.env", False),
        ("/a/**/b", "/a/b", True),
        ("/a/**/b", "/a/x/y/b", True),
        ("/a?c", "/abc", True),
        ("/a?c", "/a/c", False),
        ("*.py", "/a.py", True),
        ("*.py", "/d/a.py", False),
        (r"/a\*", "/a*", True),
        (r"/a\*", "/ab", False),
        ("/[ab]", "/a", False),
        ("*", "/any/thing", True),
        ("./src/**", "/src/a", True),
        ("//src//**", "/src/a", True),
        ("/src/", "/src/a/b", True),
        ("src/", "/src", True),
        ("/src/", "/srcs", False),
        ("/", "/a", False),
        ("/./**/.env", "/a/.env", True),
    ],
)
def test_path_wildcards(pattern: str, path: str, fits: bool):
    assert (fits_path(pattern, path) is PatternMatch.YES) == fits


@given(st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_an_escaped_text_fits_only_itself(text: str):
    assert fits_name(escape_pattern(text), text) is PatternMatch.YES
    assert fits_name(escape_pattern(text), text + "x") is PatternMatch.NO


@pytest.mark.timeout(5)
def test_a_strangers_pattern_cannot_take_forever():
    assert fits_name("*a" * 400 + "b", "a" * 30_000) is PatternMatch.NO
    many = "** a " * 150 + "b"
    assert decide("a " * 400, person(f"deny shell {many}", "allow shell **")) == "allow"


@pytest.mark.parametrize(
    "url",
    [
        "https://evil.example/x",
        "HTTPS://EVIL.example./x",
        "http://user:pw@evil.example:8080/",
        "https://evil.example",
        " https://evil.example/ ",
    ],
)
def test_every_spelling_of_a_host_is_the_same_host(url: str):
    rules = person("allow web *", "deny web evil.example")
    assert decide_call("fetch_url", rules, url=url) == "deny"


@pytest.mark.parametrize("url", ["", "nonsense", "http://", "http://a\\@b/", 7, None, "http://[x"])
def test_an_address_without_a_host_is_never_allowed_by_a_host(url: object):
    assert decide_call("fetch_url", person("allow web *.example"), url=url) == "ask"
    assert decide_call("fetch_url", person("allow web **", "deny web x"), url=url) == "ask"


def test_groups_name_several_tools():
    rules = person("deny write /src/**", "deny web *.example")
    assert decide_call("multi_edit", rules, file_path="/src/a") == "deny"
    assert decide_call("delete_file", rules, file_path="/src/a") == "deny"
    assert decide_call("http_request", rules, url="http://a.example/") == "deny"
    assert decide("echo x > src/a", rules) == "deny"
    assert decide("ls | tee /src/a", rules) == "deny"


def test_tools_of_an_mcp_server_are_named_by_a_pattern():
    rules = person("allow mcp__github__* **", "deny mcp__github__delete_* **")
    assert decide_call("mcp__github__list", rules) == "allow"
    assert decide_call("mcp__github__delete_repo", rules) == "deny"
    assert decide_call("mcp__other__list", rules) == "ask"


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("cat /secrets/key", "deny"),
        ("cat secrets/key", "deny"),
        ("grep x --file=/secrets/key", "deny"),
        ("wc -l < secrets/key", "deny"),
        ("cat $x", "ask"),
        ("cat secrets/*", "ask"),
        ("cd secrets && cat key", "ask"),
        ("cat notes", "allow"),
        ("echo /secrets/key", "allow"),
    ],
)
def test_what_may_not_be_read_may_not_be_read_by_a_command(line: str, decision: str):
    assert decide(line, person("deny read /secrets/**")) == decision


def test_a_redirection_into_an_allowed_place_is_allowed():
    rules = person("allow write_file /out/**")
    assert decide("echo x > out/a", rules) == "allow"
    assert decide("echo x > other/a", rules) == "ask"
    assert decide("cd sub; echo x > out/a", rules) == "ask"
    assert decide("echo x > out/$name", rules) == "ask"


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("git -C . push", "ask"),
        ("git --no-pager push", "ask"),
        ("git log --grep push", "allow"),
        ("git push", "deny"),
        ("git status", "allow"),
    ],
)
def test_options_before_a_sub_command_do_not_hide_it(line: str, decision: str):
    assert decide(line, person("allow shell git *", "deny shell git push *")) == decision


@pytest.mark.parametrize(
    ("line", "decision"),
    [
        ("find . -name x", "allow"),
        ("find . -delete", "ask"),
        ("sort -o x y", "ask"),
        ("python -c x", "ask"),
        ("python x.py", "allow"),
        ("git -c a=b log", "ask"),
    ],
)
def test_a_wildcard_never_covers_an_option_that_runs_or_writes(line: str, decision: str):
    rules = person(*(f"allow shell {name} *" for name in ("find", "sort", "python", "git")))
    assert decide(line, rules) == decision
    assert decide("find . -delete", person("allow shell find * -delete")) == "allow"


def test_spaces_around_the_name_of_a_skill_hide_it_from_no_rule():
    for name in ("secret", " secret", "secret\n"):
        assert decide_call("skill", person("deny skill secret"), name=name) == "deny"


@pytest.mark.parametrize(
    ("tool", "args"),
    [
        ("read_file", {"file_path": "/skills/system/secret-one/SKILL.md"}),
        ("read_file", {"file_path": "/skills/project/open/../secret-one/a.md"}),
        ("ls", {"path": "/skills/tenant/secret-one"}),
        ("grep", {"pattern": "x", "path": "/skills/tenant/secret-one/references"}),
        ("shell", {"command": "cat /skills/system/secret-one/SKILL.md"}),
    ],
)
def test_the_files_of_a_denied_skill_are_closed_and_those_of_others_are_not(
    tool: str, args: dict[str, str]
):
    def judge_call(rules: RuleSet) -> tuple[str, str]:
        call = {"name": tool, "args": args}
        policy = Policy(rules=rules)
        scope = RunPermissions(questions=RunQuestions(session_id="s"))
        found = judge(call, "read", policy, scope)  # pyright: ignore[reportArgumentType]
        return found.action, found.reason

    action, reason = judge_call(person("deny skill secret-*"))
    assert action == "deny"
    assert "secret-*" in reason
    free = judge_call(RuleSet())[0]
    assert free != "deny"
    for rules in (("deny skill other",), ("deny skill secret-*", "allow skill secret-one")):
        assert judge_call(person(*rules))[0] == free


def test_a_task_is_about_the_sub_agent_of_each_of_its_steps():
    rules = person("allow task *", "deny task coder")

    def decide_steps(*then: object) -> str:
        return decide_call("task", rules, subagent_type="reader", then=[*then])

    assert decide_steps({"subagent_type": "writer"}) == "allow"
    assert decide_steps({"subagent_type": "writer"}, {"subagent_type": "coder"}) == "deny"
    # Nobody can tell whom these are for.
    assert decide_steps("coder") == decide_steps({"subagent_type": 1}) == "ask"


def test_a_pattern_of_thousands_of_characters_is_read_in_one_pass():
    # With a pass for each character this would take minutes.
    text = "x" * 20_000
    assert fits_name(f"{text}*", f"{text}y") is PatternMatch.YES
    assert fits_name(text, f"{text}y") is PatternMatch.NO
