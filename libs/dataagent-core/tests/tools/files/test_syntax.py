"""Files that could be parsed before an edit, and would not be after it."""

import warnings
from pathlib import Path

import pytest
from file_tools import Run

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.syntax import find_broken_syntax, find_syntax_error

BROKEN = {
    "/a.py": ("if a:\n    b()\n", "if a:\nb()\n"),
    "/a.pyi": ("def f() -> int: ...\n", "def f( -> int: ...\n"),
    "/a.json": ('{"a": [1, 2]}', '{"a": [1, 2}'),
    "/a.toml": ("a = 1\n", "a = = 1\n"),
    "/a.yaml": ("a:\n  b: 1\n", "a:\n  b: 1\n c: 2\n"),
    "/a.yml": ("a: [1]\n", "a: [1\n"),
    "/a.sh": ("if a; then b; fi\n", "if a; then b\n"),
    "/a.js": ("function f() { return 1 }\n", "function f() { return 1 \n"),
    "/a.jsx": ("const a = <b>c</b>;\n", "const a = <b>c</;\n"),
    "/a.ts": ("const a: number = 1;\n", "const a: = 1;\n"),
    "/a.tsx": ("const a = <b>{c as D}</b>;\n", "const a = <b>{c as D</b>;\n"),
    "/a.go": ("package a\n\nfunc f() {}\n", "package a\n\nfunc f() {\n"),
    "/a.rs": ("fn f() -> u8 { 1 }\n", "fn f( -> u8 { 1 }\n"),
    "/A.JAVA": ("class A { int f() { return 1; } }\n", "class A { int f() { return 1; }\n"),
}


@pytest.mark.parametrize("path", BROKEN)
def test_each_language_is_parsed(path: str):
    before, after = BROKEN[path]
    assert find_broken_syntax(path, before, before) is None
    assert "line" in (find_broken_syntax(path, before, after) or "")
    # What could not be parsed before is nobody's fault now.
    assert find_broken_syntax(path, after, after + " ") is None


def test_a_lost_return_is_found_though_its_tree_is_right():
    assert (
        find_syntax_error("/a.py", "def f():\n    pass\nreturn 1\n")
        == "line 3: 'return' outside function"
    )


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("/a.py", "x = " + "-" * 100_000 + "1"),
        ("/a.py", "a" + ".b" * 100_000),
        ("/a.py", "x = 1 #" + "y" * 1_000_000),
        ("/a.json", "[" * 100_000),
        ("/a.txt", "if a:\nb("),
        ("/Makefile", "("),
        ("/a.py", "print('\\d')\n"),
    ],
)
def test_a_parser_that_cannot_tell_says_nothing(path: str, text: str):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert find_syntax_error(path, text) is None


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("deep.yaml", "[" * 50_000 + "]" * 50_000),
        ("deep.yaml", "{a: " * 50_000 + "}" * 50_000),
        ("deep.toml", "a" + ".a" * 50_000 + " = 1"),
        ("long_number.json", "[1" + "0" * 5_000 + "]"),
        ("long_number.toml", "a = 1" + "0" * 5_000),
    ],
)
def test_a_text_that_a_parser_would_take_long_for_or_cannot_hold_is_not_judged(
    path: str, text: str
):
    assert find_syntax_error(path, text) is None


def test_the_place_of_an_error_can_be_asked_for_as_often_as_one_likes():
    # tree-sitter 0.26.0 crashes the process after some hundred calls of `Node.start_point`.
    text = "package a\n\nfunc f() {\n" + "\tg()\n" * 600
    for _ in range(500):
        assert find_syntax_error("a.go", text) == "line 604: '}' is missing"


def test_an_edit_that_breaks_a_file_is_refused_with_the_error_unless_asked_again(
    run: Run, workspace: Path
):
    run("write_file", file_path="/a.py", content="if a:\n    b()\n")
    call = {"file_path": "/a.py", "old_string": "    b()", "new_string": "b()"}
    with pytest.raises(
        ValidationError, match=r"line 2: expected an indented block.*same call again"
    ):
        run("edit_file", **call)
    assert (workspace / "a.py").read_text() == "if a:\n    b()\n"
    # Another edit is another question.
    with pytest.raises(ValidationError, match="could not be after"):
        run("edit_file", **{**call, "new_string": "c()"})
    run("edit_file", **call)
    assert (workspace / "a.py").read_text() == "if a:\nb()\n"
    # What no longer can be parsed can be edited freely.
    run("edit_file", file_path="/a.py", old_string="b()", new_string="c(")


def test_a_refused_edit_of_another_text_is_refused_again(run: Run):
    call = {"file_path": "/a.py", "old_string": "b()", "new_string": "b("}
    for content in ("a()\nb()\n", "c()\nb()\n"):
        run("write_file", file_path="/a.py", content=content)
        with pytest.raises(ValidationError, match="could not be after"):
            run("edit_file", **call)


def test_several_edits_are_judged_by_their_result(run: Run, workspace: Path):
    run("write_file", file_path="/a.py", content="x = (1)\n")
    edits = [
        {"old_string": "(", "new_string": "["},
        {"old_string": ")", "new_string": "]"},
    ]
    run("multi_edit", file_path="/a.py", edits=edits)
    assert (workspace / "a.py").read_text() == "x = [1]\n"


def test_an_edit_that_joins_two_lines_is_refused_unless_asked_again(run: Run, workspace: Path):
    run("write_file", file_path="/a.txt", content="one\ntwo\nthree\n")
    call = {"file_path": "/a.txt", "old_string": "\ntwo\n", "new_string": " 2 "}
    with pytest.raises(ValidationError, match="line 1 would be joined"):
        run("edit_file", **call)
    run("edit_file", **call)
    assert (workspace / "a.txt").read_text() == "one 2 three\n"
