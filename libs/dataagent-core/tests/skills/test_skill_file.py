"""SKILL.md is read leniently, with a place for every problem, and written as the standard has it."""

import dataclasses
import json

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from skills_ref import validate

from dataagent_core.config.limits.skills import SKILL_FILE_BYTES_MAX
from dataagent_core.errors import FrontMatterError, ValidationError
from dataagent_core.language.chinese import in_chinese
from dataagent_core.skills import (
    Skill,
    SkillTrigger,
    TriggerPattern,
    check_skill,
    parse_skill,
    render_skill,
)
from dataagent_core.skills.offer.skill_text import describe_skill
from dataagent_core.skills.skill_fields import OWN_FIELDS
from tests.counts import examples

# Appendix D.3.1 of S2 with all of its own fields at the top, as a person of another tool writes it.
LENIENT = """\ufeff---\r
name: pdf-processing\r
description: |\r
  Process PDF documents.\r
  Use when user asks to "analyze PDF".\r
license: MIT\r
compatibility:\r
  - claude-3-opus\r
  - claude-3-sonnet\r
allowed-tools:\r
  - Bash(git:*)\r
  - Read\r
  - Teleport\r
version: 1.10\r
triggers:\r
  - 解析 PDF\r
  - extract from document\r
trigger-patterns: [{pattern: /pdf\\b/, weight: 2}, scan]\r
always_offered: yes\r
model: opus\r
metadata:\r
  author: team@example.com\r
  tags: a, b\r
  requires_tools: '["memory_search"]'\r
---\r
\r
# PDF\r
\r
See [the guide](references/GUIDE.md).\r
"""


def texts(max_size: int = 60):
    letters = st.characters(exclude_categories=["Cs"], exclude_characters="\0\r")
    return st.text(letters, max_size=max_size).map(lambda text: text.strip())


def words(max_size: int = 30):
    return texts(max_size).filter(bool)


NAMES = st.from_regex(r"[a-z0-9]{1,9}(-[a-z0-9]{1,9}){0,3}", fullmatch=True)
DESCRIPTIONS = words(200).map(lambda text: text.replace("<", "(").replace(">", ")"))
TOOL_NAMES = st.lists(
    st.one_of(st.sampled_from(["shell", "grep", "mcp__a__b"]), st.just("Odd(a b, c)")),
    unique=True,
    max_size=3,
).map(tuple)
PATTERNS = st.builds(
    TriggerPattern,
    pattern=words().filter(lambda text: not text.startswith("/")),
    weight=st.floats(0.001, 10),
)
SKILLS = st.builds(
    Skill,
    id=st.just(""),
    name=NAMES,
    description=DESCRIPTIONS,
    content=texts(200),
    license=st.none() | words(),
    compatibility=st.none() | words(),
    metadata=st.dictionaries(
        words().filter(lambda key: key.replace("-", "_") not in OWN_FIELDS), texts(), max_size=3
    ),
    allowed_tools=st.none() | TOOL_NAMES,
    display_name=texts(),
    summary=texts(),
    category=words(),
    tags=st.lists(words(), unique=True, max_size=3).map(tuple),
    trigger=st.builds(
        SkillTrigger,
        type=st.sampled_from(["keyword", "semantic", "hybrid"]),
        phrases=st.lists(words(), unique=True, max_size=3).map(tuple),
        patterns=st.lists(PATTERNS, unique=True, max_size=3).map(tuple),
    ),
    version=st.from_regex(r"[0-9]{1,2}\.[0-9]{1,2}(\.[0-9]{1,2})?", fullmatch=True),
    status=st.sampled_from(["active", "disabled", "deprecated"]),
    tools=st.lists(st.sampled_from(["shell", "grep", "mcp__a__b", "Odd"]), max_size=3).map(tuple),
    always_offered=st.booleans(),
    requires_tools=TOOL_NAMES,
).map(lambda skill: dataclasses.replace(skill, id=skill.name))


