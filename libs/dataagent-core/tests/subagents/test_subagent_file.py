"""A sub-agent's file: that of other tools is read with warnings, ours reads back as written."""

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dataagent_core.errors import FrontMatterError, ValidationError
from dataagent_core.permissions.rules import Rule
from dataagent_core.subagents.built_in_subagents import built_in_subagents
from dataagent_core.subagents.subagent import SubAgent, SubAgentTrigger
from dataagent_core.subagents.subagent_file import parse_subagent, render_subagent
from tests.counts import examples

CLAUDE_CODE = """---
name: Security Reviewer
description: Use this agent after changes. Examples: <example>user: "check my login code"\\nassistant: "..."</example>
tools: Read, Grep, Bash(git diff:*), Bash(git log:*), SlashCommand, mcp__github__search
model: sonnet
color: pink
permissionMode: plan
---

You check code.
"""

OPENCODE = """---
description: Reviews code
mode: primary
model: anthropic/claude-sonnet-5-5
temperature: 0.1
top_p: 0.9
steps: 25
tools:
  write: false
  edit: false
permission:
  edit: deny
  bash:
    "*": ask
    "git diff": allow
  webfetch: maybe
disable: true
---
You review.
"""


def test_a_file_of_claude_code_is_read_with_warnings():
    found = parse_subagent(CLAUDE_CODE, "sec")
    assert (found.name, found.model, found.color) == ("security-reviewer", "inherit", "red")
    assert found.allowed_tools == (
        "read_file",
        "grep",
        "shell",
        "SlashCommand",
        "mcp__github__search",
    )
    assert found.rules == (
        Rule("shell", "**", "deny", "installation"),
        Rule("shell", "git diff *", "allow", "installation"),
        Rule("shell", "git log *", "allow", "installation"),
    )
    assert found.trigger.examples == ("check my login code",)
    assert found.system_prompt == "You check code."
    told = " ".join(found.warnings)
    for part in (
        "'Read', which is read as read_file",
        "'SlashCommand'",
        "'sonnet'",
        "line 7, column 1: 'permissionMode' leaves out",
        "'security-reviewer'",
    ):
        assert part in told
    assert "mcp__github__search" not in told


def test_a_file_of_opencode_is_read_with_warnings():
    found = parse_subagent(OPENCODE, "review")
    assert (found.name, found.model) == ("review", "anthropic:claude-sonnet-5-5")
    assert (found.temperature, found.top_p, found.max_iterations) == (0.1, 0.9, 25)
    assert not found.enabled
    assert found.allowed_tools is None
    rules = [(rule.tool, rule.resource, rule.action) for rule in found.rules]
    assert rules == [
        ("write_file", "**", "deny"),
        ("edit_file", "**", "deny"),
        ("multi_edit", "**", "deny"),
        ("write", "**", "deny"),
        ("shell", "**", "ask"),
        ("shell", "git diff", "allow"),
        ("fetch_url", "**", "deny"),
    ]
    told = " ".join(found.warnings)
    assert "'primary'" in told
    assert "'maybe' of 'webfetch'; deny is used" in told


def test_only_some_tools_can_be_switched_on():
    text = '---\ndescription: d\ntools: {"*": false, read: true, bash: false}\n---\np'
    assert parse_subagent(text, "a").allowed_tools == ("read_file",)


@pytest.mark.parametrize(
    ("field", "allowed", "denied"),
    [
        ("tools: 7", (), []),
        ("tools: [Read, 7]", ("read_file",), []),
        ("tools: {bash: 'no', read: true}", None, ["shell"]),
        ("tools: {'*': 'no', read: true}", ("read_file",), []),
        ("disallowedTools: {Bash: true}", None, ["shell"]),
        ("disallowedTools: 7", None, ["*"]),
        ("disallowedTools: [Bash, 7]", None, ["shell", "*"]),
        ("permission: 7", None, ["*"]),
        ("permission: {bash: never}", None, ["shell"]),
    ],
)
def test_a_limit_that_cannot_be_read_is_the_strictest(
    field: str, allowed: tuple[str, ...] | None, denied: list[str]
):
    found = parse_subagent(f"---\nname: a\ndescription: d\n{field}\n---\np", "a")
    assert found.allowed_tools == allowed
    assert [rule.tool for rule in found.rules if rule.action == "deny"] == denied
    assert any(warning.startswith("line 4, column 1: ") for warning in found.warnings)


