"""Auto mode and code given to an interpreter: no rule sees what it does, so it is asked about."""

import pytest
from judging import decide, person, rule, shell, verdict

from dataagent_core.permissions.mode import runs_in_auto
from dataagent_core.permissions.request import Layer, PermissionRequest
from dataagent_core.permissions.rules import RuleSet
from dataagent_core.permissions.shell.interpreters import INTERPRETERS

DENIED = person("deny shell rm **")
GIVEN = [
    "python -c 'import os; os.remove(\"a\")'",
    "python3 -Ic 'x'",
    "python3.12 -c 'x'",
    "python3 -W error -c x",
    "/usr/bin/python3 -c x",
    "env python3 -c x",
    "python3 <<< 'x'",
    "python3 - < a",
    "python3 - one <<'E'\nx\nE",
    "echo x | python3",
    "echo x | python3 -u",
    "python3 /dev/stdin < a",
    "python3 <(echo x)",
    "python3 -m timeit x",
    "node -e x",
    "node --eval=x",
    "node -p x",
    "echo x | node",
    "perl -e x",
    "perl -ne x a",
    "perl -pi -e x a",
    "ruby -e x",
    "php -r x",
    "lua -e x",
    "deno eval x",
    "bun -e x",
    "Rscript -e x",
    "julia -e x",
    "dc -e '!rm a'",
    "echo '!rm a' | dc",
    "uv run python -c x",
    "poetry run python3 -c x",
    "docker exec box python3 -c x",
    "npx node -e x",
    "ls | xargs python3 -c x",
    "find . -exec perl -e x {} +",
]
FILES = [
    "python3 tool.py",
    "python3 -m pytest -x",
    "python3 -u tool.py one",
    "node build.js",
    "perl tool.pl",
    "ruby -S rake",
    "uv run pytest",
    "uv run python tool.py",
    "php artisan migrate",
    "deno task build",
    "make test",
    "bash tool.sh",
]


def runs(line: str, rules: RuleSet, layer: Layer = "read_only") -> bool:
    request = PermissionRequest(tool="shell", args={"command": line}, layer=layer)
    found = verdict(line, rules)
    assert found.action == "ask"
    return runs_in_auto(request, found, rules)


@pytest.mark.parametrize("line", GIVEN)
def test_code_is_asked_about_while_a_rule_holds_commands_back(line: str):
    assert not runs(line, DENIED)
    assert not runs(line, RuleSet(operator=(rule("ask shell git push *", "operator"),)))
    assert not runs(line, person("deny write /secrets/**"))


@pytest.mark.parametrize("line", GIVEN)
def test_code_runs_where_no_rule_holds_anything_back(line: str):
    assert runs_in_auto(shell(line), verdict(line), person())


@pytest.mark.parametrize("program", INTERPRETERS)
def test_every_interpreter_of_the_table_is_known_by_its_options(program: str):
    options = [f"-{letter}" for letter in INTERPRETERS[program].letters]
    for option in [*options, *INTERPRETERS[program].words]:
        assert not runs(f"{program} {option} x", DENIED)


@pytest.mark.parametrize("line", FILES)
def test_scripts_of_the_project_run(line: str):
    assert runs(line, DENIED)


def test_a_denied_read_is_kept_from_code_by_the_kernel_where_there_is_a_sandbox():
    line, denied = "python3 -c x", person("deny read /secrets/**")
    assert runs(line, denied)
    assert not runs(line, denied, layer="none")
    assert not runs(line, person("ask read /secrets/**"))


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("python3", "python3 <<< 'x'"),
        ("python3", "echo x | python3"),
        ("python3", "python3 - one < a"),
        ("python3", "python3 -u <<'E'\nx\nE"),
        ("node", "cat a | node"),
        ("perl", "perl < a"),
        ("python3", "python3 <(echo x)"),
        ("dc", "dc -e '!x'"),
        ("uv", "uv run python - < a"),
        ("python3", "cat a | python3 -S"),
        ("python3", "python3 -v < a"),
        ("python3", "python3 -v - < a"),
        ("python3", "python3 -W ignore < a"),
        ("python3", "python3 -Wignore -X dev < a"),
        ("python3", "python3 -uX dev -W ignore - < a"),
        ("python3", "python3 --check-hash-based-pycs default < a"),
        ("python3", "python3 -- - < a"),
        ("perl", "perl -I lib < a"),
        ("perl", "perl -w -I lib - < a"),
        ("ruby", "ruby -I lib < a"),
        ("ruby", "ruby -S - < a"),
        ("node", "node -r ./b < a"),
        ("node", "node --require ./b --trace-warnings < a"),
        ("php", "php -d a=b < a"),
        ("lua", "lua -l b - < a"),
        ("bun", "bun run - < a"),
        ("deno", "deno run - < a"),
        *(
            ("python3", f"python3 {path} < a")
            for path in (
                *("/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/proc/thread-self/fd/0"),
                *("/proc/1/fd/0", "/proc/self/task/7/fd/0", "//dev/./stdin", "/tmp/../dev/stdin"),
                *("../../dev/stdin", "-u /proc/self/fd/0", "-X dev /dev/fd/0"),
            )
        ),
    ],
)
def test_a_wildcard_does_not_cover_code_from_the_input(program: str, line: str):
    assert decide(line, person(f"allow shell {program} *", "allow shell cat *")) == "ask"
    assert decide(line, person("allow shell **")) == "allow"


def test_a_rule_without_a_wildcard_covers_code_from_the_input():
    assert decide("echo x | python3", person("allow shell python3")) == "allow"
    assert decide("python3 tool.py < a", person("allow shell python3 *")) == "allow"


@pytest.mark.parametrize(
    ("program", "line"),
    [
        ("python3", "python3 -W ignore tool.py < a"),
        ("python3", "python3 -S -v tool.py - < a"),
        ("node", "node --require ./b tool.js < a"),
        ("node", "node --test < a"),
        ("perl", "perl -w tool.pl < a"),
        ("ruby", "ruby -S rake < a"),
        ("python3", "python3 src/dev/stdin.py < a"),
    ],
)
def test_a_script_that_reads_the_input_is_covered(program: str, line: str):
    risky = ("allow shell node --require ./b *",)
    assert decide(line, person(f"allow shell {program} *", *risky)) == "allow"


def test_a_rule_that_allows_code_is_not_questioned():
    allowed = person("deny shell rm *", "allow shell python3 -c *")
    assert decide("python3 -c x", allowed) == "allow"
