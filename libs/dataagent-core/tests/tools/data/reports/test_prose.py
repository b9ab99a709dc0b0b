"""Markdown becomes a small tree, and the tree becomes HTML and Markdown that hold only words."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.errors import ValidationError
from dataagent_core.tools.data.reports.formats.html_report import render_prose_html
from dataagent_core.tools.data.reports.formats.markdown_report import (
    escape_markdown,
    render_prose_markdown,
)
from dataagent_core.tools.data.reports.formats.prose import ProseNode, read_prose
from tests.counts import examples

SAMPLE = """\
# One

A *soft* **hard** ~~gone~~ `code` [link](https://example.com/a?b=1&c=2).
Second line\\
broken

- a
- b
  1. c
  2. d

> quoted

```sql
SELECT '<b>'
```

| x | y |
|---|---|
| 1 | 2 |

---
"""


def html(markdown: str) -> str:
    return render_prose_html(read_prose(markdown))


def test_the_markup_people_use_is_read():
    page = html(SAMPLE)
    for part in (
        "<h2>One</h2>",
        "<em>soft</em>",
        "<strong>hard</strong>",
        "<s>gone</s>",
        "<code>code</code>",
        'href="https://example.com/a?b=1&amp;c=2"',
        "<ol",
        "<blockquote>",
        "SELECT &#x27;&lt;b&gt;&#x27;",
        "<td>1</td>",
        "<hr>",
        "<br>",
    ):
        assert part in page


def test_text_that_looks_like_markup_stays_text_in_markdown():
    for text in (
        "1. a",
        "12) b",
        "# c",
        "> d",
        "- e",
        "*f*",
        "<b>",
        "a_b_c",
        "[x](y)",
        "&amp;",
        "==",
    ):
        [paragraph] = read_prose(escape_markdown(text))
        assert (paragraph.kind, _words((paragraph,))) == ("paragraph", text)


def test_prose_written_as_markdown_reads_the_same_again():
    once = read_prose(render_prose_markdown(read_prose(SAMPLE)))
    # A heading is one level lower in a report, below its title.
    assert _words(once) == _words(read_prose(SAMPLE))


def _words(nodes: tuple[ProseNode, ...]) -> str:
    return "".join(node.text + _words(node.children) for node in nodes)


@pytest.mark.parametrize(
    "markdown",
    [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "[a](javascript:alert(1))",
        "[a](data:text/html,<script>)",
        "[a](vbscript:x)",
        "![a](http://x/y.png)",
        "<http://x><script>",
        "[a]: javascript:alert(1)\n\n[a]",
    ],
)
def test_what_would_run_or_fetch_is_text(markdown: str):
    page = html(markdown)
    assert not re.search(r"<(script|img|iframe)", page)
    assert not re.search(r'href="(?!https?:|mailto:)', page)


@settings(max_examples=examples(300))
@given(st.text(alphabet="ab<>\"'&*_`[](){}#!|~-\n \\:/.1", max_size=80))
def test_no_text_makes_a_tag_we_did_not_write(markdown: str):
    allowed = "p|h[2-6]|ul|ol|li|blockquote|pre|code|table|tr|th|td|div|strong|em|s|a|hr|br"
    for tag in re.findall(r"<[^>]*>", html(markdown)):
        assert re.fullmatch(rf"</?({allowed})( [a-z]+=\"[^\"<>]*\")*>", tag), tag


def test_a_text_of_endless_markup_is_refused():
    with pytest.raises(ValidationError, match="pieces of Markdown"):
        read_prose("*a* " * 20_000)