@pytest.mark.parametrize(
    ("fields", "allowed", "denied"),
    [
        ("tools: [Read]\nallowed-tools: '*'", (), []),
        ("tools: [Read]\nallowed_tools: [Read]", ("read_file",), []),
        ("tools: Read, Grep\nallowed-tools: [Grep, Read]", ("read_file", "grep"), []),
        ("disallowedTools: [Bash]\ndisallowed_tools: [Grep]", None, ["shell", "grep"]),
    ],
)
def test_two_spellings_of_a_limit_never_allow_more_than_one_of_them(
    fields: str, allowed: tuple[str, ...] | None, denied: list[str]
):
    found = parse_subagent(f"---\nname: a\ndescription: d\n{fields}\n---\np", "a")
    assert found.allowed_tools == allowed
    assert [rule.tool for rule in found.rules if rule.action == "deny"] == denied
    both = "---\nname: a\ndescription: d\nskills: [x]\nallowed_skills: [y]\nmcp_servers: z\n"
    found = parse_subagent(f"{both}mcpServers: [w]\nenabled: true\ndisable: true\n---\np", "a")
    assert (found.allowed_skills, found.allowed_mcp_servers, found.enabled) == ((), (), False)
    assert sum("mean the same and differ" in warning for warning in found.warnings) == 2


def test_a_key_that_is_twice_in_a_field_of_another_tool_is_a_warning():
    head = "---\ndescription: d\nfoo: 1\nfoo: 2\nhooks: {matcher: A, matcher: B}\n---\np"
    warnings = parse_subagent(head, "a").warnings
    assert [text for text in warnings if "is given twice" in text] == [
        "line 4, column 1: 'foo' is given twice; the last one counts.",
        "line 5, column 1: 'matcher' is given twice; the last one counts.",
    ]


def test_two_spellings_of_another_field_are_a_warning():
    found = parse_subagent("---\ndescription: d\nmax_turns: 3\nsteps: 4\n---\np", "a")
    assert found.max_iterations == 3
    (warning,) = found.warnings
    assert (
        warning
        == "line 4, column 1: 'steps' means the same as 'max_turns'; only 'max_turns' counts."
    )


def test_what_is_wrong_inside_of_trigger_is_a_warning_too():
    head = "---\ndescription: d\ntrigger:"
    for value, part in (
        (" 7", "'trigger' must hold fields"),
        ("\n  color: red", "'color' means nothing here"),
        ("\n  keywords: {a: b}", "'keywords' must be a list of texts"),
    ):
        (warning,) = parse_subagent(f"{head}{value}\n---\np", "a").warnings
        assert warning.startswith("line 3, column 1: "), warning
        assert part in warning
    (warning,) = parse_subagent("---\ndescription: d\nexamples: {a: 1}\n---\np", "a").warnings
    assert "line 3, column 1: 'examples' must be a list of texts" in warning
    inner = "---\ntrigger: {description: d, examples: [e], keywords: [k]}\n---\np"
    found = parse_subagent(inner, "a")
    assert found.trigger == SubAgentTrigger(description="d", examples=("e",), keywords=("k",))
    assert found.warnings == ()


