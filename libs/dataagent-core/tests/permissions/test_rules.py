"""How operator, person, folder and session are put together."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging import decide, decide_call, person, rule

from dataagent_core.permissions.rules import Rule, RuleSet, is_stricter
from dataagent_core.tools.catalog import FIND_TOOLS, LOAD_TOOLS

ACTIONS = st.sampled_from(["allow", "ask", "deny"])
LINES = st.lists(
    st.tuples(ACTIONS, st.sampled_from(["npm test", "npm *", "**", "rm *"])), max_size=3
)


def rules(
    operator: str = "",
    mine: str = "",
    project: str = "",
    session: str = "",
    *,
    trusted: bool = False,
) -> RuleSet:
    def of(line: str) -> tuple[Rule, ...]:
        return (rule(line),) if line else ()

    return RuleSet(
        operator=of(operator),
        person=of(mine),
        project=of(project),
        session=of(session),
        project_trusted=trusted,
    )


@pytest.mark.requirement("F3-8")
def test_the_last_match_within_a_source_wins():
    assert decide("npm test", person("deny shell npm *", "allow shell npm test")) == "allow"
    assert decide("npm test", person("allow shell npm test", "deny shell npm *")) == "deny"


@pytest.mark.requirement("S2-5.1-permission")
@pytest.mark.parametrize(
    ("found", "decision"),
    [
        (rules(operator="deny shell npm *", mine="allow shell **"), "deny"),
        (rules(operator="deny shell npm *", session="allow shell **"), "deny"),
        (rules(operator="deny shell npm *", project="allow shell **", trusted=True), "deny"),
        (rules(operator="ask shell npm *", mine="allow shell **"), "ask"),
        (rules(operator="allow shell npm *"), "allow"),
        (rules(operator="allow shell npm *", mine="deny shell **"), "deny"),
        (rules(mine="deny shell npm *", session="allow shell **"), "deny"),
        (rules(mine="deny shell npm *", project="allow shell **", trusted=True), "deny"),
        (rules(mine="ask shell npm *", session="allow shell npm *"), "allow"),
        (rules(mine="allow shell npm *", project="ask shell npm *"), "ask"),
        (rules(mine="allow shell npm *", project="deny shell npm *"), "deny"),
        (rules(project="allow shell npm *"), "ask"),
        (rules(project="allow shell npm *", trusted=True), "allow"),
        (rules(mine="ask shell npm *", project="allow shell npm *", trusted=True), "allow"),
        (rules(project="deny shell npm *", session="allow shell npm *"), "deny"),
        (rules(session="allow shell npm *"), "allow"),
        (rules(), "ask"),
    ],
)
def test_sources_are_combined(found: RuleSet, decision: str):
    assert decide("npm test", found) == decision


def made(lines: list[tuple[str, str]], source: str) -> tuple[Rule, ...]:
    return tuple(rule(f"{action} shell {resource}", source) for action, resource in lines)  # type: ignore[arg-type]


@pytest.mark.requirement("F3-8")
@given(LINES, LINES, LINES, LINES, st.booleans())
def test_nobody_overrules_an_operators_deny(
    operator: list[tuple[str, str]],
    mine: list[tuple[str, str]],
    project: list[tuple[str, str]],
    session: list[tuple[str, str]],
    trusted: bool,
):
    denying = made([*operator, ("deny", "npm *")], "operator")
    found = RuleSet(
        operator=denying,
        person=made(mine, "person"),
        project=made(project, "project"),
        session=made(session, "session"),
        project_trusted=trusted,
    )
    assert decide("npm test", found) == "deny"


@pytest.mark.requirement("F3-8")
@given(LINES, LINES, LINES)
def test_an_untrusted_folder_only_tightens(
    operator: list[tuple[str, str]], mine: list[tuple[str, str]], project: list[tuple[str, str]]
):
    without = RuleSet(operator=made(operator, "operator"), person=made(mine, "person"))
    with_it = RuleSet(
        operator=without.operator, person=without.person, project=made(project, "project")
    )
    for line in ("npm test", "rm x", "ls"):
        assert not is_stricter(decide(line, without), decide(line, with_it))


@pytest.mark.parametrize(
    "tool",
    ["read_file", "ls", "glob", "grep", "write_todos", "recall", FIND_TOOLS, LOAD_TOOLS],
)
def test_reading_is_allowed_by_default(tool: str):
    assert decide_call(tool, path="/a") == "allow"


@pytest.mark.parametrize(
    "tool",
    [
        "write_file",
        "edit_file",
        "multi_edit",
        "delete_file",
        "delete",
        "web_search",
        "fetch_url",
        "http_request",
        "web_scrape",
        "task",
        "code_executor",
        "mcp__github__list",
        "unheard_of",
    ],
)
def test_everything_else_asks_by_default(tool: str):
    assert decide_call(tool, file_path="/a") == "ask"


@pytest.mark.parametrize("tool", ["shell", "execute"])
def test_a_shell_call_without_a_command_is_asked(tool: str):
    assert decide_call(tool) == "ask"
    assert decide_call(tool, command=7) == "ask"