@settings(max_examples=examples(200), deadline=None)
@given(skill=SKILLS)
def test_what_is_written_is_read_as_the_same_and_passes_the_standards_validator(
    tmp_path_factory: pytest.TempPathFactory, skill: Skill
):
    text = render_skill(skill)
    assert parse_skill(text)[0] == skill
    assert parse_skill(text.encode(), folder_name=skill.name)[0] == skill
    folder = tmp_path_factory.mktemp("skills") / skill.name
    folder.mkdir()
    (folder / "SKILL.md").write_text(text, encoding="utf-8", newline="\n")
    assert validate(folder) == []


@pytest.mark.requirement("S2-8.2")
@pytest.mark.requirement("S2-D.3.3")
@pytest.mark.requirement("S2-D.3.1")
def test_a_file_of_another_tool_is_read_with_its_fields_wherever_they_stand():
    skill, problems = parse_skill(LENIENT, folder_name="pdf-processing")
    assert skill.description == 'Process PDF documents.\nUse when user asks to "analyze PDF".'
    assert skill.license == "MIT"
    assert skill.compatibility == "claude-3-opus, claude-3-sonnet"
    assert skill.allowed_tools == ("shell(git *)", "read_file", "Teleport")
    assert skill.version == "1.10"
    assert skill.trigger == SkillTrigger(
        phrases=("解析 PDF", "extract from document"),
        patterns=(TriggerPattern(pattern=r"/pdf\b/", weight=2.0), TriggerPattern(pattern="scan")),
    )
    assert skill.always_offered
    assert skill.tags == ("a", "b")
    assert skill.requires_tools == ("memory_search",)
    assert skill.metadata == {"author": "team@example.com", "model": "opus"}
    assert skill.content.startswith("# PDF\n\nSee")
    assert all(problem.is_warning for problem in problems)
    assert {(problem.field, problem.line) for problem in problems} == {
        ("allowed-tools", 10),
        ("model", 20),
    }


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("Bash(npx a:*) Bash(b, c), Read", ("shell(npx a *)", "shell(b, c)", "read_file")),
        ("Write,Edit,MultiEdit WebFetch", ("write_file", "edit_file", "multi_edit", "fetch_url")),
        ("read mcp__git__*", ("read", "mcp__git__*")),
        ("Grep Glob LS TodoWrite Task", ("grep", "glob", "ls", "write_todos", "task")),
        # With the commas of Chinese, too.
        (
            "Read、Bash(a, b)\uff0cGrep; Glob\uff1bLS",
            ("read_file", "shell(a, b)", "grep", "glob", "ls"),
        ),
        ("\"[Read, 'Bash']\"", ("read_file", "shell")),
        ('"[Read, Bash"', ("read_file", "shell")),
        ("[]", ()),
        ('""', ()),
        ("", None),
    ],
)
def test_tools_of_others_are_read_under_our_names(written: str, names: tuple[str, ...] | None):
    text = f"---\nname: a\ndescription: b\nallowed-tools: {written}\n---\nc"
    assert parse_skill(text)[0].allowed_tools == names


@pytest.mark.parametrize("key", ["allowed_tools", "allowedTools", "Allowed-Tools", "ALLOWED TOOLS"])
def test_a_list_of_allowed_tools_narrows_however_its_key_is_spelled(key: str):
    skill, problems = parse_skill(f"---\nname: a\ndescription: b\n{key}: Read Odd\n---\nc")
    assert skill.allowed_tools == ("read_file", "Odd")
    assert {(one.line, one.is_warning) for one in problems} == {(4, True)}


def test_allowed_tools_inside_metadata_or_written_twice_are_warnings():
    written = "allowedTools: Bash\nallowed-tools: Read\nmetadata:\n  allowed-tools: Bash"
    skill, problems = parse_skill(front(f"description: b\n{written}"))
    assert skill.allowed_tools == ("read_file",)
    assert {(one.line, one.message) for one in problems} == {
        (4, "'allowedTools' is another spelling of 'allowed-tools', which counts."),
        (6, "'allowed-tools' has no effect inside `metadata`. Write it at the top."),
    }


