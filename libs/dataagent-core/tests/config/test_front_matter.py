"""YAML between two lines `---`: read leniently, and where it is broken with line and column."""

from contextlib import suppress

import pytest

from dataagent_core.config.files.front_matter import read_front_matter
from dataagent_core.errors import FrontMatterError


def read(text: str):
    return read_front_matter(text, "x.md", 1_000)


def test_fields_and_text_are_told_apart():
    found = read("---\nname: a\ntags: [x, y]\n---\n\n# Body\n---\nmore\n")
    assert found.fields == {"name": "a", "tags": ["x", "y"]}
    assert found.places == {"name": (2, 1), "tags": (3, 1)}
    assert (found.body, found.body_line) == ("# Body\n---\nmore", 5)


def test_a_mark_windows_lines_and_blank_lines_do_no_harm():
    found = read("\ufeff\r\n---\r\nname: a\r\n---\r\nbody\r\n")
    assert (found.fields, found.body, found.places) == ({"name": "a"}, "body", {"name": (3, 1)})


def test_a_value_with_a_colon_is_read_as_text():
    found = read(
        '---\nname: a\ndescription: Use it. Examples: <example>user: "hi"\\nok</example>\n---\nb'
    )
    assert found.fields["description"] == 'Use it. Examples: <example>user: "hi"\nok</example>'
    assert len(found.repaired) == 1


def test_questions_in_a_list_are_texts_as_yaml_has_it():
    found = read("---\nname: a\nexamples: [Is this join right?, 对吗?, what's \\d, 7]\n---\nb")
    assert found.fields["examples"] == ["Is this join right?", "对吗?", "what's \\d", 7]
    assert found.repaired == ()
    both = read("---\nabout: Use it: now\nexamples: [really?]\n---\nb")
    assert both.fields == {"about": "Use it: now", "examples": ["really?"]}
    assert len(both.repaired) == 1
    with pytest.raises(FrontMatterError) as caught:
        read('---\nname: a\nexamples: ["quoted", not quoted?]\n---\nb')
    assert caught.value.line == 3


def test_a_value_without_quotes_that_goes_on_in_the_next_line_is_read_whole():
    found = read("---\nname: a\nabout: Use when: x\n  and y: z\n\ntags: [b]\n---\nc")
    assert found.fields == {"name": "a", "about": "Use when: x and y: z", "tags": ["b"]}
    assert found.repaired == ("about",)
    assert (found.places["tags"].line, found.body_line) == (6, 8)
    # What is well-formed below it stays as it is.
    found = read("---\nabout: Use it: now\nmeta:\n  k: v\n  l: w\n---\nc")
    assert found.fields == {"about": "Use it: now", "meta": {"k": "v", "l": "w"}}


def test_a_tag_that_nobody_defined_is_text():
    found = read("---\nabout: !important do it\nlist: [!a b, !!str 5]\nempty: !x\n---\nc")
    assert found.fields == {"about": "!important do it", "list": ["!a b", "5"], "empty": "!x"}


def test_numbers_stay_numbers_where_the_file_is_read_as_text_but_for_some_keys():
    text = "---\nn: 5\nm:\n  t: {a: 5, b: [1.5, true, '7', 1e999, .nan, 0x1F, yes, ~]}\n---\nc"
    found = read_front_matter(text, "x.md", 10_000, as_text=True, typed=["t"])
    t = {"a": 5, "b": [1.5, True, "7", "1e999", ".nan", "0x1F", "yes", None]}
    assert found.fields == {"n": "5", "m": {"t": t}}


def test_more_values_than_anybody_writes_are_refused_at_once():
    text = f"---\nx: [{','.join('a' * 6_000)}]\n---\nc"
    with pytest.raises(FrontMatterError, match="more than 5,000 keys and values") as caught:
        read_front_matter(text, "x.md", 100_000)
    assert caught.value.line == 2


@pytest.mark.parametrize(
    ("head", "key", "field", "line", "column"),
    [
        ("name: a\nname: b", "name", "name", 3, 1),
        ("a: 1\nb:\n  c: 1\n  c: 2", "c", "b", 5, 3),
        ("rules:\n- {tool: a, tool: b}", "tool", "rules", 3, 13),
    ],
)
def test_a_key_that_is_there_twice_is_listed_with_its_field(
    head: str, key: str, field: str, line: int, column: int
):
    (found,) = read(f"---\n{head}\n---\nb").repeated
    assert (found.key, found.field, found.place) == (key, field, (line, column))


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        ("", 1, 1),
        ("\n# no fields", 2, 1),
        ("---\nname: a\n", 3, 1),
        ("---\nname: a\ntags: [x, y\n---\n", 3, 12),
        ("---\nname: a\n\tb: c\n---\n", 3, 1),
        ("---\n- a\n- b\n---\n", 2, 1),
        ("---\nname: &a x\nother: [*a]\n---\n", 3, 9),
        ("---\n" + "x" * 2_000, None, None),
    ],
)
def test_broken_fields_name_line_and_column(text: str, line: int | None, column: int | None):
    with pytest.raises(FrontMatterError) as raised:
        read(text)
    assert (raised.value.line, raised.value.column) == (line, column)
    assert str(raised.value).startswith("x.md")


@pytest.mark.timeout(30)  # quadratic takes minutes
@pytest.mark.parametrize(
    ("first", "unit"),
    [
        ("a: [", "b\n"),
        ("a: [", " b\n"),
        ("a: [", "\n"),
        ("a: b: c", " b\n"),
        ("a: [", "b: c: d\n"),
        ("a: [", "b: [c?]\n"),
        ('a: "', '\\"'),
        ("a:", " "),
    ],
)
def test_a_hostile_file_is_read_in_time_that_grows_with_its_length(first: str, unit: str):
    text = f"---\n{first}\n{unit * (250_000 // len(unit))}\n---\n"
    with suppress(FrontMatterError):
        read_front_matter(text, "SKILL.md", len(text))
