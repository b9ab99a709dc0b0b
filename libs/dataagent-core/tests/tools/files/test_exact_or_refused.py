"""What an edit that is found inexactly leaves open is refused, and what it shows is carried over."""

import pytest

from dataagent_core.errors import ValidationError
from dataagent_core.tools.files.edits.edit_application import Edit, apply_edit

CLASS = "class A:\n    def f(self):\n        x = 1\n        return x\n"


@pytest.mark.parametrize(
    ("text", "old", "new", "expected"),
    [
        # Wrapped in a block: the lines are indented anew, whatever the fault.
        (
            CLASS,
            "        x = 1  \n        return x",
            "        if a:\n            x = 1\n        return x",
            "class A:\n    def f(self):\n        if a:\n            x = 1\n        return x\n",
        ),
        (
            CLASS,
            "    x = 1\n    return x",
            "    if a:\n        x = 1\n    return x",
            "class A:\n    def f(self):\n        if a:\n            x = 1\n        return x\n",
        ),
        # Tabs in the file, spaces in the strings, and the other way round.
        (
            "def f():\n\tif a:\n\t\tb()\n",
            "    if a:\n        b()",
            "    if a:\n        c()\n    d()",
            "def f():\n\tif a:\n\t\tc()\n\td()\n",
        ),
        (
            "def f():\n    if a:\n        b()\n",
            "\tif a:\n\t\tb()",
            "\tif a:\n\t\tif c:\n\t\t\tb()",
            "def f():\n    if a:\n        if c:\n            b()\n",
        ),
        # Steps of two for steps of four.
        (
            "def f():\n    if a:\n        b()\n",
            "  if a:\n    b()",
            "  if a:\n    if c:\n      b()",
            "def f():\n    if a:\n        if c:\n            b()\n",
        ),
        # The first line without its indentation, the others with it.
        (
            CLASS,
            "def f(self):\n        x = 1 \n",
            "def f(self):\n        y = 2\n        x = 1\n",
            "class A:\n    def f(self):\n        y = 2\n        x = 1\n        return x\n",
        ),
        # Spaces at line ends are none of the new lines' either.
        ("a\nb\n", "a  \nb", "a  \nc  \nb", "a\nc\nb\n"),
        # A blank line stays blank.
        ("  a\n  b\n", "a\nb", "a\n\nb", "  a\n\n  b\n"),
        # White space around a changed word stays the file's.
        ('print("a  b",  x)\n', 'print("a b", x)', 'print("a b", y)', 'print("a  b",  y)\n'),
        # Quotes and line ends escaped as JSON does.
        (
            'say("a")\nend()\n',
            'say(\\"a\\")\\nend()',
            'say(\\"b\\\\n\\")\\nend()',
            'say("b\\n")\nend()\n',
        ),
    ],
)
def test_what_the_file_shows_is_carried_over(text: str, old: str, new: str, expected: str):
    assert apply_edit(text, Edit(old, new)).text == expected