def test_a_template_written_as_yaml_is_the_one_written_as_json():
    template = {
        "kind": "conditional",
        "inputs": {"n": {"type": "integer"}},
        "steps": [
            {"args": {"limit": 5, "deep": True, "name": "5"}},
            {"args": {}, "when": {"left": "{{1.count}}", "op": "greater", "to": 2.5}},
        ],
    }
    as_json = json.dumps(template)
    written = "\n".join(f"  {line}" for line in yaml.safe_dump(template).splitlines())
    read = [
        parse_skill(front(f"tools: ls grep\n{head}"))[0].metadata["execution_template"]
        for head in (f"execution_template: '{as_json}'", f"execution_template:\n{written}")
    ]
    assert json.loads(read[0]) == json.loads(read[1]) == template


def test_a_tool_may_be_two_steps_of_a_skill():
    skill, problems = parse_skill(front("description: b\ntools: Read Edit Bash(git:*) Read"))
    assert skill.tools == ("read_file", "edit_file", "shell", "read_file")
    assert problems == []


@pytest.mark.parametrize(
    ("written", "why"),
    [
        ("tools: ls ls ls ls ls ls", "it has 6 tools, and may have 1 to 5"),
        ("tools: ls\nexecution_template: '{oops'", "`execution_template` of the skill 'a' is not"),
        ("tools: ls\nexecution_template: '{\"kind\": 1}'", "execution_template, the whole"),
        ("tools: ls\nfallback_alternatives: '{\"ls\": 5}'", "'ls' needs a list of at most 3"),
        ("tools: ls\nfallback_alternatives: '{\"ls\": [5]}'", "'ls' needs a list of at most 3"),
    ],
)
def test_steps_that_cannot_run_are_a_warning(written: str, why: str):
    skill, problems = parse_skill(front(f"description: b\n{written}"))
    (problem,) = [one for one in problems if one.field == "tools"]
    assert (problem.is_warning, problem.line) == (True, 4)
    assert why in problem.message
    assert "只有正文有效" in in_chinese(problem.message)
    assert "steps of its own" not in describe_skill(skill, "none", [])


def front(lines: str) -> str:
    return f"---\nname: a\n{lines}\n---\nbody"


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("# Title\n", (1, 1), "does not begin with a line ---"),
        ("\n\n---\nname: a\n", (5, 1), "no second line ---"),
        (front("description: [a"), (3, 16), "cannot be read as YAML"),
        (front('description: "a\nx: b'), (4, 5), "in the value from line 3 on. Close its quotes"),
        (front("tags:\n  - a\n b"), (5, 2), "cannot be read as YAML"),
        (front("x: &a [1]\ny: [*a]"), (4, 5), "uses YAML aliases"),
        (front(f"x: {'[' * 40}1{']' * 40}"), (3, 33), "nested more than 30"),
        (front("description: b\nname: c"), (4, 1), "has the key 'name' twice"),
        (front("metadata:\n  k: 1\n  k: 2"), (5, 3), "has the key 'k' twice"),
        (front("x: \x07"), (3, 4), "YAML does not allow"),
        (front('x:\n  y: ["a\\0"]'), (4, 7), "the character NUL"),
        (front('x: "a\\U00110000"'), (3, 8), "does not exist"),
        (front('x: "a\\UFFFFFFFF"'), (3, 8), "does not exist"),
        ("---\n- a\n---\n", (2, 1), "holds no fields"),
        ("x" * (SKILL_FILE_BYTES_MAX + 1), (None, None), "256,001 bytes"),
        ("---\nname: a\n---\nx\0", (4, 2), "NUL"),
        ("---\nname: \u00e9\xff---".encode("latin-1"), (2, 7), "0xe9"),
        ("---\nname: é".encode("utf-16"), (1, 1), "not UTF-8"),
    ],
)
def test_broken_front_matter_is_an_error_with_line_and_column(
    text: str | bytes, place: tuple[int | None, int | None], words: str
):
    with pytest.raises(FrontMatterError) as raised:
        parse_skill(text)
    assert (raised.value.line, raised.value.column) == place
    assert words in str(raised.value)


