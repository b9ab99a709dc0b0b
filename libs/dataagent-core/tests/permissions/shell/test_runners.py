"""What a rule forbids is forbidden behind `uv run` and its like too, whatever allows those."""

import pytest
from judging import decide, person

from dataagent_core.permissions.shell.runners import (
    _RUNNERS,  # pyright: ignore[reportPrivateUsage]
)

RULES = person("allow shell **", "deny shell rm *", "ask shell git push *")


@pytest.mark.parametrize("runner", _RUNNERS)
def test_every_runner_of_the_table_starts_nothing_that_is_denied(runner: tuple[str, ...]):
    between = ["box"] * _RUNNERS[runner]
    assert decide(" ".join([*runner, *between, "rm", "-rf", "x"]), RULES) == "deny"
    assert decide(" ".join([*runner, "-q", *between, "--", "/bin/rm", "x"]), RULES) == "deny"


@pytest.mark.parametrize(
    "option", ["-n v", "--name v", "--name=v", "-q", "-n v -q --name v", "-n rm"]
)
def test_an_option_before_the_sub_command_hides_nothing(option: str):
    lines: list[str] = []
    for runner, names_max in _RUNNERS.items():
        program, *sub_command = runner
        behind = [*sub_command, *(["box"] * names_max), "rm", "x"]
        lines.append(" ".join([program, option, *behind]))
        lines.extend(
            " ".join([program, *sub_command[:place], option, *behind[place:]])
            for place in range(1, len(sub_command))
        )
    assert [line for line in lines if decide(line, RULES) != "deny"] == []


@pytest.mark.parametrize("runner", _RUNNERS)
def test_a_text_behind_a_runner_is_read_as_a_script(runner: tuple[str, ...]):
    started = " ".join([*runner, *(["box"] * _RUNNERS[runner])])
    assert decide(f"{started} 'rm x'", RULES) == "deny"
    assert decide(f"{started} 'ls; rm x'", RULES) == "deny"
    assert decide(f"{started} 'ls && git push'", RULES) == "ask"


@pytest.mark.parametrize(
    "line",
    [
        "uv run --with requests rm x",
        "uv --quiet run rm x",
        "uv run bash -c 'rm x'",
        "docker exec -it box sh -c 'ls; rm x'",
        "docker run --rm -v a:b image rm x",
        "kubectl exec -n shop pod -- rm x",
        "npx --yes -- rm x",
        "poetry run env rm x",
        "ssh -p 22 host rm x",
        "jobs -x rm x",
        "toybox rm x",
        "env uv run rm x",
        "uv run uv run rm x",
        "kubectl -n shop exec pod -- rm x",
        "docker --context exec exec box rm x",
        "docker container exec box rm x",
        "docker compose -f a.yml exec web rm x",
        "ssh host ls ';' rm x",
        "ssh -p 22 host cd a '&&' 'rm x'",
        "ssh host 'ls; rm x' -v",
        "hyperfine ls 'rm x'",
        "hyperfine --prepare 'rm x' ls",
        "hyperfine '--prepare=rm x' ls",
        "hyperfine --warmup 3 ls 'echo $(rm x)'",
        "concurrently -n a,b 'npm start' 'ls; rm x'",
        "hyperfine ls rm",
        "hyperfine " + "ls " * 100 + "'rm x'",
        "concurrently 'npm:start' \"bash -c 'rm x'\"",
        "npx -c 'rm x'",
        "npx -c 'rm x' -p a",
        "npx --call='rm x'",
        "npx --call=rm",
        "hyperfine --prepare=rm ls",
        "npm exec -c 'ls && rm x' -y",
        "pnpm -c exec 'rm x'",
        "mise exec node --command 'rm x'",
        "watchexec -e py 'ls; rm x'",
        "watchexec -e py ls '&&' rm x",
        "nodemon --exec 'rm x' a.js",
        "nodemon -x 'rm x'",
        "yarn exec 'rm x'",
        "docker exec -i box sh <<'E'\nrm x\nE",
        "uv run bash <<< 'rm x'",
    ],
)
def test_what_is_denied_is_found_behind_options_and_in_scripts(line: str):
    assert decide(line, RULES) == "deny"


def test_what_is_asked_about_or_cannot_be_known_is_asked_about():
    assert decide("uv run git push", RULES) == "ask"
    assert decide('uv run "$x" y', RULES) == "ask"


@pytest.mark.parametrize(
    "line",
    [
        'uv run sh -c "$x"',
        "uv run sh < a",
        "uv run watch ls",
        "uv run sh -c 'source a'",
        "uv run " + "env " * 300 + "ls",
        'ssh host "$x"',
        'ssh host ls "$x"',
        'hyperfine "$x"',
        "npx -c '$x y'",
    ],
)
def test_a_doubt_behind_a_runner_counts_where_a_rule_holds_commands_back(line: str):
    assert decide(line, person("allow shell **")) == "allow"
    assert decide(line, RULES) == "ask"
    assert decide(line, person("allow shell **", "deny write /kept/**")) == "ask"


@pytest.mark.parametrize(
    "line",
    [
        "uv run sh -c 'echo a > kept/b'",
        "uv run uv run sh -c 'echo a > kept/b'",
        "uv run tee kept/b",
        "ssh host 'echo a >> kept/b'",
        "hyperfine 'ls > kept/b'",
    ],
)
def test_a_file_that_is_written_behind_a_runner_is_judged_by_the_rules_about_it(line: str):
    allowed = "allow shell **"
    assert decide(line, person(allowed)) == "allow"
    assert decide(line, person(allowed, "deny write /other/**")) == "allow"
    assert decide(line, person(allowed, "deny write /kept/**")) == "deny"
    assert decide(line, person(allowed, "ask write /kept/**")) == "ask"


def test_a_folder_that_is_entered_behind_a_runner_may_be_any():
    line = "uv run sh -c 'cd kept; echo a > b'"
    assert decide(line, person("allow shell **", "deny write /kept/**")) == "ask"


def test_a_file_that_is_read_behind_a_runner_is_judged_by_the_rules_about_it():
    line = "uv run sh -c 'wc < kept/b'"
    assert decide(line, person("allow shell **")) == "allow"
    assert decide(line, person("allow shell **", "deny read /kept/**")) == "deny"


@pytest.mark.parametrize(
    "line",
    [
        "uv run pytest",
        "uv run python manage.py rm x",
        "uv run git commit -m 'rm x; done'",
        "npx tsc --noEmit",
        "npx eslint --rule 'semi: [2, never]' .",
        "docker run rm ls",
        "docker run -w . -e 'A=it is (rm)' image ls",
        "docker -l debug ps",
        "kubectl -n shop get pods",
        "ssh host 'ls -la | wc -l'",
        "hyperfine --warmup 3 'ls -la' 'sleep 1'",
        "concurrently -n a,b 'npm start' 'npm test'",
    ],
)
def test_other_programs_stay_allowed(line: str):
    assert decide(line, person("deny shell rm *", "allow shell **")) == "allow"
    program = line.split(maxsplit=1)[0]
    assert decide(line, person("deny shell rm *", f"allow shell {program} *")) == "allow"


def test_what_a_runner_starts_need_not_be_allowed_by_itself():
    assert decide("uv run pytest -x", person("allow shell uv run pytest *")) == "allow"
