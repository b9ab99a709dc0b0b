"""S0 property 55: the MCP tab lists, adds and deletes, at a real server."""

import json
import string
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from tests.server.process import ServerProcess
from tests.streamlit_demo.conftest import KEY
from tests.streamlit_demo.page import (
    add,
    errors,
    listed,
    opened,
    pressed,
    pressed_text,
    type_server,
    typed_in,
)

pytestmark = pytest.mark.slow

_NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True)
_WORDS = st.text(string.ascii_letters + string.digits + " -/.:=数据", max_size=20)


@cache
def _opened_once(url: str, language: str) -> AppTest:
    return opened(url, KEY, language)


@pytest.mark.requirement("S0-55")
@pytest.mark.timeout(300)
@given(
    language=st.sampled_from(["English", "中文"]),
    name=_NAMES,
    args=st.lists(_WORDS, max_size=3),
    env=st.dictionaries(st.from_regex(r"[A-Z_]{1,9}", fullmatch=True), _WORDS, max_size=2),
)
def test_s0_55_the_mcp_tab_lists_adds_and_deletes_servers(
    server: ServerProcess, language: str, name: str, args: list[str], env: dict[str, str]
):
    page = _opened_once(server.url, language)
    assert len(page.tabs) == 2
    assert errors(page) == []
    before = listed(page)
    type_server(page, name=name, command="sh", args=json.dumps(args), env=json.dumps(env))
    add(page)
    assert (errors(page), len(page.success)) == ([], 1)
    assert sorted(listed(page)) == sorted([*before, name])
    at = listed(page).index(name)
    pressed(page, f"mcp_delete_{at}")
    assert name in listed(page), "it asks first"
    pressed(page, f"mcp_delete_yes_{at}")
    assert (errors(page), listed(page)) == ([], before)
    assert not page.exception


def test_a_delete_that_was_not_meant_deletes_nothing(server: ServerProcess):
    page = opened(server.url, KEY)
    type_server(page, name="kept", command="sh")
    add(page)
    at = listed(page).index("kept")
    pressed(page, f"mcp_delete_{at}")
    pressed(page, f"mcp_keep_{at}")
    assert "kept" in listed(page)
    assert "mcp_deleting" not in page.session_state
    pressed(page, f"mcp_delete_{at}")
    pressed(page, f"mcp_delete_yes_{at}")
    assert listed(page) == []
    assert [one.value for one in page.info], "an empty list says what to do next"


@pytest.mark.parametrize(
    ("typed", "told"),
    [
        ({"name": "", "command": "sh"}, "name"),
        ({"name": "a"}, "command"),
        ({"name": "a", "command": "sh", "args": "-y server"}, "JSON list"),
        ({"name": "a", "command": "sh", "args": '{"a": 1}'}, "JSON list"),
        ({"name": "a", "command": "sh", "args": "[1]"}, "JSON list"),
        ({"name": "a", "command": "sh", "args": "[" * 100_000}, "JSON list"),
        ({"name": "a", "command": "sh", "env": "TOKEN=1"}, "JSON object"),
        ({"name": "a", "command": "sh", "env": '["TOKEN"]'}, "JSON object"),
        ({"name": "a", "command": "sh", "env": '{"TOKEN": 1}'}, "JSON object"),
        # Errors that only the server can find.
        ({"name": "no spaces", "command": "sh"}, "422"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(
    server: ServerProcess, typed: dict[str, str], told: str
):
    page = opened(server.url, KEY)
    fields = type_server(page, **typed)
    add(page)
    (error,) = errors(page)
    assert told in error
    assert typed_in(page) == fields
    assert not page.exception


def test_there_are_examples_to_copy_in_both_languages(server: ServerProcess):
    for language, word in (("English", "Examples"), ("中文", "配置示例")):
        page = opened(server.url, KEY, language)
        (examples,) = [one for one in page.expander if word in one.label]
        for code in examples.code:
            assert "name" in json.loads(code.value)
        assert len(examples.code) >= 3


def test_a_key_that_is_not_taken_is_a_sentence(server: ServerProcess):
    page = opened(server.url, "wrong")
    assert "API key" in errors(page)[0]
    assert not page.exception
    page.text_input(key="api_key").set_value(KEY).run()
    assert errors(page) == []


def test_the_words_of_the_page_follow_the_language(server: ServerProcess):
    page = opened(server.url, KEY)
    page.selectbox(key="language").set_value("中文").run()
    assert [tab.label for tab in page.tabs] == ["对话", "MCP 配置"]
    pressed_text(page, "🔄 刷新")
    assert not page.exception