def test_a_colon_without_quotes_is_read_with_a_warning():
    skill, problems = parse_skill(front("description: Use when: it's late: always"))
    assert skill.description == "Use when: it's late: always"
    assert [(one.field, one.line, one.is_warning) for one in problems] == [("description", 3, True)]


@pytest.mark.requirement("S2-D.3.2")
@pytest.mark.parametrize("name", ["A", "a_b", "-a", "a-", "a--b", "é", "a" * 65, "a b", "../a"])
def test_a_name_is_1_to_64_of_lower_case_letters_digits_and_single_hyphens(name: str):
    skill = Skill(id=name, name=name, description="b", content="c")
    assert [problem.field for problem in check_skill(skill)] == ["name"]
    assert not check_skill(skill)[0].is_warning
    with pytest.raises(ValidationError, match="not one of a skill"):
        render_skill(skill)


@pytest.mark.requirement("S2-D.3.2")
def test_a_description_has_1_to_1024_characters_and_no_angle_brackets():
    base = Skill(id="a", name="a", description="b", content="c")
    wrong = {
        text: [(one.is_warning, one.field) for one in problems]
        for text in ("", "b" * 1_025, "a <b>", "b" * 1_024)
        if (problems := check_skill(dataclasses.replace(base, description=text), strict=True))
    }
    assert wrong == {text: [(False, "description")] for text in ("", "b" * 1_025, "a <b>")}
    # Files of others with them are read all the same.
    assert [one.is_warning for one in check_skill(dataclasses.replace(base, description="<"))] == [
        True
    ]


def test_a_skill_without_name_and_description_says_both():
    _, problems = parse_skill("---\nlicense: MIT\n---\nbody", folder_name="a")
    assert [(one.field, one.is_warning) for one in problems] == [
        ("name", False),
        ("description", False),
    ]


def test_a_name_that_is_not_its_folders_says_the_way_out():
    _, problems = parse_skill("---\nname: a\ndescription: b\n---\nc", folder_name="b")
    assert [(one.line, one.is_warning) for one in problems] == [(2, False)]
    assert "Rename the folder" in problems[0].message


@pytest.mark.requirement("S2-D.3.4")
def test_more_than_500_lines_and_deep_references_are_warnings():
    links = "[a](references/deep/a.md) [b](./references/b.md) [c](https://x/references/d/e)"
    text = f"---\nname: a\ndescription: b\n---\n{links}" + "\nx" * 496
    _, problems = parse_skill(text)
    assert [one.is_warning for one in problems] == [True, True]
    assert "501 lines" in problems[0].message
    assert "'references/deep/a.md'" in problems[1].message


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ({"pattern": "/(/"}, "cannot be used"),
        ({"pattern": "a" * 501}, "501 characters"),
        ({"pattern": "a", "weight": 0}, "above 0"),
        ({"pattern": "a", "weight": 11}, "at most 10"),
    ],
)
def test_a_trigger_pattern_that_cannot_be_used_is_an_error(pattern: object, words: str):
    patterns = json.dumps([pattern])
    _, problems = parse_skill(front(f"description: b\nmetadata:\n  trigger_patterns: '{patterns}'"))
    assert [(one.is_warning, one.line) for one in problems] == [(False, 5)]
    assert words in problems[0].message


def test_patterns_that_are_slow_together_are_one_error():
    patterns = json.dumps([f"/x{n}[ab]{{900}}/" for n in range(9)])
    _, problems = parse_skill(front(f"description: b\ntrigger_patterns: '{patterns}'"))
    assert [(one.is_warning, one.line) for one in problems] == [(False, 4)]
    assert "more than 3,000 steps together" in problems[0].message