@pytest.mark.parametrize(
    ("text", "old", "new", "reason"),
    [
        # One indent of the model stands for two of the file.
        ("def g():\n    return 1\n", "def g():\nreturn 1", "def g():\nreturn 2", "begin with ''"),
        ("def g():\n    return 1\n", "def g():\nreturn 1", "def g():\n    x", "begin with ''"),
        # Tabs and spaces in one indentation.
        ("\t  a\n\t  b\n", "  a\n  b", "  a\n    c\n  b", "mix tabs and spaces"),
        # A shift or a scale: one level does not tell.
        ("if a:\n    if b:\n        c\n", "    c", "    c\n        d", "does not show"),
        # The new string is indented like the file, the old one is not.
        ("f:\n    a\n    b\n", "a\nb", "    a\n    c\n    b", "not clear how deep"),
        # The model lost all indentation.
        ("f:\n    a\n    b\n", "a\nb", "a\nif x:\nc\nb", "not indented after 'if x:'"),
        # A line without its indentation: are the further ones meant as they are?
        ("f:\n    a\n", "a", "a\nb", "begins after the indentation"),
        ("f:\n    a\n    b\n", "a\n", "", "begins after the indentation"),
        # A line that the old string has in other words may not be changed.
        (
            "def f():\n    first(argument)\n    second(argument)\n    third(argument)\n    return\n",
            "def f():\n    first(argument)\n    second(argumen)\n    third(argument)\n    return\n",
            "def f():\n    first(argument)\n    other()\n    third(argument)\n    return\n",
            "Line 3 of old_string",
        ),
        # Nor anything beside a line that it does not have at all.
        (
            "import first_module\nimport os\nimport second_module\nrun(everything)\n",
            "import first_module\nimport second_module\nrun(everything)",
            "import second_module\nrun(everything)",
            "leaves out, right beside the change: 'import os'",
        ),
        # What is deeper for the model must be deeper in the file: these lines are guesses.
        (
            "a:\n        b\n      c\n",
            "  a:\n    b\n      c",
            "  a:\n    b\n      c\n        d",
            "is not deeper than",
        ),
        # A line that is aligned with the one above it has no step that could be counted.
        (
            "def f():\n    if a:\n        b()\n",
            "  if a:\n    b()",
            "  if a:\n    b(1,\n              2)",
            "to be aligned",
        ),
        # One kept line speaks for the indentation of the old string, one for the file's.
        (
            "    first()\n    second()\n    end\n  end\n",
            "  first()\n  second()\n  end\nend",
            "    first()\n  second()\n  third()\n  end",
            "not clear how deep",
        ),
        # Blank lines around that only the old string has: a slip, or to be deleted?
        ("a\n\nb\n", "a \n\n", "c\n", "blank lines that new_string has not"),
        # Signs that the model puts in place of the file's, and blank lines it brings.
        (
            "begin of a long block\nsay('one or two')\nthe end of a long block\n",
            "begin of a long block\nsay(\u2018one or two\u2019)\nthe end of a long block",
            (
                "begin of a long block\nsay(\u2018one or two\u2019)\nsay(\u2018b\u2019)\n"
                "the end of a long block"
            ),
            "where the file has not",
        ),
        (
            "first line\nsecond line\nthird line\n",
            "first line\n\nsecond line\nthird line",
            "first line\nsecond line\n\n\nother line\nthird line",
            "a blank line that the file has not",
        ),
        # Spaces at the end of a new line, where kept lines do not share the old string's fault.
        ("a\nb\n", "a  \nb", "x  \na\nb", "not clear what those of the new line"),
        # A space that is none is part of the text, and so is a carriage return.
        ("a\n\u00a0 b\nc\n", "a\n  b\nc", "a\n  d\nc", "not found"),
        ("a\nb\n", "b", "b\rc", "carriage returns"),
        # White space that the model does not see cannot be trusted in what it brings.
        ('x  = "a  b"\n', 'x = "a b"', 'x = "c d e"', "cannot be trusted"),
        # Escapes that may be meant as they are.
        ("a\nb\n", "a\\nb", 'a\\nprint("x\\ny")\\nb', "not clear which escapes"),
    ],
)
def test_what_the_file_leaves_open_is_refused(text: str, old: str, new: str, reason: str):
    with pytest.raises(ValidationError, match=reason):
        apply_edit(text, Edit(old, new))


@pytest.mark.parametrize("quote", ['\\"', '"'])
def test_a_path_of_windows_is_never_taken_for_a_line_end(quote: str):
    text = 'path = "C:\\Users\\old"\nnext = 1\n'
    old, new = (f"path = {quote}C:\\Users\\{name}{quote}" for name in ("old", "new"))
    try:
        edited = apply_edit(text, Edit(old, new)).text
    except ValidationError:
        assert quote != '"'
    else:
        assert edited == text.replace("old", "new")


def test_a_refusal_shows_the_nearest_text_as_it_is():
    text = "x\ndef load(path):\n    return read(path, encoding='utf-8')\ny\n"
    with pytest.raises(ValidationError) as refused:
        apply_edit(text, Edit("def load(path):\n    return read(path)\n", "z"))
    assert str(refused.value).endswith(
        "line 2 to 3 of the file:\ndef load(path):\n    return read(path, encoding='utf-8')"
    )
    with pytest.raises(ValidationError) as refused:
        apply_edit("def g():\n    return 1\n", Edit("def g():\nreturn 1", "def g():\nreturn 2"))
    assert str(refused.value).endswith("line 1 to 2 of the file:\ndef g():\n    return 1")


def test_what_is_not_found_is_refused_with_a_hint():
    with pytest.raises(ValidationError, match="first line stands at line 2"):
        apply_edit("x\nbegin\nend\n", Edit("begin\nmiddle of it\nnever there", "y"))
