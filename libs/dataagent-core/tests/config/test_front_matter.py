"""YAML between two lines `---`: read leniently, and where it is broken with line and column."""

import pytest

from dataagent_core.config.files.front_matter import read_front_matter
from dataagent_core.errors import FrontMatterError


def read(text: str):
    return read_front_matter(text, "x.md", 1_000)


def test_fields_and_text_are_told_apart():
    found = read("---\nname: a\ntags: [x, y]\n---\n\n# Body\n---\nmore\n")
    assert found.fields == {"name": "a", "tags": ["x", "y"]}
    assert found.lines == {"name": 2, "tags": 3}
    assert (found.body, found.body_line) == ("# Body\n---\nmore", 5)


def test_a_mark_windows_lines_and_blank_lines_do_no_harm():
    found = read("\ufeff\r\n---\r\nname: a\r\n---\r\nbody\r\n")
    assert (found.fields, found.body, found.lines) == ({"name": "a"}, "body", {"name": 3})


def test_a_value_with_a_colon_is_read_as_text():
    found = read(
        '---\nname: a\ndescription: Use it. Examples: <example>user: "hi"\\nok</example>\n---\nb'
    )
    assert found.fields["description"] == 'Use it. Examples: <example>user: "hi"\nok</example>'
    assert len(found.warnings) == 1


def test_questions_in_a_list_are_texts_as_yaml_has_it():
    found = read("---\nname: a\nexamples: [Is this join right?, 对吗?, what's \\d, 7]\n---\nb")
    assert found.fields["examples"] == ["Is this join right?", "对吗?", "what's \\d", 7]
    assert found.warnings == ()
    both = read("---\nabout: Use it: now\nexamples: [really?]\n---\nb")
    assert both.fields == {"about": "Use it: now", "examples": ["really?"]}
    assert len(both.warnings) == 1
    with pytest.raises(FrontMatterError) as caught:
        read('---\nname: a\nexamples: ["quoted", not quoted?]\n---\nb')
    assert caught.value.line == 3


def test_a_field_that_is_there_twice_is_told():
    found = read("---\nname: a\nname: b\n---\n")
    assert found.fields == {"name": "b"}
    assert found.warnings == ("'name' is given twice; the last one counts.",)


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
