"""What an allowed line stands on, and what passes unasked where no read-only sandbox is."""

import pytest
from honest_lines import HONEST
from judging import decide, person, shell, verdict
from smuggled_lines import all_smuggled

from dataagent_core.permissions.decision import Basis, evaluate
from dataagent_core.permissions.request import PermissionRequest, make_request
from dataagent_core.permissions.rules import RuleSet
from dataagent_core.permissions.shell.programs.exact_list import EXACT

RULES = person("allow shell npm test *", "allow shell make *", "allow write_file /out/**")


def on_host(line: str, rules: RuleSet | None = None) -> str:
    request = PermissionRequest(tool="shell", args={"command": line}, layer="none")
    return evaluate(request, rules or RuleSet()).action


@pytest.mark.parametrize(
    ("line", "basis"),
    [
        ("pwd", "exact"),
        ("echo hello && ls -la | head -5", "exact"),
        ("a=1", "exact"),
        ("cat a.txt", "looks"),
        ("echo a; git status", "looks"),
        ("cd src && ls", "exact"),
        ("[ -f a ] && pwd", "exact"),
        ("wc -l < a.txt", "looks"),
        ("echo $HOME", "exact"),
        ("npm test", "rule"),
        ("cd web && npm test 2>&1 | tail -20", "rule"),
        ("echo x > out/a", "rule"),
    ],
)
def test_a_verdict_says_what_an_allowed_line_stands_on(line: str, basis: Basis):
    found = verdict(line, RULES)
    assert (found.action, found.basis) == ("allow", basis), found


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("npm test | tail -n 5", "allow"),
        ("npm test && pwd", "allow"),
        ("npm test | grep FAIL | sort | uniq -c", "allow"),
        ("set -e; cd web; npm test", "allow"),
        ("cat a.txt && npm test", "ask"),
        ("npm test; git status", "ask"),
        ("npm test | tee out/log", "allow"),
        ("cat a.txt > out/a", "ask"),
        ("grep x < a.txt; npm test", "allow"),
        ("for f in *; do npm test; done; awk 1 a", "ask"),
        ('echo "$(npm test)"', "allow"),
        ("cat <(npm test)", "ask"),
    ],
)
def test_beside_a_command_that_may_write_only_the_exact_list_looks_unasked(line: str, action: str):
    assert decide(line, RULES) == action


def test_a_look_that_a_rule_allows_too_stands_beside_one_that_may_write():
    rules = person("allow shell npm test *", "allow shell cat *")
    assert verdict("cat a.txt && npm test", rules).basis == "rule"
    assert verdict("cat a.txt", rules).basis == "looks"


@pytest.mark.parametrize(
    "line",
    [
        "pwd",
        "ls -la",
        "echo hello",
        "whoami && uname -a",
        "ls | grep x | sort | uniq -c | head -n 3",
        "date +%F",
        "printf 'a\\n' | wc -l",
        "seq 1 5 | tail -2",
    ],
)
def test_the_exact_list_passes_without_a_sandbox(line: str):
    assert on_host(line) == "allow"
    assert verdict(line).basis == "exact"


@pytest.mark.parametrize(
    "line",
    [
        *("cat a.txt", "ls src", "head a", "wc -l < a", "git status", "python --version", "cd src"),
        *(
            "echo $HOME",
            'echo "$OPENAI_API_KEY"',
            "echo *",
            "echo ~",
            "echo {a,b}",
            "(pwd)",
            "ls; $x",
        ),
        *("timeout 5 ls", "bash -c ls", "env ls", "xargs echo", "find .", "grep -r x", "grep x a"),
        *(
            "grep -f a",
            "sort -o a",
            "uniq a",
            "tr a b c",
            "date -f a",
            "tail -f",
            "test -f a",
            "[ a ]",
        ),
        *(
            "for i in 1; do pwd; done",
            "if true; then pwd; fi",
            "pwd &",
            "echo a > b",
            "sed p",
            "awk 1",
        ),
        *(
            "sort --files0-from=a",
            "head --lin=1",
            "cat -",
            "exit x",
            "printf -v a b",
            "id root",
            "./ls",
        ),
    ],
)
def test_nothing_else_passes_without_a_sandbox(line: str):
    assert on_host(line) == "ask"


def test_no_argument_of_the_exact_list_may_be_a_file():
    assert [name for name in EXACT if on_host(f"{name} ./a/b/c ./d ./e ./f") == "allow"] == []
    assert [line for line in all_smuggled() if on_host(line) == "allow"] == []
    assert {on_host(line) for line in HONEST if verdict(line).basis == "looks"} == {"ask"}


def test_rules_count_without_a_sandbox_too():
    assert on_host("npm test --x", RULES) == "allow"
    assert on_host("timeout 5 npm test", RULES) == "allow"
    assert on_host("cat a.txt && npm test", RULES) == "ask"
    assert on_host("npm test | tail -5", RULES) == "allow"
    assert on_host("npm test; (pwd)", RULES) == "ask"


def test_every_look_is_told_from_what_stands_on_the_exact_list():
    found = [evaluate(shell(line), RuleSet()) for line in HONEST]
    assert {one.basis for one in found if one.action == "allow"} == {"exact", "looks"}


@pytest.mark.parametrize(
    ("sandbox_type", "action"), [(None, "allow"), ("local", "allow"), ("modal", "ask")]
)
def test_a_question_about_a_line_counts_with_the_sandbox_that_is_set(
    sandbox_type: str | None, action: str
):
    request = make_request("shell", "git status", sandbox_type=sandbox_type)
    assert evaluate(request, RuleSet()).action == action