def test_values_that_cannot_be_read_are_left_at_their_defaults_with_a_warning():
    skill, problems = parse_skill(
        front(
            "description: b\nstatus: odd\ntrigger_type: odd\nalways_offered: perhaps\n"
            "summary: {a: b}\ntags: '[1'\ntrigger_patterns: [{weight: 1}, {pattern: a, weight: x}]"
        )
    )
    assert skill == dataclasses.replace(
        parse_skill(front("description: b"))[0],
        trigger=SkillTrigger(patterns=(TriggerPattern(pattern="a"),)),
    )
    assert all(one.is_warning and one.line for one in problems)
    assert {one.field for one in problems} == {
        "status",
        "trigger_type",
        "always_offered",
        "summary",
        "tags",
        "trigger_patterns",
    }


def test_no_field_holds_what_no_database_and_no_answer_can_hold():
    escaped = front(
        'description: "\\ud83d\\ude00 \\ud800"\n'
        "metadata:\n"
        "  tags: '[\"\\u0000\"]'\n"
        "  triggers: '[[\"\\ud800\"]]'\n"
        "  trigger_patterns: '[{\"\\udfff\": 1}]'"
    )
    skill, problems = parse_skill(escaped)
    assert skill.description == "\U0001f600 \ufffd"
    assert (skill.tags, skill.trigger) == ((), SkillTrigger(phrases=('["\ufffd"]',)))
    assert {problem.field for problem in problems} == {"tags", "trigger_patterns"}


def test_a_skill_that_is_switched_off_in_capitals_is_off():
    skill, problems = parse_skill(front("description: b\nstatus: Disabled\ntrigger_type: Keyword"))
    assert (skill.status, skill.trigger.type) == ("disabled", "keyword")
    assert "status" not in {one.field for one in problems}


@settings(max_examples=examples(300), deadline=None)
@given(text=st.text(st.sampled_from("-\n:[]{}'\"#&*!|>?, ab\t\r\ufeff%@`"), max_size=80))
def test_any_text_is_read_or_refused_with_a_place(text: str):
    place: tuple[int | None, int | None] = (1, 1)
    try:
        parse_skill(f"---\n{text}\n---\n")
    except FrontMatterError as error:
        place = (error.line, error.column)
    assert 1 <= (place[0] or 0) <= text.count("\n") + text.count("\r") + 4
    assert (place[1] or 0) >= 1


@pytest.mark.parametrize("field", ["allowed-tools", "tools", "requires_tools"])
def test_a_tool_name_of_any_length_is_refused(field: str):
    text = f"---\nname: a\ndescription: b\n{field}: [{'x' * 501}]\n---\nc\n"
    _, problems = parse_skill(text)
    errors = [one.message for one in problems if not one.is_warning]
    assert [f"`{field}` has 501 characters, 500" in one for one in errors] == [True]


@pytest.mark.parametrize(
    ("pattern", "sample"),
    [
        (r"/(报警|50\d)/", "1500"),
        (r"/oom/", "nmoomop"),
        (r"/k8s|kubernetes/", "8rk8sk8"),
        (r"/20\d\d-/", "2026-01-31 14:05"),
        (r"/.*/", "hello"),
        ("hello", "hello"),
    ],
)
def test_a_pattern_that_fires_on_a_message_without_meaning_is_a_warning(pattern: str, sample: str):
    trigger = SkillTrigger(patterns=(TriggerPattern(pattern=pattern),))
    skill = Skill(id="a", name="a", description="b", content="c", trigger=trigger)
    (problem,) = check_skill(skill, strict=True)
    assert (problem.is_warning, problem.field) == (True, "trigger_patterns")
    assert f"fires on {sample!r}, which says nothing" in problem.message
    assert "毫无含义" in in_chinese(problem.message)


@pytest.mark.parametrize(
    "pattern", [r"/\boom\b/", r"/\bPR\s*#\d+/", "pr", "/部署|上线/", "/deploy/"]
)
def test_a_pattern_with_words_or_boundaries_is_no_problem(pattern: str):
    trigger = SkillTrigger(patterns=(TriggerPattern(pattern=pattern),))
    assert check_skill(Skill(id="a", name="a", description="b", content="c", trigger=trigger)) == []
