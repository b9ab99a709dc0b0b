"""The pure parts of the server client: addresses, frames, delays, errors, stored keys."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_cli.messages import Messages
from dataagent_cli.remote.address import RemoteServer, is_loopback, parse_url, socket_url
from dataagent_cli.remote.backoff import delay_s
from dataagent_cli.remote.failures import NotSignedInError, ServerAwayError, make_refusal_error
from dataagent_cli.remote.feed import EventFrame, NotOursError, RefusalFrame, decode_frame
from dataagent_cli.remote.limits import BACKOFF_FIRST_S, BACKOFF_S_MAX
from dataagent_cli.remote.logins import logins_of
from dataagent_core.config import Settings
from dataagent_core.errors import ConfigurationError, ConflictError, StorageError, ValidationError
from dataagent_core.events import TextEvent, WarningEvent

SAY = Messages("en")
URL = "https://agent.example.com"


@pytest.mark.parametrize(
    ("given_url", "kept"),
    [
        ("https://Agent.Example.com/", "https://agent.example.com"),
        ("agent.example.com", "https://agent.example.com"),
        ("localhost:8000", "http://localhost:8000"),
        ("http://[::1]:8000/", "http://[::1]:8000"),
        ("[::1]:8000", "http://[::1]:8000"),
        ("127.0.0.1:8000/agent/", "http://127.0.0.1:8000/agent"),
    ],
)
def test_an_address_is_kept_in_one_form(given_url: str, kept: str):
    assert parse_url(given_url, SAY, insecure=False) == kept


@pytest.mark.parametrize(
    "bad",
    [
        "", "ftp://a", "http://agent.example.com", "https://me:secret@a", "https://a?x=1",
        "https://a#b", "https://a:99999", "https://a:x", "https://[::1", "a b", "https://\x1b[31ma",
        "http://127.0.0.1.example.com", "https://",
    ],
)  # fmt: skip
def test_what_a_key_must_not_be_sent_to_is_refused(bad: str):
    with pytest.raises(ValidationError) as refused:
        parse_url(bad, SAY, insecure=False)
    assert "secret" not in str(refused.value)


@given(st.text(max_size=60))
def test_whatever_is_typed_is_an_address_to_trust_or_refused(text: str):
    try:
        url = parse_url(text, SAY, insecure=False)
    except ValidationError:
        return
    assert parse_url(url, SAY, insecure=False) == url
    assert url.startswith("https://") or RemoteServer(url).on_this_machine
    assert socket_url(url).startswith("ws")


def test_only_this_machine_is_this_machine():
    assert is_loopback("127.8.9.1")
    assert not is_loopback("10.0.0.1")
    assert not is_loopback("localhost.example.com")


def test_a_server_does_not_show_its_key():
    assert "secret" not in repr(RemoteServer(URL, "secret"))


@given(st.integers(0, 10_000), st.floats(0, 1))
def test_waits_grow_to_a_limit_and_never_vanish(failures: int, chance: float):
    wait_s = delay_s(failures, chance)
    assert BACKOFF_FIRST_S / 2 <= wait_s <= BACKOFF_S_MAX
    assert delay_s(failures + 1, chance) >= wait_s


def frame(**changed: Any) -> str:
    whole = {
        "event_type": "text",
        "data": {"content": "Hello", "is_final": False},
        "timestamp": 1.5,
        "seq": 7,
        "run_id": "r1",
    }
    return json.dumps(whole | changed)


def test_a_frame_is_the_event_of_the_log():
    read = decode_frame(frame(), "s1", SAY)
    event = TextEvent(content="Hello", timestamp=1.5, session_id="s1", run_id="r1", seq=7)
    assert read == EventFrame(7, event)


def test_an_event_of_another_version_keeps_its_place_and_is_said():
    for strange in (frame(event_type="dream"), frame(data={"content": 5})):
        read = decode_frame(strange, "s1", SAY)
        assert isinstance(read, EventFrame)
        assert isinstance(read.event, WarningEvent)
        assert (read.seq, read.event.seq) == (7, 7)


def test_what_has_no_number_is_no_event():
    assert decode_frame('{"event_type": "pong", "data": {}, "timestamp": 1}', "s", SAY) is None
    error = '{"event_type": "error", "data": {"error": "gone", "code": "NOT_FOUND"}}'
    assert decode_frame(error, "s", SAY) == RefusalFrame("NOT_FOUND", "gone")


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@given(
    st.text(max_size=30)
    | st.binary(max_size=30)
    | _JSON.map(json.dumps)
    | st.builds(frame, data=_JSON, seq=_JSON, event_type=_JSON, timestamp=_JSON, run_id=_JSON)
)
def test_whatever_a_server_sends_is_read_or_refused(text: str | bytes):
    try:
        read = decode_frame(text, "s1", SAY)
    except NotOursError:
        return
    if isinstance(read, EventFrame):
        assert read.event.seq == read.seq >= 1


def body(code: str, message: str = "No.") -> bytes:
    return json.dumps({"error_code": code, "message": message}).encode()


def test_a_key_that_is_not_accepted_is_told_in_words_of_the_terminal():
    told = body("UNAUTHENTICATED", "Send a valid key as X-API-Key or as Authorization: Bearer.")
    for say in (SAY, Messages("zh")):
        text = str(make_refusal_error(401, told, URL, say))
        assert "X-API-Key" not in text
        assert f"login {URL}" in text


def test_a_refusal_names_the_way_out():
    unknown = make_refusal_error(401, body("UNAUTHENTICATED"), URL, SAY)
    assert isinstance(unknown, NotSignedInError)
    assert f"login {URL}" in str(unknown)
    assert isinstance(make_refusal_error(409, body("CONFLICT"), URL, SAY), ConflictError)
    assert isinstance(make_refusal_error(503, body("OVERLOADED"), URL, SAY), ServerAwayError)
    assert isinstance(make_refusal_error(502, b"<html>", URL, SAY), ServerAwayError)
    assert "not as a DataAgent server" in str(make_refusal_error(404, b"<html>", URL, SAY))
    assert "https://evil.example" in str(
        make_refusal_error(307, b"", URL, SAY, "https://evil.example")
    )


@given(st.text(), st.text(), st.integers(300, 599), st.binary(max_size=40))
def test_no_refusal_has_more_than_a_line_or_steers_the_terminal(
    code: str, text: str, status: int, raw: bytes
):
    for data in (body(code, text), raw):
        told = str(make_refusal_error(status, data, URL, SAY, text))
        assert "\n" not in told
        assert "\x1b" not in told


def test_a_key_opens_beneath_its_own_address_only(tmp_path: Path):
    logins = logins_of(Settings(home=tmp_path))
    logins.keep(URL, "da_secret")
    logins.keep("https://b.example", "da_other")
    assert (logins.last, logins.key(URL)) == ("https://b.example", "da_secret")
    path = tmp_path / "servers.json"
    kept = json.loads(path.read_text())
    kept["servers"]["https://evil.example"] = kept["servers"][URL]
    path.write_text(json.dumps(kept))
    with pytest.raises(StorageError):
        logins.key("https://evil.example")
    assert logins.forget("https://evil.example")
    assert logins.forget("https://b.example")
    assert logins.last == URL
    assert not logins.forget("https://b.example")


@pytest.mark.parametrize("bad", ["[]", "{", '{"last": 5, "servers": {}}', '{"servers": {"a": 1}}'])
def test_a_damaged_file_is_said_and_not_written_over(tmp_path: Path, bad: str):
    path = tmp_path / "servers.json"
    path.write_text(bad)
    with pytest.raises(ConfigurationError, match=r"servers\.json"):
        logins_of(Settings(home=tmp_path)).keep(URL, "da_secret")
    assert path.read_text() == bad
