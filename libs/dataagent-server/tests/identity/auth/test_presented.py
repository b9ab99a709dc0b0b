"""What a request says of who sends it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataagent_server.common.errors import UnauthenticatedError
from dataagent_server.identity.auth.presented_credentials import (
    PresentedCredentials,
    read_presented,
)

keys = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=60)


def read(*headers: tuple[str, str], cookies: dict[str, str] | None = None) -> PresentedCredentials:
    return read_presented(
        headers, cookies or {}, cookie_name="dataagent_session", method="post", scheme="http"
    )


@given(keys, st.sampled_from(["Bearer", "bearer", "BEARER"]))
def test_a_key_is_read_from_either_header(key: str, scheme: str):
    assert read(("X-API-Key", key)).api_key == key
    assert read(("Authorization", f"{scheme} {key}")).api_key == key
    assert read(("x-api-key", key), ("authorization", f"{scheme} {key}")).api_key == key


@given(keys, keys)
def test_two_different_keys_are_refused(one: str, other: str):
    for headers in (
        (("x-api-key", one), ("authorization", f"Bearer {other}")),
        (("x-api-key", one), ("x-api-key", other)),
    ):
        if one == other:
            assert read(*headers).api_key == one
        else:
            with pytest.raises(UnauthenticatedError):
                read(*headers)


@pytest.mark.parametrize(
    "headers", [("x-api-key", ""), ("x-api-key", "k" * 513), ("authorization", "Bearer ")]
)
def test_a_key_that_is_none_is_refused(headers: tuple[str, str]):
    with pytest.raises(UnauthenticatedError):
        read(headers)


def test_another_scheme_is_somebody_elses():
    assert read(("authorization", "Basic YTpi")).api_key is None


def test_origin_csrf_and_cookie_are_read_and_doubled_ones_ignored():
    found = read(
        ("host", "a.example"), ("origin", "http://a.example"), ("x-csrf-token", "t"),
        cookies={"dataagent_session": "c"},
    )  # fmt: skip
    assert (found.own_origin, found.origin, found.csrf_token, found.cookie, found.unsafe) == (
        "http://a.example", "http://a.example", "t", "c", True
    )  # fmt: skip
    assert read(("origin", "http://a.example"), ("origin", "http://b.example")).origin is None


def test_no_secret_is_shown_by_repr():
    assert "geheim" not in repr(
        PresentedCredentials(api_key="geheim", cookie="geheim", csrf_token="geheim")
    )
