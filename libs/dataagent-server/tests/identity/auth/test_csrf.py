"""A page of somebody else's cannot act for who is signed in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_core.errors import DeniedError
from dataagent_core.secrets import Keyring, SecretKey
from dataagent_server.identity.auth.cookies import (
    cleared_cookie,
    cookie_name,
    is_secure,
    session_cookie,
)
from dataagent_server.identity.auth.csrf import CsrfGuard, csrf_token
from dataagent_server.identity.auth.presented_credentials import PresentedCredentials

RING = Keyring([SecretKey("one", b"1" * 32)])
GUARD = CsrfGuard(
    RING, public_url="https://agent.example/console", cors_origins=["https://app.example"]
)
TOKEN = csrf_token(RING, "login")


def sent(
    origin: str | None, token: str | None = TOKEN, method: str = "POST"
) -> PresentedCredentials:
    return PresentedCredentials(
        cookie="c",
        csrf_token=token,
        origin=origin,
        own_origin="http://10.0.0.5:8000",
        method=method,
    )


@pytest.mark.parametrize(
    "origin",
    [
        "https://agent.example",
        "https://AGENT.example:443",
        "https://app.example",
        "http://10.0.0.5:8000",
    ],
)
def test_our_own_pages_pass(origin: str):
    GUARD.check(sent(origin), "login")


@pytest.mark.parametrize(
    "origin",
    [
        None, "", "null", "https://evil.example", "http://agent.example", "https://agent.example:444",
        "https://agent.example.evil.example", "https://agent.example@evil.example",
        "http://10.0.0.5", "http://[::1", "https://agent.example:99999", "file://",
    ],
)  # fmt: skip
def test_others_do_not(origin: str | None):
    with pytest.raises(DeniedError):
        GUARD.check(sent(origin), "login")


@given(st.none() | st.text())
def test_without_the_right_token_nothing_passes(token: str | None):
    if token != TOKEN:
        with pytest.raises(DeniedError):
            GUARD.check(sent("https://agent.example", token), "login")


def test_the_token_of_another_login_does_not_pass():
    with pytest.raises(DeniedError):
        GUARD.check(sent("https://agent.example", csrf_token(RING, "another")), "login")


def test_reading_needs_neither():
    GUARD.check(sent(None, None, "GET"), "login")


def test_a_token_made_before_a_key_was_replaced_still_counts():
    newer = Keyring([SecretKey("two", b"2" * 32), *RING.keys])
    CsrfGuard(newer, public_url="https://agent.example").check(
        sent("https://agent.example"), "login"
    )


def test_the_cookie_is_closed_to_scripts_and_bound_to_the_host_over_https():
    plain, secure = session_cookie("t", secure=False), session_cookie("t", secure=True)
    assert (plain.key, plain.httponly, plain.samesite, plain.secure) == (
        "dataagent_session",
        True,
        "lax",
        False,
    )
    assert (secure.key, secure.secure, secure.path) == ("__Host-dataagent_session", True, "/")
    assert cleared_cookie(secure=True).max_age == 0
    assert cookie_name(secure=is_secure("http", "https://agent.example")) == secure.key
    assert cookie_name(secure=is_secure("http", None)) == plain.key
    assert is_secure("wss", None)
