"""The chat tab at a real server."""

import pytest
from demo_answer import Answer
from demo_texts import TEXTS
from hypothesis import given
from hypothesis import strategies as st
from streamlit.testing.v1 import AppTest

from tests.server.process import ServerProcess
from tests.streamlit_demo.conftest import KEY
from tests.streamlit_demo.page import errors, opened, pressed


def say(page: AppTest, message: str) -> AppTest:
    return page.chat_input(key="chat_input").set_value(message).run()


def said(page: AppTest) -> list[str]:
    return [message.markdown[0].value for message in page.chat_message]


def test_a_question_is_answered_and_the_next_one_is_of_the_same_conversation(server: ServerProcess):
    page = opened(server.url, KEY)
    say(page, "hello")
    assert said(page) == ["hello", "Hello from the **model**."]
    first = page.session_state["session_id"]
    say(page, "again")
    assert page.session_state["session_id"] == first
    assert len(said(page)) == 4
    pressed(page, "chat_new")
    assert said(page) == []
    assert not page.exception


@pytest.mark.parametrize(("decision", "told"), [("approve", "It is written."), ("reject", None)])
def test_what_the_agent_may_not_do_by_itself_is_asked_here(
    server: ServerProcess, decision: str, told: str | None
):
    page = opened(server.url, KEY)
    say(page, "write it")
    assert "I write it." in said(page)[-1]
    pressed(page, f"ask_0_{decision}")
    assert not page.exception
    if told:
        assert told in said(page)[-1]
    assert not [button for button in page.button if str(button.key).startswith("ask_")]


def test_a_question_of_the_agent_is_answered_here(server: ServerProcess):
    page = opened(server.url, KEY)
    say(page, "clarify it")
    page.radio(key="ask_0_option").set_value("By day")
    (button,) = [one for one in page.button if one.form_id == "ask_0"]
    button.click().run()
    assert (errors(page), bool(page.exception)) == ([], False)
    assert "As you wish." in said(page)[-1]


def test_both_languages_say_the_same_things():
    english, chinese = TEXTS["en"], TEXTS["zh"]
    assert list(english) == list(chinese)
    for name, text in english.items():
        holes = {
            hole for hole in ("{name}", "{url}", "{why}", "{text}", "{status}") if hole in text
        }
        assert {hole for hole in holes if hole in chinese[name]} == holes, name


@given(st.lists(st.text(min_size=1), min_size=1), st.integers(min_value=0))
def test_what_is_shown_is_the_final_text_also_after_it_broke_off(pieces: list[str], cut: int):
    answer = Answer()
    delta = [{"type": "text_delta", "data": {"delta": piece}} for piece in pieces]
    final = {"type": "text_delta", "data": {"is_final": True, "content": "".join(pieces)}}
    resumed = {"type": "resumed", "data": {}}
    for event in [
        *delta[: cut % len(delta)],
        resumed,
        *delta,
        final,
        {"type": "complete", "data": {}},
    ]:
        answer.see(event, "{name}")
    assert answer.ended
    assert answer.text == "".join(pieces) if "".join(pieces).strip() else answer.text == ""