@pytest.mark.parametrize("field", ["readonly: true", "readonly: maybe", "permissionMode: plan"])
def test_one_that_only_reads_has_no_tool_that_changes_something(field: str):
    head = f"---\nname: a\ndescription: d\n{field}\n"
    whole = parse_subagent(f"{head}---\np", "a").allowed_tools or ()
    assert {"read_file", "grep", "sql_query"} <= set(whole)
    assert not {"write_file", "shell", "http_request"} & set(whole)
    listed = "tools: [Read, Bash, Edit, mcp__site__search]"
    found = parse_subagent(f"{head}{listed}\n---\np", "a")
    assert found.allowed_tools == ("read_file", "mcp__site__search")
    assert any(
        "leaves out the tools that change something" in warning for warning in found.warnings
    )
    off = parse_subagent("---\nname: a\ndescription: d\nreadonly: false\n---\np", "a")
    assert off.allowed_tools is None


def test_a_list_of_skills_or_servers_that_cannot_be_read_allows_none():
    found = parse_subagent("---\nname: a\ndescription: d\nskills: 7\nmcp_servers: 7\n---\np", "a")
    assert (found.allowed_skills, found.allowed_mcp_servers) == ((), ())


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("You review.", 1, "does not begin"),
        ("---\nname: a\ndescription: [b\n---\np", 3, "YAML"),
        ("---\nname: a\n---\n\n", 4, "no prompt"),
        ("---\nname: 审查\n---\np", 2, "small letters"),
        ("---\nname: a\ntools: [Read]\ntools: '*'\n---\np", 4, "has the key 'tools' twice"),
        (
            "---\nname: a\npermission: {bash: deny, bash: allow}\n---\np",
            3,
            "has the key 'bash' twice",
        ),
        ("---\nname: a\nrules: [{action: maybe, tool: shell}]\n---\np", 3, "allow, ask or deny"),
    ],
)
def test_a_broken_file_says_where(text: str, line: int, part: str):
    with pytest.raises(FrontMatterError, match=part) as raised:
        parse_subagent(text, "审")
    assert raised.value.line == line


def test_wrong_values_are_passed_over_with_their_line():
    text = (
        "---\nname: a\ntemperature: hot\nmax_tokens: 0\nmax_iterations: 2.5\nhidden: maybe\n"
        "color: mauve\ntools: 7\nkeywords: {a: b}\n---\nDo it.\nmore"
    )
    found = parse_subagent(text, "a")
    assert (found.temperature, found.max_tokens, found.max_iterations) == (0.7, 4096, 10)
    assert (found.hidden, found.color, found.allowed_tools) == (False, "blue", ())
    assert found.trigger == SubAgentTrigger(description="Do it.")
    assert [" ".join(warning.split()[:5]) for warning in sorted(found.warnings)] == [
        "'description' is missing; the first",
        "line 3, column 1: 'temperature'",
        "line 4, column 1: 'max_tokens'",
        "line 5, column 1: 'max_iterations'",
        "line 6, column 1: 'hidden'",
        "line 7, column 1: 'color'",
        "line 8, column 1: 'tools'",
        "line 9, column 1: 'keywords'",
    ]
    said = " ".join(found.warnings)
    for value in ("'hot'", "'0'", "2.5", "'maybe'", "'mauve'", "'7'"):
        assert value in said


@pytest.mark.parametrize(
    ("field", "warning"),
    [
        ("version: 2026-13-45", "line 3, column 10: '2026-13-45' is no timestamp"),
        ("temperature: !!float warm", "line 3, column 14: 'warm' is no float"),
        ("hidden: !!bool maybe", "line 3, column 9: 'maybe' is no bool"),
        ("keywords: [a,\n  2026-02-30]", "line 4, column 3: '2026-02-30' is no timestamp"),
        ("tools: !!int read_file", "line 3, column 8: 'read_file' is no int"),
        ("extra: !!timestamp x", "line 3, column 8: 'x' is no timestamp"),
        ("extra: !!binary é", "line 3, column 8: 'é' is no binary"),
        ("tools: {a: b}", "line 3, column 1: 'tools' sets 'a' to neither true nor false"),
    ],
)
def test_a_value_of_another_type_is_a_warning_with_its_place(field: str, warning: str):
    found = parse_subagent(f"---\ndescription: d\n{field}\n---\np", "a")
    assert [text for text in found.warnings if text.startswith(warning)], found.warnings


