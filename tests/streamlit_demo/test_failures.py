"""S0 property 56: whatever the API does, the page says so and goes on; nothing typed is lost."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataagent_core.testing.strategies import json_values
from tests.counts import examples
from tests.streamlit_demo.failing import Playing, Reply, reply, stream
from tests.streamlit_demo.page import (
    add,
    errors,
    listed,
    opened,
    pressed,
    type_server,
    typed_in,
)

pytestmark = pytest.mark.slow

_ERROR_BODIES = st.fixed_dictionaries({"error_code": st.text(), "message": st.text()})
_REPLIES = st.one_of(
    st.builds(reply, _ERROR_BODIES, st.integers(300, 599)),
    st.builds(Reply, st.integers(300, 599), st.binary(max_size=40)),
    st.builds(Reply, st.just(200), st.binary(max_size=40)),
    st.builds(reply, json_values()),
    st.builds(reply, st.lists(st.fixed_dictionaries({"name": st.text()}), max_size=3)),
    st.just(Reply(200, b"[" * 5000)),
    st.just(Reply(200, b"not zipped", {"Content-Encoding": "gzip"})),
    st.builds(Reply, st.just(200), st.binary(max_size=9), hangs_up=st.just(True)),
)
_TYPED = {"name": "mine", "command": "sh", "args": '["a"]', "env": '{"K": "v"}'}


@pytest.mark.requirement("S0-56")
@pytest.mark.timeout(300)
@given(kind=st.sampled_from(["me", "list", "add", "delete"]), told=_REPLIES)
def test_s0_56_a_failed_mcp_call_is_a_sentence_and_nothing_typed_is_lost(
    failing: Playing, kind: str, told: Reply
):
    failing.play()
    page = opened(failing.url, "key")
    if kind == "delete":
        pressed(page, "mcp_delete_0")
    fields = type_server(page, **_TYPED)
    failing.play(**{kind: told})
    if kind == "delete":
        pressed(page, "mcp_delete_yes_0")
    else:
        add(page)
    assert not page.exception
    if told.fails:
        assert errors(page)
        assert all(errors(page))
    if kind != "delete" and not page.success:
        assert typed_in(page) == fields
    # Once the server works again, so does the page.
    failing.play()
    pressed(page, "mcp_refresh")
    assert (listed(page), errors(page)) == (["one"], [])


@settings(max_examples=examples(30))
@given(told=_REPLIES)
def test_a_message_the_server_did_not_take_waits_and_can_be_sent_again(
    failing: Playing, told: Reply
):
    failing.play(chat=told)
    failing.keys.clear()
    page = opened(failing.url, "key")
    page.chat_input(key="chat_input").set_value("my question").run()
    assert not page.exception
    assert errors(page)
    assert any("my question" in one.value for one in page.warning)
    failing.play()
    pressed(page, "chat_again")
    assert not page.exception
    said = [message.markdown[0].value for message in page.chat_message]
    assert said == ["my question", "Hello."]
    assert len(set(failing.keys)) == 1, "a run that had begun is not started twice"


@settings(max_examples=examples(30))
@given(told=_REPLIES)
def test_requests_that_cannot_be_read_do_not_end_the_chat(failing: Playing, told: Reply):
    failing.play(requests=told)
    page = opened(failing.url, "key")
    page.chat_input(key="chat_input").set_value("my question").run()
    assert not page.exception
    assert [message.name for message in page.chat_message] == ["user", "assistant"]


def test_a_stream_that_breaks_off_shows_what_it_said_and_can_be_read_again(failing: Playing):
    piece = {"type": "text_delta", "data": {"delta": "Hel"}, "conversation_id": "s"}
    failing.play(chat=stream(piece))
    page = opened(failing.url, "key")
    page.chat_input(key="chat_input").set_value("my question").run()
    assert "goes on at the server" in errors(page)[0]
    failing.play()
    pressed(page, "chat_again")
    assert [m.markdown[0].value for m in page.chat_message] == ["my question", "Hello."]


@pytest.mark.parametrize(
    "url", ["", "nonsense", "http://", "ftp://a", "http://127.0.0.1:9", "http://[", "http://a b"]
)
@pytest.mark.parametrize("key", ["key", "密钥", "a\nb"])
def test_an_address_or_a_key_that_cannot_be_used_is_a_sentence(url: str, key: str):
    page = opened(url, key)
    assert errors(page)
    assert not page.exception