def plain(min_size: int = 1) -> st.SearchStrategy[str]:
    # A file with NUL is refused: a database cannot store it.
    letters = st.characters(exclude_categories=["Cs"], exclude_characters="\r\ufeff\0")
    return st.text(letters, min_size=min_size, max_size=40).map(str.strip).filter(bool)


names = st.from_regex(r"[a-z0-9]{1,6}(-[a-z0-9]{1,6}){0,2}", fullmatch=True)
name_lists = st.none() | st.lists(names, unique=True, max_size=4).map(tuple)
rules = st.builds(
    Rule,
    st.sampled_from(["shell", "write", "mcp__*"]),
    st.sampled_from(["**", "git *", "/src/**"]),
    st.sampled_from(["allow", "ask", "deny"]),
    st.just("installation"),
)
subagents = st.builds(
    SubAgent,
    id=st.just(""),
    name=names,
    display_name=plain() | st.just(""),
    trigger=st.builds(
        SubAgentTrigger,
        description=plain(),
        examples=st.lists(plain(), max_size=3).map(tuple),
        keywords=st.lists(plain(), max_size=3).map(tuple),
    ),
    system_prompt=plain(),
    model=st.sampled_from(["inherit", "openai:gpt-5.5", "ollama:qwen3:8b"]),
    color=st.sampled_from(["blue", "teal", "gray"]),
    allowed_tools=st.none() | st.just(()) | st.just(("read_file", "shell", "mcp__a__b")),
    allowed_skills=name_lists,
    allowed_mcp_servers=name_lists,
    rules=st.lists(rules, max_size=3).map(tuple),
    requires_tools=st.just(()) | st.just(("shell",)),
    max_tokens=st.integers(1, 10_000),
    temperature=st.floats(0, 2),
    top_p=st.none() | st.floats(0, 1),
    max_iterations=st.integers(1, 100),
    hidden=st.booleans(),
    enabled=st.booleans(),
    version=st.sampled_from(["1.0.0", "2", "1.10", "2024-01-01", "yes"]),
)


@pytest.mark.requirement("S2-9.1")
@given(subagents)
@example(
    SubAgent(
        id="",
        name="a",
        trigger=SubAgentTrigger(description="b\x85c\u2028d\ne"),
        system_prompt="p",
    )
)
@settings(max_examples=examples(100))
def test_what_is_written_reads_back_the_same(subagent: SubAgent):
    text = render_subagent(subagent)
    assert parse_subagent(text, "other") == replace(subagent, id=subagent.name)


@pytest.mark.requirement("S2-9.2")
def test_the_built_in_ones_are_five_files_like_those_of_people():
    found = {one.name: one for one in built_in_subagents()}
    assert sorted(found) == [
        "code-reviewer",
        "coder-agent",
        "memory-explorer",
        "operator-agent",
        "web-researcher",
    ]
    for one in found.values():
        assert one.is_built_in
        assert one.requires_tools
        assert len(one.trigger.examples) >= 6
        assert any(not word.isascii() for word in one.trigger.keywords)
        copied = parse_subagent(render_subagent(one), "copy")
        assert copied.system_prompt == one.system_prompt
        assert [w for w in copied.warnings if "memory" not in w and "graph" not in w] == []


@pytest.mark.parametrize(
    ("name", "description", "prompt"),
    [("Big Name", "d", "p"), ("a", " ", "p"), ("a", "d", "\n"), ("a", "d" * 5_000, "p")],
)
def test_nothing_is_written_that_could_not_be_chosen(name: str, description: str, prompt: str):
    trigger = SubAgentTrigger(description=description)
    with pytest.raises(ValidationError):
        render_subagent(SubAgent(id="x", name=name, trigger=trigger, system_prompt=prompt))
